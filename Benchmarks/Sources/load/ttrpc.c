#include "ttrpc.h"

#include "message.h"

#include <stdlib.h>

static const uint64_t timeout_nanoseconds = UINT64_C(30000000000);
static const size_t frame_maximum = 4 << 20;

void ttrpc_put_call(struct buffer *out, uint32_t stream, uint8_t flags, const char *service, const char *method,
    const struct buffer *message) {
    struct buffer data = {0};
    message_put_text(&data, 1, service);
    message_put_text(&data, 2, method);
    message_put_bytes(&data, 3, message->bytes + message->start, buffer_count(message));
    message_put_number(&data, 4, timeout_nanoseconds);
    uint8_t kind[2] = {FRAME_REQUEST, flags};
    buffer_put32(out, (uint32_t)buffer_count(&data));
    buffer_put32(out, stream);
    buffer_append(out, kind, sizeof kind);
    buffer_append(out, data.bytes, buffer_count(&data));
    free(data.bytes);
}

ssize_t ttrpc_read(const uint8_t *bytes, size_t count, struct frame *frame) {
    if (count < FRAME_HEADER) {
        return 0;
    }
    frame->count = read32(bytes);
    frame->stream = read32(bytes + 4);
    frame->type = bytes[8];
    frame->flags = bytes[9];
    frame->data = bytes + FRAME_HEADER;
    if (frame->count > frame_maximum) {
        return -1;
    }
    return count < FRAME_HEADER + frame->count ? 0 : (ssize_t)(FRAME_HEADER + frame->count);
}

static void read_status(const struct field *status, struct answer *answer) {
    const uint8_t *place = status->bytes, *end = place + status->count;
    struct field field;
    while (message_next(&place, end, &field)) {
        if (field.number == 1 && field.value != 0) {
            answer->kind = ANSWER_ERROR;
        } else if (field.number == 2) {
            answer->text = (const char *)field.bytes;
            answer->text_count = field.count;
        }
    }
}

void ttrpc_read_response(const struct frame *frame, struct answer *answer) {
    const uint8_t *place = frame->data, *end = place + frame->count;
    struct field field;
    answer->kind = ANSWER_OK;
    while (message_next(&place, end, &field)) {
        if (field.number == 1) {
            read_status(&field, answer);
        }
    }
    if (place != end) {
        static const char text[] = "the response is malformed";
        answer_fail(answer, text, sizeof text - 1);
    }
}
