#ifndef CLOSED_LOOP_H
#define CLOSED_LOOP_H

#include "run.h"

struct loop {
    const struct options *options;
    const struct protocol *protocol;
    struct result *result;
    struct connection *connections;
    int epoll;
    // The mask of the table of send times; a power of two minus one.
    uint32_t mask;
    uint32_t ready;
    // The total number of requests in flight.
    uint64_t in_flight;
    // Both are 0 until all connections are ready.
    uint64_t measures_from;
    uint64_t measures_until;
    bool is_ending;
};

// Reads a connection's received bytes, and counts the answers. Returns 0, or prints the error and returns -1.
int loop_read_answers(struct loop *loop, struct connection *connection);

#endif
