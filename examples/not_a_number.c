/* What is no number compares with nothing, not even with itself. */
#include <math.h>

/* What kind of value this is. */
int kind_of(double x)
{
    if (x != x)
        return 1;
    if (isinf(x))
        return x > 0.0 ? 2 : 3;
    if (x == 0.0)
        return signbit(x) ? 4 : 5;
    return fabs(x) < 2.2250738585072014e-308 ? 6 : 7;
}

/* The order of two values: -1, 0 or 1, and 2 if there is none. */
int order_of(float a, float b)
{
    if (a < b)
        return -1;
    if (a > b)
        return 1;
    if (a == b)
        return 0;
    return isnan(a) && isnan(b) ? 3 : 2;
}
