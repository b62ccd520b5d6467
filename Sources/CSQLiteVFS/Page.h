// A page in memory and its checksum, and how pages and frames are read from a file.
#ifndef TILL_SQLITE_PAGE_H
#define TILL_SQLITE_PAGE_H

#include <stdint.h>
#include <sys/types.h>

void till_sqlite_stamp(unsigned char *page, uint32_t number);

int till_sqlite_is_sound(const unsigned char *page, uint32_t number);

// Reads as many bytes at the offset as the file has, up to `count`; returns how many those are, or -1 with errno.
ssize_t till_sqlite_read_at(int file, unsigned char *bytes, size_t count, off_t offset);

#endif
