// What a commit adds to SQLite's write-ahead log, written to the file at once. SQLite itself makes two system calls for
// each page of 4 KiB: one for its header of 24 bytes, one for the page (walWriteOneFrame, wal.c).
#ifndef TILL_SQLITE_LOG_H
#define TILL_SQLITE_LOG_H

#include <stdint.h>

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

// What is in a log that nobody uses. SQLite itself reads frames up to the first that is not whole, and takes that for the
// end of what was written.
typedef struct {
    // Not 0 if something was written, but the header is none.
    int is_header_damaged;
    // How many frames SQLite reads.
    uint32_t whole_frames;
    // How many of the frames behind them are of this log, and not left from the one that had the file before; and how many
    // of those ended a commit.
    uint32_t stray_frames;
    uint32_t stray_commits;
    // How many frames have been flushed, as far as the log's index knows. Its memory outlives a process, not a loss of power.
    uint32_t known_frames;
} TillLogFindings;

// Reads the log at `path`, which need not exist, with its index at `index_path`, which need not, either. Returns 0 or errno.
int till_sqlite_inspect_log(const char *path, const char *index_path, TillLogFindings *findings);

// Stops SQLite from counting the memory that it uses, for which it takes a lock at every allocation
// (SQLITE_CONFIG_MEMSTATUS, sqlite3_config(3)). Swift cannot call functions with variable arguments. No effect once SQLite
// was used.
void till_sqlite_stop_counting_memory(void);

#endif
