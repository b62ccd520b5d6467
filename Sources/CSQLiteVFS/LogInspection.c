#include "CSQLiteVFS.h"

#include "Page.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// https://www.sqlite.org/walformat.html
enum {
    LOG_HEADER_SIZE = 32,
    FRAME_HEADER_SIZE = 24,
    SALT_SIZE = 8,
    LOG_VERSION = 3007000,
    INDEX_HEADER_SIZE = 48,
    INDEX_CHECKED_SIZE = 40,
    PAGE_SIZE_MINIMUM = 512,
    PAGE_SIZE_MAXIMUM = 65536
};
// The smallest unit that a disk writes as a whole.
enum { SECTOR_SIZE = 512 };
static const uint32_t log_magic = 0x377f0682;

typedef struct {
    int file;
    int is_big_endian;
    uint32_t page_size;
    unsigned char salt[SALT_SIZE];
    // The checksum up to the last complete frame.
    uint32_t checksum[2];
    unsigned char *frame;
} Log;

static uint32_t big_endian(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t native(const unsigned char *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static uint32_t other_endian(const unsigned char *bytes) {
    return __builtin_bswap32(native(bytes));
}

static void add_to_checksum(uint32_t sum[2], int is_native, const unsigned char *bytes, size_t count) {
    uint32_t (*word)(const unsigned char *) = is_native ? native : other_endian;
    for (size_t index = 0; index < count; index += 8) {
        sum[0] += word(bytes + index) + sum[1];
        sum[1] += word(bytes + index + 4) + sum[0];
    }
}

static int is_native(int is_big_endian) {
    return is_big_endian == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static int is_page_size(uint32_t size) {
    return size >= PAGE_SIZE_MINIMUM && size <= PAGE_SIZE_MAXIMUM && (size & (size - 1)) == 0;
}

static int is_header(Log *log, const unsigned char *header) {
    uint32_t found = big_endian(header);
    log->is_big_endian = found & 1;
    log->page_size = big_endian(header + 8);
    memcpy(log->salt, header + 16, SALT_SIZE);
    memset(log->checksum, 0, sizeof log->checksum);
    add_to_checksum(log->checksum, is_native(log->is_big_endian), header, LOG_HEADER_SIZE - 8);
    return (found & ~1u) == log_magic && big_endian(header + 4) == LOG_VERSION && is_page_size(log->page_size)
        && big_endian(header + 24) == log->checksum[0] && big_endian(header + 28) == log->checksum[1];
}

// A log is flushed with its header before it has frames, so that every log with frames has a header. A log of zeros has
// none yet.
static int find_any_byte(int file, int *found) {
    unsigned char bytes[4096];
    ssize_t count;
    *found = 0;
    for (off_t offset = 0; !*found && (count = till_sqlite_read_at(file, bytes, sizeof bytes, offset)) != 0; offset += count) {
        if (count < 0) {
            return errno;
        }
        for (ssize_t index = 0; index < count; index++) {
            *found |= bytes[index];
        }
    }
    return 0;
}

// Whether the frame is complete and follows the frames before it.
static int follows(Log *log, uint32_t sum[2]) {
    int order = is_native(log->is_big_endian);
    memcpy(sum, log->checksum, sizeof log->checksum);
    add_to_checksum(sum, order, log->frame, 8);
    add_to_checksum(sum, order, log->frame + FRAME_HEADER_SIZE, log->page_size);
    return memcmp(log->frame + 8, log->salt, SALT_SIZE) == 0 && big_endian(log->frame) != 0
        && big_endian(log->frame + 16) == sum[0] && big_endian(log->frame + 20) == sum[1];
}

// Whether a frame at the offset, after the end, ends a commit of this log. Its number of pages, which says so, may be
// left from an older log if the salt, which is this log's, lies in another sector: such a frame is not counted.
static int is_commit(const Log *log, off_t offset) {
    return big_endian(log->frame + 4) != 0 && offset % SECTOR_SIZE + 8 + SALT_SIZE <= SECTOR_SIZE;
}

// Reads all frames: the complete ones, as SQLite does, and those after the first incomplete one, which SQLite ignores.
static int read_frames(Log *log, TillLogFindings *findings) {
    size_t size = FRAME_HEADER_SIZE + log->page_size;
    off_t offset = LOG_HEADER_SIZE;
    int is_whole = 1;
    ssize_t count;
    while ((count = till_sqlite_read_at(log->file, log->frame, size, offset)) == (ssize_t)size) {
        uint32_t sum[2];
        is_whole = is_whole && follows(log, sum);
        if (is_whole) {
            memcpy(log->checksum, sum, sizeof sum);
            findings->whole_frames++;
        } else if (memcmp(log->frame + 8, log->salt, SALT_SIZE) == 0) {
            findings->stray_frames++;
            findings->stray_commits += is_commit(log, offset);
        }
        offset += (off_t)size;
    }
    return count < 0 ? errno : 0;
}

// How many frames have been flushed, by the log's index, which outlives a process. 0 if the index belongs to another
// log.
static uint32_t frames_in_index(const char *path, const Log *log) {
    unsigned char headers[2][INDEX_HEADER_SIZE];
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) {
        return 0;
    }
    ssize_t count = till_sqlite_read_at(file, headers[0], sizeof headers, 0);
    close(file);
    uint32_t sum[2] = {0, 0};
    add_to_checksum(sum, 1, headers[0], INDEX_CHECKED_SIZE);
    int is_valid = count == sizeof headers && memcmp(headers[0], headers[1], INDEX_HEADER_SIZE) == 0
        && native(headers[0]) == LOG_VERSION && native(headers[0] + 40) == sum[0] && native(headers[0] + 44) == sum[1]
        && memcmp(headers[0] + 32, log->salt, SALT_SIZE) == 0;
    return is_valid ? native(headers[0] + 16) : 0;
}

static int inspect(Log *log, const char *index_path, TillLogFindings *findings) {
    unsigned char header[LOG_HEADER_SIZE];
    ssize_t count = till_sqlite_read_at(log->file, header, sizeof header, 0);
    if (count < LOG_HEADER_SIZE) {
        return count < 0 ? errno : 0;
    }
    if (!is_header(log, header)) {
        return find_any_byte(log->file, &findings->is_header_damaged);
    }
    // Read before the frames, so that a log that grows in the meantime does not have fewer.
    findings->known_frames = frames_in_index(index_path, log);
    log->frame = malloc(FRAME_HEADER_SIZE + log->page_size);
    if (log->frame == NULL) {
        return ENOMEM;
    }
    int result = read_frames(log, findings);
    free(log->frame);
    return result;
}

int till_sqlite_inspect_log(const char *path, const char *index_path, TillLogFindings *findings) {
    memset(findings, 0, sizeof *findings);
    Log log = {.file = open(path, O_RDONLY | O_CLOEXEC)};
    if (log.file < 0) {
        return errno == ENOENT ? 0 : errno;
    }
    int result = inspect(&log, index_path, findings);
    close(log.file);
    return result;
}
