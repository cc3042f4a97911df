/* Two pointers into one object: where to read and where to stop. The distance between them is an input like any other. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#define OUT_OF_DATA (-0x60)
#define BAD_TAG (-0x62)
#define BAD_LENGTH (-0x64)

/* A length as certificates have it: one byte, or a count of bytes and the number in them. Each test for the end can fail or
 * pass, since the caller chooses both the bytes and the end. */
int get_length(unsigned char **p, const unsigned char *end, size_t *length)
{
    if (end - *p < 1)
        return OUT_OF_DATA;
    if ((**p & 0x80) == 0) {
        *length = *(*p)++;
    } else {
        switch (**p & 0x7f) {
        case 1:
            if (end - *p < 2)
                return OUT_OF_DATA;
            *length = (*p)[1];
            *p += 2;
            break;
        case 2:
            if (end - *p < 3)
                return OUT_OF_DATA;
            *length = (size_t)(*p)[1] << 8 | (*p)[2];
            *p += 3;
            break;
        case 3:
            if (end - *p < 4)
                return OUT_OF_DATA;
            *length = (size_t)(*p)[1] << 16 | (size_t)(*p)[2] << 8 | (*p)[3];
            *p += 4;
            break;
        case 4:
            if (end - *p < 5)
                return OUT_OF_DATA;
            *length = (size_t)(*p)[1] << 24 | (size_t)(*p)[2] << 16 | (size_t)(*p)[3] << 8 | (*p)[4];
            *p += 5;
            break;
        default:
            return BAD_LENGTH;
        }
    }
    if (*length > (size_t)(end - *p))
        return OUT_OF_DATA;
    return 0;
}

/* The tag comes before the length, and the last byte of the range can be the tag alone. */
int get_tag(unsigned char **p, const unsigned char *end, size_t *length, int tag)
{
    int status;

    if (end - *p < 1)
        return OUT_OF_DATA;
    if (**p != tag)
        return BAD_TAG;
    (*p)++;
    status = get_length(p, end, length);
    if (status == BAD_LENGTH)
        return BAD_TAG + BAD_LENGTH;
    return status;
}

/* The range may be empty, or hold as many line ends as the caller likes. */
int count_lines(const char *p, const char *end)
{
    int lines = 0;

    while (p < end) {
        if (*p == '\n')
            lines++;
        p++;
    }
    return lines > 2 ? -lines : lines;
}

/* The loop ends when the pointers meet, which may be at once. */
int smallest(const int *p, const int *end)
{
    int best = 1000;

    for (; p != end; p++)
        if (*p < best)
            best = *p;
    if (best == 1000)
        return -1;
    return best;
}

struct cursor {
    const char *cur;
    const char *end;
};

/* A number at the cursor, after blanks. It can be missing, end with the text, or be followed by more. */
int take_number(struct cursor *c, unsigned *value)
{
    const char *start;

    while (c->cur < c->end && *c->cur == ' ')
        c->cur++;
    start = c->cur;
    *value = 0;
    for (; c->cur != c->end && *c->cur >= '0' && *c->cur <= '9'; c->cur++)
        *value = *value * 10 + (unsigned)(*c->cur - '0');
    if (c->cur == start)
        return -1;
    if (c->cur - start > 3)
        return -2;
    if (c->end > c->cur && *c->cur == ';')
        return 2;
    return 1;
}

struct buffer {
    char *start;
    char *pos;
    char *limit;
};

/* The buffer may be full, nearly full or empty when the text arrives. */
int put_text(struct buffer *b, const char *text, size_t size)
{
    if (b->pos == b->limit)
        return -1;
    if ((size_t)(b->limit - b->pos) < size)
        return -2;
    if (b->pos != b->start && b->pos[-1] == ',')
        b->pos--;
    memcpy(b->pos, text, size);
    b->pos += size;
    if (b->pos - b->start > 8)
        return 2;
    return 1;
}

/* The target may overlap the source from behind, and then the copy has to go backwards. */
int copy_bytes(unsigned char *dst, const unsigned char *src, size_t n)
{
    size_t i;

    if (dst == src)
        return 0;
    if (dst > src && dst < src + n) {
        for (i = n; i > 0; i--)
            dst[i - 1] = src[i - 1];
        return 1;
    }
    for (i = 0; i < n; i++)
        dst[i] = src[i];
    return 2;
}

/* Four bytes in front of the end are one number, the highest byte first. */
int read_magic(const unsigned char *p, const unsigned char *end)
{
    uint32_t value;

    if (end - p >= 4) {
        value = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
        if (value == 0x89504e47u)
            return 1;
        if (value > 0xfffffff0u)
            return 2;
        return 0;
    }
    return end == p ? -2 : -1;
}

/* Blanks at the end are dropped one by one; the text may consist of nothing else. */
size_t trimmed(const char *begin, const char *p)
{
    while (p > begin && p[-1] == ' ')
        p--;
    if (p == begin)
        return 0;
    return (size_t)(p - begin);
}

/* The distance counts characters, not bytes: three wide characters may be all there is. */
int wide_prefix(const wchar_t *p, const wchar_t *end)
{
    if (end - p < 3)
        return -1;
    if (p[0] == L'<' && p[2] == L'>')
        return 1;
    return end - p == 3 ? 2 : 0;
}

/* The samples are two bytes wide, so an odd count of bytes cannot occur, but any count of samples can. */
int loud_samples(const short *first, const short *last)
{
    int loud = 0;

    while (first < last)
        if (*first++ > 12000)
            loud++;
    if (loud == 2)
        return 2;
    return loud > 2 ? 3 : 0;
}

struct entry {
    int key;
    char name[8];
};

/* A search in a sorted table between two pointers; the key may be at any place, or nowhere. */
const struct entry *find_entry(const struct entry *low, const struct entry *high, int key)
{
    while (low < high) {
        const struct entry *middle = low + (high - low) / 2;

        if (middle->key == key)
            return middle;
        if (middle->key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
