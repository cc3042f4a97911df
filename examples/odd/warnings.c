/* Expected: small 2/2; pointed 4/4; real 2/2; stubbed 2/2.
   tarka-flags: -std=c99 -Wall -Wextra -Wpedantic -Weverything -Werror -Werror=unused-function */
struct pair {
    int a;
    int b;
};
int small(int x);
int pointed(const struct pair *p);
double real(double x);
int stubbed(int x);
extern int outside(int x, int *out);

int small(int x)
{
    if (x == 3)
        return 1;
    return 0;
}

int pointed(const struct pair *p)
{
    if (p && p->a == 3)
        return 1;
    return 0;
}

double real(double x)
{
    if (x > 1.0)
        return 1.0;
    return x;
}

int stubbed(int x)
{
    int o = 0;
    if (outside(x, &o) == 3)
        return o;
    return 0;
}
