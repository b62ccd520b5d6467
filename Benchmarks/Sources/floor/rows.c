#include "floor.h"

#include "ledger.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TRANSACTIONS_MAXIMUM = 1 << 24, NANOSECONDS_PER_UNIT = 100 };

static const double nanoseconds_per_second = 1e9;

struct rows_result {
    uint32_t *latencies;
    size_t count;
    double seconds;
};

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static int fill(struct ledger *ledger, const struct rows_options *options, struct rows_result *result) {
    uint64_t started = now();
    uint64_t end = started + (uint64_t)(options->seconds * nanoseconds_per_second);
    uint64_t before = started;
    while (before < end && result->count < TRANSACTIONS_MAXIMUM) {
        if (ledger_commit_payments(ledger, options->rows_per_transaction) != 0) {
            return -1;
        }
        uint64_t after = now();
        uint64_t units = (after - before) / NANOSECONDS_PER_UNIT;
        result->latencies[result->count++] = units > UINT32_MAX ? UINT32_MAX : (uint32_t)units;
        before = after;
    }
    result->seconds = (double)(before - started) / nanoseconds_per_second;
    return 0;
}

static int write_latencies(const struct rows_result *result, const char *path) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return -1;
    }
    size_t written = fwrite(result->latencies, sizeof *result->latencies, result->count, file);
    return fclose(file) == 0 && written == result->count ? 0 : -1;
}

static int compare(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void print(const struct rows_options *options, struct rows_result *result) {
    size_t rows = result->count * (size_t)options->rows_per_transaction;
    qsort(result->latencies, result->count, sizeof *result->latencies, compare);
    double median = result->count == 0 ? 0 : (double)result->latencies[result->count / 2] / 10;
    printf("{\"protocol\":\"sqlite\",\"rowsPerTransaction\":%ld,\"seconds\":%.6f,\"operations\":%zu,"
           "\"perSecond\":%.0f,\"p50Microseconds\":%.1f,\"events\":0,\"errors\":0}\n",
        options->rows_per_transaction, result->seconds, rows, (double)rows / result->seconds, median);
}

int commit_rows(const struct rows_options *options) {
    struct rows_result result = {.latencies = calloc(TRANSACTIONS_MAXIMUM, sizeof(uint32_t))};
    struct ledger ledger;
    if (result.latencies == NULL) {
        perror("floor");
        return 1;
    }
    int code = ledger_open(&ledger, options->ledger);
    if (code == 0) {
        code = fill(&ledger, options, &result);
    }
    if (ledger_close(&ledger) != 0 || code != 0) {
        return 1;
    }
    if (write_latencies(&result, options->samples) != 0) {
        perror("floor: the samples could not be written");
        return 1;
    }
    print(options, &result);
    return 0;
}
