// Settings of SQLite's that only functions with variable arguments make, which Swift cannot call.
#ifndef TILL_SQLITE_SETTINGS_H
#define TILL_SQLITE_SETTINGS_H

// Has SQLite keep no account of the memory that it uses, for which it takes a lock at every allocation
// (SQLITE_CONFIG_MEMSTATUS, sqlite3_config(3)). Of no effect once SQLite was used.
void till_sqlite_forget_memory_use(void);

#endif
