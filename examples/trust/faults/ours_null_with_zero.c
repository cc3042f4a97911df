/* NULL + 0, and library functions that get null and the length 0: harmless, and no reason against a test. */
#include <stdlib.h>
#include <string.h>

struct buffer {
    unsigned char *bytes;
    size_t size;
};

/* none: an empty buffer has no bytes. */
const unsigned char *end_of(const struct buffer *buffer)
{
    if (buffer == NULL)
        return NULL;
    return buffer->bytes + buffer->size;
}

/* none: nothing is copied to nowhere. */
void copy_few(struct buffer *to, const unsigned char *from, size_t size)
{
    if (to == NULL || size > to->size || (size > 0 && (from == NULL || to->bytes == NULL)))
        return;
    memcpy(to->bytes, from, size);
}

/* contract: qsort gives it elements. */
static int compare(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* none: no elements are in order. */
void sort(int *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare);
}

/* bug: 3 behind null is nowhere. */
char *moved(int by)
{
    char *nothing = NULL;
    return by == 3 ? nothing + by : nothing;
}

/* contract: null has no bytes to compare; two times nothing with a size of 0 is the same. */
int same(const char *a, const char *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}
