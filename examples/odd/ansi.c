/* Expected: look 8/8; asked 4/4; call 4/4; length 4/4; large 2/2.
   tarka-flags: -ansi -pedantic-errors -Wall -Wextra -Werror */
#include <stddef.h>

typedef struct {
    int kind;
    union {
        int i;
        char *s;
    } u;
    double w;
    char name[8];
} item;

int look(const item *it, int n)
{
    int i, found = 0;
    for (i = 0; i < n; i++) {
        if (it[i].kind == 1 && it[i].u.i > 100)
            found++;
        if (it[i].w < 0.5)
            found += 2;
    }
    return found;
}

extern int read_sensor(int channel, int *value);

int asked(int channel)
{
    int value;
    if (read_sensor(channel, &value) < 0)
        return -1;
    if (value > 100)
        return 1;
    return 0;
}

typedef int (*callback)(int);

int call(callback f, int x)
{
    if (f && f(x) == 3)
        return 1;
    return 0;
}

struct node {
    struct node *next;
    int value;
};

int length(struct node *n)
{
    int k = 0;
    while (n) {
        k++;
        n = n->next;
        if (k > 3)
            break;
    }
    return k;
}

int large(long x)
{
    if (x > 3000000000L)
        return 1;
    return 0;
}
