#ifndef PATIENT_CONNECT_H
#define PATIENT_CONNECT_H

// Connects to the path of a Unix socket, or to HOST:PORT with a numeric host. Waits for a server that has just been
// started. Returns a descriptor, or -1 with the reason in errno.
int patient_connect(const char *address);

#endif
