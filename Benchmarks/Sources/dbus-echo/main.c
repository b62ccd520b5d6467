// A service on a bus that answers each call with the bytes of the call.
//
//     dbus-echo SOCKET READY_FILE
//
// The service creates the file once it owns its name.
#include "dbus_wire.h"
#include "patient_connect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { USAGE = 64, BUFFER_BYTES = 1 << 20, NAME_SERIAL = 2 };

struct service {
    int descriptor;
    const char *ready_file;
    uint32_t serial;
    bool has_greeted;
    uint8_t in[BUFFER_BYTES];
    size_t in_count;
    uint8_t out[2 * BUFFER_BYTES];
    size_t out_count;
};

static int flush(struct service *service) {
    size_t sent = 0;
    while (sent < service->out_count) {
        ssize_t count = send(service->descriptor, service->out + sent, service->out_count - sent, MSG_NOSIGNAL);
        if (count < 0 && errno != EINTR) {
            return -1;
        }
        sent += count > 0 ? (size_t)count : 0;
    }
    service->out_count = 0;
    return 0;
}

static int put(struct service *service, const struct dbus_writer *writer) {
    if (service->out_count + writer->count > sizeof service->out && flush(service) != 0) {
        return -1;
    }
    memcpy(service->out + service->out_count, writer->bytes, writer->count);
    service->out_count += writer->count;
    return 0;
}

static int request_name(struct service *service) {
    static const char name[] = "bench.Echo";
    struct dbus_writer writer;
    dbus_begin_bus_call(&writer, NAME_SERIAL, "RequestName", "su");
    dbus_append_number(&writer, sizeof name - 1);
    dbus_append(&writer, name, sizeof name);
    // Pads the text up to the number that follows it.
    dbus_append(&writer, "\0\0\0", (4 - sizeof name % 4) % 4);
    dbus_append_number(&writer, 0);
    return dbus_end(&writer) ? put(service, &writer) : -1;
}

static int answer(struct service *service, const struct dbus_message *message) {
    struct dbus_writer writer;
    dbus_begin(&writer, DBUS_RETURN, ++service->serial);
    dbus_put_serial(&writer, message->serial);
    dbus_put_text(&writer, DBUS_DESTINATION, 's', message->sender);
    dbus_put_text(&writer, DBUS_SIGNATURE, 'g', "ay");
    dbus_begin_body(&writer);
    dbus_append(&writer, message->body, message->body_count);
    return dbus_end(&writer) ? put(service, &writer) : -1;
}

static int handle(struct service *service, const struct dbus_message *message) {
    if (message->type == DBUS_CALL) {
        return answer(service, message);
    }
    if (message->type == DBUS_RETURN && message->reply_serial == 1) {
        return request_name(service);
    }
    if (message->type == DBUS_RETURN && message->reply_serial == NAME_SERIAL) {
        int file = open(service->ready_file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        return file < 0 ? -1 : close(file);
    }
    return message->type == DBUS_ERROR ? -1 : 0;
}

// Handles all complete messages, and keeps an incomplete one.
static int read_messages(struct service *service) {
    size_t place = 0;
    if (!service->has_greeted) {
        const uint8_t *end = memchr(service->in, '\n', service->in_count);
        if (end == NULL) {
            return 0;
        }
        if (memcmp(service->in, "OK ", 3) != 0) {
            return -1;
        }
        service->has_greeted = true;
        place = (size_t)(end - service->in) + 1;
    }
    while (place < service->in_count) {
        struct dbus_message message;
        ssize_t taken = dbus_read(service->in + place, service->in_count - place, &message);
        if (taken < 0 || (taken > 0 && handle(service, &message) != 0)) {
            return -1;
        }
        if (taken == 0) {
            break;
        }
        place += (size_t)taken;
    }
    service->in_count -= place;
    memmove(service->in, service->in + place, service->in_count);
    return flush(service);
}

static int serve(struct service *service) {
    struct dbus_writer greeting;
    if (!dbus_put_greeting(&greeting) || put(service, &greeting) != 0 || flush(service) != 0) {
        return -1;
    }
    while (true) {
        size_t room = sizeof service->in - service->in_count;
        ssize_t count = recv(service->descriptor, service->in + service->in_count, room, 0);
        if (count == 0) {
            return 0;
        }
        if (count < 0 && errno != EINTR) {
            return -1;
        }
        service->in_count += count > 0 ? (size_t)count : 0;
        if (read_messages(service) != 0) {
            return -1;
        }
    }
}

int main(int count, char **arguments) {
    // This is too large for the stack.
    static struct service service;
    if (count != 3) {
        fputs("usage: dbus-echo SOCKET READY_FILE\n", stderr);
        return USAGE;
    }
    service.serial = NAME_SERIAL;
    service.ready_file = arguments[2];
    service.descriptor = patient_connect(arguments[1]);
    if (service.descriptor < 0 || serve(&service) != 0) {
        perror("dbus-echo");
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
