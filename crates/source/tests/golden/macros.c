// Code from macros stands where the macro's name stands; code of headers where the header has it.
#include <assert.h>
#include <ctype.h>
#include <stddef.h>

#include "macros.h"
#define LESS(a, b) a < b
#define OR_ELSE(a, b) ((a) ?: (b))
#define LIMIT 100
#define WHEN(c) if (c)
#define FOREVER for (;;)

int use(int x, int y, const char *s) {
    assert(x > 0 && y); // llvm-cov: +2
    if (BETWEEN(x, 1, LIMIT)) x++;
    if (IS_SET(x) && LESS(x, y)) x++;
    if (x < LIMIT || LIMIT - 1 < y) x++;
    WHEN(s && *s) x++;
    FOREVER {
        if (isdigit(*s) || s == NULL) break;
        s++;
    }
    return OR_ELSE(x, y) + clamp(x, 0, LIMIT);
}

// A function that a macro names, or makes, belongs to the file that uses the macro. llvm-cov counts what is in a macro that
// makes a whole function where the macro is defined.
#define NAME_OF_DOUBLED doubled
#define MAKE_TEST(name, least) int name(int x) { return x >= (least) && x != LIMIT; } // llvm-cov: +2

int NAME_OF_DOUBLED(int x) {
    if (x > LIMIT) return 0;
    return 2 * x;
}

MAKE_TEST(is_positive, 1) // llvm-cov: -2
