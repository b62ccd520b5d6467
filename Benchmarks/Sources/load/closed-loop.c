#include "closed-loop.h"

#include "channel.h"
#include "socket.h"

#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { EVENTS_MAXIMUM = 256, WAIT_MILLISECONDS = 50 };

static const uint64_t nanoseconds_per_second = 1000000000;
// The maximum time for the last answers after the run's end, and for the greeting at its start.
static const uint64_t patience = UINT64_C(10000000000);

// A server may answer out of order, so the table holds many times the number of requests in flight.
static uint32_t mask_for(uint32_t in_flight) {
    uint32_t size = 1024;
    while (size < 64 * in_flight) {
        size *= 2;
    }
    return size - 1;
}

static int open_connection(struct loop *loop, uint32_t number) {
    struct connection *connection = &loop->connections[number];
    connection->number = number;
    connection->sent_at = calloc((size_t)loop->mask + 1, sizeof *connection->sent_at);
    connection->descriptor = socket_connect(loop->options, loop->options->address, number);
    if (connection->sent_at == NULL || connection->descriptor < 0) {
        return -1;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, connection->descriptor, &event) != 0) {
        perror("load: epoll_ctl");
        return -1;
    }
    if (loop->protocol->greet(connection)) {
        connection->is_ready = true;
        loop->ready++;
    }
    return channel_flush(loop->epoll, connection);
}

// If a request still waits after the table has wrapped around, it keeps its place: sequence numbers that would take
// this place are skipped.
static void skip_places_in_use(const struct loop *loop, struct connection *connection) {
    while (connection->sent_at[connection->sent & loop->mask] != 0) {
        connection->sent++;
        connection->answered++;
    }
}

static void send_requests(struct loop *loop, struct connection *connection, uint64_t now) {
    while (!loop->is_ending && connection->sent - connection->answered < loop->options->in_flight) {
        skip_places_in_use(loop, connection);
        uint32_t sequence = connection->sent++;
        connection->sent_at[sequence & loop->mask] = now;
        loop->protocol->request(connection, sequence);
        loop->in_flight++;
    }
}

// Starts the clock and all connections at once when the last connection is ready.
static int begin(struct loop *loop) {
    uint64_t now = clock_now();
    loop->measures_from = now + (uint64_t)(loop->options->warm_up * (double)nanoseconds_per_second);
    loop->measures_until = loop->measures_from + (uint64_t)(loop->options->seconds * (double)nanoseconds_per_second);
    for (uint32_t i = 0; i < loop->options->connections; i++) {
        send_requests(loop, &loop->connections[i], now);
        if (channel_flush(loop->epoll, &loop->connections[i]) != 0) {
            return -1;
        }
    }
    return 0;
}

static int turn(struct loop *loop, const struct epoll_event *event) {
    struct connection *connection = event->data.ptr;
    if ((event->events & ~(uint32_t)EPOLLOUT) != 0 && loop_read_answers(loop, connection) != 0) {
        return -1;
    }
    if (loop->measures_from != 0) {
        send_requests(loop, connection, clock_now());
    }
    return channel_flush(loop->epoll, connection);
}

// Returns whether the time is up and every request has an answer.
static bool is_over(struct loop *loop, uint64_t started) {
    uint64_t now = clock_now();
    if (loop->measures_until == 0) {
        return now > started + patience;
    }
    loop->is_ending = now >= loop->measures_until;
    return loop->is_ending && (loop->in_flight == 0 || now > loop->measures_until + patience);
}

static int work(struct loop *loop) {
    uint64_t started = clock_now();
    while (!is_over(loop, started)) {
        if (loop->measures_from == 0 && loop->ready == loop->options->connections && begin(loop) != 0) {
            return -1;
        }
        struct epoll_event events[EVENTS_MAXIMUM];
        int count = epoll_wait(loop->epoll, events, EVENTS_MAXIMUM, WAIT_MILLISECONDS);
        for (int i = 0; i < count; i++) {
            if (turn(loop, &events[i]) != 0) {
                return -1;
            }
        }
    }
    if (loop->measures_from == 0 || loop->in_flight != 0) {
        fputs("load: the server did not answer in time\n", stderr);
        return -1;
    }
    return 0;
}

int run_closed_loop(const struct options *options, const struct protocol *protocol, struct result *result) {
    struct loop loop = {.options = options, .protocol = protocol, .result = result};
    loop.mask = mask_for(options->in_flight);
    loop.connections = calloc(options->connections, sizeof *loop.connections);
    loop.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (loop.connections == NULL || loop.epoll < 0) {
        perror("load");
        return -1;
    }
    for (uint32_t i = 0; i < options->connections; i++) {
        if (open_connection(&loop, i) != 0) {
            return -1;
        }
    }
    result->seconds = options->seconds;
    return work(&loop);
}
