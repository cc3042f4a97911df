/* Unsigned wrap-around, shifts, division and remainder. */
#include <stddef.h>
#include <string.h>

/* 6.2.5p9: unsigned arithmetic wraps around, so the end can be below the start. */
int span_end(unsigned start, unsigned length, unsigned *end)
{
    unsigned stop = start + length;

    if (stop < start)
        return -1;
    *end = stop;
    return 0;
}

/* 6.5.2.4 and 6.3.1.3p2: the last test leaves left at 255, not at 0. So left
   is above n in the end, except when n itself is 255. */
int count_down(unsigned char n)
{
    unsigned char left = n;
    int steps = 0;

    while (left-- > 0)
        steps++;
    if (left > n)
        return steps;
    return -steps;
}

/* 6.2.5p9: size_t is unsigned, so with a shorter first text the difference is
   a very large number. Short texts are enough. */
int much_longer(const char *first, const char *second)
{
    size_t gap = strlen(first) - strlen(second);

    if (gap > 1000000)
        return 1;
    return 0;
}

/* 6.2.5p9: the product is taken modulo 2 to the power 32, so 65536 * 65536 is 0. */
unsigned square_area(unsigned side)
{
    unsigned area = side * side;

    if (side != 0 && area == 0)
        return 1;
    return area;
}

/* 6.2.5p9: 0 - value wraps around, and for 0x80000000 it gives the same value. */
int own_mirror(unsigned value)
{
    unsigned mirror = 0u - value;

    if (value != 0) {
        if (mirror == value)
            return 1;
        return 0;
    }
    return -1;
}

/* 6.2.5p9: the sum can wrap around, so the result can lie below both values. */
unsigned middle(unsigned low, unsigned high)
{
    unsigned mid = (low + high) / 2;

    if (mid < low && mid < high)
        return high;
    return mid;
}

/* 6.5.5p6: division goes towards zero, so the remainder of a negative day is
   negative or zero. */
int week_slot(int day)
{
    int slot = day % 7;

    if (slot < 0)
        slot += 7;
    return slot;
}

/* 6.5.5p6: -1 / 2 is 0, so half of a negative number need not be negative. */
int half_is_lost(int n)
{
    if (n < 0) {
        if (n / 2 == 0)
            return 1;
        return 0;
    }
    return -1;
}

/* 6.5.7p5: a right shift of a negative number is up to the compiler. gcc and
   clang round down while 6.5.5p6 rounds to zero: -3 >> 1 is -2, -3 / 2 is -1. */
int halves_differ(int n)
{
    if (n >> 1 != n / 2)
        return 1;
    return 0;
}

/* 6.3.1.3p2: from the ninth bit on nothing is left in the unsigned char. */
int flag_mask(unsigned bit)
{
    unsigned char mask = (unsigned char)(1u << (bit & 15));

    if (mask == 0)
        return -1;
    return mask;
}

/* 6.3.1.3p3: bit 31 is the sign bit once the value is converted to int. */
int top_bit_sign(unsigned bit)
{
    int mask = (int)(1u << (bit & 31));

    if (mask < 0)
        return -1;
    return 1;
}

/* 6.3.1.8: ~15u has 32 bits and is widened with zeros, so the upper half of a
   large size is cut off and the result is smaller than the size. */
size_t round_up(size_t size)
{
    size_t rounded = (size + 15) & ~15u;

    if (rounded < size)
        return 0;
    return rounded;
}
