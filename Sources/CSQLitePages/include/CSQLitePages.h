// A checksum in each page of a database file, so that a page that the disk has changed is an error.
//
// The last 8 bytes of a page, which SQLite leaves alone ("reserved space",
// https://www.sqlite.org/fileformat2.html#resbyte), hold XXH64
// (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md) of the bytes before them, little-endian. The seed is
// the page's number, so that a page in the place of another is detected too.
#ifndef TILL_SQLITE_PAGES_H
#define TILL_SQLITE_PAGES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct sqlite3;

enum { TILL_SQLITE_PAGE_SIZE = 4096, TILL_SQLITE_PAGE_CHECKSUM_SIZE = 8 };

// The checksum of a page's first 4088 bytes.
uint64_t till_sqlite_page_checksum(const unsigned char *page, uint32_t number);

// Makes the connection add checksums to the pages that it writes to the file of its main database, and verify those
// that it reads: a page with a wrong checksum is SQLITE_IOERR_DATA. Pages in the write-ahead log have SQLite's own
// checksums.
//
// For a new, empty file, and for a file whose pages have checksums: page 1 has one or, if that is damaged, any other
// page. An older file or a database in memory is left alone. The connection must not have used its database yet: pages
// that it has read would not have been verified.
//
// Returns SQLite's result code: SQLITE_MISUSE if the database was read, SQLITE_NOMEM without memory.
int till_sqlite_guard_pages(struct sqlite3 *connection);

// Whether the connection adds and verifies checksums.
int till_sqlite_guards_pages(struct sqlite3 *connection);

// The number of the last page that such a connection has found damaged; 0 if none.
uint32_t till_sqlite_damaged_page(struct sqlite3 *connection);

// Makes the connection reserve space for checksums in copies that it makes of its main database with VACUUM INTO.
// Returns SQLite's result code.
int till_sqlite_reserve_checksums(struct sqlite3 *connection);

// Adds the checksum to each page of the file, whose last 8 bytes have to be reserved, and flushes it. Returns 0 or errno.
int till_sqlite_add_checksums(int file);

// Looks for a damaged page after page `after`: sets `page` to the first, or to 0 if there is none. Part of a page at the end
// of the file is damage. Returns 0 or errno.
int till_sqlite_find_damage(int file, uint32_t after, uint32_t *page);

// Reads as many bytes at the offset as the file has, up to `count`; returns how many those are, or -1 with errno.
ssize_t till_sqlite_read_at(int file, unsigned char *bytes, size_t count, off_t offset);

#endif
