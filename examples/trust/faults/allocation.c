/* Allocations that fail, asked for. */
/* tarka-options: --env alloc */
#include <stdlib.h>

/* bug: no caller can keep the allocation from failing. */
unsigned boxed_value(unsigned value)
{
    unsigned *box = malloc(sizeof *box), result;

    *box = value;
    result = *box;
    free(box);
    return result;
}

/* none: a failed allocation is looked at. */
unsigned boxed_value_checked(unsigned value)
{
    unsigned *box = malloc(sizeof *box), result;

    if (box == NULL)
        return 0;
    *box = value;
    result = *box;
    free(box);
    return result;
}

/* bug: if the second allocation fails, the first block is lost; a leak is where the memory was asked for. */
int two_blocks(unsigned value)
{
    unsigned *first = malloc(sizeof *first), *second;

    if (first == NULL)
        return -1;
    second = malloc(sizeof *second);
    if (second == NULL)
        return -1;
    *first = value;
    *second = *first;
    free(second);
    free(first);
    return 0;
}

/* none: the first block is freed on that way, too. */
int two_blocks_freed(unsigned value)
{
    unsigned *first = malloc(sizeof *first), *second;

    if (first == NULL)
        return -1;
    second = malloc(sizeof *second);
    if (second == NULL) {
        free(first);
        return -1;
    }
    *first = value;
    *second = *first;
    free(second);
    free(first);
    return 0;
}
