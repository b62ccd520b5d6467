#include "ledger.h"

#include "identity.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char setup[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -16384;"
    "INSERT INTO queues (application, account) VALUES ('org.example.notes', 'uid:0');";

static const char update_queue[] = "UPDATE queues SET revision = ?1 WHERE key = 1";

static const char insert_transaction[] =
    "INSERT INTO transactions (queue, id, product_id, created_at, place, charge_state, deadline, revision, state, amount,"
    " currency, detail, history)"
    " VALUES (1, ?1, 'org.example.notes.coins10', ?3, 5, 6, ?3 + 86400000, ?2, 4, 99, 'USD', ?4, ?5)";

// As the daemon writes them, with the username of the load generator: the product's type, the blocker, the storefront,
// the username, and the charge with two times; and one entry of the history.
#define TIME "\x80\xd0\xdf\xb4\xab\x33"
static const char detail[] = "\x08\x00\x40\x04\x6a\x0f\x0a\x0d\x0a\x03USA\x12\x06""143441"
                             "\xa2\x01\x96\x01"
                             "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
                             "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrst"
                             "\x82\x02\x10\x08\x06\x18" TIME "\x20" TIME;
static const char history[] = "\x0a\x2d\x08\x00\x10" TIME "\x1a\x0euid:0 pid:4711\x22\x12""added to the queue";

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
        || prepare(ledger, insert_transaction, &ledger->insert_transaction) != SQLITE_OK
        || prepare(ledger, update_queue, &ledger->update_queue) != SQLITE_OK) {
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

static int add_payment(struct ledger *ledger) {
    struct timespec time;
    uint8_t id[16];
    clock_gettime(CLOCK_REALTIME, &time);
    int64_t milliseconds = (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
    identity_make(&ledger->random, id, milliseconds);
    sqlite3_stmt *transaction = ledger->insert_transaction;
    ledger->revision++;
    if (sqlite3_bind_blob(transaction, 1, id, sizeof id, SQLITE_STATIC) != SQLITE_OK
        || sqlite3_bind_int64(transaction, 2, ledger->revision) != SQLITE_OK
        || sqlite3_bind_int64(transaction, 3, milliseconds) != SQLITE_OK
        || sqlite3_bind_blob(transaction, 4, detail, sizeof detail - 1, SQLITE_STATIC) != SQLITE_OK
        || sqlite3_bind_blob(transaction, 5, history, sizeof history - 1, SQLITE_STATIC) != SQLITE_OK
        || run(transaction) != SQLITE_OK) {
        return fail(ledger);
    }
    return 0;
}

static int write_revision(struct ledger *ledger) {
    int code = sqlite3_bind_int64(ledger->update_queue, 1, ledger->revision);
    return code == SQLITE_OK ? run(ledger->update_queue) : code;
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
    return write_revision(ledger) == SQLITE_OK && run(ledger->commit) == SQLITE_OK ? 0 : fail(ledger);
}

int ledger_close(struct ledger *ledger) {
    sqlite3_stmt *statements[] = {ledger->begin, ledger->commit, ledger->insert_transaction, ledger->update_queue};
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        sqlite3_finalize(statements[i]);
    }
    return sqlite3_close(ledger->database) == SQLITE_OK ? 0 : fail(ledger);
}
