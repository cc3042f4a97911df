/* A function that falls off its end has no result to read. Only a caller that uses it makes a fault of that. */

/* bug: uses() looks at a result that there is not. It is missing here. */
int half(int a)
{
    if (a > 3)
        return a / 2;
}

/* none: nobody uses what it does not give. */
int third(int a)
{
    if (a > 3)
        return a / 3;
}

/* none: what it leaves can be seen all the same. */
int set(int p[static 1], int a)
{
    if (a > 3) {
        *p = 1;
        return 7;
    }
    *p = 2;
}

/* none: the result is not used. */
int ignores(int a)
{
    third(a);
    return a > 0;
}

/* none: see half(). */
int uses(int a)
{
    if (half(a) == 2)
        return 1;
    return 0;
}
