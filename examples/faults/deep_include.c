/* Expands a macro of a configuration: a macro stands for a text or for another macro; each has a buffer while it expands.
 * Fault: a macro that stands for itself, also by way of others, expands without end: the stack overflows. */
#include <stddef.h>
#include <stdint.h>

#define MACROS 4

struct macros {
    uint32_t magic;
    uint32_t check;
    uint8_t stands_for[MACROS]; /* the number of another macro, or 0x80 and more for a text */
};

static int expand(const struct macros *macros, uint32_t number, uint32_t depth)
{
    volatile uint8_t buffer[8192];

    buffer[depth & 0x1fff] = (uint8_t)number;
    if (number >= 0x80)
        return (int)(number & 0x7f);
    if (number >= MACROS)
        return -2;
    return expand(macros, macros->stands_for[number], depth + 1) + buffer[depth & 0x1fff] * 0; /* fault */
}

int macro_text(const struct macros *macros, uint32_t first)
{
    if (macros == NULL || macros->magic != 0x4d414352u || first >= MACROS)
        return -1;
    if (macros->check != (first + 1) * 0x01234567u)
        return -1;
    return expand(macros, first, 0);
}
