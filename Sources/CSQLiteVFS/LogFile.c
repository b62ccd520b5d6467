#include "CSQLiteVFS.h"

#include "File.h"

#include <stdlib.h>
#include <string.h>

struct Gathering {
    // The offset of the gathered bytes in the file.
    sqlite3_int64 offset;
    int count;
    // SQLITE_OK, or why gathered bytes could not be written.
    int failure;
    unsigned char bytes[TILL_SQLITE_LOG_CAPACITY];
};

static File *log_of(sqlite3_file *file) {
    return (File *)file;
}

static int write_now(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *system = log_of(file)->system;
    return system->pMethods->xWrite(system, bytes, count, offset);
}

// Bytes that could not be written are lost, although SQLite has been told that they were written, and it may ignore an
// error that it gets later, such as in a read. So nothing can be flushed after that, and no commit succeeds.
static int write_gathered(sqlite3_file *file) {
    Gathering *gathering = log_of(file)->gathering;
    if (gathering == NULL) {
        return SQLITE_OK;
    }
    if (gathering->failure == SQLITE_OK && gathering->count > 0) {
        gathering->failure = write_now(file, gathering->bytes, gathering->count, gathering->offset);
        gathering->count = 0;
    }
    return gathering->failure;
}

static int gather(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    Gathering *gathering = log_of(file)->gathering;
    if (offset != gathering->offset + gathering->count || count > TILL_SQLITE_LOG_CAPACITY - gathering->count) {
        int result = write_gathered(file);
        if (result != SQLITE_OK) {
            return result;
        }
        if (count > TILL_SQLITE_LOG_CAPACITY) {
            return write_now(file, bytes, count, offset);
        }
        gathering->offset = offset;
    }
    memcpy(gathering->bytes + gathering->count, bytes, (size_t)count);
    gathering->count += count;
    return SQLITE_OK;
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    return log_of(file)->gathering != NULL ? gather(file, bytes, count, offset) : write_now(file, bytes, count, offset);
}

static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int result = write_gathered(file);
    sqlite3_file *system = log_of(file)->system;
    return result != SQLITE_OK ? result : system->pMethods->xRead(system, bytes, count, offset);
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int result = write_gathered(file);
    return result != SQLITE_OK ? result : till_sqlite_truncate(file, size);
}

static int log_sync(sqlite3_file *file, int flags) {
    int result = write_gathered(file);
    return result != SQLITE_OK ? result : till_sqlite_sync(file, flags);
}

static int log_file_size(sqlite3_file *file, sqlite3_int64 *size) {
    int result = write_gathered(file);
    return result != SQLITE_OK ? result : till_sqlite_file_size(file, size);
}

// Gathered bytes belong to no commit, because every commit flushes the log.
static int log_close(sqlite3_file *file) {
    free(log_of(file)->gathering);
    return till_sqlite_close(file);
}

// The additional methods of later versions are for databases.
const sqlite3_io_methods till_sqlite_log_methods = {
    .iVersion = 1,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_file_size,
    .xLock = till_sqlite_lock,
    .xUnlock = till_sqlite_unlock,
    .xCheckReservedLock = till_sqlite_check_reserved_lock,
    .xFileControl = till_sqlite_file_control,
    .xSectorSize = till_sqlite_sector_size,
    .xDeviceCharacteristics = till_sqlite_device_characteristics,
};

int till_sqlite_gather_log(struct sqlite3 *connection) {
    File *log = till_sqlite_file(connection, SQLITE_FCNTL_JOURNAL_POINTER, &till_sqlite_log_methods);
    if (log == NULL || log->gathering != NULL) {
        return SQLITE_MISUSE;
    }
    log->gathering = malloc(sizeof *log->gathering);
    if (log->gathering == NULL) {
        return SQLITE_NOMEM;
    }
    log->gathering->offset = 0;
    log->gathering->count = 0;
    log->gathering->failure = SQLITE_OK;
    return SQLITE_OK;
}
