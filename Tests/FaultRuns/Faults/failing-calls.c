// Makes one call of a program that preloads this library fail with the error FAILING_ERROR: the call with the number
// FAILING_AT, or also all later ones if FAILING_STICKY is set. If FAILING_UNDER names a directory, the calls are writes
// to files below it. A write with the error 0 writes only half of its bytes, which POSIX permits. Without
// FAILING_UNDER, the calls create threads. After a failure the file FAILING_MARK exists, with one line for each file
// whose writes failed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long first, count;
static int error, sticky;
static const char *under, *mark;

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("FAILING_AT"), *number = getenv("FAILING_ERROR");
    first = at ? atol(at) : 0;
    error = number ? atoi(number) : 0;
    sticky = getenv("FAILING_STICKY") != NULL;
    under = getenv("FAILING_UNDER");
    mark = getenv("FAILING_MARK");
}

static int is_turn(const char *path) {
    long number = __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    if (number != first && !(sticky && number > first)) return 0;
    int file = mark ? open(mark, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (file >= 0 && path) {
        char line[4097];
        int length = snprintf(line, sizeof line, "%s\n", path);
        syscall(SYS_write, file, line, (size_t)length);
    }
    if (file >= 0) close(file);
    return 1;
}

static int is_chosen(int file) {
    char link[64], path[4096];
    if (!under || first == 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (strncmp(path, under, strlen(under)) != 0) return 0;
    return is_turn(path);
}

// Returns the number of bytes to write: all, half, or none with errno set.
static ssize_t allowed(int file, size_t size) {
    if (!is_chosen(file)) return (ssize_t)size;
    if (error == 0) return (ssize_t)(size < 2 ? size : size / 2);
    errno = error;
    return -1;
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
    ssize_t part = allowed(file, size);
    return part < 0 ? part : syscall(SYS_pwrite64, file, bytes, (size_t)part, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    return pwrite64(file, bytes, size, offset);
}

ssize_t write(int file, const void *bytes, size_t size) {
    ssize_t part = allowed(file, size);
    return part < 0 ? part : syscall(SYS_write, file, bytes, (size_t)part);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    if (!under && first != 0 && is_turn(NULL)) return error;
    int (*make)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
    return make(thread, attributes, body, argument);
}
