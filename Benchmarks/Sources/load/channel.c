#include "channel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { READ_BYTES = 65536 };

static int watch(int epoll, struct connection *connection, bool waits_for_room) {
    if (connection->waits_for_room == waits_for_room) {
        return 0;
    }
    connection->waits_for_room = waits_for_room;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    if (waits_for_room) {
        event.events |= EPOLLOUT;
    }
    return epoll_ctl(epoll, EPOLL_CTL_MOD, connection->descriptor, &event);
}

int channel_flush(int epoll, struct connection *connection) {
    struct buffer *out = &connection->out;
    while (buffer_count(out) > 0) {
        ssize_t count = send(connection->descriptor, out->bytes + out->start, buffer_count(out), MSG_NOSIGNAL);
        if (count > 0) {
            buffer_consume(out, (size_t)count);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return watch(epoll, connection, true);
        } else if (errno != EINTR) {
            fprintf(stderr, "load: connection %u: %s\n", connection->number, strerror(errno));
            return -1;
        }
    }
    return watch(epoll, connection, false);
}

ssize_t channel_receive(struct connection *connection) {
    uint8_t *place = buffer_reserve(&connection->in, READ_BYTES);
    ssize_t count = recv(connection->descriptor, place, READ_BYTES, 0);
    if (count > 0) {
        connection->in.end += (size_t)count;
        return count;
    }
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        return 0;
    }
    const char *reason = count == 0 ? "the server closed it" : strerror(errno);
    fprintf(stderr, "load: connection %u: %s\n", connection->number, reason);
    return -1;
}

void channel_complain(const struct connection *connection) {
    fprintf(stderr, "load: connection %u: the server sent an invalid message\n", connection->number);
}
