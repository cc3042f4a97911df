/* Expected: when 4/4; strcmp 4/4; copy 5/6; same 2/2; printf 2/2; exit 2/2; memcpy 4/4; fork 2/2; class 2/2.
   A unit with a library of its own: files call the real one for themselves.
   tarka-flags: -std=gnu89 */
extern char *malloc();
extern int strlen();
struct tm {
    int mine;
};

int when(t)
struct tm *t;
{
    if (t && t->mine == 5)
        return 1;
    return 0;
}

int strcmp(a, b)
char *a, *b;
{
    while (*a && *a == *b)
        a++, b++;
    return *a - *b;
}

char *copy(s)
char *s;
{
    char *p = malloc(8);
    if (!p)
        return 0;
    if (s && strlen(s) == 2)
        p[0] = 1;
    else
        p[0] = 2;
    return p;
}

int same(a)
char *a;
{
    if (strcmp(a, "xy") == 0)
        return 1;
    return 0;
}

int printf(const char *format, ...)
{
    if (format[0] == 'x')
        return 1;
    return 0;
}

extern void _exit(int);

void exit(int code)
{
    if (code == 3)
        _exit(4);
    _exit(5);
}

void *memcpy(void *to, const void *from, unsigned long n)
{
    char *p = to;
    const char *q = from;
    if (n > 4)
        return 0;
    while (n--)
        *p++ = *q++;
    return to;
}

int fork(void)
{
    static int calls;
    if (calls++ == 1)
        return 4;
    return 0;
}

int class(int this)
{
    if (this == 4)
        return 1;
    return 0;
}
