#include "protocol.h"

#include <stdio.h>
#include <string.h>

static const struct protocol *const protocols[] = {
    &till_add_protocol,
    &till_check_protocol,
    &echo_protocol,
    &redis_set_protocol,
    &redis_push_protocol,
    &beanstalk_protocol,
    &postgres_protocol,
    &nats_protocol,
    &dbus_protocol,
};

static const size_t protocols_count = sizeof protocols / sizeof protocols[0];

const struct protocol *protocol_named(const char *name) {
    for (size_t i = 0; i < protocols_count; i++) {
        if (strcmp(protocols[i]->name, name) == 0) {
            return protocols[i];
        }
    }
    return NULL;
}

void protocol_print_names(void) {
    for (size_t i = 0; i < protocols_count; i++) {
        fprintf(stderr, "%s ", protocols[i]->name);
    }
}

const char *payload(void) {
    static char bytes[PAYLOAD_BYTES + 1];
    if (bytes[0] == 0) {
        for (size_t i = 0; i < PAYLOAD_BYTES; i++) {
            bytes[i] = (char)('a' + i % 26);
        }
    }
    return bytes;
}
