/* Numbers that are converted to integers and back. */

/* Whether a double is a whole number of 32 bits, and if so whether it is at an end of the range. */
int whole(double x)
{
    int number;

    if (!(x > -2147483649.0 && x < 2147483648.0))
        return -1;
    number = (int)x;
    if ((double)number != x)
        return 0;
    if (number == 2147483647)
        return 2;
    return number == -2147483647 - 1 ? 3 : 1;
}

/* How a float and an integer disagree. */
int digits_lost(float f, int n)
{
    int lost = 0;

    if (f > -1000.0f && f < 1000.0f && (int)f != f)
        lost = 1;
    if ((long)(float)n != n)
        lost += 2;
    if ((unsigned char)n != n && (short)n == n)
        lost += 4;
    return lost;
}
