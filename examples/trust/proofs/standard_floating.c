/* Floating point: NaN, signed zero, infinity, rounding, very small numbers. */
#include <math.h>

/* 7.12.14p1: a NaN is neither below the limit, nor equal to it, nor above it. */
int place(double x, double limit)
{
    if (x < limit)
        return -1;
    if (x >= limit)
        return 1;
    return 0;
}

/* 7.12.14p1 and 6.5.9: a NaN is not equal to itself, so with a NaN in front
   the largest value is not found again. */
int index_of_largest(const double *values, int count)
{
    double top;
    int i;
    int k;

    if (count <= 0)
        return -1;
    top = values[0];
    for (i = 1; i < count; i++)
        if (values[i] > top)
            top = values[i];
    for (k = 0; k < count; k++)
        if (values[k] == top)
            return k;
    return -2;
}

/* 5.2.4.2.2p4: zero can carry a sign. It still compares equal to zero. */
int zero_side(double x)
{
    if (x == 0.0) {
        if (copysign(1.0, x) < 0.0)
            return -1;
        return 1;
    }
    return 0;
}

/* 5.2.4.2.2: a double has 53 bits, so from about 2 to the power 53 adding 1
   can change nothing. */
int can_step(double x)
{
    double next = x + 1.0;

    if (next == x)
        return 0;
    return 1;
}

/* 5.2.4.2.2p3: the type holds an infinity, and half of it is the same infinity. */
int halving_stops(double x)
{
    if (x != 0.0) {
        if (x / 2.0 == x)
            return 1;
        return 0;
    }
    return -1;
}

/* F.3: the result is rounded as in IEC 60559. Half of the smallest number
   above zero is rounded to zero. */
int half_is_nothing(double x)
{
    if (x > 0.0) {
        if (x / 2.0 == 0.0)
            return 1;
        return 0;
    }
    return -1;
}

/* F.3: the product of two small positive numbers is rounded to zero when it is
   too small for a double. */
int both_happen(double p, double q)
{
    if (p > 0.0 && q > 0.0) {
        if (p * q == 0.0)
            return -1;
        return 1;
    }
    return 0;
}

/* 6.3.1.5p1: the nearest float can be above or below the double: 0.1f is
   above 0.1. */
int price_change(double price)
{
    float stored = (float)price;

    if (stored > price)
        return 1;
    if (stored < price)
        return -1;
    return 0;
}

/* 5.2.4.2.2p6: sums are rounded, so taking first away again need not leave
   second. */
int sum_is_lossy(double first, double second)
{
    double total = first + second;

    if (total - first != second)
        return 1;
    return 0;
}

/* 5.2.4.2.2p6: each addition is rounded. Ten times 0.1 added up is not 10 * 0.1. */
int adds_up(double price, int times)
{
    double total = 0.0;
    int i;

    for (i = 0; i < times; i++)
        total += price;
    if (total != times * price)
        return 0;
    return 1;
}

/* 6.2.5p10 and 6.3.1.5p1: long double is wider here, so the step is seen in
   the long double and lost in the double. */
int step_is_lost(double base)
{
    long double next = (long double)base + 1.0L;

    if (next > base) {
        if ((double)next == base)
            return 1;
        return 0;
    }
    return -1;
}

/* 6.3.1.4p2: a long has up to 63 bits and a double keeps 53 of them. The long
   double holds both values exactly. */
int id_survives(long id)
{
    double stored = (double)id;

    if ((long double)stored != (long double)id)
        return 0;
    return 1;
}

/* F.3: the sum of two large numbers is infinite, so the mean can lie above
   both, or below both. */
int mean_outside(double a, double b)
{
    double mean = (a + b) / 2.0;

    if (mean > a && mean > b)
        return 1;
    if (mean < a && mean < b)
        return -1;
    return 0;
}

/* 6.3.1.4p1: the fraction is dropped, so a number between -1 and 0 becomes 0. */
int whole_part_sign(double x)
{
    if (x > -1000.0 && x < 0.0) {
        if ((int)x == 0)
            return 0;
        return -1;
    }
    return 1;
}
