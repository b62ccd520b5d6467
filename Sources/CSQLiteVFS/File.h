// A file that SQLite has opened through this VFS, and the methods that both kinds of files share.
#ifndef TILL_SQLITE_FILE_H
#define TILL_SQLITE_FILE_H

#include <sqlite3.h>
#include <stdint.h>

// What a connection has written to its log and the file does not have yet.
typedef struct Gathering Gathering;

typedef struct {
    // First, so that SQLite's pointer to it is one to this struct.
    sqlite3_file base;
    // The same file as the system's VFS has opened it. It lies behind this struct.
    sqlite3_file *system;
    // A database: whether its pages have checksums, and the last page that was found damaged.
    int has_checksums;
    uint32_t damaged_page;
    // A log: NULL while its writes are not gathered.
    Gathering *gathering;
} File;

extern const sqlite3_io_methods till_sqlite_database_methods;
extern const sqlite3_io_methods till_sqlite_log_methods;

// What a connection's file control finds if it is a file of that kind; NULL otherwise, such as for a database in memory.
File *till_sqlite_file(struct sqlite3 *connection, int control, const sqlite3_io_methods *methods);

// Methods that only pass the call on.
int till_sqlite_close(sqlite3_file *file);
int till_sqlite_truncate(sqlite3_file *file, sqlite3_int64 size);
int till_sqlite_sync(sqlite3_file *file, int flags);
int till_sqlite_file_size(sqlite3_file *file, sqlite3_int64 *size);
int till_sqlite_lock(sqlite3_file *file, int level);
int till_sqlite_unlock(sqlite3_file *file, int level);
int till_sqlite_check_reserved_lock(sqlite3_file *file, int *is_reserved);
int till_sqlite_file_control(sqlite3_file *file, int control, void *argument);
int till_sqlite_sector_size(sqlite3_file *file);
int till_sqlite_device_characteristics(sqlite3_file *file);

#endif
