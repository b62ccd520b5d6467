#include "CSQLiteLog.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// What stands in for the methods of the log's file. SQLite reaches them through the file, whose first member points at
// them, and so do these.
typedef struct {
    sqlite3_io_methods methods;
    // Those of the file itself.
    const sqlite3_io_methods *system;
    // Where in the file the gathered bytes belong.
    sqlite3_int64 offset;
    int count;
    // SQLITE_OK, or why gathered bytes could not be written.
    int failure;
    unsigned char bytes[TILL_SQLITE_LOG_CAPACITY];
} Gathering;

static Gathering *gathering(sqlite3_file *file) {
    return (Gathering *)file->pMethods;
}

// What could not be written is gone, and SQLite, which had been told that it was, may learn of it where it takes no notice,
// as when it reads: nothing can be flushed, and so committed, after that.
static int write_gathered(sqlite3_file *file) {
    Gathering *log = gathering(file);
    if (log->failure == SQLITE_OK && log->count > 0) {
        log->failure = log->system->xWrite(file, log->bytes, log->count, log->offset);
        log->count = 0;
    }
    return log->failure;
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    Gathering *log = gathering(file);
    if (offset != log->offset + log->count || count > TILL_SQLITE_LOG_CAPACITY - log->count) {
        int result = write_gathered(file);
        if (result != SQLITE_OK) {
            return result;
        }
        if (count > TILL_SQLITE_LOG_CAPACITY) {
            return log->system->xWrite(file, bytes, count, offset);
        }
        log->offset = offset;
    }
    memcpy(log->bytes + log->count, bytes, (size_t)count);
    log->count += count;
    return SQLITE_OK;
}

static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int result = write_gathered(file);
    return result != SQLITE_OK ? result : gathering(file)->system->xRead(file, bytes, count, offset);
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int result = write_gathered(file);
    return result != SQLITE_OK ? result : gathering(file)->system->xTruncate(file, size);
}

static int log_sync(sqlite3_file *file, int flags) {
    int result = write_gathered(file);
    return result != SQLITE_OK ? result : gathering(file)->system->xSync(file, flags);
}

static int log_file_size(sqlite3_file *file, sqlite3_int64 *size) {
    int result = write_gathered(file);
    return result != SQLITE_OK ? result : gathering(file)->system->xFileSize(file, size);
}

// What is gathered is of no commit: each has flushed the log.
static int log_close(sqlite3_file *file) {
    Gathering *log = gathering(file);
    int result = log->system->xClose(file);
    free(log);
    return result;
}

int till_sqlite_gather_log(struct sqlite3 *connection) {
    sqlite3_file *file = NULL;
    int result = sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (result != SQLITE_OK) {
        return result;
    }
    if (file == NULL || file->pMethods == NULL || file->pMethods->xClose == log_close) {
        return SQLITE_MISUSE;
    }
    Gathering *log = malloc(sizeof *log);
    if (log == NULL) {
        return SQLITE_NOMEM;
    }
    log->methods = *file->pMethods;
    // What later versions have besides is for databases.
    log->methods.iVersion = 1;
    log->methods.xClose = log_close;
    log->methods.xRead = log_read;
    log->methods.xWrite = log_write;
    log->methods.xTruncate = log_truncate;
    log->methods.xSync = log_sync;
    log->methods.xFileSize = log_file_size;
    log->system = file->pMethods;
    log->offset = 0;
    log->count = 0;
    log->failure = SQLITE_OK;
    file->pMethods = &log->methods;
    return SQLITE_OK;
}

void till_sqlite_stop_counting_memory(void) {
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
