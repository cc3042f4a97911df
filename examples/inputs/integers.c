/* Integers of every width, booleans, enumerations and wide characters. */
#include <stdbool.h>
#include <wchar.h>

int narrow(signed char level, unsigned short code)
{
    if (level == -128)
        return 1;
    if (code > 65000 && code % 7 == 3)
        return 2;
    return 0;
}

int wide(long long balance, unsigned long mask)
{
    if (balance < -9000000000000000000LL)
        return 1;
    if ((mask & 0xff00000000000000ul) == 0xa500000000000000ul)
        return 2;
    return 0;
}

int huge(__int128 total)
{
    if (total > (__int128)1 << 100) {
        if ((total & 0xffff) == 0xbeef)
            return 2;
        return 1;
    }
    return total < 0 ? -1 : 0;
}

int switches(_Bool on, bool ready)
{
    if (on && !ready)
        return 1;
    return 0;
}

enum colour { RED = 3, GREEN = 5, BLUE = 9 };

const char *colour_name(enum colour colour)
{
    switch (colour) {
    case RED:
        return "red";
    case GREEN:
        return "green";
    case BLUE:
        return "blue";
    }
    return "none";
}

int wide_digit(wchar_t letter)
{
    if (letter == L'\u00e9')
        return -1;
    return letter >= L'0' && letter <= L'9';
}
