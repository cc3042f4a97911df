/* Arrays whose declaration says how long they are, pointers that may be null as well, and blocks as large as numbers say. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* bug: 64 is one too many. */
int digest_byte(unsigned n, const unsigned char digest[64])
{
    if (digest == NULL || n > 64)
        return -1;
    return digest[n];
}

/* bug: the same where nobody asks whether there is a digest; that is a contract of its own. */
int digest_byte_unasked(unsigned n, const unsigned char digest[64])
{
    if (n > 64)
        return -1;
    return digest[n];
}

/* none. */
int digest_byte_checked(unsigned n, const unsigned char digest[64])
{
    if (digest == NULL || n >= 64)
        return -1;
    return digest[n];
}

/* bug: 65 bytes are cleared. */
void digest_clear(unsigned n, unsigned char digest[64])
{
    if (digest == NULL || n > 65)
        return;
    memset(digest, 0, n);
}

/* none: it is static, so there are 16, and no more are used. */
int key_sum(const unsigned char key[static 16])
{
    int sum = 0;

    for (int i = 0; i < 16; i++)
        sum += key[i];
    return sum;
}

/* unchecked: a fifth part has no place. */
int address_parts(const char *text, unsigned char parts[4])
{
    int part = 0, value = 0;

    if (text == NULL || parts == NULL)
        return -1;
    for (; *text; text++) {
        if (*text != '.') {
            value = (value + *text) & 15;
            continue;
        }
        parts[part++] = (unsigned char)value;
        value = 0;
    }
    return part;
}

/* none: a fifth part is refused. */
int address_parts_checked(const char *text, unsigned char parts[4])
{
    int part = 0, value = 0;

    if (text == NULL || parts == NULL)
        return -1;
    for (; *text; text++) {
        if (*text != '.') {
            value = (value + *text) & 15;
            continue;
        }
        if (part == 4)
            return -1;
        parts[part++] = (unsigned char)value;
        value = 0;
    }
    return part;
}

/* bug: the product is made with 32 bits, so a block of no bytes is cleared for 65536 times 65536. */
unsigned char *picture_new(uint32_t width, uint32_t height)
{
    unsigned char *pixels;

    if (width == 0 || height == 0 || width > 65536 || height > 65536)
        return NULL;
    pixels = malloc(width * height);
    if (pixels == NULL)
        return NULL;
    memset(pixels, 0, (size_t)width * height);
    return pixels;
}

/* none: the product is made with 64 bits, and is bounded. */
unsigned char *picture_new_checked(uint32_t width, uint32_t height)
{
    unsigned char *pixels;

    if (width == 0 || height == 0 || width > 512 || height > 512)
        return NULL;
    pixels = malloc((size_t)width * height);
    if (pixels == NULL)
        return NULL;
    memset(pixels, 0, (size_t)width * height);
    return pixels;
}
