/* Counts the records of a block; each begins with its own length.
 * Fault: a record of length zero leads nowhere: the loop does not end. */
#include <stddef.h>
#include <stdint.h>

int records_count(const uint8_t *block, size_t len)
{
    size_t i = 4;
    unsigned count = 0;

    if (block == NULL || len < 6 || len > 16)
        return -1;
    if (block[0] != 'R' || block[1] != 'B' || block[2] != (uint8_t)(block[3] * 5u) || block[3] != 0x2f)
        return -1;
    while (i < len) { /* fault */
        count++;
        i += block[i];
    }
    return (int)(count & 0x7fff);
}
