// Sends as many bytes as a small call has to a server that sends them back.
#include "protocol.h"

#include <string.h>

static bool greet(struct connection *connection) {
    (void)connection;
    return true;
}

static void request(struct connection *connection, uint32_t sequence) {
    (void)sequence;
    buffer_append(&connection->out, payload(), PAYLOAD_BYTES);
}

static ssize_t answer(struct connection *connection, const uint8_t *bytes, size_t count, struct answer *answer) {
    (void)connection;
    if (count < PAYLOAD_BYTES) {
        return 0;
    }
    if (memcmp(bytes, payload(), PAYLOAD_BYTES) != 0) {
        return -1;
    }
    answer->kind = ANSWER_OK;
    return PAYLOAD_BYTES;
}

const struct protocol echo_protocol = {"echo", greet, request, answer};
