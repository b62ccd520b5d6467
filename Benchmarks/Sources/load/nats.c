// Publishes NATS messages to a subject that a JetStream stream stores in files. The stream acknowledges each message on
// an inbox of its own.
#include "protocol.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_MAXIMUM = 4096, PHASE_CREATING = 0, PHASE_WORKING = 1 };

// The error if several connections create the same stream at once.
static const char creating_too[] = "\"err_code\":10065";

static void create(struct connection *connection) {
    static const char stream[] = "{\"name\":\"bench\",\"subjects\":[\"bench.add\"],\"storage\":\"file\"}";
    buffer_print(&connection->out, "PUB $JS.API.STREAM.CREATE.bench inbox.%u.0 %zu\r\n%s\r\n", connection->number,
        sizeof stream - 1, stream);
}

static bool greet(struct connection *connection) {
    buffer_print(&connection->out, "CONNECT {\"verbose\":false,\"pedantic\":false}\r\n");
    buffer_print(&connection->out, "SUB inbox.%u.* 1\r\n", connection->number);
    create(connection);
    return false;
}

static void request(struct connection *connection, uint32_t sequence) {
    buffer_print(&connection->out, "PUB bench.add inbox.%u.%u %d\r\n", connection->number, sequence, PAYLOAD_BYTES);
    buffer_append(&connection->out, payload(), PAYLOAD_BYTES);
    buffer_append(&connection->out, "\r\n", 2);
}

// Reads an acknowledgement: the inbox ends in the request's sequence number, and the text contains any error.
static void read_message(struct connection *connection, const char *line, const char *text, size_t count,
    struct answer *answer) {
    const char *dot = strchr(line, '.');
    dot = dot == NULL ? NULL : strchr(dot + 1, '.');
    if (connection->phase == PHASE_CREATING && memmem(text, count, creating_too, sizeof creating_too - 1) != NULL) {
        create(connection);
    } else if (dot == NULL || memmem(text, count, "\"error\"", 7) != NULL) {
        answer_fail(answer, text, count);
    } else if (connection->phase == PHASE_CREATING) {
        connection->phase = PHASE_WORKING;
        answer->kind = ANSWER_READY;
    } else {
        answer->sequence = (uint32_t)strtoul(dot + 1, NULL, 10);
        answer->kind = ANSWER_OK;
    }
}

static ssize_t answer(struct connection *connection, const uint8_t *bytes, size_t count, struct answer *answer) {
    const uint8_t *end = memchr(bytes, '\n', count);
    if (end == NULL) {
        return 0;
    }
    size_t line_count = (size_t)(end - bytes) + 1;
    char line[LINE_MAXIMUM];
    if (line_count >= sizeof line) {
        return -1;
    }
    memcpy(line, bytes, line_count);
    line[line_count] = 0;
    if (strncmp(line, "MSG ", 4) == 0) {
        const char *space = strrchr(line, ' ');
        size_t text_count = strtoul(space + 1, NULL, 10);
        if (count < line_count + text_count + 2) {
            return 0;
        }
        read_message(connection, line, (const char *)bytes + line_count, text_count, answer);
        return (ssize_t)(line_count + text_count + 2);
    }
    if (strncmp(line, "PING", 4) == 0) {
        buffer_print(&connection->out, "PONG\r\n");
    } else if (line[0] == '-') {
        answer_fail(answer, bytes, line_count);
    }
    return (ssize_t)line_count;
}

const struct protocol nats_protocol = {"nats-publish", greet, request, answer};
