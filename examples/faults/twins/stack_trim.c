/* Takes a line of a configuration file into a local buffer and cuts off the blanks at its end.
 * The blanks end at the beginning of the line at the latest. */
#include <stddef.h>
#include <stdint.h>

int line_trim(const char *text, int len, uint32_t number)
{
    char line[16];
    uint32_t hash = 5381;
    int n;

    if (text == NULL || len < 5 || len > (int)sizeof line)
        return -1;
    for (n = 0; n < len; n++) {
        line[n] = text[n];
        hash = hash * 33u + (unsigned char)text[n];
    }
    if (number != (hash ^ 0x00330033u))
        return -2;
    while (n > 0 && line[n - 1] == ' ')
        n--;
    return n;
}
