#ifndef SOCKET_H
#define SOCKET_H

#include "options.h"

// Connects to the address as the user of the connection with this number. Returns a non-blocking descriptor, or prints
// the error and returns -1.
int socket_connect(const struct options *options, const char *address, uint32_t number);

#endif
