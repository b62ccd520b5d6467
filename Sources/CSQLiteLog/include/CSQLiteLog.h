// What a commit adds to SQLite's write-ahead log, written to the file at once. SQLite itself makes two system calls for
// each page of 4 KiB: one for its header of 24 bytes, one for the page (walWriteOneFrame, wal.c).
#ifndef TILL_SQLITE_LOG_H
#define TILL_SQLITE_LOG_H

struct sqlite3;

// How many bytes are gathered before they are written, at most: what SQLite gives the system in one call (0x1ffff,
// seekAndWriteFd, os_unix.c; of more it would write the remainder of a division).
enum { TILL_SQLITE_LOG_CAPACITY = 0x1ffff };

// Has the connection gather what it adds to the log of its main database until it flushes the log, reads from it or does
// anything else with it. An error of such a write is that of the flush, and of every later one.
//
// Only for a connection with `synchronous` at FULL or above, for good: it flushes the log before it tells others of a
// commit, so that nobody looks for what is not in the file yet. The connection must have used its database.
//
// Gives SQLite's result code: SQLITE_MISUSE where the database has no log, SQLITE_NOMEM without memory.
int till_sqlite_gather_log(struct sqlite3 *connection);

#endif
