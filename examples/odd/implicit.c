/* Expected: unknown_int 2/2; measures 4/4; absolute 2/2; later 2/2; defined_later 0/0.
   tarka-flags: -std=gnu89 */
unknown_int(n)
{
    if (n == 4)
        return nobody(n) == 9;
    return nobody_else(n) > 3;
}

/* Nobody declared them, and what is symbolic goes through them all the same. */
measures(s)
char *s;
{
    if (s && strlen(s) == 3)
        return 1;
    return 0;
}

absolute(n)
{
    if (abs(n) == 7)
        return 1;
    return 0;
}

later(n)
{
    if (defined_later(n) == 12)
        return 1;
    return 0;
}

defined_later(n)
{
    return n - 3;
}
