// Makes large ledgers. It copies the last transaction that the daemon has written, with its related rows. Each copy has
// its own identity, key and revision.
#include "floor.h"

#include "identity.h"

#include <CSQLitePages.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COPIES_PER_COMMIT = 10000, TABLES_COUNT = 3 };

// The parameters of each copy.
enum { IDENTITY = 1, REVISION, ORIGINAL_KEY, COPY_KEY };

// The tables that other tables refer to are first.
static const char *const tables[TABLES_COUNT] = {"transactions", "charges", "history"};

struct copier {
    sqlite3 *database;
    sqlite3_stmt *copies[TABLES_COUNT];
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
    = "SELECT group_concat(name, ', '), group_concat(CASE name WHEN 'id' THEN '?1' WHEN 'payment_id' THEN '?1'"
      " WHEN 'revision' THEN '?2' WHEN 'transaction_key' THEN '?4' ELSE name END, ', ')"
      " FROM pragma_table_info('%s') WHERE name <> 'key'";

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

static int prepare(struct copier *copier, int table) {
    const char *name = tables[table], *key = table == 0 ? "key" : "transaction_key";
    sqlite3_stmt *statement = NULL;
    if (find(copier, sqlite3_mprintf(columns, name), &statement) != 0) {
        return -1;
    }
    char *sql = sqlite3_mprintf("INSERT INTO %s (%s) SELECT %s FROM %s WHERE %s = ?3", name,
        sqlite3_column_text(statement, 0), sqlite3_column_text(statement, 1), name, key);
    int code = sqlite3_prepare_v2(copier->database, sql, -1, &copier->copies[table], NULL);
    sqlite3_free(sql);
    sqlite3_finalize(statement);
    return code == SQLITE_OK ? 0 : fail(copier);
}

static void bind(sqlite3_stmt *statement, int parameter, int64_t value) {
    if (parameter <= sqlite3_bind_parameter_count(statement)) {
        sqlite3_bind_int64(statement, parameter, value);
    }
}

static int copy(struct copier *copier) {
    uint8_t id[IDENTITY_BYTES];
    int64_t key = 0;
    identity_make(&copier->random, id, copier->milliseconds++);
    copier->revision++;
    for (int i = 0; i < TABLES_COUNT; i++) {
        sqlite3_stmt *statement = copier->copies[i];
        sqlite3_bind_blob(statement, IDENTITY, id, sizeof id, SQLITE_STATIC);
        bind(statement, REVISION, copier->revision);
        bind(statement, ORIGINAL_KEY, copier->original);
        bind(statement, COPY_KEY, key);
        int code = sqlite3_step(statement);
        if (sqlite3_reset(statement) != SQLITE_OK || code != SQLITE_DONE) {
            return fail(copier);
        }
        key = i == 0 ? sqlite3_last_insert_rowid(copier->database) : key;
    }
    return 0;
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
    int code = sqlite3_open_v2(ledger, &copier.database, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK
            && till_sqlite_guard_pages(copier.database) == SQLITE_OK
            && run(&copier, sqlite3_mprintf(setup)) == 0 && find_original(&copier) == 0
        ? 0
        : -1;
    for (int i = 0; i < TABLES_COUNT && code == 0; i++) {
        code = prepare(&copier, i);
    }
    if (code == 0) {
        code = copy_all(&copier, count);
    }
    for (int i = 0; i < TABLES_COUNT; i++) {
        sqlite3_finalize(copier.copies[i]);
    }
    if (code == 0) {
        code = run(&copier, sqlite3_mprintf(finish, (long long)copier.revision, (long long)copier.original));
    }
    return sqlite3_close(copier.database) == SQLITE_OK && code == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
