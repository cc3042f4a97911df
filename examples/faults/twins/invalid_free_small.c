/* Reverses a message in a buffer that is local while it is small and on the heap when it is not.
 * A message is on the heap and released by the same measure. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define SMALL 8

static void give_back(uint8_t *buffer, size_t size)
{
    if (size > SMALL)
        free(buffer);
}

int message_reverse(const uint8_t *message, size_t len, uint32_t check)
{
    uint8_t small[SMALL];
    uint8_t *buffer = small;
    size_t i;
    int first;

    if (message == NULL || len < 1 || len > 12 || message[0] != 0xc3)
        return -1;
    if (check != ((uint32_t)len << 24 ^ 0x00abcdefu))
        return -1;
    if (len > SMALL) {
        buffer = malloc(len);
        if (buffer == NULL)
            return -2;
    }
    for (i = 0; i < len; i++)
        buffer[i] = message[len - 1 - i];
    first = buffer[0];
    give_back(buffer, len);
    return first;
}
