/* Expected: largest 2/2; narrow 4/4; quadrant 6/6; corner 4/4; sum 4/4; asks 2/2; calls 4/4; apply 4/4; text 8/8.
   tarka-flags: -std=c89 -pedantic */
struct point { int x, y; };
typedef int (*operation)();

int helper();

int largest(a, b)
int a, b;
{
    if (a > b)
        return a;
    return b;
}

int narrow(s, c, f)
short s;
char c;
float f;
{
    if (s > 30000 && c == 'x')
        return f > 1.5f;
    return 0;
}

int quadrant(p)
struct point *p;
{
    if (!p)
        return 0;
    if (p->x > 0 && p->y > 0)
        return 1;
    return 2;
}

int corner(p)
struct point p;
{
    if (p.x == 7 && p.y == 9)
        return 1;
    return 0;
}

int sum(values, n)
int values[];
unsigned n;
{
    int total = 0;
    unsigned i;
    for (i = 0; i < n; i++)
        total += values[i];
    if (total == 42)
        return 1;
    return 0;
}

int asks(n)
int n;
{
    if (helper(n, 3) == 77)
        return 1;
    return 0;
}

int calls(n)
int n;
{
    if (n > 10) {
        if (largest(n, 3) == 12)
            return 1;
    }
    return 2;
}

int apply(f, n)
operation f;
int n;
{
    if (!f)
        return -1;
    if ((*f)(n) == 5)
        return 1;
    return 0;
}

int text(s)
char *s;
{
    if (s && s[0] == 'h' && s[1] == 'i' && !s[2])
        return 1;
    return 0;
}
