// Speaks PostgreSQL's extended protocol, version 3. It prepares a statement once for each connection, and executes it
// in a transaction of its own each time. It expects the table `payments (id uuid PRIMARY KEY, payload bytea NOT NULL)`
// and trust authentication.
#include "identity.h"
#include "protocol.h"

#include <string.h>

enum { MESSAGE_HEADER = 5, OID_UUID = 2950, OID_BYTEA = 17, IDENTITY_BYTES = 16 };

static void append_text(struct buffer *out, const char *text) {
    buffer_append(out, text, strlen(text) + 1);
}

static void append16(struct buffer *out, uint16_t value) {
    uint8_t bytes[2] = {(uint8_t)(value >> 8), (uint8_t)value};
    buffer_append(out, bytes, sizeof bytes);
}

// Begins a message; `finish` sets its length.
static size_t begin(struct buffer *out, char type) {
    buffer_append(out, &type, 1);
    buffer_put32(out, 0);
    return buffer_count(out) - sizeof(uint32_t);
}

static void finish(struct buffer *out, size_t length_place) {
    write32(out->bytes + out->start + length_place, (uint32_t)(buffer_count(out) - length_place));
}

static void sync_messages(struct buffer *out) {
    finish(out, begin(out, 'S'));
}

static bool greet(struct connection *connection) {
    struct buffer *out = &connection->out;
    size_t place = buffer_count(out);
    buffer_put32(out, 0);
    buffer_put32(out, 3 << 16);
    append_text(out, "user");
    append_text(out, "postgres");
    append_text(out, "database");
    append_text(out, "postgres");
    append_text(out, "");
    finish(out, place);
    return false;
}

static void prepare(struct buffer *out) {
    size_t place = begin(out, 'P');
    append_text(out, "add");
    append_text(out, "INSERT INTO payments (id, payload) VALUES ($1, $2)");
    append16(out, 2);
    buffer_put32(out, OID_UUID);
    buffer_put32(out, OID_BYTEA);
    finish(out, place);
    sync_messages(out);
}

static void request(struct connection *connection, uint32_t sequence) {
    struct buffer *out = &connection->out;
    uint8_t id[IDENTITY_BYTES];
    identity_make(id, sequence);
    size_t place = begin(out, 'B');
    append_text(out, "");
    append_text(out, "add");
    append16(out, 1);
    append16(out, 1);
    append16(out, 2);
    buffer_put32(out, sizeof id);
    buffer_append(out, id, sizeof id);
    buffer_put32(out, PAYLOAD_BYTES);
    buffer_append(out, payload(), PAYLOAD_BYTES);
    append16(out, 0);
    finish(out, place);
    place = begin(out, 'E');
    append_text(out, "");
    buffer_put32(out, 0);
    finish(out, place);
    sync_messages(out);
}

enum { PHASE_CONNECTING, PHASE_PREPARING, PHASE_WORKING, PHASE_FAILED };

// Handles "ready for query", which ends the connection's setup, the preparation, or a request.
static void answer_ready(struct connection *connection, struct answer *answer) {
    switch (connection->phase) {
    case PHASE_CONNECTING:
        connection->phase = PHASE_PREPARING;
        prepare(&connection->out);
        break;
    case PHASE_PREPARING:
        connection->phase = PHASE_WORKING;
        answer->kind = ANSWER_READY;
        break;
    case PHASE_FAILED:
        // The error itself was the answer.
        connection->phase = PHASE_WORKING;
        break;
    default:
        answer->kind = ANSWER_OK;
    }
}

static ssize_t answer(struct connection *connection, const uint8_t *bytes, size_t count, struct answer *answer) {
    if (count < MESSAGE_HEADER) {
        return 0;
    }
    size_t length = read32(bytes + 1) + (size_t)1;
    if (length < MESSAGE_HEADER) {
        return -1;
    }
    if (count < length) {
        return 0;
    }
    if (bytes[0] == 'Z') {
        answer_ready(connection, answer);
    } else if (bytes[0] == 'E') {
        if (connection->phase != PHASE_WORKING) {
            connection->is_ready = false;
        }
        connection->phase = PHASE_FAILED;
        answer_fail(answer, bytes + MESSAGE_HEADER, length - MESSAGE_HEADER);
    }
    return (ssize_t)length;
}

const struct protocol postgres_protocol = {"postgres-insert", greet, request, answer};
