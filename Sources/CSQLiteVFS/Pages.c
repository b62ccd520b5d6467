#include "CSQLiteVFS.h"

#include "Page.h"

#include <errno.h>
#include <unistd.h>

// The page of the byte that SQLite locks, which is never written (https://www.sqlite.org/fileformat2.html#lock_byte_page).
enum { LOCK_PAGE = 0x40000000 / TILL_SQLITE_PAGE_SIZE + 1 };

static off_t offset_of(uint32_t number) {
    return (off_t)(number - 1) * TILL_SQLITE_PAGE_SIZE;
}

ssize_t till_sqlite_read_at(int file, unsigned char *bytes, size_t count, off_t offset) {
    size_t done = 0;
    while (done < count) {
        ssize_t more = pread(file, bytes + done, count - done, offset + (off_t)done);
        if (more < 0 && errno == EINTR) {
            continue;
        }
        if (more < 0) {
            return -1;
        }
        if (more == 0) {
            break;
        }
        done += (size_t)more;
    }
    return (ssize_t)done;
}

// Reads the page, or as much of it as the file has; returns how many bytes those are, or -1.
static ssize_t read_page(int file, uint32_t number, unsigned char *page) {
    return till_sqlite_read_at(file, page, TILL_SQLITE_PAGE_SIZE, offset_of(number));
}

int till_sqlite_add_checksums(int file) {
    unsigned char page[TILL_SQLITE_PAGE_SIZE];
    uint32_t number = 1;
    ssize_t count;
    while ((count = read_page(file, number, page)) == TILL_SQLITE_PAGE_SIZE) {
        till_sqlite_stamp(page, number);
        ssize_t written = pwrite(file, page, sizeof page, offset_of(number));
        if (written != TILL_SQLITE_PAGE_SIZE) {
            return written < 0 ? errno : EIO;
        }
        number++;
    }
    return count == 0 ? (fsync(file) == 0 ? 0 : errno) : (count < 0 ? errno : EINVAL);
}

int till_sqlite_find_damage(int file, uint32_t after, uint32_t *page) {
    unsigned char bytes[TILL_SQLITE_PAGE_SIZE];
    *page = 0;
    for (uint32_t number = after + 1; number > after; number++) {
        ssize_t count = read_page(file, number, bytes);
        if (count < 0) {
            return errno;
        }
        if (count == 0) {
            return 0;
        }
        int is_whole = count == TILL_SQLITE_PAGE_SIZE;
        if (!is_whole || (number != LOCK_PAGE && !till_sqlite_is_sound(bytes, number))) {
            *page = number;
            return 0;
        }
    }
    return 0;
}
