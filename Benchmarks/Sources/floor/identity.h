#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdint.h>

enum { IDENTITY_BYTES = 16 };

// Makes a UUID of version 7: milliseconds, then random bits. `random` is the state of the generator.
static inline void identity_make(uint32_t *random, uint8_t id[IDENTITY_BYTES], int64_t milliseconds) {
    for (int i = 0; i < 6; i++) {
        id[i] = (uint8_t)(milliseconds >> (40 - 8 * i));
    }
    for (int i = 6; i < IDENTITY_BYTES; i++) {
        *random = *random * 1664525 + 1013904223;
        id[i] = (uint8_t)(*random >> 24);
    }
    id[6] = (uint8_t)(0x70 | (id[6] & 0x0F));
    id[8] = (uint8_t)(0x80 | (id[8] & 0x3F));
}

#endif
