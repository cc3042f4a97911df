/* address.c: which line is meant */
#include "ed.h"

/* a line number, `.' or `$', with +n or -n behind it; *pp is moved behind all that */
int address(pp)
char **pp;
{
    int n, sign;
    char *p;

    p = *pp;
    if (*p == '.') {
        n = dot;
        p++;
    } else if (*p == '$') {
        n = nlines;
        p++;
    } else if (*p >= '0' && *p <= '9')
        n = number(&p);
    else
        return ERR;
    if (*p == '+' || *p == '-') {
        sign = *p++ == '+' ? 1 : -1;
        n += sign * number(&p);
    }
    *pp = p;
    return n >= 0 && n <= nlines ? n : ERR;
}

/* digits; more than four are no line number here */
int number(pp)
char **pp;
{
    int n, digits;

    n = digits = 0;
    while (**pp >= '0' && **pp <= '9') {
        if (++digits <= 4)
            n = n * 10 + **pp - '0';
        (*pp)++;
    }
    return n;
}
