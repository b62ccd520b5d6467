#include "CSQLitePages.h"

#include "Page.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// The part of a file that SQLite reads before it reads the first page.
enum { HEADER_SIZE = 100 };
static const char magic[16] = "SQLite format 3";
// The header's offset of the number of reserved bytes in a page.
enum { RESERVED_SIZE_OFFSET = 20 };

// Replaces the methods of the database's file. SQLite finds the methods through the file, whose first member points at
// them; these functions find this struct in the same way.
typedef struct {
    sqlite3_io_methods methods;
    // The methods of the file itself.
    const sqlite3_io_methods *system;
    uint32_t damaged_page;
} Guard;

static Guard *guard_of(sqlite3_file *file) {
    return (Guard *)file->pMethods;
}

static int is_page(int count, sqlite3_int64 offset) {
    return count == TILL_SQLITE_PAGE_SIZE && offset % TILL_SQLITE_PAGE_SIZE == 0;
}

static uint32_t number_at(sqlite3_int64 offset) {
    return (uint32_t)(offset / TILL_SQLITE_PAGE_SIZE + 1);
}

static int damaged(sqlite3_file *file, sqlite3_int64 offset) {
    guard_of(file)->damaged_page = number_at(offset);
    return SQLITE_IOERR_DATA;
}

static int guard_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    const sqlite3_io_methods *system = guard_of(file)->system;
    int result = system->xRead(file, bytes, count, offset);
    if (result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ) {
        return result;
    }
    if (!is_page(count, offset)) {
        // A read of another size than the header's means that the file's header has another page size.
        return offset + count <= HEADER_SIZE ? result : damaged(file, offset);
    }
    if (result == SQLITE_IOERR_SHORT_READ) {
        // Only for an empty file: in this mode every page is written to the log, and so to the file.
        sqlite3_int64 size = 0;
        return system->xFileSize(file, &size) == SQLITE_OK && size == 0 ? result : damaged(file, offset);
    }
    return till_sqlite_is_sound(bytes, number_at(offset)) ? SQLITE_OK : damaged(file, offset);
}

static int guard_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    unsigned char page[TILL_SQLITE_PAGE_SIZE];
    const unsigned char *given = bytes;
    // A page without space for a checksum is not changed.
    if (!is_page(count, offset) || (offset == 0 && given[RESERVED_SIZE_OFFSET] != TILL_SQLITE_PAGE_CHECKSUM_SIZE)) {
        return SQLITE_IOERR_WRITE;
    }
    memcpy(page, bytes, sizeof page);
    till_sqlite_stamp(page, number_at(offset));
    return guard_of(file)->system->xWrite(file, page, count, offset);
}

// Returns no page of a mapped file, because it would not be verified: SQLite then reads the page.
static int guard_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **page) {
    (void)file, (void)offset, (void)count;
    *page = NULL;
    return SQLITE_OK;
}

static int guard_close(sqlite3_file *file) {
    Guard *guard = guard_of(file);
    int result = guard->system->xClose(file);
    free(guard);
    return result;
}

static int is_guarded(sqlite3_file *file) {
    return file->pMethods->xClose == guard_close;
}

// Whether the file is new, or its pages have checksums. A page without one may be damaged.
static int find_checksums(sqlite3_file *file, sqlite3_int64 size, int *found) {
    unsigned char page[TILL_SQLITE_PAGE_SIZE];
    *found = size == 0;
    for (sqlite3_int64 offset = 0; !*found && size - offset >= TILL_SQLITE_PAGE_SIZE; offset += TILL_SQLITE_PAGE_SIZE) {
        int result = file->pMethods->xRead(file, page, TILL_SQLITE_PAGE_SIZE, offset);
        if (result != SQLITE_OK) {
            return result;
        }
        *found = till_sqlite_is_sound(page, number_at(offset))
            || (offset == 0 && memcmp(page, magic, sizeof magic) == 0
                && page[RESERVED_SIZE_OFFSET] == TILL_SQLITE_PAGE_CHECKSUM_SIZE);
    }
    return SQLITE_OK;
}

static int attach(sqlite3_file *file) {
    Guard *guard = malloc(sizeof *guard);
    if (guard == NULL) {
        return SQLITE_NOMEM;
    }
    guard->methods = *file->pMethods;
    guard->methods.xClose = guard_close;
    guard->methods.xFetch = guard_fetch;
    guard->methods.xRead = guard_read;
    guard->methods.xWrite = guard_write;
    guard->system = file->pMethods;
    guard->damaged_page = 0;
    file->pMethods = &guard->methods;
    return SQLITE_OK;
}

static sqlite3_file *main_file(struct sqlite3 *connection) {
    sqlite3_file *file = NULL;
    int result = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return result == SQLITE_OK && file != NULL && file->pMethods != NULL ? file : NULL;
}

int till_sqlite_guard_pages(struct sqlite3 *connection) {
    sqlite3_file *file = main_file(connection);
    if (file == NULL) {
        return SQLITE_OK;
    }
    int misses = 0;
    int highest = 0;
    int result = sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_MISS, &misses, &highest, 0);
    if (result != SQLITE_OK || misses > 0 || is_guarded(file)) {
        return result != SQLITE_OK ? result : SQLITE_MISUSE;
    }
    sqlite3_int64 size = 0;
    int found = 0;
    result = file->pMethods->xFileSize(file, &size);
    if (result == SQLITE_OK) {
        result = find_checksums(file, size, &found);
    }
    if (result == SQLITE_OK && size == 0) {
        result = till_sqlite_reserve_checksums(connection);
    }
    return result == SQLITE_OK && found ? attach(file) : result;
}

int till_sqlite_guards_pages(struct sqlite3 *connection) {
    sqlite3_file *file = main_file(connection);
    return file != NULL && is_guarded(file);
}

uint32_t till_sqlite_damaged_page(struct sqlite3 *connection) {
    sqlite3_file *file = main_file(connection);
    return file != NULL && is_guarded(file) ? guard_of(file)->damaged_page : 0;
}

int till_sqlite_reserve_checksums(struct sqlite3 *connection) {
    int reserved = TILL_SQLITE_PAGE_CHECKSUM_SIZE;
    return sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
}
