#include "ledger.h"

#include "identity.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char setup[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -16384;"
    "INSERT INTO queues (application, account) VALUES ('org.example.notes', 'uid:0');";

static const char advance[] = "UPDATE queues SET revision = revision + 1 WHERE key = 1 RETURNING revision";

static const char insert_transaction[] =
    "INSERT INTO transactions (queue, id, payment_id, product_id, quantity, application_username,"
    " simulates_ask_to_buy, product_type, state, revision, created_at, is_entitlement, blocker, deadline)"
    " VALUES (1, ?1, ?1, 'org.example.notes.coins10', 1, ?2, 0, 0, 4, ?3, ?4, 0, 4, ?4 + 86400000)";

static const char insert_charge[] =
    "INSERT INTO charges (transaction_key, queue, payment_id, application, account, product_id, quantity, amount,"
    " currency, state, attempts, created_at, due_at)"
    " VALUES (last_insert_rowid(), 1, ?1, 'org.example.notes', 'uid:0', 'org.example.notes.coins10', 1, 99,"
    " 'USD', 6, 0, ?2, ?2)";

// As long as the username of the load generator.
static const char username[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
                               "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrst";

static int fail(const struct ledger *ledger) {
    fprintf(stderr, "floor: %s\n", sqlite3_errmsg(ledger->database));
    return -1;
}

static int prepare(struct ledger *ledger, const char *sql, sqlite3_stmt **statement) {
    return sqlite3_prepare_v3(ledger->database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

int ledger_open(struct ledger *ledger, const char *path) {
    memset(ledger, 0, sizeof *ledger);
    ledger->random = (uint32_t)time(NULL);
    if (sqlite3_open_v2(path, &ledger->database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK
        || sqlite3_exec(ledger->database, setup, NULL, NULL, NULL) != SQLITE_OK
        || prepare(ledger, "BEGIN IMMEDIATE", &ledger->begin) != SQLITE_OK
        || prepare(ledger, "COMMIT", &ledger->commit) != SQLITE_OK
        || prepare(ledger, advance, &ledger->advance) != SQLITE_OK
        || prepare(ledger, insert_transaction, &ledger->insert_transaction) != SQLITE_OK
        || prepare(ledger, insert_charge, &ledger->insert_charge) != SQLITE_OK) {
        return fail(ledger);
    }
    return 0;
}

// Runs a statement to its end, and resets it.
static int run(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    int reset = sqlite3_reset(statement);
    return code == SQLITE_DONE ? reset : code;
}

static int advance_revision(struct ledger *ledger, int64_t *revision) {
    if (sqlite3_step(ledger->advance) != SQLITE_ROW) {
        return SQLITE_ERROR;
    }
    *revision = sqlite3_column_int64(ledger->advance, 0);
    return run(ledger->advance);
}

static int add_payment(struct ledger *ledger) {
    struct timespec time;
    uint8_t id[16];
    int64_t revision;
    clock_gettime(CLOCK_REALTIME, &time);
    int64_t milliseconds = (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
    identity_make(&ledger->random, id, milliseconds);
    sqlite3_stmt *transaction = ledger->insert_transaction, *charge = ledger->insert_charge;
    if (advance_revision(ledger, &revision) != SQLITE_OK
        || sqlite3_bind_blob(transaction, 1, id, sizeof id, SQLITE_STATIC) != SQLITE_OK
        || sqlite3_bind_text(transaction, 2, username, sizeof username - 1, SQLITE_STATIC) != SQLITE_OK
        || sqlite3_bind_int64(transaction, 3, revision) != SQLITE_OK
        || sqlite3_bind_int64(transaction, 4, milliseconds) != SQLITE_OK || run(transaction) != SQLITE_OK
        || sqlite3_bind_blob(charge, 1, id, sizeof id, SQLITE_STATIC) != SQLITE_OK
        || sqlite3_bind_int64(charge, 2, milliseconds) != SQLITE_OK || run(charge) != SQLITE_OK) {
        return fail(ledger);
    }
    return 0;
}

int ledger_commit_payments(struct ledger *ledger, long count) {
    if (run(ledger->begin) != SQLITE_OK) {
        return fail(ledger);
    }
    for (long i = 0; i < count; i++) {
        if (add_payment(ledger) != 0) {
            return -1;
        }
    }
    return run(ledger->commit) == SQLITE_OK ? 0 : fail(ledger);
}

int ledger_close(struct ledger *ledger) {
    sqlite3_stmt *statements[] = {ledger->begin, ledger->commit, ledger->advance, ledger->insert_transaction,
        ledger->insert_charge};
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        sqlite3_finalize(statements[i]);
    }
    return sqlite3_close(ledger->database) == SQLITE_OK ? 0 : fail(ledger);
}
