/* Bytes that are read from outside, asked for. */
/* tarka-options: --env read */
#include <unistd.h>

static const unsigned prices[16] = { 5, 7, 9, 11 };

/* unchecked: what was read chooses the price. */
unsigned price_from(int file)
{
    unsigned char record[2];

    if (read(file, record, sizeof record) != (ssize_t)sizeof record)
        return 0;
    return prices[record[1]];
}

/* none: what was read is looked at. */
unsigned price_from_checked(int file)
{
    unsigned char record[2];

    if (read(file, record, sizeof record) != (ssize_t)sizeof record || record[1] >= 16)
        return 0;
    return prices[record[1]];
}
