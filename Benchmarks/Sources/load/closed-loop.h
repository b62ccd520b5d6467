#ifndef CLOSED_LOOP_H
#define CLOSED_LOOP_H

#include "run.h"

struct loop {
    const struct options *options;
    const struct protocol *protocol;
    struct result *result;
    struct connection *connections;
    int epoll;
    // Of the table of moments; a power of two less one.
    uint32_t mask;
    uint32_t ready;
    // How many requests are in flight in all.
    uint64_t in_flight;
    // Both 0 before the first connection is ready.
    uint64_t measures_from;
    uint64_t measures_until;
    bool is_ending;
};

// Reads what has come for a connection, and counts the answers; returns 0, or -1 after saying why.
int loop_read_answers(struct loop *loop, struct connection *connection);

#endif
