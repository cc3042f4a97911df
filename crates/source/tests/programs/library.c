// flags: -std=c11 -D_GNU_SOURCE
// Programs use the C library, much of it macros.
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tgmath.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SWAP(a, b) do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
#define RETURN_IF(condition, value) if (condition) return (value)
#define CHECKED(e) ({ int r_ = (e); if (r_ < 0 || errno) r_ = -1; r_; })

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}
static int words(const char *text) {
    int count = 0, inside = 0;
    for (; *text; text++)
        if (isspace((unsigned char)*text)) inside = 0;
        else if (!inside && (isalpha(*text) || isdigit(*text) || *text == '_')) inside = 1, count++;
    return count;
}
static long number(const char *text) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    RETURN_IF(errno == ERANGE && (value == LONG_MAX || value == LONG_MIN), -1);
    RETURN_IF(end == text || *end, -2);
    return MAX(value, MAX(0, value % 7));
}
static int status(int code) {
    if (WIFEXITED(code) && WEXITSTATUS(code) == 3) return 1;
    if (WIFSIGNALED(code)) return 2;
    return 0;
}
int main(void) {
    int values[] = { 5, 3, -1, 9, 0 };
    qsort(values, 5, sizeof *values, compare);
    for (int i = 0; i < 5; i++) printf("%d ", values[i]);
    SWAP(values[0], values[1]);
    assert(values[0] >= values[1] && values[0] == 0);
    printf("%d %d\n", values[0], words("a b_c  12 + d9\n x"));
    printf("%ld %ld %ld %ld\n", number("12"), number("x"), number("99999999999999999999"), number("-5"));
    printf("%d %d %d\n", status(0x300), status(9), status(0));
    printf("%d %.2f %d\n", CHECKED(number("3")), fabs(-2.5f), isnan(0.0) || isinf(1.0) ? 1 : 2);
    const char *found = strchr("hello", 'l');
    printf("%s\n", found && strcmp(found, "llo") == 0 ? "same" : "other");
    puts("caf\xe9 \?\?(");
    return fflush(stdout) ? 1 : 0;
}
