// Adds payments to a queue of Till, or calls its health check. The check needs no Hello, so any ttrpc server can answer
// it.
#include "till.h"

#include "identity.h"
#include "message.h"
#include "ttrpc.h"

#include <stdlib.h>
#include <string.h>

enum { IDENTITY_BYTES = 16 };

const char till_queue_service[] = "till.v1.PaymentQueue";
static const char product[] = "org.example.notes.coins10";
static const char application[] = "org.example.notes";

void till_put_hello(struct buffer *out) {
    struct buffer hello = {0};
    message_put_number(&hello, 1, 1);
    message_put_number(&hello, 2, 1);
    message_put_text(&hello, 3, application);
    message_put_text(&hello, 5, "load/1");
    ttrpc_put_call(out, STREAM_GREETING, 0, till_queue_service, "Hello", &hello);
    free(hello.bytes);
}

// Returns the frame of an AddPayment, which is made once. Each payment is a copy with its own stream and identity.
static const struct buffer *payment_template(size_t *identity_place) {
    static struct buffer frame;
    static size_t place;
    if (frame.bytes == NULL) {
        uint8_t id[IDENTITY_BYTES];
        memset(id, 0xFF, sizeof id);
        struct buffer payment = {0}, request = {0};
        message_put_bytes(&payment, 1, id, sizeof id);
        message_put_text(&payment, 2, product);
        message_put_number(&payment, 3, 1);
        // The username pads the payment to the size of all peers' messages.
        size_t username_count = PAYLOAD_BYTES - buffer_count(&payment) - 3;
        message_put_bytes(&payment, 4, payload(), username_count);
        message_put_bytes(&request, 1, payment.bytes, buffer_count(&payment));
        ttrpc_put_call(&frame, 0, 0, till_queue_service, "AddPayment", &request);
        const uint8_t *found = memmem(frame.bytes, buffer_count(&frame), id, sizeof id);
        if (found == NULL) {
            abort();
        }
        place = (size_t)(found - frame.bytes);
        free(payment.bytes);
        free(request.bytes);
    }
    *identity_place = place;
    return &frame;
}

void till_put_payment(struct buffer *out, uint32_t stream, uint32_t sequence) {
    size_t identity_place;
    const struct buffer *frame = payment_template(&identity_place);
    size_t count = buffer_count(frame);
    uint8_t *place = buffer_reserve(out, count);
    memcpy(place, frame->bytes, count);
    write32(place + 4, stream);
    identity_make(place + identity_place, sequence);
    out->end += count;
}

static bool greet_queue(struct connection *connection) {
    till_put_hello(&connection->out);
    return false;
}

static bool greet_nobody(struct connection *connection) {
    (void)connection;
    return true;
}

static void request_add(struct connection *connection, uint32_t sequence) {
    till_put_payment(&connection->out, stream_of(sequence), sequence);
}

static void request_check(struct connection *connection, uint32_t sequence) {
    static struct buffer frame;
    if (frame.bytes == NULL) {
        const struct buffer empty = {0};
        ttrpc_put_call(&frame, 0, 0, "grpc.health.v1.Health", "Check", &empty);
    }
    uint8_t *place = buffer_reserve(&connection->out, buffer_count(&frame));
    memcpy(place, frame.bytes, buffer_count(&frame));
    write32(place + 4, stream_of(sequence));
    connection->out.end += buffer_count(&frame);
}

static ssize_t answer(struct connection *connection, const uint8_t *bytes, size_t count, struct answer *answer) {
    (void)connection;
    struct frame frame;
    ssize_t taken = ttrpc_read(bytes, count, &frame);
    if (taken <= 0) {
        return taken;
    }
    if (frame.type != FRAME_RESPONSE) {
        return -1;
    }
    ttrpc_read_response(&frame, answer);
    if (frame.stream == STREAM_GREETING) {
        answer->kind = answer->kind == ANSWER_OK ? ANSWER_READY : answer->kind;
    } else {
        answer->sequence = sequence_of(frame.stream);
    }
    return taken;
}

const struct protocol till_add_protocol = {"till-add", greet_queue, request_add, answer};
const struct protocol till_check_protocol = {"ttrpc-check", greet_nobody, request_check, answer};
