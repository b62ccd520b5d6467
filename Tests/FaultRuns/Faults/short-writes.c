// Preloaded into a program, it has one write to a file of the directory SHORT_WRITES_UNDER take half of its bytes, as a
// system may: the one numbered SHORT_WRITES_AT, or all from there when SHORT_WRITES_STICKY is set. What it did to how
// many writes goes into the file SHORT_WRITES_COUNT.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long first, count;
static int sticky, report = -1;
static const char *under;

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("SHORT_WRITES_AT"), *path = getenv("SHORT_WRITES_COUNT");
    first = at ? atol(at) : 0;
    sticky = getenv("SHORT_WRITES_STICKY") != NULL;
    under = getenv("SHORT_WRITES_UNDER");
    report = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
}

static size_t allowed(int file, size_t size) {
    char link[64], path[4096];
    if (!under || size < 2) return size;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return size;
    path[length] = 0;
    if (strncmp(path, under, strlen(under)) != 0) return size;
    long number = __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    if (number != first && !(sticky && number > first)) return size;
    if (report >= 0) syscall(SYS_pwrite64, report, "x", (size_t)1, (off_t)(number - first));
    return size / 2;
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
    return syscall(SYS_pwrite64, file, bytes, allowed(file, size), offset);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    return syscall(SYS_pwrite64, file, bytes, allowed(file, size), offset);
}

ssize_t write(int file, const void *bytes, size_t size) {
    return syscall(SYS_write, file, bytes, allowed(file, size));
}
