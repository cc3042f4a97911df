/* Parses a record into a copy on the heap and gives its checksum.
 * The copy is released on every way out. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int record_sum(const uint8_t *record, size_t len)
{
    uint8_t *copy;
    size_t i;
    int sum = 0;

    if (record == NULL || len < 6 || len > 12)
        return -1;
    if (record[0] != 0xfe || record[1] != 0xed || record[2] != (record[3] ^ 0x55) || record[3] != len)
        return -1;
    copy = malloc(len);
    if (copy == NULL)
        return -2;
    memcpy(copy, record, len);
    if (copy[4] > 3) {
        free(copy);
        return -3;
    }
    for (i = 5; i < len; i++)
        sum += copy[i];
    free(copy);
    return sum;
}
