/* buffer.c: the lines, and their place in memory */
#include "ed.h"

char *malloc();
char *strcpy();
unsigned strlen();

/* keep a copy of a line */
char *save(s)
char *s;
{
    char *p;

    p = malloc(strlen(s) + 1);
    if (p != 0)
        strcpy(p, s);
    return p;
}

/* put a line behind line n */
int insert(n, s)
int n;
char *s;
{
    int i;
    char *p;

    if (n < 0 || n > nlines || nlines >= MAXLINES)
        return ERR;
    if (strlen(s) > LINESIZE)
        return ERR;
    if ((p = save(s)) == 0)
        return ERR;
    for (i = nlines; i > n; i--)
        lines[i] = lines[i - 1];
    lines[n] = p;
    nlines++;
    dot = n + 1;
    changed = 1;
    return OK;
}

/* take lines m to n away */
int delete(m, n)
int m, n;
{
    int i;

    if (m < 1 || n < m || n > nlines)
        return ERR;
    for (i = m - 1; i < n; i++)
        free(lines[i]);
    for (i = n; i < nlines; i++)
        lines[i - (n - m + 1)] = lines[i];
    nlines -= n - m + 1;
    dot = m > nlines ? nlines : m;
    changed = 1;
    return OK;
}
