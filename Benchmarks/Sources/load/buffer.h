#ifndef BUFFER_H
#define BUFFER_H

#include <stddef.h>
#include <stdint.h>

// A queue of bytes: they are appended at the end and consumed at the start.
struct buffer {
    uint8_t *bytes;
    size_t start;
    size_t end;
    size_t capacity;
};

// Makes room for `count` more bytes at the end, and returns their address. Ends the program if memory is exhausted.
uint8_t *buffer_reserve(struct buffer *buffer, size_t count);

void buffer_append(struct buffer *buffer, const void *bytes, size_t count);

void buffer_print(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

void buffer_put32(struct buffer *buffer, uint32_t value);

// Removes bytes from the start.
void buffer_consume(struct buffer *buffer, size_t count);

static inline size_t buffer_count(const struct buffer *buffer) {
    return buffer->end - buffer->start;
}

static inline uint32_t read32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline void write32(uint8_t *bytes, uint32_t value) {
    bytes[0] = (uint8_t)(value >> 24);
    bytes[1] = (uint8_t)(value >> 16);
    bytes[2] = (uint8_t)(value >> 8);
    bytes[3] = (uint8_t)value;
}

#endif
