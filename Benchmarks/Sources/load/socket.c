#include "socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { HOST_MAXIMUM = 64, TRIES_MAXIMUM = 1000, TRY_NANOSECONDS = 10000000 };

static int connect_unix(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor >= 0 && connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

static int connect_tcp(const char *text, const char *colon) {
    char host[HOST_MAXIMUM] = {0};
    size_t count = (size_t)(colon - text);
    unsigned long port = strtoul(colon + 1, NULL, 10);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    if (count < sizeof host) {
        memcpy(host, text, count);
    }
    if (port == 0 || port > UINT16_MAX || inet_pton(AF_INET, host, &address.sin_addr) != 1) {
        errno = EINVAL;
        return -1;
    }
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;
    if (descriptor >= 0
        && (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0
            || setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0)) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

// The kernel notes the effective user of who connects.
static int become(const struct options *options, uint32_t number) {
    if (options->connections_per_user == 0) {
        return 0;
    }
    return seteuid(options->first_user + number / options->connections_per_user);
}

static int connect_once(const char *address) {
    const char *colon = strrchr(address, ':');
    bool is_path = colon == NULL || strchr(address, '/') != NULL;
    return is_path ? connect_unix(address) : connect_tcp(address, colon);
}

// Waits for a server that has just been started.
static int connect_patiently(const char *address) {
    for (int tries = 0; tries < TRIES_MAXIMUM; tries++) {
        int descriptor = connect_once(address);
        if (descriptor >= 0 || (errno != ENOENT && errno != ECONNREFUSED)) {
            return descriptor;
        }
        struct timespec pause = {.tv_nsec = TRY_NANOSECONDS};
        nanosleep(&pause, NULL);
    }
    errno = ETIMEDOUT;
    return -1;
}

int socket_connect(const struct options *options, uint32_t number) {
    int descriptor = -1;
    if (become(options, number) == 0) {
        descriptor = connect_patiently(options->address);
    }
    int error = errno;
    if (options->connections_per_user != 0 && seteuid(0) != 0) {
        perror("load: seteuid");
        exit(1);
    }
    if (descriptor < 0 || fcntl(descriptor, F_SETFL, O_NONBLOCK) != 0) {
        fprintf(stderr, "load: cannot connect to %s: %s\n", options->address, strerror(error));
        return -1;
    }
    return descriptor;
}
