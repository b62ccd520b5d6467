#include "dbus_wire.h"

enum {
    HEADER_BYTES = 16,
    STRUCT_ALIGNMENT = 8,
    NUMBER_BYTES = 4,
    VARIANT_HEAD = 4,
    MESSAGE_MAXIMUM = 1 << 20,
};

static uint32_t number(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static size_t aligned(size_t place, size_t alignment) {
    return (place + alignment - 1) / alignment * alignment;
}

// Reads the header field at `*place`. Every supported type is a number or begins with a length. Returns false if the
// field is malformed.
static bool read_field(const uint8_t *bytes, size_t end, size_t *place, struct dbus_message *message) {
    size_t start = aligned(*place, STRUCT_ALIGNMENT);
    if (start + VARIANT_HEAD + NUMBER_BYTES > end || bytes[start + 1] != 1) {
        return false;
    }
    uint8_t field = bytes[start];
    char type = (char)bytes[start + 2];
    size_t value = start + VARIANT_HEAD;
    if (type == 'g') {
        *place = value + bytes[value] + 2;
        return *place <= end;
    }
    uint32_t first = number(bytes + value);
    *place = value + NUMBER_BYTES;
    if (field == DBUS_REPLY_SERIAL) {
        message->reply_serial = first;
    }
    if (type == 'u') {
        return true;
    }
    if ((type != 's' && type != 'o') || first >= end - *place || bytes[*place + first] != 0) {
        return false;
    }
    if (field == DBUS_SENDER) {
        message->sender = (const char *)bytes + *place;
    }
    *place += first + (size_t)1;
    return true;
}

ssize_t dbus_read(const uint8_t *bytes, size_t count, struct dbus_message *message) {
    if (count < HEADER_BYTES) {
        return 0;
    }
    size_t body_count = number(bytes + 4);
    size_t fields_count = number(bytes + 12);
    if (bytes[0] != 'l' || body_count > MESSAGE_MAXIMUM || fields_count > MESSAGE_MAXIMUM) {
        return -1;
    }
    size_t body_start = aligned(HEADER_BYTES + fields_count, STRUCT_ALIGNMENT);
    if (count < body_start + body_count) {
        return 0;
    }
    *message = (struct dbus_message){
        .type = bytes[1],
        .serial = number(bytes + 8),
        .sender = "",
        .body = bytes + body_start,
        .body_count = body_count,
    };
    size_t place = HEADER_BYTES;
    while (place < HEADER_BYTES + fields_count) {
        if (!read_field(bytes, HEADER_BYTES + fields_count, &place, message)) {
            return -1;
        }
    }
    return (ssize_t)(body_start + body_count);
}
