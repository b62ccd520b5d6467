#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdint.h>

struct options {
    const char *protocol;
    // The path of a Unix socket, or HOST:PORT with a numeric host.
    const char *address;
    // Where the observers connect, if not at the address.
    const char *observers_address;
    const char *samples;
    uint32_t connections;
    uint32_t in_flight;
    uint32_t observers;
    // The number of additional observers, which stop reading before the first add.
    uint32_t stopped;
    // The number of adds per second in the observers' scenarios; 0 for no limit.
    uint32_t rate;
    // The number of connections for each user ID, and the first ID; 0 uses only the program's own.
    uint32_t connections_per_user;
    uint32_t first_user;
    double seconds;
    double warm_up;
};

// Parses the arguments. Prints an error and ends the program if they are invalid.
struct options options_read(int count, char **arguments);

#endif
