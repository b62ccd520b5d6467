#ifndef TILL_H
#define TILL_H

#include "buffer.h"

extern const char till_queue_service[];

// Appends the Hello with which a connection to Till begins.
void till_put_hello(struct buffer *out);

// Appends an AddPayment on the stream, with a new identity that ends in the sequence number.
void till_put_payment(struct buffer *out, uint32_t stream, uint32_t sequence);

#endif
