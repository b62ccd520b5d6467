#ifndef MESSAGE_H
#define MESSAGE_H

#include "buffer.h"

#include <stdbool.h>

// The part of protobuf's encoding that the benchmark's messages need.

void message_put_number(struct buffer *buffer, uint32_t field, uint64_t value);
void message_put_bytes(struct buffer *buffer, uint32_t field, const void *bytes, size_t count);
void message_put_text(struct buffer *buffer, uint32_t field, const char *text);

// A parsed field: a number, or bytes.
struct field {
    uint32_t number;
    uint64_t value;
    const uint8_t *bytes;
    size_t count;
};

// Reads the field at `*place`, and advances past it. Returns false at the end, and for a malformed field.
bool message_next(const uint8_t **place, const uint8_t *end, struct field *field);

#endif
