/* The slow-down benchmark: the same work on concrete data and on data from the input. */

static unsigned table[64];

/* What a global holds before the call is input; from here on it is not. */
static void clear_table(void)
{
    unsigned i;

    for (i = 0; i < 64; i++)
        table[i] = 0;
}

/* Integer arithmetic, memory and branches; nothing depends on the input. */
unsigned compute_concrete(unsigned rounds)
{
    unsigned state = 12345, sum = 0, round, i;

    (void)rounds;
    clear_table();
    for (round = 0; round < 20000; round++) {
        for (i = 0; i < 64; i++) {
            state = state * 1664525u + 1013904223u;
            table[i] = (table[(i + 7) & 63] ^ (state >> 3)) + round;
            if (table[i] & 1)
                sum += table[i];
            else
                sum ^= table[i] >> 2;
        }
    }
    return sum;
}

/* The same steps, with the state taken from the input and no branch on it. */
unsigned compute_symbolic(unsigned seed)
{
    unsigned state = seed, sum = 0, round, i;

    clear_table();
    for (round = 0; round < 200; round++) {
        for (i = 0; i < 64; i++) {
            state = state * 1664525u + 1013904223u;
            table[i] = (table[(i + 7) & 63] ^ (state >> 3)) + round;
            sum += table[i] & 0xff;
        }
    }
    return sum;
}
