#ifndef CHANNEL_H
#define CHANNEL_H

#include "protocol.h"

// Writes what the connection has to say, and asks epoll for room when there is none; returns 0, or -1 after saying why.
int channel_flush(int epoll, struct connection *connection);

// Reads what has come; returns the bytes that were read, 0 if there were none, or -1 after saying why.
ssize_t channel_receive(struct connection *connection);

// Says that the connection's bytes make no sense.
void channel_complain(const struct connection *connection);

#endif
