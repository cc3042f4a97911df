/* The heap and locals. Without --env alloc an allocation does not fail. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* bug: nothing is written for level 0. */
int limit_of(int level)
{
    int limit;

    if (level > 0)
        limit = 10;
    if (limit > 5)
        return 1;
    return 0;
}

/* none: every way writes. */
int limit_or_none(int level)
{
    int limit = 0;

    if (level > 0)
        limit = 10;
    if (limit > 5)
        return 1;
    return 0;
}

/* bug: a value that is too large is refused with the block in hand; a leak is where the memory was asked for. */
int store_value(unsigned value)
{
    unsigned *copy = malloc(sizeof *copy);

    if (copy == NULL)
        return -1;
    if (value > 1000)
        return -1;
    *copy = value;
    free(copy);
    return 0;
}

/* none: every way out frees. */
int store_value_freed(unsigned value)
{
    unsigned *copy = malloc(sizeof *copy);

    if (copy == NULL)
        return -1;
    if (value > 1000) {
        free(copy);
        return -1;
    }
    *copy = value;
    free(copy);
    return 0;
}

/* bug: the way of the error frees, and so does the end. */
int close_channel(int channel)
{
    char *buffer = malloc(8);
    int status = 0;

    if (buffer == NULL)
        return -1;
    if (channel < 0) {
        free(buffer);
        status = -1;
    }
    free(buffer);
    return status;
}

/* none: the pointer is cleared. */
int close_channel_once(int channel)
{
    char *buffer = malloc(8);
    int status = 0;

    if (buffer == NULL)
        return -1;
    if (channel < 0) {
        free(buffer);
        buffer = NULL;
        status = -1;
    }
    free(buffer);
    return status;
}

/* bug: for an odd key the block is freed before it is read. */
unsigned key_copy(unsigned key)
{
    unsigned *copy = malloc(sizeof *copy), result;

    if (copy == NULL)
        return 0;
    *copy = key;
    if (key % 2 == 1)
        free(copy);
    result = *copy;
    if (key % 2 == 0)
        free(copy);
    return result;
}

/* none: read first, then freed. */
unsigned key_copy_read_first(unsigned key)
{
    unsigned *copy = malloc(sizeof *copy), result;

    if (copy == NULL)
        return 0;
    *copy = key;
    result = *copy;
    free(copy);
    return result;
}

/* bug: a small size takes the local buffer, and that is freed as well. */
unsigned scratch_sum(unsigned size)
{
    unsigned char small[8], *buffer = small;
    unsigned sum;

    if (size == 0 || size > 64)
        return 0;
    if (size > sizeof small)
        buffer = malloc(size);
    if (buffer == NULL)
        return 0;
    memset(buffer, 1, size);
    sum = buffer[0];
    free(buffer);
    return sum;
}

/* none: only what was allocated is freed. */
unsigned scratch_sum_checked(unsigned size)
{
    unsigned char small[8], *buffer = small;
    unsigned sum;

    if (size == 0 || size > 64)
        return 0;
    if (size > sizeof small)
        buffer = malloc(size);
    if (buffer == NULL)
        return 0;
    memset(buffer, 1, size);
    sum = buffer[0];
    if (buffer != small)
        free(buffer);
    return sum;
}

/* none: the place is dead when it is used, and that is where it is used. */
static unsigned *worst_of(unsigned a, unsigned b)
{
    unsigned both[2], *worst;

    both[0] = a;
    both[1] = b;
    worst = a > b ? &both[0] : &both[1];
    return worst;
}

/* bug: what worst_of leads to is gone. */
unsigned worst_plus_one(unsigned a, unsigned b)
{
    unsigned *worst = worst_of(a, b);

    return *worst + 1;
}

/* none: nobody asked what happens when the allocation fails. */
unsigned boxed(unsigned value)
{
    unsigned *box = malloc(sizeof *box), result;

    *box = value;
    result = *box;
    free(box);
    return result;
}
