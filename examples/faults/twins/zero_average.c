/* The average of the valid readings of a window; a reading with the top bit set is not valid.
 * A window without a valid reading has no average. */
#include <stddef.h>
#include <stdint.h>

struct window {
    uint32_t sequence;
    uint32_t count;
    uint16_t reading[6];
    uint32_t check;
};

int window_average(const struct window *window)
{
    uint32_t sum = 0, valid = 0, i;

    if (window == NULL || window->count == 0 || window->count > 6)
        return -1;
    if (window->check != (window->sequence * 7u ^ window->count << 16 ^ 0x71c9a5e3u))
        return -1;
    for (i = 0; i < window->count; i++) {
        if ((window->reading[i] & 0x8000u) == 0) {
            sum += window->reading[i];
            valid++;
        }
    }
    if (valid == 0)
        return -2;
    return (int)(sum / valid);
}
