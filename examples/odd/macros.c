/* Expected: pre_f 2/2; lib_open 2/2; one 2/2; do_less 2/2; by_macro 2/2; hidden 2/2. Functions named by macros. */
#define f pre_f
#define NS(x) lib_##x
#define DEF(name) int name(int x) { if (x == 3) return 1; return 0; }
#define DEFINE_OP(op, sign) int do_##op(int a, int b) { if (a sign b) return 1; return 0; }
#define HEAD int by_macro(int x)

int f(int x)
{
    if (x == 5)
        return 1;
    return 0;
}

int NS(open)(int x)
{
    if (x == 6)
        return 1;
    return 0;
}

DEF(one)
DEFINE_OP(less, <)

HEAD
{
    if (x == 9)
        return 2;
    return 0;
}

int hidden(int x)
{
    if (x == 8)
        return 1;
    return 0;
}

#if 0
int left_out(int x) { return x; }
#endif
/* Whoever calls it by its name calls this. */
#define hidden(x) no such thing
