/* command.c: one command of the editor */
#include "ed.h"

/* NUMBER a TEXT appends, NUMBER d deletes, /TEXT searches, s OLD=NEW replaces */
int command(s)
char *s;
{
    int n;
    char *p;

    if (*s == '/') {
        if ((n = search(s + 1)) == ERR)
            return ERR;
        dot = n;
        return OK;
    }
    if (*s == 's') {
        for (p = ++s; *p != '='; p++)
            if (*p == '\0')
                return ERR;
        *p++ = '\0';
        return subst(s, p);
    }
    if ((n = address(&s)) == ERR)
        return ERR;
    switch (*s) {
    case 'a':
        return insert(n, s + 1);
    case 'd':
        return delete(n, n);
    case '\0':
        dot = n;
        return OK;
    }
    return ERR;
}
