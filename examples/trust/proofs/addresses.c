/* Pointers as numbers. A pointer parameter may hold a mark instead of an address, and where an object lies is up to the
 * caller. Marks are only compared here, never followed. */
#include <stddef.h>
#include <stdint.h>

/* The last 4095 addresses stand for error numbers, as the Linux kernel has it. */
int error_of(const void *p)
{
    if (!p)
        return -1;
    if ((uintptr_t)p >= (uintptr_t)-4095)
        return (int)-(intptr_t)p;
    return 0;
}

/* A failed mapping is told by the pointer -1, and the caller hands on what it got. */
int mapped_byte(const char *p)
{
    if (p == (char *)-1)
        return -1;
    if (p == NULL)
        return -2;
    return *p == 'E' ? 1 : 0;
}

/* A pointer to char has no alignment, so its lowest bit can be set. */
int odd_start(const char *text)
{
    if ((uintptr_t)text & 1)
        return text[0] == '\0' ? 2 : 1;
    return 0;
}

struct node {
    struct node *left;
    int key;
};

/* The lowest bit of the link is a mark; the real address is what remains without it. */
int link_key(struct node *link)
{
    struct node *node = (struct node *)((uintptr_t)link & ~(uintptr_t)1);

    if (node == NULL)
        return -1;
    if ((uintptr_t)link & 1)
        return node->key > 100 ? 2 : 1;
    return 0;
}

/* A buffer of bytes may start at a multiple of eight or not. */
size_t bytes_to_align(const unsigned char *p, size_t size)
{
    if (((uintptr_t)p & 7) == 0)
        return 0;
    if (8 - ((uintptr_t)p & 7) > size)
        return size;
    return 8 - ((uintptr_t)p & 7);
}

/* Any of the sixteen rests is possible for bytes, and four of them for ints. */
int lane_of(const unsigned char *bytes, const int *words)
{
    if ((uintptr_t)bytes % 16 == 15)
        return 15;
    if ((uintptr_t)words % 16 == 12)
        return 12;
    if ((uintptr_t)words % 16 == 4)
        return 4;
    return 0;
}

/* Two places in one buffer may come in either order, or be the same place. */
int place_order(const char *p, const char *q)
{
    if (p < q)
        return -1;
    if (p > q)
        return 1;
    return 0;
}

/* A buffer may begin near the end of a page, and may go on in the next one. */
int crosses_page(const char *p, unsigned size)
{
    if (((uintptr_t)p & 4095) > 4000)
        return 2;
    if (size > 4096)
        return -1;
    return ((uintptr_t)p & 4095) + size > 4096 ? 1 : 0;
}

static char none_mark;

char *no_value(void)
{
    return &none_mark;
}

/* The address of a private variable serves as a mark, which callers get from no_value. */
int has_value(const char *value)
{
    if (value == &none_mark)
        return 0;
    return *value != '\0' ? 2 : 1;
}
