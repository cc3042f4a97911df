/* Long is not endless: the limit counts processor time, and a loop is endless only if the plain program goes on as well. */

/* none: a million rounds are an end. */
unsigned million(unsigned seed)
{
    unsigned i, sum = seed;
    for (i = 0; i < 1000000; i++)
        sum += i ^ (sum << 1);
    return sum;
}

/* none: so are a hundred million. */
unsigned hundred_million(int mode)
{
    unsigned i, j, k, sum = 0;
    if (mode != 5)
        return 0;
    for (i = 0; i < 1000; i++)
        for (j = 0; j < 1000; j++)
            for (k = 0; k < 100; k++)
                sum += k ^ (sum << 1);
    return sum;
}

/* unchecked: a record of length 0 is skipped for ever. */
int skip_records(const unsigned char *data, unsigned size)
{
    unsigned at = 0;
    int count = 0;
    if (data == 0)
        return -1;
    while (at < size) {
        at += data[at];
        count = (count + 1) & 0xff;
    }
    return count;
}
