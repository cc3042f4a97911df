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
