/* The first two functions depend on errno and on the library, so little can be proved about them. The functions below
 * have nothing to do with that, and what is impossible in them stays provable. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int last_port;

/* The text may be no number, or out of range for long; strtol tells by errno and by the end it stores. */
int parse_port(const char *text)
{
    char *end;
    long value;

    errno = 0;
    value = strtol(text, &end, 10);
    if (errno == ERANGE)
        return -3;
    if (end == text)
        return -2;
    if (*end != '\0')
        return -1;
    if (value < 1 || value > 65535)
        return 0;
    last_port = (int)value;
    return 1;
}

/* A variable of the environment may be missing or of any length. */
int home_class(void)
{
    const char *home = getenv("HOME");

    if (home == NULL)
        return -1;
    if (strlen(home) > 40)
        return 2;
    return errno != 0 ? 1 : 0;
}

/* Once the level is 10 or more, it cannot be below 5. */
int fan_speed(int level)
{
    if (level < 10)
        return 0;
    if (level < 5)
        return 1;
    return level > 90 ? 3 : 2;
}

/* A percentage that was clamped to 0 to 100 has 0 to 10 bars. */
int percent_bars(int percent)
{
    int bars;

    if (percent > 100)
        percent = 100;
    if (percent < 0)
        percent = 0;
    bars = percent / 10;
    if (bars > 10)
        return -1;
    if (bars < 0)
        return -2;
    return bars == 5 ? 1 : 0;
}

static int grade(unsigned points)
{
    if (points >= 90)
        return 1;
    return points >= 50 ? 2 : 3;
}

/* There are three grades, and no grade 4. */
int grade_letter(unsigned points)
{
    switch (grade(points)) {
    case 1:
        return 'A';
    case 2:
        return 'B';
    case 3:
        return 'C';
    case 4:
        return 'D';
    default:
        return '?';
    }
}

/* A multiple of 12 is a multiple of 4. */
int dozen_class(unsigned n)
{
    if (n % 12 == 0) {
        if (n % 4 != 0)
            return -1;
        return n > 144 ? 2 : 1;
    }
    return 0;
}

/* The literal in the assertion is never null, so only the pointer decides. After it the pointer is not null. */
int first_digit(const char *text)
{
    assert(text && "a text is needed");
    if (*text >= '0' && *text <= '9')
        return *text - '0';
    if (*text == '7')
        return -2;
    return -1;
}

/* Behind the assertion the count is 1 to 8, so the sum of two such counts is at most 16. */
int both_counts(int first, int second)
{
    assert(first >= 1 && first <= 8 && "first count");
    assert(second >= 1 && second <= 8 && "second count");
    if (first + second > 16)
        return -1;
    return first + second == 16 ? 1 : 0;
}
