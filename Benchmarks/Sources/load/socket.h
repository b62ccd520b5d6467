#ifndef SOCKET_H
#define SOCKET_H

#include "options.h"

// Connects to the address, as the user that the connection with this number is to come from; returns a descriptor that
// does not block, or -1 after saying why.
int socket_connect(const struct options *options, uint32_t number);

#endif
