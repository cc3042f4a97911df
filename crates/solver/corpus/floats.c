/* Floating-point units whose questions are part of the corpus: `scripts/corpus` records them. */
#include <math.h>

int product(double a, double b) { return a * b == 6.25 && a > 1.0 && b > a; }

int roots(float a, float b, float c)
{
    float d = b * b - 4 * a * c;
    if (a == 0) return b == 0 ? -1 : 1;
    if (d < 0) return 0;
    if (d == 0) return 1;
    return sqrtf(d) > 3.0f ? 3 : 2;
}

int there_and_back(double x)
{
    int n = (int)x;
    long wide = (long)(x * 1000.0);
    if (n == x && n > 100) return 1;
    if (wide % 1000 == 123) return 2;
    if ((unsigned char)n == 77) return 3;
    return (float)x == x ? 4 : 5;
}

int kind(double x, float y)
{
    if (x != x) return y != y ? 0 : 1;
    if (isinf(x)) return 2;
    if (x == 0) return signbit(x) ? 3 : 4;
    if (fabs(x) < 1e-300) return 5;
    if (y > x) return 6;
    return y + x == x ? 7 : 8;
}

int rounding(double x)
{
    if (floor(x) == ceil(x)) return trunc(x) > 41.0 ? 0 : 1;
    if (rint(x) == floor(x) && x - floor(x) == 0.5) return 2;
    if (round(x) == -3.0) return 3;
    return x < -7.25 ? 4 : 5;
}

int wide(long double x, double y)
{
    long double sum = x + y;
    if (sum == 10.5L) return 1;
    if (x > y && sum < 0) return 2;
    return (double)sum == y ? 3 : 4;
}

int steps(float x)
{
    int steps = 0;
    while (x > 1.0f && steps < 6) {
        x *= 0.5f;
        steps++;
    }
    if (steps == 3 && x < 0.75f) return 10;
    return steps;
}

int temperature(short celsius, float limit)
{
    float fahrenheit = celsius * 1.8f + 32;
    if (fahrenheit > limit && limit > 100) return 1;
    if (fahrenheit == 50) return 2;
    if (fmaxf(fahrenheit, limit) == 0.25f) return 3;
    return fahrenheit < -400 ? 4 : 5;
}

int remainder_of(double x) { return fmod(x, 3.0) == 1.5 ? 1 : x > 5 ? 2 : 3; }
