/* Two arrays that carry their lengths, and a check that says yes if every entry of the first is above its bound. A legal
 * object has five entries in `a` and ten in `b`, none of them negative in `b`; what makes objects sees to that. So of all
 * ways through arrays_check only 32 are feasible, one for each choice of entries of `a` above their bounds: no entry of
 * `b` is below the negative of a positive number, and neither loop ends early or late.
 * tarka-options: --assume arrays_check:IS_LEGAL(s) */
#define A_LENGTH 5
#define B_LENGTH 10

struct arrays {
    int a_length;
    int a[A_LENGTH];
    int b_length;
    int b[B_LENGTH];
};

/* One condition without && or ||, so that an object is legal or not in one step. */
#define NONE_IS_NEGATIVE(b) \
    (((b)[0] | (b)[1] | (b)[2] | (b)[3] | (b)[4] | (b)[5] | (b)[6] | (b)[7] | (b)[8] | (b)[9]) >= 0)
#define IS_LEGAL(s) \
    (((s)->a_length == A_LENGTH) & ((s)->b_length == B_LENGTH) & NONE_IS_NEGATIVE((s)->b))

__attribute__((nonnull)) int arrays_check(const struct arrays *s)
{
    int all_large = 1;
    int broken = 0;
    int i, j;

    for (i = 0; i < s->a_length; i++) {
        if (s->a[i] > i * 1000) {
            for (j = 0; j < s->b_length; j++) {
                if (s->b[j] < -s->a[i]) /* infeasible on a legal object */
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
