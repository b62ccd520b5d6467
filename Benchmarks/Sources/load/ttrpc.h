#ifndef TTRPC_H
#define TTRPC_H

#include "protocol.h"

// A ttrpc frame has a header of ten bytes, and an envelope or, on a stream, a message.
enum { FRAME_HEADER = 10, FRAME_REQUEST = 1, FRAME_RESPONSE = 2, FRAME_DATA = 3 };

// The first stream is the greeting's. Each request has the stream that follows the previous one's.
enum { STREAM_GREETING = 1, STREAM_FIRST = 3 };

struct frame {
    uint32_t stream;
    uint8_t type;
    uint8_t flags;
    const uint8_t *data;
    size_t count;
};

// Appends a call. `flags` 1 closes the client's side, as a call with streamed answers must.
void ttrpc_put_call(struct buffer *out, uint32_t stream, uint8_t flags, const char *service, const char *method,
    const struct buffer *message);

// Parses a frame; returns its length, 0 if it is incomplete, or -1 if it is malformed.
ssize_t ttrpc_read(const uint8_t *bytes, size_t count, struct frame *frame);

// Parses a response: OK, or an error and its text.
void ttrpc_read_response(const struct frame *frame, struct answer *answer);

static inline uint32_t stream_of(uint32_t sequence) {
    return 2 * sequence + STREAM_FIRST;
}

static inline uint32_t sequence_of(uint32_t stream) {
    return (stream - STREAM_FIRST) / 2;
}

#endif
