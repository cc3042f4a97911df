/* Paths of a chosen length: N symbolic branches over the bytes of the input. The last condition never holds, so that a
 * campaign goes on until its budget of runs is spent. */
#define WALK(name, length)                                                                                          \
    int name(const unsigned char v[64])                                                                             \
    {                                                                                                               \
        int sum = 0;                                                                                                \
        for (int i = 0; i < length; i++) {                                                                          \
            if ((unsigned char)(v[i & 63] + (i >> 6)) > 200)                                                        \
                sum++;                                                                                              \
        }                                                                                                           \
        if (sum < 0)                                                                                                \
            return -1;                                                                                              \
        return sum;                                                                                                 \
    }

WALK(walk_100, 100)
WALK(walk_1000, 1000)
WALK(walk_10000, 10000)
