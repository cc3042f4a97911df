/* The same as in ours_null_with_zero.c, asked for. */
/* tarka-options: --faults +null-with-zero */
#include <string.h>

struct buffer {
    unsigned char *bytes;
    size_t size;
};

/* contract: a program made the record, const or not, because it has a pointer in it. */
const unsigned char *end_of(const struct buffer *buffer)
{
    if (buffer == NULL)
        return NULL;
    return buffer->bytes + buffer->size;
}

/* bug: no bytes to nowhere pass the check. */
int copy_few(char to[static 16], const char *from, size_t size)
{
    if (size > 16 || (from == NULL && size > 0))
        return -1;
    memcpy(to, from, size);
    return 0;
}
