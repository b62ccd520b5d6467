#ifndef SAMPLES_H
#define SAMPLES_H

#include <stdint.h>
#include <stdio.h>

// All latencies of a run, in units of 100 ns.
struct samples {
    uint32_t *values;
    size_t count;
};

// Returns 0, or -1 if memory is exhausted.
int samples_open(struct samples *samples);

// Keeps a latency; returns -1 if the limit is reached.
int samples_add(struct samples *samples, uint64_t nanoseconds);

// Writes all latencies to a file, in the machine's byte order; returns 0 or -1.
int samples_write(const struct samples *samples, const char *path);

// Returns the time of the monotonic clock, in nanoseconds.
uint64_t clock_now(void);

#endif
