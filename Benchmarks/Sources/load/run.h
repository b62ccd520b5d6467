#ifndef RUN_H
#define RUN_H

#include "options.h"
#include "protocol.h"
#include "samples.h"

// What came of a run.
struct result {
    struct samples samples;
    uint64_t operations;
    uint64_t errors;
    // Delivered to observers.
    uint64_t events;
    double seconds;
};

// Keeps every connection busy with as many requests as may be in flight; returns 0, or -1 after saying why.
int run_closed_loop(const struct options *options, const struct protocol *protocol, struct result *result);

// Adds payments to Till while observers follow the queue; returns 0, or -1 after saying why.
int run_observers(const struct options *options, struct result *result);

// Counts an error, and prints it unless there were many.
void result_note_error(struct result *result, const struct answer *answer);

#endif
