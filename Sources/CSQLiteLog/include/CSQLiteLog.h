// Writes the pages that a commit adds to SQLite's write-ahead log in one system call. SQLite itself makes two system
// calls for each page of 4 KiB: one for its header of 24 bytes, one for the page (walWriteOneFrame, wal.c).
#ifndef TILL_SQLITE_LOG_H
#define TILL_SQLITE_LOG_H

#include <stdint.h>
#include <sys/types.h>

struct sqlite3;

// The maximum of bytes that are gathered before they are written: as many as SQLite writes in one call (0x1ffff,
// seekAndWriteFd, os_unix.c; of more it would write the remainder of a division).
enum { TILL_SQLITE_LOG_CAPACITY = 0x1ffff };

// Makes the connection gather its writes to the log of its main database until it flushes the log, reads from it or
// does anything else with it. An error of the gathered write fails the flush, and every later one.
//
// Only for a connection with `synchronous` permanently at FULL or above: it flushes the log before it publishes a
// commit, so that no other connection reads what is not in the file yet. The connection must have used its database.
//
// Returns SQLite's result code: SQLITE_MISUSE if the database has no log, SQLITE_NOMEM without memory.
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

// Stops SQLite from counting the memory that it uses, for which it takes a lock at every allocation
// (SQLITE_CONFIG_MEMSTATUS, sqlite3_config(3)). Swift cannot call functions with variable arguments. No effect once SQLite
// was used.
void till_sqlite_stop_counting_memory(void);

#endif
