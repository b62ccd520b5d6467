// A page in memory, and its checksum.
#ifndef TILL_SQLITE_PAGE_H
#define TILL_SQLITE_PAGE_H

#include <stdint.h>

void till_sqlite_stamp(unsigned char *page, uint32_t number);

int till_sqlite_is_sound(const unsigned char *page, uint32_t number);

#endif
