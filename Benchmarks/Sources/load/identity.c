#include "identity.h"

#include "buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

// xorshift64* with a seed from the kernel: it is fast, and differs in each run.
static uint64_t random_next(void) {
    static uint64_t state;
    if (state == 0 && (getrandom(&state, sizeof state, 0) != sizeof state || state == 0)) {
        fputs("load: no random numbers\n", stderr);
        exit(1);
    }
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(0x2545F4914F6CDD1D);
}

void identity_make(uint8_t id[16], uint32_t sequence) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t milliseconds = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
    uint64_t random = random_next();
    write32(id, (uint32_t)(milliseconds >> 16));
    write32(id + 4, (uint32_t)(milliseconds << 16) | 0x7000 | (uint32_t)(random & 0x0FFF));
    write32(id + 8, 0x80000000 | ((uint32_t)(random >> 32) & 0x3FFFFFFF));
    write32(id + 12, sequence);
}

uint32_t identity_sequence(const uint8_t id[16]) {
    return read32(id + 12);
}
