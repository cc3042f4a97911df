/* A unit with 40 branch sides, of which no input reaches 12: checks that others have made superfluous, as they gather in
   code that was changed often. Most stand behind a loop without a bound, so that no search ever sees the end of all
   paths. The twelve are marked with the side that is infeasible. */

enum state { IDLE, ACTIVE, CLOSED };

int serve(unsigned state, int level, unsigned char flags, unsigned rounds, int limit) {
    int urgent = flags & 1, quiet = flags & 2;
    int both = (flags & 3) == 3;
    unsigned sum = 0;
    int score = 0;

    if (state > CLOSED)
        return -1;
    if (level < 0 || level > 100)
        return -2;

    for (unsigned i = 0; i < rounds; i++)   /* no bound */
        sum = sum * 31 + i;

    if (level > 200)                        /* 1: true */
        return -3;
    if (both) {
        if (!urgent)                        /* 2: true */
            return -4;
        if (quiet == 0)                     /* 3: true */
            score = 1;
    }
    switch (state) {
    case IDLE:
        score += 1;
        if (state != IDLE)                  /* 4: true */
            score = 0;
        break;
    case ACTIVE:
        score += 2;
        break;
    case CLOSED:
        score += 3;
        break;
    default:                                /* 5: taken */
        return -5;
    }
    if (limit > level) {
        if (limit < 0)                      /* 6: true */
            return -6;
        if (limit == 0)                     /* 7: true */
            return -7;
    }
    if (level * 2 < 250)                    /* 8: false */
        score += 5;
    if (flags + level > 400)                /* 9: true */
        score = 9;
    if (state == 3)                         /* 10: true */
        score = 10;
    return score + (int)(sum & 1);
    if (sum > 5)                            /* 11 and 12: nothing leads here */
        return -8;
    return 0;
}
