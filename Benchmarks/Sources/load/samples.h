#ifndef SAMPLES_H
#define SAMPLES_H

#include <stdint.h>
#include <stdio.h>

// Every latency of a run, in units of 100 ns.
struct samples {
    uint32_t *values;
    size_t count;
};

// Returns 0, or -1 when there is no memory.
int samples_open(struct samples *samples);

// Keeps a latency; returns -1 when no more can be kept.
int samples_add(struct samples *samples, uint64_t nanoseconds);

// Writes all to a file, as the machine keeps them; returns 0 or -1.
int samples_write(const struct samples *samples, const char *path);

// The monotonic clock, in nanoseconds.
uint64_t clock_now(void);

#endif
