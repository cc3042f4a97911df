/* What a precondition rules out, and what ends in a fault before it could be reached. */

/* tarka.toml says n >= 1: nobody may pass 0. */
int average(int sum, int n) {
    if (n == 0)
        return 0;
    return sum / n;
}

/* Every null pointer ends in a fault at the first line. */
int late_check(const int *p) {
    int value = *p;
    if (!p)
        return -1;
    return value > 3 ? 1 : 0;
}
