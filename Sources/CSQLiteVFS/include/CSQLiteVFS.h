// A VFS of SQLite (https://www.sqlite.org/vfs.html) between SQLite and the system's VFS, for the file of a ledger and its
// write-ahead log. What it does with a file is switched on for each connection; until then it only passes calls on.
//
// - Each page of a database has a checksum, so that a page that the disk has changed is an error. The last 8 bytes of a
//   page, which SQLite leaves alone ("reserved space", https://www.sqlite.org/fileformat2.html#resbyte), hold XXH64
//   (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md) of the bytes before them, little-endian. The seed is
//   the page's number, so that a page in the place of another is detected too.
// - The pages that a commit adds to the log are written in one system call. SQLite itself makes two system calls for each
//   page of 4 KiB: one for its header of 24 bytes, one for the page (walWriteOneFrame, wal.c).
#ifndef TILL_SQLITE_VFS_H
#define TILL_SQLITE_VFS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct sqlite3;

// Makes this VFS the default of the process, and stops SQLite from counting the memory that it uses, for which it takes a
// lock at every allocation (SQLITE_CONFIG_MEMSTATUS; no effect once SQLite was used). Connections that are opened before
// this call cannot use the VFS. Not to be called by several threads at once. Returns SQLite's result code.
int till_sqlite_set_up(void);

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
// Returns SQLite's result code: SQLITE_MISUSE if the database was read, or opened without this VFS.
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

// The maximum of bytes that are gathered before they are written: as many as SQLite writes in one call (0x1ffff,
// seekAndWriteFd, os_unix.c; of more it would write the remainder of a division).
enum { TILL_SQLITE_LOG_CAPACITY = 0x1ffff };

// Makes the connection gather its writes to the log of its main database until it flushes the log, reads from it or
// does anything else with it. An error of the gathered write fails the flush, and every later one.
//
// Only for a connection with `synchronous` permanently at FULL or above: it flushes the log before it publishes a
// commit, so that no other connection reads what is not in the file yet. The connection must have used its database.
//
// Returns SQLite's result code: SQLITE_MISUSE if the database has no log, or was opened without this VFS; SQLITE_NOMEM
// without memory.
int till_sqlite_gather_log(struct sqlite3 *connection);

// Appends zeros to the log at `path` until it has `size` bytes, so that the flush of a commit writes only the commit's
// pages, and not also that the file has grown. Does not flush them. SQLite takes zeros for the end of the log.
//
// The caller must hold SQLite's write lock, so that no commit is appended in the meantime. Returns 0 or errno, after
// which the log has its former size.
int till_sqlite_fill_log(const char *path, off_t size);

// The findings in a log that is not in use. SQLite itself reads frames up to the first incomplete one, and takes that
// for the end of the log.
typedef struct {
    // Not 0 if the log is not empty, but its header is invalid.
    int is_header_damaged;
    // How many frames SQLite reads.
    uint32_t whole_frames;
    // How many of the frames after them belong to this log and not to an earlier log in the same file, and how many of
    // those end a commit.
    uint32_t stray_frames;
    uint32_t stray_commits;
    // How many frames have been flushed, by the log's index. The index outlives a process, but not a power failure.
    uint32_t known_frames;
} TillLogFindings;

// Reads the log at `path` with its index at `index_path`; neither needs to exist. Returns 0 or errno.
int till_sqlite_inspect_log(const char *path, const char *index_path, TillLogFindings *findings);

#endif
