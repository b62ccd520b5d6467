#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

int till_open_beneath(int directory, const char *path, int flags, mode_t mode) {
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = (uint64_t)(unsigned int)(flags | O_CLOEXEC);
    how.mode = mode;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

int till_set_access_list(int descriptor, const uint8_t *bytes, size_t count) {
    return fsetxattr(descriptor, "system.posix_acl_access", bytes, count, 0);
}

void till_begin_writing_out(int descriptor, int64_t offset, int64_t count) {
    (void)sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
}

locale_t till_begin_utf8(void) {
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    return utf8 == (locale_t)0 ? (locale_t)0 : uselocale(utf8);
}

void till_end_utf8(locale_t previous) {
    if (previous != (locale_t)0) {
        freelocale(uselocale(previous));
    }
}
