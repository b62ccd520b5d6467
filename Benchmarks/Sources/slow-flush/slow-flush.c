#include "slow_flush.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum { NANOSECONDS_PER_MILLISECOND = 1000000, NANOSECONDS_PER_SECOND = 1000000000 };

typedef int (*flush_function)(int);

// 1 if the environment does not say.
static long flush_milliseconds(void) {
    const char *value = getenv("SLOW_FLUSH_MILLISECONDS");
    return value == NULL ? 1 : strtol(value, NULL, 10);
}

// Calls the real function, and then sleeps for the rest of the time.
static int flush_slowly(const char *name, int descriptor) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += flush_milliseconds() * NANOSECONDS_PER_MILLISECOND;
    end.tv_sec += end.tv_nsec / NANOSECONDS_PER_SECOND;
    end.tv_nsec %= NANOSECONDS_PER_SECOND;
    // POSIX requires the callers of dlsym to convert by a union.
    union {
        void *symbol;
        flush_function function;
    } real = {.symbol = dlsym(RTLD_NEXT, name)};
    if (real.symbol == NULL) {
        errno = ENOSYS;
        return -1;
    }
    int result = real.function(descriptor);
    int error = errno;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR) {
    }
    errno = error;
    return result;
}

int fsync(int descriptor) {
    return flush_slowly("fsync", descriptor);
}

int fdatasync(int descriptor) {
    return flush_slowly("fdatasync", descriptor);
}
