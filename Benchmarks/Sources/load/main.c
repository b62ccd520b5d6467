// A closed loop: connections that always have a number of requests in flight, and the latencies of the answers.
#include "options.h"
#include "run.h"

#include <stdlib.h>

static void print(const char *name, const struct options *options, const struct result *result) {
    printf("{\"protocol\":\"%s\",\"connections\":%u,\"inFlight\":%u,\"observers\":%u,\"seconds\":%.6f,"
           "\"operations\":%lu,\"events\":%lu,\"errors\":%lu}\n",
        name, options->connections, options->in_flight, options->observers, result->seconds,
        (unsigned long)result->operations, (unsigned long)result->events, (unsigned long)result->errors);
}

int main(int count, char **arguments) {
    struct options options = options_read(count, arguments);
    struct result result = {0};
    if (samples_open(&result.samples) != 0) {
        perror("load: no memory");
        return EXIT_FAILURE;
    }
    int code;
    const char *name = options.observers > 0 ? "till-observe" : options.protocol;
    if (options.observers > 0) {
        code = run_observers(&options, &result);
    } else {
        const struct protocol *protocol = name == NULL ? NULL : protocol_named(name);
        if (protocol == NULL) {
            fputs("load: unknown protocol: use one of: ", stderr);
            protocol_print_names();
            fputs("\n", stderr);
            return 64;
        }
        code = run_closed_loop(&options, protocol, &result);
    }
    if (code == 0 && options.samples != NULL && samples_write(&result.samples, options.samples) != 0) {
        perror("load: the samples could not be written");
        return EXIT_FAILURE;
    }
    print(name, &options, &result);
    return code == 0 && result.errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
