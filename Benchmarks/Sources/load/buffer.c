#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY_MINIMUM = 16384, LINE_MAXIMUM = 1024 };

uint8_t *buffer_reserve(struct buffer *buffer, size_t count) {
    if (buffer->capacity - buffer->end >= count) {
        return buffer->bytes + buffer->end;
    }
    size_t used = buffer_count(buffer);
    if (used > 0) {
        memmove(buffer->bytes, buffer->bytes + buffer->start, used);
    }
    buffer->start = 0;
    buffer->end = used;
    if (buffer->capacity - used < count) {
        size_t capacity = 2 * (used + count);
        capacity = capacity < CAPACITY_MINIMUM ? CAPACITY_MINIMUM : capacity;
        uint8_t *bytes = realloc(buffer->bytes, capacity);
        if (bytes == NULL) {
            fputs("load: out of memory\n", stderr);
            exit(1);
        }
        buffer->bytes = bytes;
        buffer->capacity = capacity;
    }
    return buffer->bytes + buffer->end;
}

void buffer_append(struct buffer *buffer, const void *bytes, size_t count) {
    memcpy(buffer_reserve(buffer, count), bytes, count);
    buffer->end += count;
}

void buffer_print(struct buffer *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *place = (char *)buffer_reserve(buffer, LINE_MAXIMUM);
    int count = vsnprintf(place, LINE_MAXIMUM, format, arguments);
    va_end(arguments);
    if (count < 0 || count >= LINE_MAXIMUM) {
        fputs("load: a line is too long\n", stderr);
        exit(1);
    }
    buffer->end += (size_t)count;
}

void buffer_put32(struct buffer *buffer, uint32_t value) {
    write32(buffer_reserve(buffer, sizeof value), value);
    buffer->end += sizeof value;
}

void buffer_consume(struct buffer *buffer, size_t count) {
    buffer->start += count;
    if (buffer->start == buffer->end) {
        buffer->start = 0;
        buffer->end = 0;
    }
}
