#include "channel.h"
#include "closed-loop.h"

// Counts an answer to a request; returns false if there was no such request.
static bool note(struct loop *loop, struct connection *connection, const struct answer *answer, uint64_t now) {
    uint64_t *sent_at = &connection->sent_at[answer->sequence & loop->mask];
    if (*sent_at == 0) {
        return false;
    }
    if (answer->kind == ANSWER_ERROR) {
        result_note_error(loop->result, answer);
    } else if (now >= loop->measures_from && now < loop->measures_until) {
        loop->result->operations++;
        if (samples_add(&loop->result->samples, now - *sent_at) != 0) {
            return false;
        }
    }
    *sent_at = 0;
    connection->answered++;
    loop->in_flight--;
    return true;
}

static int handle(struct loop *loop, struct connection *connection, const struct answer *answer, uint64_t now) {
    switch (answer->kind) {
    case ANSWER_NOTHING:
        return 0;
    case ANSWER_READY:
        connection->is_ready = true;
        loop->ready++;
        return 0;
    case ANSWER_ERROR:
        if (!connection->is_ready) {
            result_note_error(loop->result, answer);
            return -1;
        }
        break;
    case ANSWER_OK:
        break;
    }
    if (!note(loop, connection, answer, now)) {
        channel_complain(connection);
        return -1;
    }
    return 0;
}

int loop_read_answers(struct loop *loop, struct connection *connection) {
    ssize_t received = channel_receive(connection);
    if (received <= 0) {
        return (int)received;
    }
    uint64_t now = clock_now();
    struct buffer *in = &connection->in;
    while (buffer_count(in) > 0) {
        struct answer answer = {.sequence = connection->answered};
        ssize_t taken = loop->protocol->answer(connection, in->bytes + in->start, buffer_count(in), &answer);
        if (taken < 0) {
            channel_complain(connection);
            return -1;
        }
        if (taken == 0) {
            break;
        }
        if (handle(loop, connection, &answer, now) != 0) {
            return -1;
        }
        buffer_consume(in, (size_t)taken);
    }
    return 0;
}
