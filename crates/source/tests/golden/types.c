// Types with their layout.
#include <complex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct node {
    int value;
    struct node *next, *previous;
    const char *name;
};
typedef struct {
    unsigned low : 3, high : 5;
    int : 2;
    signed middle : 7;
    bool flag : 1;
    uint8_t tail[];
} bits_t;
struct __attribute__((packed)) packed {
    char tag;
    uint32_t number;
    union {
        float f;
        struct {
            short x, y;
        };
        double d[2];
    };
    struct { int in; } named;
};
typedef struct node list, *list_pointer;
enum mode { OFF, ON = -4, BIG = 70000 };
typedef enum { SMALL = 200 } small_t;
struct later;
typedef int vec4 __attribute__((vector_size(16)));
typedef int triple[3];
typedef int (*callback)(void *, int);

struct tail {
    unsigned char count;
    struct node nodes[];
};
struct shape {
    double (*area)(const struct shape *self, int sides[3]);
    int (*log)(const char *format, ...);
    void (*old)();
};
typedef int compare(const void *, const void *);

static const int table[4] = { 1, 2, 3, 4 };
int tentative;
int tentative;
extern int elsewhere;
list_pointer head;

void scalars(char a, signed char b, unsigned char c, short d, unsigned short e, int f, unsigned g, long h,
             unsigned long i, long long j, unsigned long long k, __int128 l, bool m, float n, double o,
             long double p, size_t q, uint8_t r, int64_t s, enum mode t, small_t u, const volatile int v) {}

void pointers(struct node *a, const struct node *b, list *c, list_pointer d, const char *const e, void *f,
              const void *g, int **h, callback i, int (*j)(int), struct later *k, FILE *l, bits_t *m,
              struct packed *n, _Atomic int *o) {}

void arrays(int a[4], const char b[], int c[2][3], triple d, int n, int e[n], int f[static 2], char *g[],
            int h(int), triple *i) {}

struct packed others(va_list a, double complex b, vec4 c, struct packed d, union { int x; } *e) {
    return d;
}

float complex complexes(float complex a, long double complex b, wchar_t c, unsigned __int128 d, struct tail *e) {
    return a;
}

void rows(int n, int k, int a[n][k], int b[][3], int c[static n], struct shape *d, compare e) {}

int no_list() {
    return 0;
}

int old_style(a, b)
int a;
char *b;
{
    return a && b;
}

int variadic(const char *format, ...) {
    return format != 0;
}
