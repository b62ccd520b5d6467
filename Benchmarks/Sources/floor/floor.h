#ifndef FLOOR_H
#define FLOOR_H

// Echoes all bytes to the clients of the Unix socket at `path`, until the program ends; returns an exit status.
int serve_echo(const char *path);

struct rows_options {
    // The path of a ledger that tilld has made, to which rows are added.
    const char *ledger;
    // The path for the latencies, each 32 bits in units of 100 ns.
    const char *samples;
    long rows_per_transaction;
    double seconds;
};

// Commits payments to the ledger with SQLite alone, and prints the results; returns an exit status.
int commit_rows(const struct rows_options *options);

// Adds this many copies of a ledger's last transaction. No daemon may have the ledger open. Returns an exit status.
int copy_last_transaction(const char *ledger, long count);

#endif
