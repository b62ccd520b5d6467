#include "slow_flush.h"

#include <dlfcn.h>
#include <errno.h>
#include <time.h>

enum { FLUSH_NANOSECONDS = 1000000, NANOSECONDS_PER_SECOND = 1000000000 };

typedef int (*flush_function)(int);

// Calls the real function, and then sleeps for the rest of the millisecond.
static int flush_slowly(const char *name, int descriptor) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += FLUSH_NANOSECONDS;
    if (end.tv_nsec >= NANOSECONDS_PER_SECOND) {
        end.tv_nsec -= NANOSECONDS_PER_SECOND;
        end.tv_sec += 1;
    }
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
