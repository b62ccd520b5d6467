#include "message.h"

#include <string.h>

enum { TYPE_NUMBER = 0, TYPE_BYTES = 2, VARINT_BITS = 7, VARINT_SHIFT_END = 64 };

static void put_varint(struct buffer *buffer, uint64_t value) {
    while (value > 0x7F) {
        uint8_t byte = (uint8_t)value | 0x80;
        buffer_append(buffer, &byte, 1);
        value >>= VARINT_BITS;
    }
    uint8_t byte = (uint8_t)value;
    buffer_append(buffer, &byte, 1);
}

void message_put_number(struct buffer *buffer, uint32_t field, uint64_t value) {
    put_varint(buffer, (uint64_t)field << 3 | TYPE_NUMBER);
    put_varint(buffer, value);
}

void message_put_bytes(struct buffer *buffer, uint32_t field, const void *bytes, size_t count) {
    put_varint(buffer, (uint64_t)field << 3 | TYPE_BYTES);
    put_varint(buffer, count);
    buffer_append(buffer, bytes, count);
}

void message_put_text(struct buffer *buffer, uint32_t field, const char *text) {
    message_put_bytes(buffer, field, text, strlen(text));
}

static bool read_varint(const uint8_t **place, const uint8_t *end, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; shift < VARINT_SHIFT_END && *place < end; shift += VARINT_BITS) {
        uint8_t byte = *(*place)++;
        *value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

bool message_next(const uint8_t **place, const uint8_t *end, struct field *field) {
    uint64_t tag;
    if (!read_varint(place, end, &tag) || !read_varint(place, end, &field->value)) {
        return false;
    }
    field->number = (uint32_t)(tag >> 3);
    field->bytes = *place;
    field->count = 0;
    if ((tag & 7) == TYPE_NUMBER) {
        return true;
    }
    if ((tag & 7) != TYPE_BYTES || field->value > (uint64_t)(end - *place)) {
        return false;
    }
    field->count = (size_t)field->value;
    *place += field->count;
    return true;
}
