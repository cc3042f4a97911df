// Where conditions are found: each operand of && and ||, and each condition of a statement or of ?:.
int f(int, int);

int statements(int a, int b) {
    if (a > 0 && !(b || a == 3))
        a++;
    else if (!b)
        b--;
    while (a--)
        ;
    do {
        b++;
    } while (b < 10);
    for (int i = 0; i < b; i++)
        continue;
    for (;;)
        break;
    for (; a;)
        a = 0;
    for (;; a++)
        if (a)
            break;
    return (a);
}

int values(int a, int b) {
    int both = a && b, either = (a || b) == 1;
    int nested = (a && b) || (a > 1 ? b : f(a, b && a));
    int negated = !a;
    int elvis = a ?: b;
    int elvis_of_both = (a && b) ?: f(a ? 1 : 2, 3);
    int cast = (long)(a && b) ? 1 : 2;
    int block = ({
        int t = a ? b : 3;
        t && both;
    });
    if (a ? b : nested)
        a = (either, b && negated);
    if (a ?: b)
        a = elvis + elvis_of_both;
    return a < b || (cast && block);
}

int constants(int a) {
    const int three = 3;
    if (1)
        a++;
    while (0)
        a++;
    if (a && 1)
        a++;
    if (0 && a)
        a++;
    if (three)
        a++;
    if (sizeof(int) == 4 ? a : 0)
        a++;
    if ((a, 1))
        a++;
    if (1.5)
        a++;
    if ("text")
        a++;
    return a;
}

int unevaluated(int a, int b) {
    __typeof__(a ? 1 : 2) c = 3;
    static int d = 1 ? 2 : 3;
    enum { E = 1 && 2 };
    struct { int bits : 1 ? 3 : 4; } s = { 1 };
    _Static_assert(1 && 2, "both");
    int bound[1 && 2 ? 3 : 4];
    int variable_bound[a && b ? 3 : 4];
    bound[0] = sizeof(a ? 1 : 2); // llvm-cov: +1
    return c + d + E + s.bits + bound[0] + (int)sizeof(variable_bound) + _Generic(a, int: 1, default: a ? 2 : 3) // llvm-cov: +1
        + __builtin_choose_expr(1, a ? b : 5, b ? a : 6); // llvm-cov: +1
}

long long_condition(long first_rather_long_name, long second_rather_long_name, long third_rather_long_name) {
    if (first_rather_long_name + second_rather_long_name /* a comment */ +
            third_rather_long_name
        > 1000)
        return 1;
    return 0;
}
