#include "dbus_wire.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BODY_LENGTH_PLACE = 4, FIELDS_LENGTH_PLACE = 12, FIELDS_PLACE = 16, STRUCT_ALIGNMENT = 8, NUMBER_ALIGNMENT = 4 };

void dbus_append(struct dbus_writer *writer, const void *bytes, size_t count) {
    if (writer->count + count <= DBUS_WRITER_BYTES) {
        memcpy(writer->bytes + writer->count, bytes, count);
    }
    writer->count += count;
}

void dbus_append_number(struct dbus_writer *writer, uint32_t value) {
    uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    dbus_append(writer, bytes, sizeof bytes);
}

static void append_byte(struct dbus_writer *writer, uint8_t byte) {
    dbus_append(writer, &byte, 1);
}

static void align(struct dbus_writer *writer, size_t alignment) {
    while (writer->count % alignment != 0) {
        append_byte(writer, 0);
    }
}

// Overwrites a number that became known only after its place was written.
static void set_number(struct dbus_writer *writer, size_t place, size_t value) {
    size_t count = writer->count;
    writer->count = place;
    dbus_append_number(writer, (uint32_t)value);
    writer->count = count;
}

void dbus_begin(struct dbus_writer *writer, enum dbus_type type, uint32_t serial) {
    const uint8_t head[4] = {'l', (uint8_t)type, 0, 1};
    writer->count = 0;
    writer->body_start = 0;
    dbus_append(writer, head, sizeof head);
    dbus_append_number(writer, 0);
    dbus_append_number(writer, serial);
    dbus_append_number(writer, 0);
}

static void begin_field(struct dbus_writer *writer, enum dbus_field field, char type) {
    align(writer, STRUCT_ALIGNMENT);
    append_byte(writer, (uint8_t)field);
    append_byte(writer, 1);
    append_byte(writer, (uint8_t)type);
    append_byte(writer, 0);
}

void dbus_put_text(struct dbus_writer *writer, enum dbus_field field, char type, const char *text) {
    begin_field(writer, field, type);
    size_t count = strlen(text);
    if (type == 'g') {
        append_byte(writer, (uint8_t)count);
    } else {
        align(writer, NUMBER_ALIGNMENT);
        dbus_append_number(writer, (uint32_t)count);
    }
    dbus_append(writer, text, count + 1);
}

void dbus_put_serial(struct dbus_writer *writer, uint32_t serial) {
    begin_field(writer, DBUS_REPLY_SERIAL, 'u');
    align(writer, NUMBER_ALIGNMENT);
    dbus_append_number(writer, serial);
}

void dbus_begin_body(struct dbus_writer *writer) {
    set_number(writer, FIELDS_LENGTH_PLACE, writer->count - FIELDS_PLACE);
    align(writer, STRUCT_ALIGNMENT);
    writer->body_start = writer->count;
}

bool dbus_end(struct dbus_writer *writer) {
    if (writer->body_start == 0) {
        dbus_begin_body(writer);
    }
    set_number(writer, BODY_LENGTH_PLACE, writer->count - writer->body_start);
    return writer->count <= DBUS_WRITER_BYTES;
}

void dbus_begin_bus_call(struct dbus_writer *writer, uint32_t serial, const char *member, const char *signature) {
    dbus_begin(writer, DBUS_CALL, serial);
    dbus_put_text(writer, DBUS_PATH, 'o', "/org/freedesktop/DBus");
    dbus_put_text(writer, DBUS_INTERFACE, 's', "org.freedesktop.DBus");
    dbus_put_text(writer, DBUS_MEMBER, 's', member);
    dbus_put_text(writer, DBUS_DESTINATION, 's', "org.freedesktop.DBus");
    if (signature != NULL) {
        dbus_put_text(writer, DBUS_SIGNATURE, 'g', signature);
        dbus_begin_body(writer);
    }
}

bool dbus_put_greeting(struct dbus_writer *writer) {
    char user[16], lines[128] = {0};
    int user_count = snprintf(user, sizeof user, "%u", (unsigned)geteuid());
    // The first byte is 0. The user ID is sent as the hexadecimal codes of its digits.
    size_t count = 1 + (size_t)sprintf(lines + 1, "AUTH EXTERNAL ");
    for (int i = 0; i < user_count; i++) {
        count += (size_t)sprintf(lines + count, "%02x", (unsigned)user[i]);
    }
    count += (size_t)sprintf(lines + count, "\r\nBEGIN\r\n");
    struct dbus_writer hello;
    dbus_begin_bus_call(&hello, 1, "Hello", NULL);
    bool fits = dbus_end(&hello);
    writer->count = 0;
    dbus_append(writer, lines, count);
    dbus_append(writer, hello.bytes, hello.count);
    return fits && writer->count <= DBUS_WRITER_BYTES;
}
