#include "socket.h"

#include "patient_connect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Sets the effective user of this process, which the kernel records for the connection.
static int become(const struct options *options, uint32_t number) {
    if (options->connections_per_user == 0) {
        return 0;
    }
    return seteuid(options->first_user + number / options->connections_per_user);
}

int socket_connect(const struct options *options, const char *address, uint32_t number) {
    int descriptor = -1;
    if (become(options, number) == 0) {
        descriptor = patient_connect(address);
    }
    int error = errno;
    if (options->connections_per_user != 0 && seteuid(0) != 0) {
        perror("load: seteuid");
        exit(1);
    }
    if (descriptor < 0 || fcntl(descriptor, F_SETFL, O_NONBLOCK) != 0) {
        fprintf(stderr, "load: cannot connect to %s: %s\n", address, strerror(error));
        return -1;
    }
    return descriptor;
}
