/* subst.c: one text for another */
#include "ed.h"

extern find(), insert(), delete();

/* put `new' for the first `old' of the current line */
int subst(old, new)
char *old, *new;
{
    register char *to;
    char *from;
    int at, n;

    if (dot < 1 || dot > nlines || *old == '\0')
        return ERR;
    from = lines[dot - 1];
    if ((at = find(from, old)) == ERR)
        return ERR;
    to = work;
    while (at-- > 0)
        *to++ = *from++;
    while (*new != '\0')
        *to++ = *new++;
    while (*old++ != '\0')
        from++;
    while ((*to++ = *from++) != '\0')
        ;
    n = dot;
    if (insert(n, work) == ERR)
        return ERR;
    return delete(n, n);
}
