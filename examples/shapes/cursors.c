/* Readers on a cursor and an end, as in ASN.1 and TLV libraries. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ERR_OUT_OF_DATA (-0x60)
#define ERR_TAG         (-0x62)
#define ERR_LENGTH      (-0x64)

/* The length of an element: short, or one or two bytes behind 0x81 and 0x82. */
int der_length(unsigned char **p, const unsigned char *end, size_t *len)
{
    if (end - *p < 1)
        return ERR_OUT_OF_DATA;
    if ((**p & 0x80) == 0) {
        *len = *(*p)++;
    } else {
        int n = **p & 0x7f;
        if (n == 0 || n > 2)
            return ERR_LENGTH;
        if (end - *p <= n)
            return ERR_OUT_OF_DATA;
        *len = 0;
        (*p)++;
        while (n--)
            *len = (*len << 8) | *(*p)++;
    }
    if (*len > (size_t)(end - *p))
        return ERR_OUT_OF_DATA;
    return 0;
}

/* A tag that must be there, and its length. */
int der_tag(unsigned char **p, const unsigned char *end, size_t *len, int tag)
{
    if (end - *p < 1)
        return ERR_OUT_OF_DATA;
    if (**p != tag)
        return ERR_TAG;
    (*p)++;
    return der_length(p, end, len);
}

/* A boolean: tag 1, length 1, one byte. */
int der_bool(unsigned char **p, const unsigned char *end, int *value)
{
    size_t len;
    int error = der_tag(p, end, &len, 1);

    if (error != 0)
        return error;
    if (len != 1)
        return ERR_LENGTH;
    *value = **p != 0 ? 1 : 0;
    (*p)++;
    return 0;
}

/* Two bytes, the high one first. */
int read_u16(const uint8_t **cursor, const uint8_t *limit, uint16_t *value)
{
    if (limit - *cursor < 2)
        return -1;
    *value = (uint16_t)((*cursor)[0] << 8 | (*cursor)[1]);
    *cursor += 2;
    return *value == 0xcafe;
}

/* The value of the first element with a tag: a byte of tag, a byte of length. */
const uint8_t *tlv_find(const uint8_t *p, const uint8_t *end, uint8_t tag, uint8_t *len)
{
    while (p < end && end - p >= 2) {
        if (end - p - 2 < p[1])
            return NULL;
        if (p[0] == tag) {
            *len = p[1];
            return p + 2;
        }
        p += 2 + p[1];
    }
    return NULL;
}

/* How many elements there are; -1 if one is cut. */
int tlv_count(const uint8_t *begin, const uint8_t *end)
{
    int count = 0;

    while (begin != end) {
        if (end - begin < 2 || end - begin - 2 < begin[1])
            return -1;
        begin += 2 + begin[1];
        count++;
    }
    return count;
}

/* Skips white space and comments up to the end of the line. */
int skip_blanks(const char **text, const char *end)
{
    int comments = 0;

    while (*text < end) {
        if (**text == '#') {
            comments++;
            while (*text < end && **text != '\n')
                (*text)++;
        } else if (**text != ' ' && **text != '\n') {
            break;
        } else {
            (*text)++;
        }
    }
    return comments;
}

/* A reader in a struct: where it begins, where it is, how much there is. */
struct reader {
    const uint8_t *data;
    size_t size;
    size_t position;
    int failed;
};

uint32_t reader_u32(struct reader *r)
{
    const uint8_t *p;

    if (r->failed || r->position > r->size || r->size - r->position < 4) {
        r->failed = 1;
        return 0;
    }
    p = r->data + r->position;
    r->position += 4;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

int reader_magic(struct reader *r)
{
    uint32_t magic = reader_u32(r);

    if (r->failed)
        return -1;
    return magic == 0x464c457f ? 1 : 0;
}
