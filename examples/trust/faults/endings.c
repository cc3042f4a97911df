/* Functions that do not end, or not as they should. */
#include <assert.h>
#include <stdlib.h>

static unsigned ticks;

/* bug: an odd number never becomes 0. */
unsigned count_pairs(unsigned n)
{
    ticks = 0;
    while (n != 0) {
        n -= 2;
        ticks++;
    }
    return ticks;
}

/* none: it ends for every number, after a while. */
unsigned count_pairs_down(unsigned n)
{
    ticks = 0;
    n %= 1000;
    while (n > 1) {
        n -= 2;
        ticks++;
    }
    return ticks;
}

/* none: a million rounds are an end. */
unsigned million_rounds(unsigned seed)
{
    unsigned i;

    for (i = 0; i < 1000000; i++)
        seed = seed * 1103515245u + 12345u;
    return seed;
}

/* bug: an odd number never comes to 0, so the calls go on. */
unsigned pairs_below(unsigned n)
{
    if (n == 0)
        return 0;
    return 1 + pairs_below(n - 2);
}

/* none: the depth is held. */
unsigned sum_below(unsigned n)
{
    if (n == 0 || n > 50)
        return 0;
    return n + sum_below(n - 1);
}

/* bug: 10 passes the check, and the assertion says it cannot. */
unsigned scaled(unsigned n)
{
    if (n > 10)
        return 0;
    ticks += n;
    assert(n < 10);
    return n * 3;
}

/* none: an assertion at the very beginning is what callers promise. */
unsigned scaled_promised(unsigned n)
{
    assert(n < 10);
    return n * 3;
}

/* none: two bits have four values. */
unsigned quarter(unsigned n)
{
    switch (n & 3) {
    case 0:
        return 0;
    case 1:
        return 25;
    case 2:
        return 50;
    case 3:
        return 75;
    default:
        abort();
    }
}
