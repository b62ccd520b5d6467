#ifndef DBUS_WIRE_H
#define DBUS_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The part of D-Bus's message format that an echo needs.

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

// A message under construction.
struct dbus_writer {
    uint8_t bytes[DBUS_WRITER_BYTES];
    size_t count;
    size_t body_start;
};

void dbus_begin(struct dbus_writer *writer, enum dbus_type type, uint32_t serial);
// Adds a text header field of the given type: o for a path, s for a string, g for a signature.
void dbus_put_text(struct dbus_writer *writer, enum dbus_field field, char type, const char *text);
void dbus_put_serial(struct dbus_writer *writer, uint32_t serial);
// Begins the body, to which the caller then appends its bytes.
void dbus_begin_body(struct dbus_writer *writer);
void dbus_append(struct dbus_writer *writer, const void *bytes, size_t count);
void dbus_append_number(struct dbus_writer *writer, uint32_t value);
// Completes the message; returns false if the message does not fit.
bool dbus_end(struct dbus_writer *writer);

// Begins a call of a method of the bus itself. If there is a signature, the caller appends the body.
void dbus_begin_bus_call(struct dbus_writer *writer, uint32_t serial, const char *member, const char *signature);

// Writes the greeting of a client: its authentication, and then Hello with the serial number 1.
bool dbus_put_greeting(struct dbus_writer *writer);

// A parsed message.
struct dbus_message {
    enum dbus_type type;
    uint32_t serial;
    uint32_t reply_serial;
    // Null-terminated; empty if the message has no sender.
    const char *sender;
    const uint8_t *body;
    size_t body_count;
};

// Parses a message; returns its length, 0 if it is incomplete, or -1 if it is malformed.
ssize_t dbus_read(const uint8_t *bytes, size_t count, struct dbus_message *message);

#endif
