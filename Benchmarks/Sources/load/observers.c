// Observes a queue of Till. The observers acknowledge the changes that their streams deliver, while a connection adds
// payments. A latency is the time from sending an add until an observer has read the first change of that payment. If
// the observers are at another address, it is the time from the add's answer, unless the change comes first.
#include "observers.h"

#include "channel.h"
#include "socket.h"
#include "till.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

enum { EVENTS_MAXIMUM = 256, WAIT_MILLISECONDS = 50, PACED_WAIT_MILLISECONDS = 1 };

static const uint64_t nanoseconds_per_second = 1000000000;
static const uint64_t patience = UINT64_C(30000000000);

static int open_connection(struct watch *watch, struct connection *connection, uint32_t number) {
    connection->number = number;
    bool is_elsewhere = number > 0 && watch->options->observers_address != NULL;
    const char *address = is_elsewhere ? watch->options->observers_address : watch->options->address;
    connection->descriptor = socket_connect(watch->options, address, number);
    if (connection->descriptor < 0) {
        return -1;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    if (epoll_ctl(watch->epoll, EPOLL_CTL_ADD, connection->descriptor, &event) != 0) {
        perror("load: epoll_ctl");
        return -1;
    }
    till_put_hello(&connection->out);
    return channel_flush(watch->epoll, connection);
}

// Opens the connections, the adder's first. Each other connection carries the maximum number of observers.
static int open_all(struct watch *watch) {
    uint32_t observers = watch->options->observers;
    watch->connections_count = 1 + (observers + OBSERVERS_PER_CONNECTION - 1) / OBSERVERS_PER_CONNECTION;
    watch->connections_count += watch->options->stopped > 0;
    watch->connections = calloc(watch->connections_count, sizeof *watch->connections);
    watch->observers = calloc(observers, sizeof *watch->observers);
    if (watch->connections == NULL || watch->observers == NULL) {
        perror("load");
        return -1;
    }
    for (uint32_t i = 0; i < watch->connections_count; i++) {
        if (open_connection(watch, &watch->connections[i], i) != 0) {
            return -1;
        }
    }
    for (uint32_t i = 0; i < observers; i++) {
        watch->observers[i].id = i % OBSERVERS_PER_CONNECTION;
        watch->observers[i].connection = &watch->connections[1 + i / OBSERVERS_PER_CONNECTION];
    }
    return 0;
}

// Returns whether the next add is due at the requested rate.
static bool is_due(const struct watch *watch, uint64_t now) {
    uint64_t rate = watch->options->rate;
    return rate == 0 || watch->connections[0].sent * nanoseconds_per_second <= (now - watch->adds_from) * rate;
}

// Adds payments up to the limit in flight.
static void add_payments(struct watch *watch, uint64_t now) {
    struct connection *adder = &watch->connections[0];
    while (!watch->is_ending && adder->sent - adder->answered < watch->options->in_flight && is_due(watch, now)) {
        uint32_t sequence = adder->sent++;
        watch->counted_from[sequence % COUNTED_FROM_COUNT] = now;
        till_put_payment(&adder->out, stream_of(sequence), sequence);
    }
}

// Stops reading from the stopped observers' connection.
static int stop(struct watch *watch) {
    if (watch->options->stopped == 0) {
        return 0;
    }
    struct connection *connection = &watch->connections[watch->connections_count - 1];
    return epoll_ctl(watch->epoll, EPOLL_CTL_DEL, connection->descriptor, NULL);
}

static bool are_all_ready(const struct watch *watch) {
    return watch->ready == watch->options->observers && watch->connections[watch->connections_count - 1].is_ready;
}

// Starts the clock when all observers have had their initial delivery, which is empty.
static int begin_if_ready(struct watch *watch, uint64_t now) {
    if (watch->measures_from == 0 && are_all_ready(watch)) {
        watch->adds_from = now;
        watch->measures_from = now + (uint64_t)(watch->options->warm_up * (double)nanoseconds_per_second);
        watch->measures_until
            = watch->measures_from + (uint64_t)(watch->options->seconds * (double)nanoseconds_per_second);
        return stop(watch);
    }
    return 0;
}

static int turn(struct watch *watch, const struct epoll_event *event) {
    struct connection *connection = event->data.ptr;
    if ((event->events & ~(uint32_t)EPOLLOUT) != 0) {
        ssize_t received = channel_receive(connection);
        if (received < 0) {
            return -1;
        }
        uint64_t now = clock_now();
        if (observers_read(watch, connection, now) != 0 || begin_if_ready(watch, now) != 0) {
            return -1;
        }
    }
    return channel_flush(watch->epoll, connection);
}

static bool is_over(struct watch *watch, uint64_t started) {
    uint64_t now = clock_now();
    if (watch->measures_until == 0) {
        return now > started + patience;
    }
    watch->is_ending = now >= watch->measures_until;
    return watch->is_ending;
}

static int work(struct watch *watch) {
    uint64_t started = clock_now();
    int wait = watch->options->rate > 0 ? PACED_WAIT_MILLISECONDS : WAIT_MILLISECONDS;
    while (!is_over(watch, started)) {
        struct epoll_event events[EVENTS_MAXIMUM];
        int count = epoll_wait(watch->epoll, events, EVENTS_MAXIMUM, wait);
        for (int i = 0; i < count; i++) {
            if (turn(watch, &events[i]) != 0) {
                return -1;
            }
        }
        if (watch->measures_from != 0) {
            add_payments(watch, clock_now());
            if (channel_flush(watch->epoll, &watch->connections[0]) != 0) {
                return -1;
            }
        }
    }
    if (watch->measures_until == 0) {
        fprintf(stderr, "load: %u of %u observers were served in time\n", watch->ready, watch->options->observers);
        return -1;
    }
    return 0;
}

int run_observers(const struct options *options, struct result *result) {
    static struct watch watch;
    watch.options = options;
    watch.result = result;
    watch.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (watch.epoll < 0 || open_all(&watch) != 0) {
        return -1;
    }
    result->seconds = options->seconds;
    return work(&watch);
}
