/* Expected: fits 2/2; asks_fits 2/2.
   tarka-flags: -std=gnu89 */
extern __inline__ int fits(int x)
{
    if (x > 3)
        return 1;
    return 0;
}

int asks_fits(int x)
{
    if (fits(x))
        return 1;
    return 0;
}
