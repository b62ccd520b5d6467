#include "patient_connect.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
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

static int connect_once(const char *address) {
    const char *colon = strrchr(address, ':');
    bool is_path = colon == NULL || strchr(address, '/') != NULL;
    return is_path ? connect_unix(address) : connect_tcp(address, colon);
}

int patient_connect(const char *address) {
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
