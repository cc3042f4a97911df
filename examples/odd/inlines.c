/* Expected: fits 2/2; asks_fits 4/4; plain_inline 2/2; asks_plain 2/2. Definitions for inlining only, of GNU C and of C99. */
extern int fits(int x);
extern inline __attribute__((gnu_inline)) int fits(int x)
{
    if (x > 3)
        return 1;
    return 0;
}

int asks_fits(int x)
{
    if (fits(x) && x != 9)
        return 1;
    return 0;
}

inline int plain_inline(int x)
{
    if (x == 3)
        return 1;
    return 0;
}

int asks_plain(int x)
{
    if (plain_inline(x))
        return 2;
    return 0;
}
