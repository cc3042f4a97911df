/* Replays a run of writes into a ring buffer on the heap, starting at a saved position.
 * The saved position lies inside the buffer. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct saved {
    uint32_t signature;
    uint32_t capacity;
    uint32_t head;
    uint32_t parity;
};

int ring_restore(const struct saved *saved, uint8_t first)
{
    uint8_t *ring;
    uint32_t head;
    int result;

    if (saved == NULL || saved->signature != 0x52494e47u)
        return -1;
    if (saved->parity != (saved->capacity ^ (saved->head << 8) ^ 0x13579bdfu))
        return -1;
    if (saved->capacity < 4 || saved->capacity > 64 || saved->head >= saved->capacity)
        return -2;
    ring = calloc(saved->capacity, 1);
    if (ring == NULL)
        return -3;
    head = saved->head;
    ring[head] = first;
    head = (head + 1) % saved->capacity;
    result = ring[head] + (int)head;
    free(ring);
    return result;
}
