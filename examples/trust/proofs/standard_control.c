/* Switch, jumps, order of evaluation, side effects, long texts. */
#include <stddef.h>
#include <string.h>

/* 6.8.1p4: a label does not stop control. Without a break it goes on into the
   next case, so role 3 collects all the rights. */
int rights_of(int role)
{
    int rights = 0;

    switch (role) {
    case 3:
        rights += 4;
        /* fall through */
    case 2:
        rights += 2;
        /* fall through */
    case 1:
        rights += 1;
        break;
    default:
        break;
    }
    if (rights == 7)
        return 1;
    return 0;
}

/* 6.8.4.2p4: a switch may jump into the middle of a loop. The do loop runs
   once even for count 0 and then copies 4 bytes, so both areas hold at least 4. */
int copy_by_four(char *to, const char *from, unsigned char count)
{
    int copied = 0;
    int rounds = (count + 3) / 4;

    switch (count % 4) {
    default:
        do {
            to[copied] = from[copied];
            copied++;
            /* fall through */
    case 3:
            to[copied] = from[copied];
            copied++;
            /* fall through */
    case 2:
            to[copied] = from[copied];
            copied++;
            /* fall through */
    case 1:
            to[copied] = from[copied];
            copied++;
        } while (--rounds > 0);
    }
    if (copied > count)
        return -1;
    return copied;
}

/* 6.3.1.3p2: the value is reduced to eight bits first, so -1 and 511 both go
   to case 255. */
int byte_class(int value)
{
    switch ((unsigned char)value) {
    case 0:
        if (value != 0)
            return -1;
        return 0;
    case 255:
        if (value < 0)
            return 1;
        return 2;
    default:
        return 3;
    }
}

/* 6.8.4.2p5: the case value is converted to the type of the controlling
   expression, here unsigned int, so -1 means UINT_MAX. */
int is_end_mark(unsigned mark)
{
    switch (mark) {
    case -1:
        return 1;
    default:
        return 0;
    }
}

/* 6.8.6.1p2: a goto may lead into the body of a loop. The condition is not
   tested first, so one pad is added even for 0. */
int pad_to(unsigned char width)
{
    int added = 0;

    if (width == 0)
        goto add;
    while (added < width) {
add:
        added++;
    }
    if (added > width)
        return -1;
    return added;
}

/* 6.8.6.2p2: continue in a do loop goes to the condition, so the loop can end
   without passing the last line. */
int stop_on_skip(int value)
{
    int left = 3;
    int done = 0;

    do {
        left--;
        if (value % 2 != 0)
            continue;
        done++;
    } while (left > 0);
    if (done == 0)
        return -1;
    return done;
}

static int last_number;

static int next_number(void)
{
    last_number = (last_number + 1) % 1000;
    return last_number;
}

/* 6.5.13p4: the right side of && is not evaluated when the left side is 0, so
   the number can stay as it was. */
int number_unused(int want)
{
    int before = last_number;

    if (want && next_number() > 0)
        return 1;
    if (last_number == before)
        return 0;
    return -1;
}

/* 6.5.14p4: the right side of || is skipped when the left side is true, so
   used can stay at 0 although the test has passed. */
int lazy_test(int quick, int value)
{
    int used = 0;

    if (quick || (used = value) > 10) {
        if (used == 0)
            return 1;
        return 2;
    }
    return 0;
}

/* 6.5.17p2: the left side of a comma is evaluated first, so the second test
   sees a larger value than the first one. */
int crosses(unsigned char value, unsigned char limit)
{
    int at = value;

    if (at > limit)
        return -1;
    if (at += 2, at > limit)
        return 1;
    return 0;
}

/* 6.5.3.4p2: the operand of sizeof is evaluated when its type is a variable
   length array, so rows is counted up. */
int sized_rows(unsigned char count, int grow)
{
    int rows = count + 1;
    size_t bytes = 0;

    if (grow)
        bytes = sizeof(int[rows++]);
    if (rows > count + 1)
        return (int)bytes;
    return 0;
}

/* 6.7.6.2p5: the size of the array is fixed when its declaration is reached.
   A later change of n does not change sizeof. */
int size_is_old(unsigned char count)
{
    int n = count + 1;
    char row[n];

    n = 1;
    row[0] = 'x';
    if (sizeof row > (size_t)n)
        return row[0];
    return 0;
}

/* 6.3.1.3p2: the length is kept modulo 256, so a text of 256 characters has
   the length 0. */
int looks_empty(const char *text)
{
    unsigned char length = (unsigned char)strlen(text);

    if (length == 0) {
        if (text[0] != '\0')
            return -1;
        return 1;
    }
    return 0;
}

/* 7.1.1p1: a string has no upper limit for its length, so a text can hold 300
   commas. */
int too_many_commas(const char *text)
{
    int commas = 0;
    char c;

    while ((c = *text++) != '\0')
        if (c == ',')
            commas++;
    if (commas >= 300)
        return 1;
    return 0;
}

/* 7.1.1p1: a key may be longer than 40 characters, and the part after them
   can matter. */
int long_key(const char *key)
{
    if (strlen(key) > 40) {
        if (key[40] == '@')
            return 2;
        return 1;
    }
    return 0;
}
