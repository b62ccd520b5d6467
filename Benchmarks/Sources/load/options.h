#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdint.h>

struct options {
    const char *protocol;
    // The path of a Unix socket, or HOST:PORT with a numeric host.
    const char *address;
    const char *samples;
    uint32_t connections;
    uint32_t in_flight;
    uint32_t observers;
    // Further observers, which stop reading before the first add.
    uint32_t stopped;
    // Adds a second, of those that observers follow; 0 for as many as can be.
    uint32_t rate;
    // Connections that come from one user id, and the first of those ids; 0 for the program's own alone.
    uint32_t connections_per_user;
    uint32_t first_user;
    double seconds;
    double warm_up;
};

// Reads the arguments; on a mistake it says what is wrong and ends the program.
struct options options_read(int count, char **arguments);

#endif
