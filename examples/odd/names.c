/* Expected: my_printf 0/0; logs 0/0; tarka_check 2/2; tarka_run 2/2; tarka_tests 4/4; __tk_x 2/2; result 2/2; test_result_1 2/2; CHECK 2/2; main 2/2;
   pointer 2/2. A unit with the names that files of tests have, and with macros that stand for what those use. */
#include <stdio.h>
#include <stdlib.h>
#undef NULL
#define NULL 7
#define printf my_printf
#define exit(code) no such thing
#define tests 1
#define count 3
#define child broken

static int my_printf(const char *format) { return format != 0; }

int logs(const char *format) { return printf(format); }

int tarka_failed_checks;

int tarka_check(int x)
{
    if (x == 3)
        return 1;
    return 0;
}

int tarka_run(int x)
{
    if (x == 4)
        return 1;
    return 0;
}

struct tarka_test {
    int mine;
};

int tarka_tests(struct tarka_test *t)
{
    if (t && t->mine == 4)
        return 1;
    return 0;
}

int __tk_x(int x)
{
    if (x == 5)
        return tarka_failed_checks;
    return 0;
}

int result(int x)
{
    if (x == 6)
        return 1;
    return 0;
}

int test_result_1(int x)
{
    if (x == 7)
        return 1;
    return 0;
}

int CHECK(int x)
{
    if (x == 8)
        return 1;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return 1;
    return argv == 0;
}

int pointer(int *p)
{
    if (p)
        return 1;
    return 0;
}
