/* Units with a goal that is neither covered nor proved infeasible, each for another reason. */

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* A hash that nobody inverts: rounds of multiply, rotate and exclusive or over 24 bytes. An input for the true side exists
   or does not; either way, nothing here may call it infeasible. */
int digest_matches(const unsigned char key[24]) {
    unsigned long long a = 0x9e3779b97f4a7c15, b = 0xc2b2ae3d27d4eb4f;
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 24; i++) {
            a = (a ^ key[i]) * 0x100000001b3;
            a = (a << 23 | a >> 41) + b;
            b = (b ^ a) * 0xff51afd7ed558ccd;
            b ^= b >> 29;
        }
    if (a == 0x0123456789abcdef && b == 0xfedcba9876543210)
        return 1;
    return 0;
}

/* Nothing is known about the inside of `tgamma`: what it gives is a concrete number from then on. The check on `n` comes
   before, so the proof about it is untouched. */
int growth(double base, int n) {
    if (n > 10 && n < 5)
        return -1;
    if (tgamma(base) == 120.0)
        return 1;
    return 0;
}

/* Where a computed goto leads is not followed. */
int dispatch(unsigned op) {
    const void *const table[] = {&&stop, &&go};
    if (op > 1)
        return -1;
    goto *table[op];
go:
    if (op == 0)
        return 2;
    return 1;
stop:
    return 0;
}

/* Something that is not an input decides. */
int setting(int n) {
    const char *terminal = ttyname(-1);
    if (terminal)
        return n;
    return 0;
}

/* A stub without a value for each of 40 calls. */
int sensor(void);
int warm_up(void) {
    int good = 0;
    for (int i = 0; i < 40; i++)
        good += sensor() > 100;
    if (good == 40)
        return 1;
    return 0;
}

/* State that takes more calls in a row than are tried. */
int tick(int step) {
    static int total;
    if (step < 0 || step > 2)
        return -1;
    total += step;
    if (total > 1000)
        return 1;
    return 0;
}

/* More elements than inputs have. */
int deep(const int *values, unsigned count) {
    if (values == NULL || count > 100000)
        return -1;
    unsigned seen = 0;
    for (unsigned i = 0; i < count; i++)
        if (values[i] == 7)
            seen++;
    if (seen > 5000)
        return 1;
    return 0;
}

/* A loop without an end. */
int spin(unsigned n) {
    if (n == 77)
        while (n)
            n |= 1;
    if (n == 77)
        return 1;
    return 0;
}

/* Two cells with different values are never one and the same, but that takes all ways in which pointers may share an
   object to see. */
struct cell {
    int value;
};
int twice(const struct cell *a, const struct cell *b) {
    if (a == NULL || b == NULL)
        return -1;
    if (a->value == 3 && b->value == 4) {
        if (a == b)
            return 1;
        return 2;
    }
    return 0;
}

/* A run ends where it writes behind `seen`, so none gets to the last condition with such a `slot`. A program without checks does:
   what happens then nobody can say, and nothing is proved about it. */
int marked(unsigned slot) {
    if (slot > 7)
        return -1;
    unsigned char *seen = calloc(4, 1);
    seen[slot] = 1;
    free(seen);
    if (slot == 6)
        return 2;
    return 0;
}
