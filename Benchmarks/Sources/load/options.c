#include "options.h"

#include "protocol.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum { USAGE = 64, COUNT_MAXIMUM = 4096, STOPPED_MAXIMUM = 32, RATE_MAXIMUM = 1000000 };

static _Noreturn void fail(const char *name, const char *text) {
    fprintf(stderr, "load: %s %s\n", name, text);
    fputs("usage: load --protocol NAME --address SOCKET|HOST:PORT [--connections N] [--in-flight N] [--seconds S]\n"
          "            [--warm-up S] [--samples FILE] [--observers N] [--stopped N] [--rate N]\n"
          "            [--observers-address SOCKET]\n"
          "            [--first-user ID --connections-per-user N]\n"
          "protocols: ",
        stderr);
    protocol_print_names();
    fputs("\n", stderr);
    exit(USAGE);
}

static uint32_t read_count(const char *name, const char *text, unsigned long maximum) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end != 0 || value > maximum) {
        fail(name, "is not a valid number");
    }
    return (uint32_t)value;
}

static double read_seconds(const char *name, const char *text) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != 0 || !(value >= 0 && value <= 3600)) {
        fail(name, "is not a valid number of seconds");
    }
    return value;
}

static void read_option(struct options *options, int option, const char *text) {
    switch (option) {
    case 'p': options->protocol = text; break;
    case 'a': options->address = text; break;
    case 'b': options->observers_address = text; break;
    case 'f': options->samples = text; break;
    case 'c': options->connections = read_count("--connections", text, COUNT_MAXIMUM); break;
    case 'i': options->in_flight = read_count("--in-flight", text, COUNT_MAXIMUM); break;
    case 'o': options->observers = read_count("--observers", text, COUNT_MAXIMUM); break;
    case 'x': options->stopped = read_count("--stopped", text, STOPPED_MAXIMUM); break;
    case 'r': options->rate = read_count("--rate", text, RATE_MAXIMUM); break;
    case 'n': options->connections_per_user = read_count("--connections-per-user", text, COUNT_MAXIMUM); break;
    case 'u': options->first_user = read_count("--first-user", text, UINT32_MAX - COUNT_MAXIMUM); break;
    case 's': options->seconds = read_seconds("--seconds", text); break;
    case 'w': options->warm_up = read_seconds("--warm-up", text); break;
    default: fail("an option", "is unknown or has no value");
    }
}

struct options options_read(int count, char **arguments) {
    static const struct option names[] = {
        {"protocol", required_argument, NULL, 'p'},
        {"address", required_argument, NULL, 'a'},
        {"observers-address", required_argument, NULL, 'b'},
        {"samples", required_argument, NULL, 'f'},
        {"connections", required_argument, NULL, 'c'},
        {"in-flight", required_argument, NULL, 'i'},
        {"observers", required_argument, NULL, 'o'},
        {"stopped", required_argument, NULL, 'x'},
        {"rate", required_argument, NULL, 'r'},
        {"connections-per-user", required_argument, NULL, 'n'},
        {"first-user", required_argument, NULL, 'u'},
        {"seconds", required_argument, NULL, 's'},
        {"warm-up", required_argument, NULL, 'w'},
        {NULL, 0, NULL, 0},
    };
    struct options options = {.connections = 1, .in_flight = 1, .seconds = 2, .warm_up = 0.2};
    int option;
    while ((option = getopt_long(count, arguments, "", names, NULL)) != -1) {
        read_option(&options, option, optarg);
    }
    if (options.address == NULL || optind != count) {
        fail("--address", "is missing, or there are extra arguments");
    }
    if (options.connections == 0 || options.in_flight == 0) {
        fail("a count", "is 0: use 1 or more");
    }
    return options;
}
