#include "CSQLiteVFS.h"

#include "File.h"
#include "Page.h"

#include <string.h>

// The part of a file that SQLite reads before it reads the first page.
enum { HEADER_SIZE = 100 };
static const char magic[16] = "SQLite format 3";
// The header's offset of the number of reserved bytes in a page.
enum { RESERVED_SIZE_OFFSET = 20 };

static File *database_of(sqlite3_file *file) {
    return (File *)file;
}

static int is_page(int count, sqlite3_int64 offset) {
    return count == TILL_SQLITE_PAGE_SIZE && offset % TILL_SQLITE_PAGE_SIZE == 0;
}

static uint32_t number_at(sqlite3_int64 offset) {
    return (uint32_t)(offset / TILL_SQLITE_PAGE_SIZE + 1);
}

static int damaged(sqlite3_file *file, sqlite3_int64 offset) {
    database_of(file)->damaged_page = number_at(offset);
    return SQLITE_IOERR_DATA;
}

// What a read of the system's file has returned, for a file whose pages have checksums.
static int verified(sqlite3_file *file, int result, void *bytes, int count, sqlite3_int64 offset) {
    if (!is_page(count, offset)) {
        // A read of another size than the header's means that the file's header has another page size.
        return offset + count <= HEADER_SIZE ? result : damaged(file, offset);
    }
    if (result == SQLITE_IOERR_SHORT_READ) {
        // Only for an empty file: in this mode every page is written to the log, and so to the file.
        sqlite3_int64 size = 0;
        return till_sqlite_file_size(file, &size) == SQLITE_OK && size == 0 ? result : damaged(file, offset);
    }
    return till_sqlite_is_sound(bytes, number_at(offset)) ? SQLITE_OK : damaged(file, offset);
}

static int database_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *system = database_of(file)->system;
    int result = system->pMethods->xRead(system, bytes, count, offset);
    int has_read = result == SQLITE_OK || result == SQLITE_IOERR_SHORT_READ;
    return has_read && database_of(file)->has_checksums ? verified(file, result, bytes, count, offset) : result;
}

static int database_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *system = database_of(file)->system;
    if (!database_of(file)->has_checksums) {
        return system->pMethods->xWrite(system, bytes, count, offset);
    }
    unsigned char page[TILL_SQLITE_PAGE_SIZE];
    const unsigned char *given = bytes;
    // A page without space for a checksum is not changed.
    if (!is_page(count, offset) || (offset == 0 && given[RESERVED_SIZE_OFFSET] != TILL_SQLITE_PAGE_CHECKSUM_SIZE)) {
        return SQLITE_IOERR_WRITE;
    }
    memcpy(page, bytes, sizeof page);
    till_sqlite_stamp(page, number_at(offset));
    return system->pMethods->xWrite(system, page, count, offset);
}

static int database_shm_map(sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
    sqlite3_file *system = database_of(file)->system;
    return system->pMethods->xShmMap(system, region, size, extends, memory);
}

static int database_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    sqlite3_file *system = database_of(file)->system;
    return system->pMethods->xShmLock(system, offset, count, flags);
}

static void database_shm_barrier(sqlite3_file *file) {
    sqlite3_file *system = database_of(file)->system;
    system->pMethods->xShmBarrier(system);
}

static int database_shm_unmap(sqlite3_file *file, int deletes) {
    sqlite3_file *system = database_of(file)->system;
    return system->pMethods->xShmUnmap(system, deletes);
}

// Returns no page of a mapped file whose pages have checksums, because it would not be verified: SQLite then reads it.
static int database_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **page) {
    sqlite3_file *system = database_of(file)->system;
    *page = NULL;
    return database_of(file)->has_checksums ? SQLITE_OK : system->pMethods->xFetch(system, offset, count, page);
}

static int database_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *page) {
    sqlite3_file *system = database_of(file)->system;
    return system->pMethods->xUnfetch(system, offset, page);
}

const sqlite3_io_methods till_sqlite_database_methods = {
    .iVersion = 3,
    .xClose = till_sqlite_close,
    .xRead = database_read,
    .xWrite = database_write,
    .xTruncate = till_sqlite_truncate,
    .xSync = till_sqlite_sync,
    .xFileSize = till_sqlite_file_size,
    .xLock = till_sqlite_lock,
    .xUnlock = till_sqlite_unlock,
    .xCheckReservedLock = till_sqlite_check_reserved_lock,
    .xFileControl = till_sqlite_file_control,
    .xSectorSize = till_sqlite_sector_size,
    .xDeviceCharacteristics = till_sqlite_device_characteristics,
    .xShmMap = database_shm_map,
    .xShmLock = database_shm_lock,
    .xShmBarrier = database_shm_barrier,
    .xShmUnmap = database_shm_unmap,
    .xFetch = database_fetch,
    .xUnfetch = database_unfetch,
};

// Whether the file is new, or its pages have checksums. A page without one may be damaged.
static int find_checksums(sqlite3_file *file, sqlite3_int64 size, int *found) {
    unsigned char page[TILL_SQLITE_PAGE_SIZE];
    *found = size == 0;
    for (sqlite3_int64 offset = 0; !*found && size - offset >= TILL_SQLITE_PAGE_SIZE; offset += TILL_SQLITE_PAGE_SIZE) {
        int result = database_read(file, page, TILL_SQLITE_PAGE_SIZE, offset);
        if (result != SQLITE_OK) {
            return result;
        }
        *found = till_sqlite_is_sound(page, number_at(offset))
            || (offset == 0 && memcmp(page, magic, sizeof magic) == 0
                && page[RESERVED_SIZE_OFFSET] == TILL_SQLITE_PAGE_CHECKSUM_SIZE);
    }
    return SQLITE_OK;
}

static File *main_file(struct sqlite3 *connection) {
    return till_sqlite_file(connection, SQLITE_FCNTL_FILE_POINTER, &till_sqlite_database_methods);
}

// A database in memory has a file that was never opened.
static int is_in_memory(struct sqlite3 *connection) {
    return till_sqlite_file(connection, SQLITE_FCNTL_FILE_POINTER, NULL) != NULL;
}

int till_sqlite_guard_pages(struct sqlite3 *connection) {
    if (is_in_memory(connection)) {
        return SQLITE_OK;
    }
    File *file = main_file(connection);
    int misses = 0;
    int highest = 0;
    int result = sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_MISS, &misses, &highest, 0);
    if (result != SQLITE_OK || misses > 0 || file == NULL || file->has_checksums) {
        return result != SQLITE_OK ? result : SQLITE_MISUSE;
    }
    sqlite3_int64 size = 0;
    int found = 0;
    result = till_sqlite_file_size(&file->base, &size);
    if (result == SQLITE_OK) {
        result = find_checksums(&file->base, size, &found);
    }
    if (result == SQLITE_OK && size == 0) {
        result = till_sqlite_reserve_checksums(connection);
    }
    file->has_checksums = result == SQLITE_OK && found;
    return result;
}

int till_sqlite_guards_pages(struct sqlite3 *connection) {
    File *file = main_file(connection);
    return file != NULL && file->has_checksums;
}

uint32_t till_sqlite_damaged_page(struct sqlite3 *connection) {
    File *file = main_file(connection);
    return file != NULL ? file->damaged_page : 0;
}

int till_sqlite_reserve_checksums(struct sqlite3 *connection) {
    int reserved = TILL_SQLITE_PAGE_CHECKSUM_SIZE;
    return sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
}
