#include "CSQLiteLog.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// Replaces the methods of the log's file. SQLite finds the methods through the file, whose first member points at them;
// these functions find this struct in the same way.
typedef struct {
    sqlite3_io_methods methods;
    // The methods of the file itself.
    const sqlite3_io_methods *system;
    // The offset of the gathered bytes in the file.
    sqlite3_int64 offset;
    int count;
    // SQLITE_OK, or why gathered bytes could not be written.
    int failure;
    unsigned char bytes[TILL_SQLITE_LOG_CAPACITY];
} Gathering;

static Gathering *gathering(sqlite3_file *file) {
    return (Gathering *)file->pMethods;
}

// Bytes that could not be written are lost, although SQLite has been told that they were written, and it may ignore an
// error that it gets later, such as in a read. So nothing can be flushed after that, and no commit succeeds.
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

// Gathered bytes belong to no commit, because every commit flushes the log.
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
    // The additional methods of later versions are for databases.
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
