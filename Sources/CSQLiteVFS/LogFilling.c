#include "CSQLiteVFS.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

// Not constant, so that the program's file does not contain them.
static unsigned char zeros[1 << 20];

static int append_zeros(int file, off_t count) {
    while (count > 0) {
        ssize_t written = write(file, zeros, count < (off_t)sizeof zeros ? (size_t)count : sizeof zeros);
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        count -= written < 0 ? 0 : written;
    }
    return 0;
}

int till_sqlite_fill_log(const char *path, off_t size) {
    // Blocks that are only allocated (fallocate(2)) would not do: the first flush after a write to such a block records
    // that it is in use.
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0) {
        return errno;
    }
    struct stat status;
    int result = fstat(file, &status) == 0 ? append_zeros(file, size - status.st_size) : errno;
    // A full disk gets its room back.
    if (result != 0 && ftruncate(file, status.st_size) != 0) {
        result = errno;
    }
    close(file);
    return result;
}
