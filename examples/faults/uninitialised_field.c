/* Reads a request of a car bus: the arbitration word says which fields follow.
 * Fault: a request without the field it is ranked by leaves it unset, and it is compared all the same: uninitialised local. */
#include <stddef.h>
#include <stdint.h>

enum { NODE, PRIORITY, ROUTE, FIELDS };

/* Sets the fields that a word has. */
static int fields_read(uint32_t *fields, uint32_t word, uint32_t extra)
{
    int i;

    for (i = 0; i < FIELDS; i++) {
        if ((word >> i & 1) != 0)
            fields[i] = extra >> (5 * i) & 0x1fu;
    }
    return word >> 16 == 0xb05cu && (word & 1) != 0;
}

int request_rank(uint32_t word, uint32_t extra)
{
    uint32_t fields[FIELDS], by = word >> 8 & 0x3u;

    if (!fields_read(fields, word, extra))
        return -1;
    if (extra >> 16 != ((fields[NODE] * 0x103u) ^ 0xbeefu) || by >= FIELDS)
        return -2;
    if (fields[by] > 4) /* fault */
        return 0;
    return 1 + (int)fields[NODE];
}
