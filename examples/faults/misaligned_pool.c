/* A log in a static pool of bytes: an entry is a 16-bit stamp and a text; entries follow each other.
 * Fault: an entry of odd length leaves the next stamp at an odd address, where it is written as one: misaligned. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static union {
    uint64_t align;
    uint8_t bytes[64];
} pool;

int log_two(const uint8_t *text, size_t len, uint16_t stamp, uint32_t token)
{
    size_t at = 0;

    if (text == NULL || len == 0 || len > 24)
        return -1;
    if (token != (uint32_t)stamp * 65599u + 7u || stamp < 4000)
        return -1;
    *(uint16_t *)(void *)(pool.bytes + at) = stamp;
    at += sizeof stamp;
    memcpy(pool.bytes + at, text, len);
    at += len;
    if (text[0] != 0x1b || text[len - 1] != 0x03)
        return (int)at;
    *(uint16_t *)(void *)(pool.bytes + at) = (uint16_t)(stamp + 1u); /* fault */
    return (int)(at + sizeof stamp);
}
