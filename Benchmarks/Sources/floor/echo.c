#include "floor.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { EVENTS_MAXIMUM = 256, BACKLOG = 1024, READ_BYTES = 65536 };

static int listen_on(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0
        || listen(descriptor, BACKLOG) != 0) {
        return -1;
    }
    return descriptor;
}

static int add(int epoll, int descriptor) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

// Sends all bytes, and waits in the kernel while the client does not read. The client has sent these bytes itself.
static bool send_all(int descriptor, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        if (sent > 0) {
            bytes += sent;
            count -= (size_t)sent;
        }
    }
    return true;
}

static void echo(int descriptor) {
    static uint8_t bytes[READ_BYTES];
    ssize_t count = recv(descriptor, bytes, sizeof bytes, 0);
    if (count <= 0 || !send_all(descriptor, bytes, (size_t)count)) {
        close(descriptor);
    }
}

static int accept_client(int epoll, int listener) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (descriptor < 0) {
        return errno == EINTR || errno == ECONNABORTED ? 0 : -1;
    }
    return add(epoll, descriptor);
}

int serve_echo(const char *path) {
    int listener = listen_on(path);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    if (listener < 0 || epoll < 0 || add(epoll, listener) != 0) {
        perror("floor");
        return 1;
    }
    while (true) {
        struct epoll_event events[EVENTS_MAXIMUM];
        int count = epoll_wait(epoll, events, EVENTS_MAXIMUM, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].data.fd != listener) {
                echo(events[i].data.fd);
            } else if (accept_client(epoll, listener) != 0) {
                perror("floor: accept");
                return 1;
            }
        }
    }
}
