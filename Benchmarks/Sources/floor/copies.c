// Makes large ledgers. It copies the last transaction that the daemon has written, with its marks. Each copy has its own
// identity, key and revision.
#include "floor.h"

#include "identity.h"

#include <CSQLiteVFS.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COPIES_PER_COMMIT = 10000 };

// The parameters of each copy.
enum { IDENTITY = 1, REVISION, ORIGINAL_KEY };
enum { MARKED_KEY = 1 };

struct copier {
    sqlite3 *database;
    sqlite3_stmt *copy;
    sqlite3_stmt *mark;
    int64_t original;
    int64_t revision;
    int64_t milliseconds;
    uint32_t random;
};

static const char setup[] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;";

static const char finish[] = "UPDATE queues SET revision = %lld"
                             " WHERE key = (SELECT queue FROM transactions WHERE key = %lld);"
                             "PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE);";

// All columns except the key, which SQLite assigns. Each copy has the original's values, except in columns of its own.
static const char columns[]
    = "SELECT group_concat(name, ', '), group_concat(CASE name WHEN 'id' THEN '?1' WHEN 'revision' THEN '?2'"
      " ELSE name END, ', ') FROM pragma_table_info('transactions') WHERE name <> 'key'";

// The marks are not found by a transaction's key, so those of the original are kept.
static const char keep_marks[]
    = "CREATE TEMP TABLE original_marks AS SELECT kind, owner, name FROM marks WHERE key = %lld";
static const char mark[] = "INSERT INTO marks (kind, owner, name, key) SELECT kind, owner, name, ?1 FROM original_marks";

static int fail(struct copier *copier) {
    fprintf(stderr, "floor: %s\n", sqlite3_errmsg(copier->database));
    return -1;
}

static int run(struct copier *copier, char *sql) {
    int code = sql == NULL ? SQLITE_NOMEM : sqlite3_exec(copier->database, sql, NULL, NULL, NULL);
    sqlite3_free(sql);
    return code == SQLITE_OK ? 0 : fail(copier);
}

// Prepares a query, and reads its first row.
static int find(struct copier *copier, char *sql, sqlite3_stmt **statement) {
    bool found = sql != NULL && sqlite3_prepare_v2(copier->database, sql, -1, statement, NULL) == SQLITE_OK
        && sqlite3_step(*statement) == SQLITE_ROW;
    sqlite3_free(sql);
    return found ? 0 : fail(copier);
}

// Finds the transaction to copy in a ledger that the daemon has closed.
static int find_original(struct copier *copier) {
    sqlite3_stmt *statement = NULL;
    char *sql = sqlite3_mprintf("SELECT t.key, q.revision, t.created_at FROM transactions t JOIN queues q"
                                " ON q.key = t.queue WHERE (SELECT clean FROM meta) = 1 ORDER BY t.key DESC LIMIT 1");
    if (find(copier, sql, &statement) != 0) {
        return -1;
    }
    copier->original = sqlite3_column_int64(statement, 0);
    copier->revision = sqlite3_column_int64(statement, 1);
    copier->milliseconds = sqlite3_column_int64(statement, 2);
    sqlite3_finalize(statement);
    return 0;
}

static int prepare_copy(struct copier *copier) {
    sqlite3_stmt *statement = NULL;
    if (find(copier, sqlite3_mprintf(columns), &statement) != 0) {
        return -1;
    }
    char *sql = sqlite3_mprintf("INSERT INTO transactions (%s) SELECT %s FROM transactions WHERE key = ?3",
        sqlite3_column_text(statement, 0), sqlite3_column_text(statement, 1));
    int code = sqlite3_prepare_v2(copier->database, sql, -1, &copier->copy, NULL);
    sqlite3_free(sql);
    sqlite3_finalize(statement);
    return code == SQLITE_OK ? 0 : fail(copier);
}

static int prepare_mark(struct copier *copier) {
    if (run(copier, sqlite3_mprintf(keep_marks, (long long)copier->original)) != 0) {
        return -1;
    }
    return sqlite3_prepare_v2(copier->database, mark, -1, &copier->mark, NULL) == SQLITE_OK ? 0 : fail(copier);
}

static int step(struct copier *copier, sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    return sqlite3_reset(statement) == SQLITE_OK && code == SQLITE_DONE ? 0 : fail(copier);
}

static int copy(struct copier *copier) {
    uint8_t id[IDENTITY_BYTES];
    identity_make(&copier->random, id, copier->milliseconds++);
    copier->revision++;
    sqlite3_bind_blob(copier->copy, IDENTITY, id, sizeof id, SQLITE_STATIC);
    sqlite3_bind_int64(copier->copy, REVISION, copier->revision);
    sqlite3_bind_int64(copier->copy, ORIGINAL_KEY, copier->original);
    if (step(copier, copier->copy) != 0) {
        return -1;
    }
    sqlite3_bind_int64(copier->mark, MARKED_KEY, sqlite3_last_insert_rowid(copier->database));
    return step(copier, copier->mark);
}

static int copy_all(struct copier *copier, long count) {
    // Identities rise, and none has a time in the future.
    copier->milliseconds -= count;
    for (long i = 0; i < count; i++) {
        if (i % COPIES_PER_COMMIT == 0 && run(copier, sqlite3_mprintf(i == 0 ? "BEGIN" : "COMMIT; BEGIN")) != 0) {
            return -1;
        }
        if (copy(copier) != 0) {
            return -1;
        }
    }
    return count > 0 ? run(copier, sqlite3_mprintf("COMMIT")) : 0;
}

int copy_last_transaction(const char *ledger, long count) {
    struct copier copier = {.random = (uint32_t)time(NULL)};
    int code = till_sqlite_set_up() == SQLITE_OK
            && sqlite3_open_v2(ledger, &copier.database, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK
            && till_sqlite_guard_pages(copier.database) == SQLITE_OK
            && run(&copier, sqlite3_mprintf(setup)) == 0 && find_original(&copier) == 0
        ? 0
        : -1;
    if (code == 0) {
        code = prepare_copy(&copier) == 0 && prepare_mark(&copier) == 0 ? copy_all(&copier, count) : -1;
    }
    sqlite3_finalize(copier.copy);
    sqlite3_finalize(copier.mark);
    if (code == 0) {
        code = run(&copier, sqlite3_mprintf(finish, (long long)copier.revision, (long long)copier.original));
    }
    return sqlite3_close(copier.database) == SQLITE_OK && code == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
