/* Expected: statements 2/2; ranges 6/6; computed 2/2; automatic 2/2; zero 4/4; done 2/2; cleaned 2/2; inside 2/2; elvis 2/2;
   local 2/2; united 2/2; vector - "vector_size"; half - "_Float16". */
int statements(int x)
{
    int y = ({ int t = x; if (t > 10) t = 10; t; });
    return y;
}

int ranges(int c)
{
    switch (c) {
    case 'a' ... 'z': return 1;
    case '0' ... '9': return 2;
    default: return 0;
    }
}

int computed(unsigned op)
{
    static void *table[] = {&&first, &&second};
    if (op > 1)
        return -1;
    goto *table[op];
first:
    return 10;
second:
    return 11;
}

int automatic(int x)
{
    __auto_type y = x;
    if (y == 3)
        return 1;
    return 0;
}

struct tail {
    int n;
    int v[0];
};

int zero(struct tail *z)
{
    if (!z || z->n != 2)
        return -1;
    return z->v[1];
}

static void done(int *p)
{
    if (*p == 3)
        *p = 0;
}

int cleaned(int x)
{
    int y __attribute__((cleanup(done))) = x;
    if (y > 5)
        return y;
    return 1;
}

typedef int four __attribute__((vector_size(16)));

int inside(short a, short b)
{
    four v = {a, b, a + b, 1};
    v = v * 2;
    if (v[2] == 14)
        return 1;
    return 0;
}

int elvis(int x) { return x ?: 7; }

int local(int x)
{
    __label__ out;
    if (x == 2)
        goto out;
    return 1;
out:
    return 0;
}

union either {
    int i;
    float f;
};

int united(union either u)
{
    if (u.f > 2.0f)
        return 1;
    return 0;
}

int vector(four v)
{
    if (v[0] == 5)
        return 1;
    return 0;
}

_Float16 half(_Float16 x)
{
    if (x > 2)
        return 1;
    return 0;
}
