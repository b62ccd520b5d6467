#ifndef RUN_H
#define RUN_H

#include "options.h"
#include "protocol.h"
#include "samples.h"

// The results of a run.
struct result {
    struct samples samples;
    uint64_t operations;
    uint64_t errors;
    // The number of events delivered to observers.
    uint64_t events;
    double seconds;
};

// Keeps the allowed number of requests in flight on every connection. Returns 0, or prints the error and returns -1.
int run_closed_loop(const struct options *options, const struct protocol *protocol, struct result *result);

// Adds payments to Till while observers follow the queue. Returns 0, or prints the error and returns -1.
int run_observers(const struct options *options, struct result *result);

// Counts an error, and prints it unless there were many.
void result_note_error(struct result *result, const struct answer *answer);

#endif
