/* Preconditions: in tarka.toml beside this file, as attributes, and as assertions at entry. Without them, faults and
   sides that no caller can reach would be reported. tarka-flags: -std=c11 */
#include <assert.h>
#include <stddef.h>

/* tarka.toml: 0 <= n <= 16 */
int scaled(int n)
{
    int table[17] = {0};

    table[n] = n;
    if (n > 16)
        return -1;
    return table[n] == 9 ? 1 : 0;
}

__attribute__((nonnull(1))) int first_letter(const char *text, const char *fallback)
{
    if (text[0] == '\0')
        return fallback != NULL ? fallback[0] : 0;
    return text[0];
}

int percent(int part, int whole)
{
    assert(whole > 0);
    assert(part >= 0 && part <= whole);
    if (part == whole)
        return 100;
    return part > whole / 2 ? 75 : 25;
}

struct range {
    int low, high;
};

/* tarka.toml: range != NULL && range->low <= range->high */
int clamp(const struct range *range, int value)
{
    if (value < range->low)
        return range->low;
    if (value > range->high)
        return range->high;
    if (range->low > range->high)
        return 0;
    return value;
}

int promised(int x)
{
#ifdef __clang__
    __builtin_assume(x > 10);
#endif
    if (x == 11)
        return 1;
    if (x == 5)
        return 2;
    return 0;
}
