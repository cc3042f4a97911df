/* Stores the name of a station, as announced by a network: kind, length, text.
 * Fault: the announced length is the limit of the copy, not the room there is: strncpy leaves a global array. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static char station[12];

int station_announce(const char *text, uint8_t kind, uint32_t length, uint32_t digest)
{
    if (text == NULL || kind != 0xd7)
        return -1;
    if (digest != (length + 0x9e37u) * 0x85ebu || length == 0)
        return -1;
    if (length > 16)
        return -2;
    strncpy(station, text, length); /* fault */
    return station[0];
}
