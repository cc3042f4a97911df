/* Functions of the C library that no solver knows. */
#include <math.h>

/* Where on a damped wave a moment lies. */
int wave(double moment, double damping)
{
    double height;

    if (!(moment >= 0.0 && moment < 100.0) || !(damping > 0.0 && damping < 1.0))
        return -1;
    height = sin(moment) * exp(-damping * moment);
    if (height > 0.9)
        return 3;
    if (height < -0.5)
        return 2;
    return fabs(height) < 1e-6 ? 0 : 1;
}

/* Decibels, powers and angles: thresholds behind one call each. */
int level(double ratio, float base, float exponent)
{
    int marks = 0;

    if (20.0 * log10(ratio) > 96.0)
        marks |= 1;
    if (powf(base, exponent) == 8.0f)
        marks |= 2;
    if (atan2(ratio, 2.0) > 0.785 && atan2(ratio, 2.0) < 0.786)
        marks |= 4;
    if (fabs(tanh(ratio) - 0.5) < 1e-9)
        marks |= 8;
    return marks;
}
