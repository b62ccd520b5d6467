#include "observers.h"

#include "channel.h"
#include "identity.h"
#include "message.h"
#include "till.h"

#include <stdlib.h>

// Numbers of fields and of event kinds in Till's messages.
enum {
    BATCH_REVISION = 1,
    BATCH_EVENTS = 2,
    EVENT_UPDATED = 1,
    EVENT_INITIAL_DELIVERY_ENDED = 6,
    TRANSACTION_ID = 1,
    IDENTITY_BYTES = 16,
    WINDOW_MAXIMUM = 16,
    ACKNOWLEDGEMENTS_FIRST = 200,
};

// The streams of a connection: Hello's, then one for each observer, then those of acknowledgements.
static uint32_t observer_stream(uint32_t id) {
    return stream_of(id);
}

static void observe(struct connection *connection, uint32_t id) {
    struct buffer request = {0};
    message_put_number(&request, 1, id);
    message_put_number(&request, 3, WINDOW_MAXIMUM);
    ttrpc_put_call(&connection->out, observer_stream(id), 1, till_queue_service, "Observe", &request);
    free(request.bytes);
}

static bool is_stopped(const struct watch *watch, const struct connection *connection) {
    return watch->options->stopped > 0 && connection == watch->connections + watch->connections_count - 1;
}

static void observe_all(struct watch *watch, struct connection *connection) {
    for (uint32_t id = 0; is_stopped(watch, connection) && id < watch->options->stopped; id++) {
        observe(connection, id);
    }
    for (uint32_t i = 0; i < watch->options->observers; i++) {
        if (watch->observers[i].connection == connection) {
            observe(connection, watch->observers[i].id);
        }
    }
    connection->sent = ACKNOWLEDGEMENTS_FIRST;
    connection->answered = ACKNOWLEDGEMENTS_FIRST;
    connection->is_ready = true;
}

static void acknowledge(struct observer *observer) {
    struct buffer request = {0};
    message_put_number(&request, 1, observer->id);
    message_put_number(&request, 2, observer->unacknowledged);
    uint32_t stream = stream_of(observer->connection->sent++);
    ttrpc_put_call(&observer->connection->out, stream, 0, till_queue_service, "Acknowledge", &request);
    free(request.bytes);
    observer->unacknowledged = 0;
}

// Acknowledges the batches that the connection's observers have read, with one call for several batches. The limit of
// calls in flight applies.
static void acknowledge_all(struct watch *watch, struct connection *connection) {
    uint32_t first = (uint32_t)(connection - watch->connections - 1) * OBSERVERS_PER_CONNECTION;
    uint32_t end = first + OBSERVERS_PER_CONNECTION;
    for (uint32_t i = first; i < end && i < watch->options->observers; i++) {
        if (watch->observers[i].unacknowledged != 0
            && connection->sent - connection->answered < ACKNOWLEDGEMENTS_PER_CONNECTION) {
            acknowledge(&watch->observers[i]);
        }
    }
}

// Records the latency of the payment in a transaction.
static void read_transaction(struct watch *watch, const struct field *transaction, uint64_t now) {
    const uint8_t *place = transaction->bytes, *end = place + transaction->count;
    struct field field;
    if (!message_next(&place, end, &field) || field.number != TRANSACTION_ID || field.count != IDENTITY_BYTES) {
        return;
    }
    if (now >= watch->measures_from && watch->measures_from != 0) {
        uint64_t counted_from = watch->counted_from[identity_sequence(field.bytes) % COUNTED_FROM_COUNT];
        watch->result->events++;
        if (samples_add(&watch->result->samples, now - counted_from) != 0) {
            watch->result->errors++;
        }
    }
}

static void read_event(struct watch *watch, struct observer *observer, const struct field *event, uint64_t now) {
    const uint8_t *place = event->bytes, *end = place + event->count;
    struct field field;
    while (message_next(&place, end, &field)) {
        if (field.number == EVENT_UPDATED) {
            read_transaction(watch, &field, now);
        } else if (field.number == EVENT_INITIAL_DELIVERY_ENDED && !observer->is_ready) {
            observer->is_ready = true;
            watch->ready++;
        }
    }
}

static void read_batch(struct watch *watch, struct observer *observer, const struct frame *frame, uint64_t now) {
    const uint8_t *place = frame->data, *end = place + frame->count;
    struct field field;
    uint64_t revision = 0;
    bool has_events = false;
    while (message_next(&place, end, &field)) {
        if (field.number == BATCH_REVISION) {
            revision = field.value;
        } else if (field.number == BATCH_EVENTS) {
            has_events = true;
            read_event(watch, observer, &field, now);
        }
    }
    if (has_events) {
        observer->unacknowledged = revision;
    }
}

static struct observer *observer_at(struct watch *watch, const struct connection *connection, uint32_t stream) {
    uint32_t id = sequence_of(stream);
    uint32_t index = (uint32_t)(connection - watch->connections - 1) * OBSERVERS_PER_CONNECTION + id;
    return id < OBSERVERS_PER_CONNECTION && index < watch->options->observers ? &watch->observers[index] : NULL;
}

static void
handle_response(struct watch *watch, struct connection *connection, const struct frame *frame, uint64_t now) {
    struct answer answer = {0};
    ttrpc_read_response(frame, &answer);
    if (answer.kind == ANSWER_ERROR) {
        result_note_error(watch->result, &answer);
    }
    if (frame->stream != STREAM_GREETING) {
        connection->answered++;
        if (connection == watch->connections && watch->options->observers_address != NULL) {
            watch->counted_from[sequence_of(frame->stream) % COUNTED_FROM_COUNT] = now;
        }
    } else if (connection != watch->connections) {
        observe_all(watch, connection);
    }
}

// Reads one frame; returns the same as ttrpc_read.
static ssize_t read_frame(struct watch *watch, struct connection *connection, uint64_t now) {
    const struct buffer *in = &connection->in;
    struct frame frame;
    ssize_t taken = ttrpc_read(in->bytes + in->start, buffer_count(in), &frame);
    if (taken <= 0) {
        return taken;
    }
    if (frame.type == FRAME_RESPONSE) {
        handle_response(watch, connection, &frame, now);
        return taken;
    }
    struct observer *observer = NULL;
    if (is_stopped(watch, connection) && frame.type == FRAME_DATA) {
        return taken;
    }
    if (connection != watch->connections && frame.type == FRAME_DATA) {
        observer = observer_at(watch, connection, frame.stream);
    }
    if (observer == NULL) {
        return -1;
    }
    read_batch(watch, observer, &frame, now);
    return taken;
}

int observers_read(struct watch *watch, struct connection *connection, uint64_t now) {
    ssize_t taken = 1;
    while (buffer_count(&connection->in) > 0 && taken != 0) {
        taken = read_frame(watch, connection, now);
        if (taken < 0) {
            channel_complain(connection);
            return -1;
        }
        buffer_consume(&connection->in, (size_t)taken);
    }
    if (connection != watch->connections && !is_stopped(watch, connection)) {
        acknowledge_all(watch, connection);
    }
    return 0;
}
