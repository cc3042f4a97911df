// Conditions in every place an expression may stand; the output shows each value and how often each side was taken.
#include <stdio.h>

struct flags {
    unsigned low : 3;
    signed high : 4;
    _Bool set : 1;
};
static int calls;
static int id(int x) {
    calls++;
    return x;
}
static int twice(int x) {
    return 2 * x;
}
static int thrice(int x) {
    return 3 * x;
}

static int elvis(int n, struct flags *f, char *name, double d, int (*function)(int)) {
    char letters[3] = "ab";
    int a = id(n) ?: 7;
    int b = f->low ?: 9;
    int c = f->high ?: -9;
    int s = f->set ?: 5;
    char *text = name ?: "none";
    char *always = letters ?: "none";
    double e = d ?: 2.5;
    int (*g)(int) = function ?: thrice;
    int nested = id(n - 1) ?: id(n - 2) ?: id(n - 3);
    int both = (n > 2 && id(n)) ?: (n ? 11 : 12);
    unsigned char small = n;
    long mixed = small ?: -1L;
    if (n ?: id(0))
        a++;
    printf("%d %d %d %d %s %s %.1f %d %d %d %ld\n", a, b, c, s, text, always, e, g(3), nested, both, mixed);
    return a;
}

static int logic(int a, int b, int c) {
    int r = a && b || c;
    r += (a || b) && !(c || !a) ? 1 : 2;
    r += !!(a && b) + !(a || c) * 4;
    r <<= a && (b, c);
    r += a > b ? b > c ? 1 : 2 : b > c ? 3 : 4;
    r += (a ? id : twice)(b ? c : a);
    r += ({
        int t = 0;
        for (int i = 0; i < 3 && t < 5; i++)
            t += a ? i : 1;
        t && b;
    });
    r += (long)(a && b) == (c ? 1 : 0);
    r += __builtin_expect(a && !b, 0) ? 10 : 20;
    int array[] = { a && b, [3] = c ? 5 : 6, a || c };
    struct { int x, y; } pair = { .y = a ? b : c, .x = b && c };
    r += array[a && b] + array[3] + array[4] + pair.x + pair.y + ((struct { int z; }){ c || a }).z;
    do
        r--;
    while (r > 40 && id(r) % 3);
    while (r > 20 || (a && r > 10))
        r -= 3;
    if (a) if (b) r++; else r += 2; else if (c) r += 3;
    return r;
}

static int odd(int a, int *p, float f) {
    int r = 0;
    if (p) r |= 1;
    if (!p) r |= 2;
    if (f) r |= 4;
    if (!f || f > 1.5f) r |= 8;
    if ((a, id(a))) r |= 16;
    if ((r = a)) r |= 32;
    if (a & 1 ? !p : !!p) r |= 64;
    if (1 && a) r |= 128;
    if (a && 0) r |= 256;
    if (0 || a) r |= 512;
    if ((a && 0) == 0) r |= 1024;
    if ((id(a) || 1, 1) && (a || 1, (void)0, 1)) r |= 32768;
    if (({ 1; }) && a) r |= 2048;
    if (({ id(a); 1; })) r |= 4096;
    if (a + 0 * 3 && sizeof(a) == 4) r |= 8192;
    for (int i = a; ; i++) { if (i > 3) break; r++; }
    for (; id(a) && a; ) a--;
    for (int i = 0, j = 3; i < j; i++, j--) r += i;
    return r + __alignof__(a) + sizeof(a ? 1 : 2); // llvm-cov: +1
}

int main(void) {
    struct flags none = { 0 }, some = { 3, -2, 1 };
    for (int n = 0; n < 5; n++) {
        elvis(n, n & 1 ? &none : &some, n > 2 ? "name" : 0, n * 0.5, n & 2 ? twice : 0);
        for (int m = -1; m < 2; m++)
            printf("%d %d ", logic(n, m, n - 2), logic(m, n, 1));
        printf("%d %d\n", odd(n, n & 1 ? &n : 0, n * 0.75f), calls);
    }
    return 0;
}
