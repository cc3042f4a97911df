/* An array class in C: a constructor that refuses negative entries, and a method whose interesting branch needs every
 * entry of one array above a bound. The inner condition of samples_run can only hold for a value that the constructor
 * refuses, so it is infeasible after samples_make and feasible on a raw struct. */
#define A_LEN 5
#define B_LEN 10

struct samples {
    int a[A_LEN];
    int b[B_LEN];
};

int samples_make(struct samples *s, const int a[A_LEN], const int b[B_LEN])
{
    int i;

    for (i = 0; i < B_LEN; i++) {
        if (b[i] < 0)
            return -1;
    }
    for (i = 0; i < A_LEN; i++)
        s->a[i] = a[i];
    for (i = 0; i < B_LEN; i++)
        s->b[i] = b[i];
    return 0;
}

int samples_run(const struct samples *s)
{
    int all_large = 1;
    int broken = 0;
    int i, j;

    for (i = 0; i < A_LEN; i++) {
        if (s->a[i] > i * 1000) {
            for (j = 0; j < B_LEN; j++) {
                if (s->b[j] < -s->a[i])
                    broken = 1;
            }
        } else {
            all_large = 0;
        }
    }
    if (broken)
        return -1;
    return all_large ? 1 : 0;
}
