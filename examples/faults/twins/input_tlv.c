/* Walks the options of a datagram (tag, length, value …) and counts those with the wanted tag.
 * A tag that is the last byte has no length. */
#include <stddef.h>
#include <stdint.h>

int options_count(const uint8_t *buffer, size_t len)
{
    size_t i = 4;
    int count = 0;

    if (buffer == NULL || len < 5 || len > 12)
        return -1;
    if (buffer[0] != 0x01 || buffer[1] != 0xbb || buffer[2] != (buffer[3] ^ 0x96))
        return -1;
    if (buffer[3] != 0x71)
        return -1;
    while (i < len) {
        if (buffer[i] == 0 || i + 1 == len)
            break;
        if (buffer[i] == 0x35)
            count++;
        i += 2u + buffer[i + 1];
    }
    return count;
}
