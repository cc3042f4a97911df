/* The hyperbolic sine, split by the high word of the double as numerical libraries do it: another formula where the
 * exponential function would lose digits, or overflow before the result does. */
#include <math.h>

double hyperbolic_sine(double x)
{
    union { double number; unsigned words[2]; } bits;
    unsigned size;
    double half, power;

    bits.number = x;
    size = bits.words[1] & 0x7fffffffu;
    half = bits.words[1] >> 31 ? -0.5 : 0.5;
    if (size >= 0x7ff00000u) /* infinite, or no number */
        return x + x;
    if (size < 0x40360000u) { /* below 22 */
        if (size < 0x3e300000u) /* below 2^-28 */
            return x;
        power = expm1(fabs(x));
        if (size < 0x3ff00000u) /* below 1 */
            return half * (2.0 * power - power * power / (power + 1.0));
        return half * (power + power / (power + 1.0));
    }
    if (size < 0x40862e42u) /* where exp is finite */
        return half * exp(fabs(x));
    if (size < 0x408633ceu || (size == 0x408633ceu && bits.words[0] <= 0x8fb9f87du)) { /* where the half of it is */
        power = exp(0.5 * fabs(x));
        return half * power * power;
    }
    return x * 1.0e307;
}
