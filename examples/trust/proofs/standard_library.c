/* Library functions, errno, functions with a variable number of arguments. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* 7.22.1.4p8: a number that is too large gives LONG_MAX and ERANGE. The text
   of LONG_MAX itself gives LONG_MAX without an error. */
int parse_limit(const char *text, long *out)
{
    char *end;

    errno = 0;
    *out = strtol(text, &end, 10);
    if (end == text)
        return -1;
    if (*out == LONG_MAX) {
        if (errno == ERANGE)
            return 2;
        return 1;
    }
    return 0;
}

/* 7.22.1.4p5: strtoul takes a minus sign and negates the value, so "-1" gives
   ULONG_MAX and no error. */
int parse_size(const char *text, unsigned long *out)
{
    errno = 0;
    *out = strtoul(text, NULL, 10);
    if (errno != 0)
        return -1;
    if (text[0] == '-' && *out > 0)
        return 1;
    return 0;
}

/* 7.5p3: no library function sets errno to zero, so an error from before the
   call can still be there after a good conversion. */
int old_error(const char *text)
{
    long value = strtol(text, NULL, 10);

    if (value == 5 && errno == ERANGE)
        return 1;
    return 0;
}

/* 7.22.6.1: labs works on a long, so the absolute value of INT_MIN exists and
   is above INT_MAX. */
int too_large(int n)
{
    long size = labs((long)n);

    if (size > INT_MAX)
        return 1;
    return 0;
}

/* 7.22.6.2 and 6.5.5p6: div rounds towards zero, so for -1 and 7 the quotient
   is 0 and the remainder is negative. */
int week_back(int day)
{
    div_t d = div(day, 7);

    if (d.quot == 0) {
        if (d.rem < 0)
            return -1;
        return 1;
    }
    return 0;
}

/* 7.4p1 and 7.4.2.2: the argument may be EOF, and toupper gives it back. So
   the result can be negative. */
int upper_of(int c)
{
    int up = toupper(c);

    if (up < 0)
        return 0;
    return up;
}

/* 7.4.1p1: isalpha gives some value that is not zero, and here it is not 1. c
   is an unsigned char or EOF. */
int letter_weight(int c)
{
    int letter = isalpha(c);

    if (letter > 1)
        return 2;
    return 0;
}

/* 7.24.4p1: memcmp compares as unsigned char while char is signed here, so the
   two orders can disagree. */
int orders_disagree(const char *a, const char *b)
{
    if (a[0] < b[0]) {
        if (memcmp(a, b, 1) > 0)
            return 1;
        return 0;
    }
    return -1;
}

/* 7.24.5.2p2: the terminating null character counts as part of the string, so
   strchr finds it. */
int operator_kind(char c)
{
    if (strchr("+-*/", c) != NULL) {
        if (c == '\0')
            return -1;
        return 1;
    }
    return 0;
}

/* 7.24.5.2p2: strchr converts its int to char, so 256 + '+' is found too. */
int operator_code(int code)
{
    if (strchr("+-*/", code) != NULL && code > 255)
        return 1;
    return 0;
}

/* 7.24.5.7p3: an empty word is found at the start of every text. */
int found_nothing(const char *text, const char *word)
{
    const char *hit = strstr(text, word);

    if (hit != NULL) {
        if (*word == '\0')
            return -1;
        return 1;
    }
    return 0;
}

/* 7.24.5.8p2: strtok remembers the line, so a later call with NULL can still
   find a word. The caller keeps the line until then. */
int word_step(char *line)
{
    static int started;
    char *word;

    if (line != NULL)
        started = 1;
    if (!started)
        return -1;
    word = strtok(line, " ");
    if (line == NULL && word != NULL)
        return 2;
    return 0;
}

/* 7.24.2.4p2: strncpy writes no null character when the text has four or more
   characters. */
int code_is_open(const char *text)
{
    char code[5];

    code[4] = 'x';
    strncpy(code, text, 4);
    if (memchr(code, '\0', sizeof code) == NULL)
        return 1;
    return 0;
}

/* 7.21.6.5p3: snprintf returns the length it would have needed, so the result
   can be above the size of the buffer. */
int does_not_fit(int value)
{
    char text[8];
    int needed = snprintf(text, sizeof text, "%d", value);

    if (needed > (int)sizeof text)
        return 1;
    return text[0];
}

/* 7.22.3p1: malloc returns NULL when there is no room, as for a size of
   SIZE_MAX. */
char *reserve(size_t size)
{
    char *block;

    if (size == 0)
        return NULL;
    block = malloc(size);
    if (block == NULL)
        return NULL;
    block[0] = '\0';
    return block;
}

static int compared;

static int by_value(const void *left, const void *right)
{
    int a = *(const int *)left;
    int b = *(const int *)right;

    compared++;
    if (a < b)
        return -1;
    if (a > b)
        return 1;
    return 0;
}

/* 7.22.5.2: qsort calls the function of this file, which changes compared. It
   may need more calls than there are values. */
int sort_is_costly(int *values, size_t count)
{
    compared = 0;
    qsort(values, count, sizeof *values, by_value);
    if (compared > (int)count)
        return 1;
    return 0;
}

/* 7.27.2.3p2: mktime brings the fields into their ranges, so 31 February
   becomes a day in March. */
int day_moves(int month, int day)
{
    struct tm date = { 0 };

    if (month < 0 || month > 11)
        return -1;
    if (day < 1 || day > 31)
        return -1;
    date.tm_year = 123;
    date.tm_mon = month;
    date.tm_mday = day;
    date.tm_hour = 12;
    mktime(&date);
    if (date.tm_mon != month)
        return 1;
    return 0;
}

static long sum_of(int count, ...)
{
    va_list list;
    long sum = 0;
    int i;

    va_start(list, count);
    for (i = 0; i < count; i++)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}

/* 6.5.2.2p6: the unsigned chars are passed as int, so their sum is not cut
   off at 255. */
int over_full(unsigned char a, unsigned char b, unsigned char c)
{
    if (sum_of(3, a, b, c) > 255)
        return 1;
    return 0;
}

static int count_until_zero(int first, ...)
{
    va_list list;
    int value = first;
    int count = 0;

    va_start(list, first);
    while (value != 0) {
        count++;
        value = va_arg(list, int);
    }
    va_end(list);
    return count;
}

/* 7.16.1.1p2: each va_arg gives the next argument. The list ends at the first
   zero, and that can be one of the three values. */
int ends_early(int a, int b, int c)
{
    int count = count_until_zero(a, b, c, 0);

    if (count < 3)
        return 1;
    return 0;
}
