#ifndef LEDGER_H
#define LEDGER_H

#include <sqlite3.h>
#include <stdint.h>

// A ledger's file, and the statements that add payments waiting for approval: the transactions, with their charges, and
// once a commit the queue's revision.
struct ledger {
    sqlite3 *database;
    sqlite3_stmt *begin;
    sqlite3_stmt *commit;
    sqlite3_stmt *insert_transaction;
    sqlite3_stmt *update_queue;
    int64_t revision;
    uint32_t random;
};

// Opens the ledger as the daemon does, with an empty queue. Returns 0, or prints the error and returns -1. Close it in
// either case.
int ledger_open(struct ledger *ledger, const char *path);

// Commits this many payments in one transaction. Returns 0, or prints the error and returns -1.
int ledger_commit_payments(struct ledger *ledger, long count);

int ledger_close(struct ledger *ledger);

#endif
