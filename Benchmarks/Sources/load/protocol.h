#ifndef PROTOCOL_H
#define PROTOCOL_H

#include "buffer.h"

#include <stdbool.h>
#include <sys/types.h>

// The number of payload bytes of a request.
enum { PAYLOAD_BYTES = 200 };

// A connection, as its protocol sees it.
struct connection {
    int descriptor;
    uint32_t number;
    struct buffer out;
    struct buffer in;
    // Whether requests may be sent; the protocol reports this with ANSWER_READY.
    bool is_ready;
    bool waits_for_room;
    // The numbers of sent requests and received answers.
    uint32_t sent;
    uint32_t answered;
    // The send time of each request without an answer, by its sequence number and the run's mask.
    uint64_t *sent_at;
    // The protocol's position in its greeting or in a frame.
    uint32_t phase;
};

enum answer_kind {
    // A message that does not answer a request.
    ANSWER_NOTHING,
    // The end of the greeting.
    ANSWER_READY,
    ANSWER_OK,
    ANSWER_ERROR,
};

struct answer {
    enum answer_kind kind;
    // The request that this answers, by sequence number; preset to the oldest one without an answer.
    uint32_t sequence;
    // The text of an error; not null-terminated.
    const char *text;
    size_t text_count;
};

struct protocol {
    const char *name;
    // Appends the greeting; returns true if requests may follow at once.
    bool (*greet)(struct connection *connection);
    // Appends the request with this sequence number.
    void (*request)(struct connection *connection, uint32_t sequence);
    // Parses an answer at the start of the bytes. Returns its length, 0 if it is incomplete, or -1 if it is malformed.
    ssize_t (*answer)(struct connection *connection, const uint8_t *bytes, size_t count, struct answer *answer);
};

// Returns the protocol of this name, or NULL.
const struct protocol *protocol_named(const char *name);

// Prints the names of all protocols, each followed by a space.
void protocol_print_names(void);

// Returns the payload: printable bytes that are the same in every run.
const char *payload(void);

static inline void answer_fail(struct answer *answer, const void *text, size_t count) {
    answer->kind = ANSWER_ERROR;
    answer->text = text;
    answer->text_count = count;
}

extern const struct protocol till_add_protocol, till_check_protocol, echo_protocol, redis_set_protocol,
    redis_push_protocol, beanstalk_protocol, postgres_protocol, nats_protocol, dbus_protocol;

#endif
