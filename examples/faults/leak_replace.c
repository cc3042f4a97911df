/* Holds the last two values of a setting on the heap, for a way back.
 * Fault: setting the same value again puts a new copy over one that was not released: leak. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static int32_t *copy_of(int32_t value)
{
    int32_t *copy = malloc(sizeof *copy); /* fault */

    if (copy != NULL)
        *copy = value;
    return copy;
}

int setting_change(int32_t before, int32_t after, uint32_t owner)
{
    int32_t *old, *new;
    int changed;

    if (owner != (((uint32_t)before + 0x51ed270bu) ^ (uint32_t)after) || before < 0x1000)
        return -1;
    old = copy_of(before);
    new = copy_of(after);
    if (old == NULL || new == NULL) {
        free(old);
        free(new);
        return -2;
    }
    changed = *old != *new;
    if (!changed)
        new = copy_of(after);
    free(old);
    free(new);
    return changed;
}
