#ifndef TTRPC_H
#define TTRPC_H

#include "protocol.h"

// ttrpc's frames: ten bytes of header, and an envelope or, on a stream, a message.
enum { FRAME_HEADER = 10, FRAME_REQUEST = 1, FRAME_RESPONSE = 2, FRAME_DATA = 3 };

// The first stream is the greeting's; the request with sequence number n has the one that follows.
enum { STREAM_GREETING = 1, STREAM_FIRST = 3 };

struct frame {
    uint32_t stream;
    uint8_t type;
    uint8_t flags;
    const uint8_t *data;
    size_t count;
};

// Appends a call; `flags` 1 says that the client sends no more, as a call with a stream of answers must.
void ttrpc_put_call(struct buffer *out, uint32_t stream, uint8_t flags, const char *service, const char *method,
    const struct buffer *message);

// Reads a frame; returns the bytes it took, 0 if it has to see more, or -1.
ssize_t ttrpc_read(const uint8_t *bytes, size_t count, struct frame *frame);

// What a response says: OK, or an error and its text.
void ttrpc_read_response(const struct frame *frame, struct answer *answer);

static inline uint32_t stream_of(uint32_t sequence) {
    return 2 * sequence + STREAM_FIRST;
}

#endif
