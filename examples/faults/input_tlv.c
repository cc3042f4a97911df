/* Walks the options of a datagram (tag, length, value …) and counts those with the wanted tag.
 * Fault: a tag may be the last byte, and its length is read all the same: one past the end of the caller's buffer. */
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
        if (buffer[i] == 0)
            break;
        if (buffer[i] == 0x35)
            count++;
        i += 2u + buffer[i + 1]; /* fault */
    }
    return count;
}
