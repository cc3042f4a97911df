/* Ring buffers, arenas and buffers that say themselves how large they are. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct ring {
    uint8_t *bytes;
    uint32_t size;
    uint32_t head;
    uint32_t tail;
};

int ring_push(struct ring *ring, uint8_t byte)
{
    uint32_t next;

    if (ring->size < 2 || ring->head >= ring->size || ring->tail >= ring->size)
        return -1;
    next = ring->head + 1 == ring->size ? 0 : ring->head + 1;
    if (next == ring->tail)
        return 0;
    ring->bytes[ring->head] = byte;
    ring->head = next;
    return 1;
}

int ring_pop(struct ring *ring)
{
    int byte;

    if (ring->head >= ring->size || ring->tail >= ring->size)
        return -2;
    if (ring->head == ring->tail)
        return -1;
    byte = ring->bytes[ring->tail];
    if (++ring->tail == ring->size)
        ring->tail = 0;
    return byte == '\n' ? 256 : byte;
}

/* A block of memory from which pieces are cut. */
struct arena {
    unsigned char *start;
    unsigned char *position;
    unsigned char *end;
};

void *arena_cut(struct arena *arena, size_t size)
{
    void *piece;

    if (size == 0 || size > (size_t)(arena->end - arena->position))
        return NULL;
    piece = arena->position;
    arena->position += size;
    return piece;
}

int arena_is_full(const struct arena *arena)
{
    if (arena->position == arena->start)
        return 0;
    return arena->position == arena->end ? 2 : 1;
}

/* A writer with a limit. */
struct writer {
    char *text;
    size_t length;
    size_t room;
};

int writer_add(struct writer *w, char c)
{
    if (w->room == 0 || w->length >= w->room - 1)
        return 0;
    w->text[w->length++] = c;
    w->text[w->length] = '\0';
    return 1;
}

int writer_number(struct writer *w, unsigned n)
{
    if (n >= 10 && !writer_number(w, n / 10))
        return 0;
    return writer_add(w, (char)('0' + n % 10));
}

/* A number of any length, the least limb first. */
struct bignum {
    int size; /* limbs in use; negative for negative numbers */
    int allocated;
    uint32_t *limbs;
};

int bignum_compare(const struct bignum *a, const struct bignum *b)
{
    int i;

    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    for (i = (a->size < 0 ? -a->size : a->size) - 1; i >= 0; i--)
        if (a->limbs[i] != b->limbs[i])
            return (a->limbs[i] < b->limbs[i]) == (a->size > 0) ? -1 : 1;
    return 0;
}

int bignum_is_even(const struct bignum *a)
{
    return a->size == 0 || (a->limbs[0] & 1) == 0;
}

/* Removes leading zeros. */
void bignum_trim(struct bignum *a)
{
    while (a->size > 0 && a->limbs[a->size - 1] == 0)
        a->size--;
}

/* Pixels, row by row; a row may be longer than what is shown of it. */
int image_count(const uint8_t *pixels, int width, int height, int stride, uint8_t colour)
{
    int x, y, found = 0;

    if (width < 1 || height < 1 || width > 4 || height > 4 || stride < width || stride > 8)
        return -1;
    for (y = 0; y < height; y++)
        for (x = 0; x < width; x++)
            if (pixels[y * stride + x] == colour)
                found++;
    return found;
}

int image_fill(uint8_t *pixels, int width, int height, int stride, uint8_t colour)
{
    int y;

    if (width < 0 || height < 0 || stride < width || stride > 8 || height > 4)
        return -1;
    if (colour == 0)
        return 0;
    for (y = 0; y < height; y++)
        memset(pixels + y * stride, colour, (size_t)width);
    return height;
}

/* Moves what is left to the front: source and destination overlap. */
size_t compact(char *buffer, size_t used, size_t done)
{
    if (done == 0)
        return used;
    if (done >= used)
        return 0;
    memmove(buffer, buffer + done, used - done);
    return used - done;
}
