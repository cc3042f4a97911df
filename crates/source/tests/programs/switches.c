// Switches of every operand type, with fall-through, ranges, nesting and a default anywhere.
#include <stdint.h>
#include <stdio.h>

enum animal { CAT = -2, DOG, BIRD = 9 };
#define CASES(n) case n: case (n) + 100

static int by_char(signed char c) {
    switch (c) {
    case 'a' ... 'f': return 1;
    case -128: return 2;
    case '\n': case '\t': return 3;
    }
    return 0;
}
static int by_unsigned(unsigned u, uint64_t w) {
    int r = 0;
    switch (u) {
    default: r = 1; break;
    case 0: r = 2;
    case -1: r += 3; break;
    CASES(7): r = 5;
    }
    switch (w) {
    case 0xffffffffffffffff: r += 10; break;
    case 1ull << 40: r += 20; break;
    case 5: r += 30;
    }
    return r;
}
static int by_enum(enum animal a, _Bool b, int64_t s) {
    int r = 0;
    switch (a) { case CAT: r = 1; break; case DOG: r = 2; break; case BIRD: r = 3; }
    switch (b) { case 0: r += 10; break; case 1: r += 20; }
    switch (s) { case INT64_MIN: r += 100; break; case -1 ... 1: r += 200; break; default: ; }
    return r;
}
static int nested(int x, int y) {
    int r = 0;
    switch (x > 1 ? y : x + y) {
    case 1:
        switch (y) { default: r = 1; case 2: r += 2; }
        break;
    case 2: if (y) { case 3: r = 7; } else { case 4: r = 9; break; }
    case 5:
        switch (x) ;
        r++;
    }
    switch (x && y) { case 1: r += 50; } // llvm-cov: -1
    switch (3) { case 3: r += 70; } // llvm-cov: -1
    switch (({ int t = x ? y : 2; t; })) case 2: r += 1000;
    return r;
}
static void duff(char *to, const char *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}
int main(void) {
    for (int c = -128; c < 128; c += 3) printf("%d", by_char((signed char)c));
    printf("\n%d %d %d\n", by_char('\n'), by_char('c'), by_char(-128));
    unsigned us[] = { 0, 1, 7, 107, -1 };
    for (int i = 0; i < 5; i++) printf("%d %d ", by_unsigned(us[i], us[i]), by_unsigned(i, (uint64_t)-1 << i * 40 / 4));
    for (int i = -3; i < 10; i++) printf("%d ", by_enum(i, i > 2, i < 0 ? INT64_MIN : i));
    for (int i = -1; i < 6; i++) for (int j = -1; j < 6; j++) printf("%d ", nested(i, j));
    char text[20] = { 0 };
    for (int i = 1; i < 12; i++) duff(text, "hello, world!", i);
    puts(text);
    return 0;
}
