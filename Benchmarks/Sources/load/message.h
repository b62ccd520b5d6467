#ifndef MESSAGE_H
#define MESSAGE_H

#include "buffer.h"

#include <stdbool.h>

// As much of protobuf's encoding as the benchmark's messages need.

void message_put_number(struct buffer *buffer, uint32_t field, uint64_t value);
void message_put_bytes(struct buffer *buffer, uint32_t field, const void *bytes, size_t count);
void message_put_text(struct buffer *buffer, uint32_t field, const char *text);

// A field as it stands in a message: a number, or bytes.
struct field {
    uint32_t number;
    uint64_t value;
    const uint8_t *bytes;
    size_t count;
};

// Reads the field at `*place` and goes behind it; false at the end, and at what is no field.
bool message_next(const uint8_t **place, const uint8_t *end, struct field *field);

#endif
