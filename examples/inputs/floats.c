/* Floating numbers, bit for bit: exact products, NaN, infinities, negative zero, subnormals, long double, complex. */
#include <complex.h>
#include <float.h>
#include <math.h>

int exact_area(double width, double height)
{
    if (width > 1.5 && height > 1.5 && width * height == 7.5)
        return 1;
    return 0;
}

int float_kind(double value)
{
    if (value != value)
        return 1;
    if (value > DBL_MAX)
        return 2;
    if (value == 0.0 && signbit(value))
        return 3;
    if (value > 0.0 && value < DBL_MIN)
        return 4;
    return 0;
}

int missing(float reading)
{
    if (isnan(reading))
        return 1;
    return 0;
}

int truncated(float value)
{
    if (value > -1000.0f && value < 1000.0f) {
        int whole = (int)value;

        if (whole == 7 && (float)whole != value)
            return 1;
    }
    return 0;
}

int just_above_one(long double value)
{
    if (value > 1.0L && value - 1.0L < 1e-18L)
        return 1;
    return 0;
}

int quadrant(double complex point)
{
    if (creal(point) == 3.0 && cimag(point) == -4.0)
        return 4;
    if (cimag(point) == 0.0)
        return 1;
    return 0;
}
