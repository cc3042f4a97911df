/* The roots of a quadratic equation. */
#include <math.h>

/* What is known about the roots of a*x*x + b*x + c. */
int roots(double a, double b, double c)
{
    double discriminant, first, second;

    if (a == 0.0)
        return b == 0.0 ? -1 : 1;
    discriminant = b * b - 4.0 * a * c;
    if (discriminant < 0.0)
        return 0;
    if (discriminant == 0.0)
        return 2;
    first = (-b + sqrt(discriminant)) / (2.0 * a);
    second = (-b - sqrt(discriminant)) / (2.0 * a);
    if (first == 3.0)
        return second < 0.0 ? 5 : 4;
    return 3;
}
