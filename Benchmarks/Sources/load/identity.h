#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdint.h>

// Makes a UUID of version 7: milliseconds, random bits, and the sequence number at the end.
void identity_make(uint8_t id[16], uint32_t sequence);

// Returns the sequence number of an identity made here.
uint32_t identity_sequence(const uint8_t id[16]);

#endif
