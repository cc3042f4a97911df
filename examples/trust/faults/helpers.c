/* Static functions: what their callers in this file can do decides. */
#include <stddef.h>

static const unsigned steps[8] = { 1, 2, 3, 5, 8, 13, 21, 34 };
static unsigned seen;

/* bug: step_up_to lets 8 pass, so this is reached. */
static unsigned step_at(unsigned n)
{
    return steps[n];
}

/* none: the fault is in step_at, once. */
unsigned step_up_to(unsigned n)
{
    if (n > 8)
        return 0;
    return step_at(n);
}

/* none: a second caller makes no second report. */
unsigned step_after(unsigned n)
{
    if (n >= 8)
        return 0;
    return step_at(n + 1);
}

/* contract: its only caller holds n below 8; it happens if called otherwise. */
static unsigned safe_step(unsigned n)
{
    return steps[n];
}

/* none: the check is right. */
unsigned step_below(unsigned n)
{
    if (n >= 8)
        return 0;
    return safe_step(n);
}

/* contract: its only caller passes a local. */
static unsigned count_one(unsigned *counter)
{
    return ++*counter;
}

/* none: a local is never null. */
unsigned count_twice(unsigned from)
{
    unsigned counter = from;

    count_one(&counter);
    return count_one(&counter);
}

/* bug: find_step gives null for what it does not know, and step_distance passes it on. */
static unsigned distance_to(const unsigned *step)
{
    return *step - 1;
}

/* none: null is an answer. */
static const unsigned *find_step(unsigned value)
{
    size_t i;

    for (i = 0; i < 8; i++)
        if (steps[i] == value)
            return &steps[i];
    return NULL;
}

/* none: the fault is in distance_to. */
unsigned step_distance(unsigned value)
{
    return distance_to(find_step(value));
}

/* contract, reached unknown: whether three cubes so small sum to 114 takes a long search. */
static unsigned rare_step(unsigned n)
{
    return steps[n];
}

/* none: see rare_step. */
unsigned step_of_cubes(int x, int y, int z)
{
    long long a = x, b = y, c = z;

    if (a < -100000 || a > 100000 || b < -100000 || b > 100000 || c < -100000 || c > 100000)
        return 0;
    if (a * a * a + b * b * b + c * c * c == 114)
        return rare_step(8);
    return rare_step(0);
}

/* bug: no caller can prevent it. */
static unsigned clear_marks(void)
{
    unsigned marks[4], i;

    for (i = 0; i <= 4; i++)
        marks[i] = 0;
    return marks[0];
}

/* none: the fault is in clear_marks. */
unsigned restart(void)
{
    seen = 0;
    return clear_marks();
}
