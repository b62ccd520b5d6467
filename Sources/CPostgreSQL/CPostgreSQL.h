// PostgreSQL's library for clients, libpq (https://www.postgresql.org/docs/15/libpq.html), with the calls that take arrays of
// pointers.
#pragma once

#include <libpq-fe.h>
#include <stdio.h>

// libpq would print the server's warnings. What matters among them comes back as an error, too.
static inline void till_pq_ignore(void *context, const char *message) {
    (void)context;
    (void)message;
}

// How long a connection waits for its server, in seconds, and how many of its probes may stay unanswered.
struct till_pq_patience {
    int acknowledged_within;
    int probes_after;
    int probes_every;
    int probes_maximum;
};

// Connects to `address`, a connection URI or a list of keywords, which overrides `patience` where it has its own values.
static inline PGconn *till_pq_connect(const char *address, const char *program, struct till_pq_patience patience) {
    char within[16], milliseconds[16], after[16], every[16], maximum[16];
    snprintf(within, sizeof within, "%d", patience.acknowledged_within);
    snprintf(milliseconds, sizeof milliseconds, "%d000", patience.acknowledged_within);
    snprintf(after, sizeof after, "%d", patience.probes_after);
    snprintf(every, sizeof every, "%d", patience.probes_every);
    snprintf(maximum, sizeof maximum, "%d", patience.probes_maximum);
    const char *names[] = {
        "fallback_application_name", "connect_timeout", "tcp_user_timeout", "keepalives_idle", "keepalives_interval",
        "keepalives_count", "dbname", "client_encoding", "target_session_attrs", NULL,
    };
    const char *values[] = {program, within, milliseconds, after, every, maximum, address, "UTF8", "read-write", NULL};
    PGconn *connection = PQconnectdbParams(names, values, 1);
    PQsetNoticeProcessor(connection, till_pq_ignore, NULL);
    return connection;
}

// Sends a part of what `COPY` reads. Returns 1 if it was sent, or kept to be sent.
static inline int till_pq_put_copy(PGconn *connection, const void *bytes, int count) {
    return PQputCopyData(connection, bytes, count);
}

// The maximum number of a statement's parameters.
enum { TILL_PQ_PARAMETERS = 64 };

// Sends a prepared statement with parameters and results in binary. `bytes` has the values one after the other; a length of
// -1 is a null. Returns 0 if there are too many, too little memory, or no connection.
static inline int till_pq_send(
    PGconn *connection, const char *name, int count, const void *bytes, const int *lengths
) {
    const char *values[TILL_PQ_PARAMETERS];
    int formats[TILL_PQ_PARAMETERS];
    if (count > TILL_PQ_PARAMETERS) {
        return 0;
    }
    const char *next = bytes;
    for (int index = 0; index < count; index++) {
        formats[index] = 1;
        values[index] = lengths[index] < 0 ? NULL : next;
        next += lengths[index] < 0 ? 0 : lengths[index];
    }
    return PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1);
}
