/* Goals that no input can reach. In each function every other side is possible. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Above 5 is never below 3. */
int window(int x)
{
    if (x > 5) {
        if (x < 3)
            return -1;
        return 1;
    }
    return 0;
}

/* The order of three values is known after two tests. */
int between(int low, int x, int high)
{
    if (low > x || x > high)
        return 0;
    if (low > high)
        return -1;
    return 1;
}

/* Both numbers have passed their checks, so the sum is below 300. */
int sum_of_two(int a, int b)
{
    if (a < 0 || a >= 100)
        return -1;
    if (b < 0 || b >= 200)
        return -2;
    if (a + b >= 300)
        return -3;
    return a + b == 298 ? 1 : 0;
}

/* The rest of a division by 7 is 0 to 6. */
int weekday(unsigned x)
{
    if (x % 7 == 6)
        return 1;
    if (x % 7 == 9)
        return -1;
    return 0;
}

/* Two bits are never four. */
int two_bits(unsigned x)
{
    if ((x & 3) == 3)
        return 1;
    if ((x & 3) == 4)
        return -1;
    return 0;
}

/* An unsigned number is not negative. */
int left_in_stock(unsigned stock, unsigned wanted)
{
    unsigned left = stock - wanted;

    if (left < 0)
        return -1;
    return left > stock ? 1 : 0;
}

/* The squares of -100 to 100 are 0 to 10000. */
int square_class(int x)
{
    if (x < -100 || x > 100)
        return 0;
    if (x * x > 10000)
        return -1;
    if (x * x < 0)
        return -2;
    return x * x == 8281 ? 2 : 1;
}

/* After sorting, the first is not above the last. */
int spread(int a, int b, int c)
{
    int t;

    if (a > b) {
        t = a;
        a = b;
        b = t;
    }
    if (b > c) {
        t = b;
        b = c;
        c = t;
        if (b < a) {
            t = a;
            a = b;
            b = t;
        }
    }
    if (a > c)
        return -1;
    return a == c ? 0 : 1;
}

/* Outside 1 to 3 has returned before the switch. */
int gear_ratio(int gear)
{
    if (gear < 1 || gear > 3)
        return 0;
    switch (gear) {
    case 1:
        return 38;
    case 2:
        return 21;
    case 3:
        return 14;
    case 4:
        return 10;
    default:
        return -1;
    }
}

enum { STOPPED, RUNNING, PAUSED };

/* Any other value is turned into STOPPED first. */
int lamp_of(int state)
{
    if (state != RUNNING && state != PAUSED)
        state = STOPPED;
    switch (state) {
    case 0:
        return 'r';
    case 1:
        return 'g';
    case 2:
        return 'y';
    default:
        return -1;
    }
}

struct status {
    unsigned mode : 3;
    unsigned error : 1;
};

/* Three bits hold 0 to 7. */
int mode_class(const struct status *s)
{
    if (s->mode == 7)
        return 1;
    if (s->mode == 9)
        return -1;
    return s->error ? 2 : 0;
}

/* A byte ends at 255. */
int byte_class(unsigned char c)
{
    if (c > 300)
        return -1;
    return c > 250 ? 1 : 0;
}

/* One more than a byte is computed as an int, so it is never 0. */
int after_byte(unsigned char c)
{
    if (c + 1 == 0)
        return -1;
    return c + 1 == 256 ? 1 : 0;
}

/* What was an int is a number. */
int from_int(int x)
{
    double d = x;

    if (d != d)
        return -1;
    return d < -0.5 ? 1 : 0;
}

/* An int is equal to itself. */
int itself(int x)
{
    if (x != x)
        return -1;
    return x == 12 ? 1 : 0;
}

/* A digit is not a letter. */
int char_class(char c)
{
    if (c >= '0' && c <= '9') {
        if (c == 'x')
            return -1;
        return 1;
    }
    return c == '-' ? 2 : 0;
}

/* A text that starts with a letter is not empty. */
int word_class(const char *word)
{
    if (word[0] < 'a' || word[0] > 'z')
        return 0;
    if (strlen(word) == 0)
        return -1;
    return word[1] == '\0' ? 1 : 2;
}

/* At most seven rounds add at most seven. */
int rounds(unsigned n)
{
    unsigned count = 0;
    unsigned i;

    for (i = 0; i < (n & 7); i++)
        count++;
    if (count > 7)
        return -1;
    return count == 7 ? 1 : 0;
}

/* 0 + 1 + 2 + 3 is 6, and 12 if every step is doubled. */
int weighted(const unsigned char flags[4])
{
    int sum = 0;
    int i;

    for (i = 0; i < 4; i++)
        sum += flags[i] & 1 ? 2 * i : i;
    if (sum < 6)
        return -1;
    if (sum > 12)
        return -2;
    return sum == 9 ? 1 : 0;
}

static int sign_of(int x)
{
    if (x > 0)
        return 1;
    return x < 0 ? -1 : 0;
}

/* A sign is -1, 0 or 1. */
int turn(int x, int y)
{
    if (sign_of(x) > 1)
        return -1;
    if (sign_of(x) + sign_of(y) < -2)
        return -2;
    return sign_of(x) + sign_of(y) == 0 ? 1 : 0;
}

/* Two answers of yes make 2 at most. */
int votes(int a, int b)
{
    int yes = (a > 0) + (b > 0);

    if (yes > 2)
        return -1;
    return yes == 2 ? 1 : 0;
}

/* The variable holds 1, 2 or 3 only. */
int priority(unsigned urgency)
{
    int level = 1;

    if (urgency > 1000)
        level = 3;
    else if (urgency > 10)
        level = 2;
    if (level != 1 && level != 2 && level != 3)
        return -1;
    return level * 10;
}

/* Two bits have four values, and all of them have a case. */
int quarter(unsigned angle)
{
    switch (angle >> 30) {
    case 0:
        return 1;
    case 1:
        return 2;
    case 2:
        return 3;
    case 3:
        return 4;
    default:
        return -1;
    }
}

/* Of two neighbours one is even, so the product is. */
int triangular(unsigned n)
{
    if (n * (n + 1) % 2 != 0)
        return -1;
    return n * (n + 1) / 2 == 55 ? 1 : 0;
}

/* A pointer is null or it is not. */
int pointer_class(const int *p)
{
    if (p && !p)
        return -1;
    return p == NULL ? 0 : 1;
}

struct pair {
    int a;
    int b;
};

/* The first member of an object that exists has an address. */
int pair_class(struct pair *s)
{
    if (s == NULL)
        return 0;
    if (&s->a == NULL)
        return -1;
    return s->b == 4 ? 2 : 1;
}

/* From -50 to 50 nothing is further from zero than 50. */
int tilt(int x)
{
    if (x < -50 || x > 50)
        return 0;
    if (abs(x) > 50)
        return -1;
    return abs(x) == 50 ? 2 : 1;
}

static int clamped(int x, int low, int high)
{
    if (x < low)
        return low;
    return x > high ? high : x;
}

/* A clamped value stays within its bounds. */
int volume(int wanted)
{
    int level = clamped(wanted, 10, 90);

    if (level > 90)
        return -1;
    if (level < 10)
        return -2;
    return level == 90 ? 1 : 0;
}

/* A copy has the values of the original until one of the two is changed. */
int copy_class(const struct pair *s)
{
    struct pair copy = *s;

    if (copy.a != s->a)
        return -1;
    copy.b = s->b ^ 1;
    if (copy.b == s->b)
        return -2;
    return copy.b == 8 ? 1 : 0;
}

/* The index is 0 to 3, and no entry of the table is above 9. */
int table_class(unsigned n)
{
    static const int table[4] = { 2, 3, 5, 9 };
    int value = table[n % 4];

    if (value > 9)
        return -1;
    if (value == 4)
        return -2;
    return value == 5 ? 1 : 0;
}

/* One of the two first tests always returns, so what follows is never asked. */
int never_asked(int x, int y)
{
    if (x > 0)
        return 1;
    if (x <= 0)
        return 2;
    if (y > 3)
        return 3;
    return 4;
}

/* Half of a byte is 127 at most, and twice that half is even. */
int halves(unsigned char c)
{
    int half = c / 2;

    if (half > 127)
        return -1;
    if (half * 2 % 2 == 1)
        return -2;
    return half * 2 == c ? 1 : 0;
}

/* The smaller of two is not above either. */
int smaller(int a, int b)
{
    int min = a < b ? a : b;

    if (min > a)
        return -1;
    if (min > b)
        return -2;
    return min == a ? 1 : 0;
}

/* If the masks have no bit in common, the sum is the same as the union. */
int union_of_masks(unsigned a, unsigned b)
{
    if ((a & b) != 0)
        return 0;
    if ((a | b) != a + b)
        return -1;
    return (a | b) == 0xffu ? 2 : 1;
}
