/* Parses a record into a copy on the heap and gives its checksum.
 * Fault: a record whose version is too new is refused after the copy was made, and the copy stays behind: leak. */
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
    copy = malloc(len); /* fault */
    if (copy == NULL)
        return -2;
    memcpy(copy, record, len);
    if (copy[4] > 3)
        return -3;
    for (i = 5; i < len; i++)
        sum += copy[i];
    free(copy);
    return sum;
}
