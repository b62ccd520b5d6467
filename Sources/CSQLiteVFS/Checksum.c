#include "CSQLiteVFS.h"

#include "Page.h"

#include <string.h>

static const uint64_t prime1 = 0x9E3779B185EBCA87;
static const uint64_t prime2 = 0xC2B2AE3D27D4EB4F;
static const uint64_t prime3 = 0x165667B19E3779F9;
static const uint64_t prime4 = 0x85EBCA77C2B2AE63;

enum { CONTENT_SIZE = TILL_SQLITE_PAGE_SIZE - TILL_SQLITE_PAGE_CHECKSUM_SIZE, LANES = 4, STRIPE_SIZE = 8 * LANES };

_Static_assert(CONTENT_SIZE % 8 == 0 && CONTENT_SIZE >= STRIPE_SIZE, "XXH64 has more steps for other lengths");

static uint64_t rotated(uint64_t value, int bits) {
    return value << bits | value >> (64 - bits);
}

static uint64_t word(const unsigned char *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

static uint64_t mixed(uint64_t lane, uint64_t input) {
    return rotated(lane + input * prime2, 31) * prime1;
}

uint64_t till_sqlite_page_checksum(const unsigned char *page, uint32_t number) {
    uint64_t seed = number;
    uint64_t lanes[LANES] = {seed + prime1 + prime2, seed + prime2, seed, seed - prime1};
    const unsigned char *next = page;
    const unsigned char *end = page + CONTENT_SIZE;
    for (; end - next >= STRIPE_SIZE; next += STRIPE_SIZE) {
        for (int lane = 0; lane < LANES; lane++) {
            lanes[lane] = mixed(lanes[lane], word(next + 8 * lane));
        }
    }
    uint64_t hash = rotated(lanes[0], 1) + rotated(lanes[1], 7) + rotated(lanes[2], 12) + rotated(lanes[3], 18);
    for (int lane = 0; lane < LANES; lane++) {
        hash = (hash ^ mixed(0, lanes[lane])) * prime1 + prime4;
    }
    hash += CONTENT_SIZE;
    for (; next < end; next += 8) {
        hash = rotated(hash ^ mixed(0, word(next)), 27) * prime1 + prime4;
    }
    hash = (hash ^ hash >> 33) * prime2;
    hash = (hash ^ hash >> 29) * prime3;
    return hash ^ hash >> 32;
}

void till_sqlite_stamp(unsigned char *page, uint32_t number) {
    uint64_t checksum = till_sqlite_page_checksum(page, number);
    for (int index = 0; index < TILL_SQLITE_PAGE_CHECKSUM_SIZE; index++) {
        page[CONTENT_SIZE + index] = (unsigned char)(checksum >> 8 * index);
    }
}

int till_sqlite_is_sound(const unsigned char *page, uint32_t number) {
    return word(page + CONTENT_SIZE) == till_sqlite_page_checksum(page, number);
}
