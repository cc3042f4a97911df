/* search.c: text in lines */
#include "ed.h"

/* does s begin with t? */
static prefix(s, t)
char *s, *t;
{
    while (*t != '\0')
        if (*s++ != *t++)
            return 0;
    return 1;
}

/* where t is in s, from 0; ERR if it is not */
int find(s, t)
char *s, *t;
{
    int i;

    for (i = 0; s[i] != '\0'; i++)
        if (prefix(s + i, t))
            return i;
    return ERR;
}

/* the next line with t in it, behind the current one and round to it again; ERR if there is none */
int search(t)
char *t;
{
    int i, n;

    n = dot;
    for (i = 0; i < nlines; i++) {
        if (++n > nlines)
            n = 1;
        if (find(lines[n - 1], t) != ERR)
            return n;
    }
    return ERR;
}
