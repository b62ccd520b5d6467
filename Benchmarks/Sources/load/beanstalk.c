// Puts jobs into the default tube of beanstalkd.
#include "protocol.h"

#include <string.h>

static bool greet(struct connection *connection) {
    (void)connection;
    return true;
}

static void request(struct connection *connection, uint32_t sequence) {
    (void)sequence;
    buffer_print(&connection->out, "put 0 0 60 %d\r\n", PAYLOAD_BYTES);
    buffer_append(&connection->out, payload(), PAYLOAD_BYTES);
    buffer_append(&connection->out, "\r\n", 2);
}

static ssize_t answer(struct connection *connection, const uint8_t *bytes, size_t count, struct answer *answer) {
    (void)connection;
    static const char inserted[] = "INSERTED ";
    const uint8_t *end = memchr(bytes, '\n', count);
    if (end == NULL) {
        return 0;
    }
    if (count >= sizeof inserted - 1 && memcmp(bytes, inserted, sizeof inserted - 1) == 0) {
        answer->kind = ANSWER_OK;
    } else {
        answer_fail(answer, bytes, (size_t)(end - bytes));
    }
    return end - bytes + 1;
}

const struct protocol beanstalk_protocol = {"beanstalk-put", greet, request, answer};
