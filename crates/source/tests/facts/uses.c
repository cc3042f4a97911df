// What functions mention: globals, handlers in tables, undefined functions and variables, statics, entry asserts.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int config;
extern const char *const names[];
int read_sensor(int channel, int *value);
void fatal(const char *why) __attribute__((noreturn));
_Noreturn void give_up(void);
int never_mentioned(void);
int copy_to(char *to, const char *from, unsigned n) __attribute__((nonnull(1)));

static int level = 3;
static int *const level_pointer = &level;
int limit;

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int twice(int a) { return 2 * a; }
static int outer_only(int a) { return a; }

typedef int (*operation)(int, int);
static const operation operations[] = { add, sub };
struct command {
    const char *name;
    int (*run)(int);
    const operation *inner;
} commands[] = { { "twice", twice, operations } };

int globals(int x) {
    int level = x;
    limit = sizeof(config) > 4;
    return level + *level_pointer;
}

int through_tables(int x) {
    return commands[0].run(x);
}

int calls(int x) {
    if (x > 3) {
        return (*outer_only)(x);
    }
    int value = 0;
    if (read_sensor(x, &value) < 0 && errno == EINTR) {
        fprintf(stderr, "%s\n", names[config]);
        fatal("sensor");
    }
    if (__builtin_expect(value == 9, 0)) {
        give_up();
    }
    return copy_to((char *)&value, "x", strlen("x"));
}

int state(int x) {
    static int count, previous = 7;
    static const int table[] = { 1, 2 };
    static operation op = add;
    count += x;
    return count + previous + table[x & 1] + op(x, x);
}

#define REQUIRE(c) assert(c)

int asserted(const char *s, int n) {
    int half = n / 2, low;
    assert(s && n > 0);
    REQUIRE(half < 100);
    assert(s[0] != '"');
    low = half;
    assert(low);
    return low;
}

int asserted_later(int n) {
    int m = twice(n);
    assert(m > 0);
    return m;
}

void *local_extern(int n) {
    extern int far_away;
    return n ? malloc(far_away) : (void *)outer_only;
}
