#ifndef FLOOR_H
#define FLOOR_H

// Sends back what clients of the Unix socket at `path` send, until the program is ended; returns an exit status.
int serve_echo(const char *path);

struct rows_options {
    // A ledger that tilld has made; it is filled.
    const char *ledger;
    // Where the latencies go, each as 32 bits in units of 100 ns.
    const char *samples;
    long rows_per_transaction;
    double seconds;
};

// Commits payments to the ledger without anything around SQLite, and prints what came of it; returns an exit status.
int commit_rows(const struct rows_options *options);

// Copies a ledger's last transaction so many times; no daemon may have it open. Returns an exit status.
int copy_last_transaction(const char *ledger, long count);

#endif
