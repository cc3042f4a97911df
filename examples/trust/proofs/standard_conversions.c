/* Conversions and integer promotion. */
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

/* 6.3.1.1p2: both operands become int before they are added, so the sum of
   two unsigned chars can be above 255. */
int level_sum(unsigned char left, unsigned char right)
{
    if (left + right > UCHAR_MAX)
        return UCHAR_MAX;
    return left + right;
}

/* 6.3.1.1p2: ~ works on the promoted int, so the result is -1 - used. It is
   always negative, and it reaches -256 when used is 255. */
int spare_bits(unsigned char used)
{
    int spare = ~used;

    if (spare >= 0)
        return -1;
    if (spare < -UCHAR_MAX)
        return 0;
    if (spare == -1)
        return 8;
    return 4;
}

/* 6.3.1.8: total is converted to unsigned int before the division, so a
   negative total can give a positive share. */
long share_of(int total, unsigned parts)
{
    long share;

    if (parts == 0)
        return 0;
    share = total / parts;
    if (total < 0) {
        if (share > 0)
            return share;
        return -1;
    }
    return share + 1;
}

/* 6.3.1.3p3: a value that does not fit is converted in a way the compiler
   defines. gcc and clang keep the low eight bits: 200 becomes -56, 256 becomes 0. */
int stored_sample(int sample)
{
    signed char kept;

    if (sample <= 0)
        return 0;
    kept = (signed char)sample;
    if (kept < 0)
        return -1;
    if (kept == 0)
        return 1;
    return kept;
}

/* 6.2.5p15: char has the range of signed char here, so a byte from 0x80 up
   is below zero. */
int has_high_byte(const char *text)
{
    while (*text != '\0') {
        if (*text < 0)
            return 1;
        text++;
    }
    return 0;
}

/* 6.3.1.1p2: a char that holds the byte 0xff is promoted to -1, and that is
   the value of EOF. */
int stops_early(const char *data, size_t size)
{
    size_t i;

    for (i = 0; i < size; i++) {
        char c = data[i];

        if (c == EOF)
            return (int)i;
    }
    return -1;
}

/* 6.3.1.2: any value that is not equal to 0 becomes 1 as a _Bool, so 0.25 is
   set although it would be 0 as an int. */
int counts_as_set(double ratio)
{
    _Bool set = ratio;

    if (set) {
        if (ratio < 1.0 && ratio > -1.0)
            return 2;
        return 1;
    }
    return 0;
}

/* 6.3.1.2: 0 - 1 is -1, which becomes 1 again when it is stored in a _Bool. */
int flipped(_Bool flag)
{
    flag -= 1;
    if (flag)
        return 1;
    return 0;
}

/* 6.3.1.2 and 6.3.1.3p2: 256 becomes 1 as a _Bool but 0 as an unsigned char. */
int low_part_lost(unsigned count)
{
    unsigned char low = (unsigned char)count;
    _Bool any = count;

    if (any) {
        if (low == 0)
            return -1;
        return low;
    }
    return 0;
}

/* 6.3.1.4p2: float has 24 bits for the number, so a large int is rounded. It
   can go up (16777219) or down (16777217). */
int float_drift(int id)
{
    double back = (float)id;

    if (back > id)
        return 1;
    if (back < id)
        return -1;
    return 0;
}
