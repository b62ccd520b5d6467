#ifndef PROTOCOL_H
#define PROTOCOL_H

#include "buffer.h"

#include <stdbool.h>
#include <sys/types.h>

// How many bytes of the benchmark's own a request carries.
enum { PAYLOAD_BYTES = 200 };

// A connection, as its protocol sees it.
struct connection {
    int descriptor;
    uint32_t number;
    struct buffer out;
    struct buffer in;
    // Whether requests may be sent; the protocol says so with ANSWER_READY.
    bool is_ready;
    bool waits_for_room;
    // Requests sent and answers received.
    uint32_t sent;
    uint32_t answered;
    // When each request was sent that has no answer yet, by its sequence number and the run's mask.
    uint64_t *sent_at;
    // For the protocol: how far it has come with its greeting, or with a frame.
    uint32_t phase;
};

enum answer_kind {
    // Something that answers no request.
    ANSWER_NOTHING,
    // The greeting is over.
    ANSWER_READY,
    ANSWER_OK,
    ANSWER_ERROR,
};

struct answer {
    enum answer_kind kind;
    // Which request it answers; set beforehand to the oldest one without an answer.
    uint32_t sequence;
    // What an error says; not terminated.
    const char *text;
    size_t text_count;
};

struct protocol {
    const char *name;
    // Appends the greeting; returns true when requests may follow at once.
    bool (*greet)(struct connection *connection);
    // Appends the request with this sequence number.
    void (*request)(struct connection *connection, uint32_t sequence);
    // Reads an answer from the first bytes; returns how many it took, 0 if it has to see more, or -1 if they make no
    // sense.
    ssize_t (*answer)(struct connection *connection, const uint8_t *bytes, size_t count, struct answer *answer);
};

// The protocol of that name, or NULL.
const struct protocol *protocol_named(const char *name);

// The names of all, each followed by a space.
void protocol_print_names(void);

// The benchmark's own bytes: printable, and the same in every run.
const char *payload(void);

static inline void answer_fail(struct answer *answer, const void *text, size_t count) {
    answer->kind = ANSWER_ERROR;
    answer->text = text;
    answer->text_count = count;
}

extern const struct protocol till_add_protocol, till_check_protocol, echo_protocol, redis_set_protocol,
    redis_push_protocol, beanstalk_protocol, postgres_protocol, nats_protocol, dbus_protocol;

#endif
