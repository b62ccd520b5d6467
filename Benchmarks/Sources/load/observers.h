#ifndef OBSERVERS_H
#define OBSERVERS_H

#include "run.h"
#include "ttrpc.h"

// More than there can be adds that an observer has not seen.
enum { SENT_AT_COUNT = 1 << 20 };

// Observers that share a connection, and acknowledgements in flight on it: together less than the 128 calls that it may
// have, and for 1,000 observers less than the 2,048 that all may have.
enum { OBSERVERS_PER_CONNECTION = 32, ACKNOWLEDGEMENTS_PER_CONNECTION = 16 };

struct observer {
    uint32_t id;
    struct connection *connection;
    bool is_ready;
    // The newest revision that it has read and not acknowledged; 0 for none.
    uint64_t unacknowledged;
};

struct watch {
    const struct options *options;
    struct result *result;
    int epoll;
    // The first one adds. The last one is that of the stopped observers, if there are any.
    struct connection *connections;
    uint32_t connections_count;
    struct observer *observers;
    // Observers that have had their initial delivery.
    uint32_t ready;
    uint64_t sent_at[SENT_AT_COUNT];
    // Both 0 before all are ready.
    uint64_t measures_from;
    uint64_t measures_until;
    // When the first add was sent; 0 before.
    uint64_t adds_from;
    bool is_ending;
};

// Handles the frames that a connection has received; returns 0, or -1 after saying why.
int observers_read(struct watch *watch, struct connection *connection, uint64_t now);

#endif
