// Corners of the language that a rewriter may trip over.
#include <complex.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

typedef int vec4 __attribute__((vector_size(16)));
struct item {
    alignas(16) int a;
    unsigned b : 5, : 3, c : 8;
    union { int x; float y; };
    char tail[];
};
static const int sizes[] = { [2] = 1 ? 5 : 6, [0] = 0 || 1 };
static int (*const operations[])(int);
static int negate(int x) { return -x; }
static int absolute(x, unused)
    int x;
    char unused;
{
    return x < 0 ? -x : unused && x ? x : x;
}
static int (*const operations[])(int) = { negate, 0 };
_Thread_local int counter = 3;

static int sum(int n, int table[n][n > 2 ? n : 2], ...) {
    va_list arguments;
    va_start(arguments, table);
    int total = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < (n > 2 ? n : 2); j++)
            total += table[i][j];
    while (n-- > 0 && total < 1000)
        total += va_arg(arguments, int) ?: 1;
    va_end(arguments);
    return total;
}
static int threaded(const char *code) {
    static void *labels[] = { &&increment, &&twice, &&stop };
    int value = 1;
    goto *labels[*code++ - '0'];
increment:
    value++;
    goto *labels[*code++ - '0'];
twice:
    value *= value > 100 ? 1 : 2;
    goto *labels[*code++ - '0'];
stop:
    return value;
}
static int generic(int x) {
    return _Generic(x, int: negate, default: absolute)(x && counter ? x : 1)
         + __builtin_choose_expr(sizeof(int) == 4, x ? 3 : 4, x ? "a" : "b") // llvm-cov: +1
         + __builtin_types_compatible_p(int, __typeof__(x ? 1 : 2));
}
static int assembler(int x) {
    int y;
    __asm__ volatile("" : "=r"(y) : "0"(x > 2 ? x : 2) : "memory");
    return y;
}
static int vectors(int x) {
    vec4 v = { x, x > 1 ? 2 : 3, 3, 4 };
    v = v + (vec4){ 1, 1, x && 1, 1 };
    double complex z = x + 2.0 * I;
    return v[0] + v[1] + v[2] + (z ? 1 : 0) + (creal(z) > 1 && cimag(z) > 1);
}
static int arrays(int n) {
    int fixed[sizeof(int) > 2 ? 3 : 1] = { 0 };
    char variable[n > 3 && n < 10 ? n : 4];
    typedef int row[n ? 2 : 3];
    row two;
    int filled[3] = { [0 ... 2] = n ? 4 : 5 }; // llvm-cov: +3
    two[0] = 1;
    __typeof__(n > 1 ? fixed[0] : 2) copy = n > 2 || n < -2;
    return (int)(sizeof variable + sizeof(row)) + two[0] + copy + fixed[0] + filled[2] + (int)offsetof(struct item, tail);
}
static jmp_buf place;
static int jumps(int n) {
    volatile int tries = 0;
    if (setjmp(place) < 3 && n)
        tries++, longjmp(place, tries);
    __auto_type done = tries > 2 ? 'y' : 'n';
    {
        __label__ out;
        if (n > 2) goto out;
        done++;
out:;
    }
    return done;
}
int main(int argc, char **argv) {
    int table[3][3] = { { 1, 2, 3 }, { 4, argc ? 5 : 6, 7 }, { 8 } };
    printf("%d %d\n", sum(3, table, 1, 0, 2), sum(1, table, 5));
    printf("%d %d\n", threaded("01012"), threaded("111111112"));
    for (int i = -3; i < 5; i++)
        printf("%d %d %d %d %d %d %d\n", generic(i), assembler(i), vectors(i), arrays(i), jumps(i), absolute(i, 'c'),
               (operations[i > 0 && i < 2] ?: negate)(i));
    printf("%s %d\n", argv[0] && *argv[0] ? "named" : "unnamed", sizes[0] + sizes[2]);
    return 0;
}
