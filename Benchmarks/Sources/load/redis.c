// Speaks Redis's own protocol, and sets a new key or appends to a list.
#include "protocol.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool greet(struct connection *connection) {
    (void)connection;
    return true;
}

static void append_value(struct connection *connection) {
    buffer_print(&connection->out, "$%d\r\n", PAYLOAD_BYTES);
    buffer_append(&connection->out, payload(), PAYLOAD_BYTES);
    buffer_append(&connection->out, "\r\n", 2);
}

static void request_set(struct connection *connection, uint32_t sequence) {
    char key[64];
    int count = snprintf(key, sizeof key, "payment:%d:%u:%u", getpid(), connection->number, sequence);
    buffer_print(&connection->out, "*3\r\n$3\r\nSET\r\n$%d\r\n%s\r\n", count, key);
    append_value(connection);
}

static void request_push(struct connection *connection, uint32_t sequence) {
    (void)sequence;
    buffer_print(&connection->out, "*3\r\n$5\r\nRPUSH\r\n$5\r\nqueue\r\n");
    append_value(connection);
}

static ssize_t answer(struct connection *connection, const uint8_t *bytes, size_t count, struct answer *answer) {
    (void)connection;
    const uint8_t *end = memchr(bytes, '\n', count);
    if (end == NULL) {
        return 0;
    }
    if (bytes[0] == '+' || bytes[0] == ':') {
        answer->kind = ANSWER_OK;
    } else {
        answer_fail(answer, bytes, (size_t)(end - bytes));
    }
    return end - bytes + 1;
}

const struct protocol redis_set_protocol = {"redis-set", greet, request_set, answer};
const struct protocol redis_push_protocol = {"redis-push", greet, request_push, answer};
