#ifndef DBUS_WIRE_H
#define DBUS_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// As much of D-Bus's messages as an echo needs.

enum dbus_type { DBUS_CALL = 1, DBUS_RETURN = 2, DBUS_ERROR = 3, DBUS_SIGNAL = 4 };

enum dbus_field {
    DBUS_PATH = 1,
    DBUS_INTERFACE = 2,
    DBUS_MEMBER = 3,
    DBUS_REPLY_SERIAL = 5,
    DBUS_DESTINATION = 6,
    DBUS_SENDER = 7,
    DBUS_SIGNATURE = 8,
};

enum { DBUS_WRITER_BYTES = 2048 };

// A message that is being written.
struct dbus_writer {
    uint8_t bytes[DBUS_WRITER_BYTES];
    size_t count;
    size_t body_start;
};

void dbus_begin(struct dbus_writer *writer, enum dbus_type type, uint32_t serial);
// A header field that is a text of the given type: o for a path, s for a string, g for a signature.
void dbus_put_text(struct dbus_writer *writer, enum dbus_field field, char type, const char *text);
void dbus_put_serial(struct dbus_writer *writer, uint32_t serial);
// Begins the body, to which bytes are then appended as they are.
void dbus_begin_body(struct dbus_writer *writer);
void dbus_append(struct dbus_writer *writer, const void *bytes, size_t count);
void dbus_append_number(struct dbus_writer *writer, uint32_t value);
// Completes the message; returns false when it was longer than there is room.
bool dbus_end(struct dbus_writer *writer);

// Writes a call of a method of the bus itself, with a body if there is a signature; the caller goes on with that.
void dbus_begin_bus_call(struct dbus_writer *writer, uint32_t serial, const char *member, const char *signature);

// Writes how a client opens its connection: it says who it is, and then Hello with the serial number 1.
bool dbus_put_greeting(struct dbus_writer *writer);

// A message as it was read.
struct dbus_message {
    enum dbus_type type;
    uint32_t serial;
    uint32_t reply_serial;
    // Terminated; empty when there is none.
    const char *sender;
    const uint8_t *body;
    size_t body_count;
};

// Reads a message; returns the bytes it took, 0 if it has to see more, or -1.
ssize_t dbus_read(const uint8_t *bytes, size_t count, struct dbus_message *message);

#endif
