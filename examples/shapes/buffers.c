/* Buffers whose size only the documentation states: the code reaches into them by constants. */
#include <string.h>

enum { LONGEST = 400, BLOCK = 512 };

/* Writes a number into a buffer of LONGEST bytes, from its end; gives where the text begins. */
char *number_text(unsigned long n, int is_negative, char *buffer)
{
    char *p = buffer + LONGEST - 1;

    *p = '\0';
    do
        *--p = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    if (is_negative)
        *--p = '-';
    return p;
}

/* What a block of BLOCK bytes is for, by the mark in its last bytes. */
int block_kind(const unsigned char *block)
{
    if (block[BLOCK - 2] == 0x55 && block[BLOCK - 1] == 0xAA)
        return 1;
    return block[0] == 0xEB ? 2 : 0;
}

static int ends_well(const unsigned char *bytes)
{
    return bytes[BLOCK - 1] == '\n';
}

/* As long as its helper and memcmp say. */
int same_page(const unsigned char *page, const unsigned char *other)
{
    if (!ends_well(page))
        return 0;
    return memcmp(page, other, BLOCK) == 0 ? 1 : 2;
}

struct decimal {
    int whole;
    int scale;
    char *digits;
};

/* Whether a number ends in 0, from its last digit; there are whole + scale of them. */
int ends_in_zero(const struct decimal *number)
{
    const char *last = number->digits + number->whole + number->scale - 1;
    int left = number->whole + number->scale;

    if (left <= 0 || left > 9)
        return -1;
    return *last == 0;
}
