// Statements of every kind where a probe must find its place: labels, cases, bodies without braces, attributes, pragmas.
#include <setjmp.h>
#include <stdio.h>

struct pair { int a, b; };
static int calls;
static int call(int x) { calls++; return x; }
static int sum(struct pair p) { return p.a + p.b; }

static int bodies(int n) {
    int r = 0, i;
    if (n) r = 1; else r = 2;
    if (n > 1) if (n > 2) r += 3; else r += 4;
    if (n > 5) r += 5; else if (n > 4) r += 6; else if (n > 3 && r) r += 7; else for (i = 0; i < n; i++) r += i;
    for (i = 0; i < n; i++) if (i & 1) continue; else r += i;
    while (n-- > 0) do r++; while (0);
    do if (r > 100) break; else r += 10; while (r < 50);
    if (r) ; else return -1;
    if (r) { } else r = 7;
    if (r > 3) r = sum((struct pair){r, 1}); else r = ((struct pair){r, 2}).b;
    if (r) switch (r & 3) case 1: case 2: r++; else r--;
    if (r) return r; else return 0;
}

static int labels(int n) {
    int r = 0;
    goto middle;
again:
    r += 10;
middle:;
    int late = r + 1;
    if (n > 0) inner: r++;
    switch (n) {
        int never = 3;
    case 0:
        r += 1;
    case 1: case 2:
        never = 4;
        r += never;
        break;
    case 3 ... 5: { r += 5; } break;
    default: if (r > 1000) done: return r + late;
    }
    if (r == 1) goto inner;
    if (r < 40) { n = (n + 1) % 7; goto again; }
    if (r < 2000) { r = 2000; goto done; }
    return r;
}

static int duff(int n) {
    int r = 0;
    switch (n % 4)
    case 0: do { r++;
    case 3: r += 2;
    case 2: r += 3;
    case 1: r += 4;
            } while ((n -= 4) > 0);
    return r;
}

static int expressions(int n) {
    int v = ({ int t = n; t++; t; }), w = ({ goto in; in: n + 1; });
    int x = ({ if (n) v++; n && v; });
    __extension__ int y = 3;
    __attribute__((unused)) int z = n;
    int vla[n + 1];
    vla[n] = v;
    for (int i = 0, j = n; i < j; i++, j--) vla[i] = j;
    if (n > 100) ({ return 9; });
    static int counted = 1;
    counted++;
    return v + w + x + y + vla[n] + (n ? ({ call(n); n; }) : ({ call(0); })) + counted;
}

static int pragmas(int n) {
    int r = 0;
#pragma clang loop unroll(disable)
    for (int i = 0; i < n; i++)
#pragma unroll 2
        for (int j = 0; j < i; j++) r += j;
    if (n)
#pragma GCC diagnostic push
        r++;
#pragma GCC diagnostic pop
    else
#pragma unroll
        while (n) n--;
    switch (n) {
    case 1:
        r++;
        __attribute__((fallthrough));
    case 2:
        __attribute__((nomerge)) call(n);
        break;
    }
    if (n > 1) __attribute__((nomerge)) call(n);
    __attribute__((musttail)) return call(r);
}

#define SWAP(a, b) do { int t_ = a; a = b; b = t_; } while (0)
#define UNLESS(c) if (c) ; else
#define EACH(i, n) for (int i = 0; i < (n); i++) if (i % 2) ; else
static int macros(int n) {
    int m = 5;
    SWAP(n, m);
    if (n) SWAP(n, m); else SWAP(m, n);
    UNLESS(n > 3) m++;
    EACH(i, n) m += i;
    return n * 100 + m;
}

__attribute__((naked)) static int naked(void) { __asm__("mov $42, %eax\n\tret"); }

static int assembler(int n) {
    if (n) __asm__ volatile("addl $1, %0" : "+r"(n)); else __asm__("");
    __asm__ goto("" : : : : out);
    n += 5;
out:
    return n;
}

static int old_style(a, b) int a; char b; { if (a) return b; return a; }

static jmp_buf jump;
static int leaves(int n) { if (n > 2) longjmp(jump, n); return n; }
static int jumps(int n) {
    if (setjmp(jump) || leaves(n)) return 1;
    return 0;
}

static int chain(int n) {
#define ONE(k) else if (n == k) return k + 1;
#define TEN(k) ONE(k) ONE(k + 1) ONE(k + 2) ONE(k + 3) ONE(k + 4) ONE(k + 5) ONE(k + 6) ONE(k + 7) ONE(k + 8) ONE(k + 9)
#define HUNDRED(k) TEN(k) TEN(k + 10) TEN(k + 20) TEN(k + 30) TEN(k + 40) TEN(k + 50) TEN(k + 60) TEN(k + 70) TEN(k + 80) TEN(k + 90)
    if (n < 0) return 0;
    HUNDRED(0) HUNDRED(100) HUNDRED(200)
    return -1;
}

int main(void) {
    for (int n = 0; n < 8; n++)
        printf("%d %d %d %d %d %d %d %d %d\n", bodies(n), labels(n), duff(n + 1), expressions(n), pragmas(n), macros(n),
               assembler(n), old_style(n, 'a'), jumps(n));
    printf("%d %d %d %d\n", naked(), chain(250), chain(400), calls);
    return 0;
}
