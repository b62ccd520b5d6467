#ifndef CHANNEL_H
#define CHANNEL_H

#include "protocol.h"

// Writes the connection's output, and polls for room if the socket is full. Returns 0, or prints the error and returns
// -1.
int channel_flush(int epoll, struct connection *connection);

// Reads the received bytes. Returns their number, 0 if there are none, or prints the error and returns -1.
ssize_t channel_receive(struct connection *connection);

// Reports that the connection received an invalid message.
void channel_complain(const struct connection *connection);

#endif
