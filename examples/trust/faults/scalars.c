/* Numbers that decide over an access: not looked at, looked at but not enough, looked at rightly. */
#include <stddef.h>
#include <stdint.h>

static const unsigned weights[9] = { 3, 1, 4, 1, 5, 9, 2, 6, 5 };

/* contract: nobody looks at n; a caller can keep it below 9. */
unsigned weight_of(unsigned n)
{
    return weights[n];
}

/* contract: the mode is looked at, the index is not. */
unsigned weight_in_mode(int mode, unsigned n)
{
    if (mode == 0)
        return 0;
    return weights[n];
}

/* bug: n is looked at, and 9 passes. */
unsigned weight_up_to(unsigned n)
{
    if (n > 9)
        return 0;
    return weights[n];
}

/* none: what weight_up_to should be. */
unsigned weight_below(unsigned n)
{
    if (n >= 9)
        return 0;
    return weights[n];
}

/* bug: the upper end is looked at, the lower is not. */
unsigned weight_signed(int n)
{
    if (n >= 9)
        return 0;
    return weights[n];
}

/* none: both ends are looked at. */
unsigned weight_between(int n)
{
    if (n < 0 || n >= 9)
        return 0;
    return weights[n];
}

/* bug: the check comes after the access. */
unsigned weight_late(unsigned n)
{
    unsigned weight = weights[n];

    if (n >= 9)
        return 0;
    return weight;
}

/* bug: nothing but the loop decides, and it makes one round too many. */
unsigned first_squares(void)
{
    unsigned square[8], i, sum = 0;

    for (i = 0; i <= 8; i++)
        square[i] = i * i;
    for (i = 0; i < 8; i++)
        sum += square[i];
    return sum;
}

/* none: what first_squares should be. */
unsigned all_squares(void)
{
    unsigned square[8], i, sum = 0;

    for (i = 0; i < 8; i++)
        square[i] = i * i;
    for (i = 0; i < 8; i++)
        sum += square[i];
    return sum;
}

/* bug: the number of rounds is held to 17, the array has 16 elements. */
unsigned ramp_sum(unsigned count)
{
    unsigned ramp[16] = { 0 }, i, sum = 0;

    if (count > 17)
        count = 17;
    for (i = 0; i < count; i++)
        ramp[i] = i;
    for (i = 0; i < 16; i++)
        sum += ramp[i];
    return sum;
}

/* bug: ten digits and the end of the string are 11 characters; the loop looks at the value until it is 0. */
size_t digits_of(uint32_t value)
{
    char text[10];
    size_t length = 0;

    do {
        text[length++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    text[length] = '\0';
    return length;
}

/* none: there is room for the end. */
size_t digits_with_room(uint32_t value)
{
    char text[11];
    size_t length = 0;

    do {
        text[length++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    text[length] = '\0';
    return length;
}

struct grid_place {
    unsigned row, column;
};

/* contract: a struct by value is so many numbers, and the unit looks at the row alone. */
unsigned grid_weight(struct grid_place place)
{
    if (place.row >= 3)
        return 0;
    return weights[place.column];
}
