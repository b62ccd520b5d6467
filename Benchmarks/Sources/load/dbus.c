// Calls a service on a D-Bus, which answers with the bytes of the call.
#include "protocol.h"

#include "dbus_wire.h"

#include <stdlib.h>
#include <string.h>

enum { PHASE_GREETING, PHASE_WORKING, SERIAL_HELLO = 1, SERIAL_FIRST = 2 };

static void append(struct connection *connection, const struct dbus_writer *writer, bool fits) {
    if (!fits) {
        abort();
    }
    buffer_append(&connection->out, writer->bytes, writer->count);
}

static bool greet(struct connection *connection) {
    struct dbus_writer writer;
    bool fits = dbus_put_greeting(&writer);
    append(connection, &writer, fits);
    return false;
}

static void request(struct connection *connection, uint32_t sequence) {
    struct dbus_writer writer;
    dbus_begin(&writer, DBUS_CALL, sequence + SERIAL_FIRST);
    dbus_put_text(&writer, DBUS_PATH, 'o', "/bench/Echo");
    dbus_put_text(&writer, DBUS_INTERFACE, 's', "bench.Echo");
    dbus_put_text(&writer, DBUS_MEMBER, 's', "Echo");
    dbus_put_text(&writer, DBUS_DESTINATION, 's', "bench.Echo");
    dbus_put_text(&writer, DBUS_SIGNATURE, 'g', "ay");
    dbus_begin_body(&writer);
    dbus_append_number(&writer, PAYLOAD_BYTES);
    dbus_append(&writer, payload(), PAYLOAD_BYTES);
    bool fits = dbus_end(&writer);
    append(connection, &writer, fits);
}

static ssize_t answer_greeting(struct connection *connection, const uint8_t *bytes, size_t count) {
    const uint8_t *end = memchr(bytes, '\n', count);
    if (end == NULL) {
        return 0;
    }
    connection->phase = PHASE_WORKING;
    return memcmp(bytes, "OK ", 3) == 0 ? end - bytes + 1 : -1;
}

static ssize_t answer(struct connection *connection, const uint8_t *bytes, size_t count, struct answer *answer) {
    if (connection->phase == PHASE_GREETING) {
        return answer_greeting(connection, bytes, count);
    }
    struct dbus_message message;
    ssize_t taken = dbus_read(bytes, count, &message);
    if (taken <= 0 || message.type == DBUS_SIGNAL) {
        return taken;
    }
    if (message.reply_serial >= SERIAL_FIRST) {
        answer->sequence = message.reply_serial - SERIAL_FIRST;
    }
    if (message.type != DBUS_RETURN) {
        answer_fail(answer, message.body, message.body_count);
    } else {
        answer->kind = message.reply_serial == SERIAL_HELLO ? ANSWER_READY : ANSWER_OK;
    }
    return taken;
}

const struct protocol dbus_protocol = {"dbus-echo", greet, request, answer};
