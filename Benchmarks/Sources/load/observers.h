#ifndef OBSERVERS_H
#define OBSERVERS_H

#include "run.h"
#include "ttrpc.h"

// More than the number of adds that an observer has not seen can be.
enum { COUNTED_FROM_COUNT = 1 << 20 };

// The number of observers on a connection, and of acknowledgements in flight on it. Together they stay below the 128
// calls of a connection and, for 1,000 observers, below the 2,048 calls of all connections.
enum { OBSERVERS_PER_CONNECTION = 32, ACKNOWLEDGEMENTS_PER_CONNECTION = 16 };

struct observer {
    uint32_t id;
    struct connection *connection;
    bool is_ready;
    // The newest revision that the observer has read and not acknowledged; 0 if there is none.
    uint64_t unacknowledged;
};

struct watch {
    const struct options *options;
    struct result *result;
    int epoll;
    // The first connection adds. The last one has the stopped observers, if there are any.
    struct connection *connections;
    uint32_t connections_count;
    struct observer *observers;
    // The number of observers that have had their initial delivery.
    uint32_t ready;
    // When each add was sent, or answered if the observers are at another address.
    uint64_t counted_from[COUNTED_FROM_COUNT];
    // Both are 0 until all observers are ready.
    uint64_t measures_from;
    uint64_t measures_until;
    // The time of the first add; 0 before it.
    uint64_t adds_from;
    bool is_ending;
};

// Handles the frames that a connection has received. Returns 0, or prints the error and returns -1.
int observers_read(struct watch *watch, struct connection *connection, uint64_t now);

#endif
