/* Numbers that wrap, are widened or lose digits. Where it says so, the C standard leaves the case undefined and the truth
 * is what the usual machine does: two's complement that wraps. */
#include <stdint.h>
#include <stdlib.h>

/* The next number is stored in a byte and wraps to 0, but the sum itself is an int and reaches 256. */
int sequence_gap(unsigned char last, unsigned char got)
{
    unsigned char next = (unsigned char)(last + 1);

    if (last + 1 > 255 && got == last)
        return 2;
    if (next < last)
        return 1;
    if (got == next)
        return 0;
    return got - last < 0 ? 3 : 4;
}

/* Both bytes are at least 100, yet their sum in a byte can be below each of them. */
int mixed_level(unsigned char a, unsigned char b)
{
    unsigned char sum;

    if (a < 100 || b < 100)
        return -1;
    sum = (unsigned char)(a + b);
    if (sum < 100)
        return 1;
    if (sum == 0xff)
        return 2;
    return 0;
}

/* Undefined by the standard at INT_MAX; the usual machine wraps to the smallest int. */
int next_is_smaller(int x)
{
    int next = x + 1;

    if (next < x)
        return 1;
    return 0;
}

/* Undefined by the standard for large values; the usual machine wraps, so a product of two positive numbers can be
 * negative. */
int area_class(int width, int height)
{
    int area;

    if (width <= 0 || height <= 0)
        return -1;
    area = width * height;
    if (area < 0)
        return 2;
    return area == 0 ? 1 : 0;
}

/* Undefined by the standard for INT_MIN; the usual library gives INT_MIN back, which is negative. */
int bucket_of(int hash)
{
    int positive = abs(hash);

    if (positive < 0)
        return -1;
    return positive % 16 == 15 ? 1 : 0;
}

struct phase {
    unsigned step : 3;
    signed level : 4;
};

/* Three bits wrap from 7 to 0, and what is 8 to 15 in four signed bits is negative. */
int advance_phase(struct phase *p, unsigned level)
{
    p->step++;
    if (p->step == 0)
        return 1;
    if (level > 15)
        return -1;
    p->level = (int)level;
    if (p->level < 0)
        return 2;
    return p->level == 7 ? 3 : 0;
}

union bits {
    float number;
    uint32_t word;
};

/* A zero can have its sign bit set, and a value that is no number has all bits of the exponent set. */
int float_class(float x)
{
    union bits u;

    u.number = x;
    if (x == 0.0f)
        return u.word != 0 ? 1 : 0;
    if ((u.word & 0x7fffffffu) > 0x7f800000u)
        return 2;
    return u.word == 0x3f800001u ? 3 : 4;
}

/* A float has 24 digits of binary precision: from 2 to the 24th on, not every int survives the trip. */
int float_trip(int n)
{
    float f;

    if (n < 0 || n > 100000000)
        return -1;
    f = (float)n;
    if ((int)f != n)
        return 1;
    if (f + 1.0f == f)
        return 2;
    return 0;
}

/* The shift is done in 64 bits and cut to 32, so bits can fall off the top. */
int mask_class(unsigned width, unsigned char byte)
{
    uint32_t mask;

    if (width > 40)
        return -1;
    mask = (uint32_t)((uint64_t)1 << width);
    if (mask == 0)
        return 1;
    if ((byte << 4) > 255)
        return 2;
    return (unsigned char)(byte << 4) == byte ? 3 : 0;
}

/* The int becomes unsigned in the sum, so -1 plus 5 is 4 again, and that can be below the size. */
int within(int offset, unsigned size)
{
    if (size > 1000)
        return -1;
    if (offset < 0) {
        if (offset + 5u < size)
            return 2;
        return 1;
    }
    return (unsigned)offset < size ? 0 : 3;
}
