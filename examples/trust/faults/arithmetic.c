/* Arithmetic without a defined result. */
#include <limits.h>
#include <stddef.h>
#include <string.h>

/* contract: nobody looks at the numbers. */
int total(int left, int right)
{
    return left + right;
}

/* bug: negative numbers are refused, and INT_MAX passes. */
int next_id(int id)
{
    if (id < 0)
        return -1;
    return id + 1;
}

/* none: the last number is refused as well. */
int next_id_checked(int id)
{
    if (id < 0 || id == INT_MAX)
        return -1;
    return id + 1;
}

/* bug: the sign is looked at, and INT_MIN has no counterpart. */
int magnitude(int value)
{
    if (value < 0)
        return -value;
    return value;
}

/* bug: both numbers are looked at, and their product is too large all the same. */
int area(int width, int height)
{
    if (width < 0 || width > 100000 || height < 0 || height > 100000)
        return -1;
    return width * height;
}

/* none: 46,000 times 46,000 fits. */
int area_checked(int width, int height)
{
    if (width < 0 || width > 46000 || height < 0 || height > 46000)
        return -1;
    return width * height;
}

/* contract: nobody looks at the divisor. */
unsigned share(unsigned total, unsigned parts)
{
    return total / parts;
}

/* bug: negative parts are refused, and 0 passes. */
int share_of(int total, int parts)
{
    if (parts < 0)
        return 0;
    return total / parts;
}

/* none: only positive parts pass. */
int share_of_checked(int total, int parts)
{
    if (parts <= 0)
        return 0;
    return total / parts;
}

/* contract, twice: neither 0 nor INT_MIN by -1 is looked at. */
int quotient(int total, int parts)
{
    return total / parts;
}

/* bug: 0 is refused, and INT_MIN by -1 passes. */
int quotient_not_by_zero(int total, int parts)
{
    if (parts == 0)
        return 0;
    return total / parts;
}

/* contract: nobody looks at the distance. */
unsigned bit(unsigned n)
{
    return 1u << n;
}

/* bug: 32 passes. */
unsigned bit_up_to(unsigned n)
{
    if (n > 32)
        return 0;
    return 1u << n;
}

/* none: 32 is refused. */
unsigned bit_below(unsigned n)
{
    if (n >= 32)
        return 0;
    return 1u << n;
}

/* contract: nobody looks at the number. */
int whole_part(double value)
{
    return (int)value;
}

/* bug: negative numbers are refused, and 1e10 passes. */
int percent_of(double value)
{
    if (value < 0)
        return 0;
    return (int)(value * 100);
}

/* none: only what fits passes, and not a number does not. */
int percent_of_checked(double value)
{
    if (!(value >= 0 && value <= 1))
        return 0;
    return (int)(value * 100);
}

/* none: null plus 0 is not looked for by default. */
const char *text_end(const char *text, size_t length)
{
    if (length > 4 || (text == NULL && length != 0))
        return NULL;
    return text + length;
}

/* none: nor is a copy of nothing from null. */
unsigned first_copied(const unsigned char *from, size_t length)
{
    unsigned char copy[4] = { 0 };

    if (length > sizeof copy || (from == NULL && length != 0))
        return 0;
    memcpy(copy, from, length);
    return copy[0];
}
