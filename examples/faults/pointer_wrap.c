/* How many bytes of a pool are left behind an allocation of some size.
 * Fault: the end of the allocation is computed first and compared afterwards, and a very large size wraps around:
 * undefined pointer arithmetic. */
#include <stddef.h>
#include <stdint.h>

static uint8_t pool[64];

int pool_left(uint32_t used, uint64_t size, uint32_t owner)
{
    const uint8_t *end;

    if (used > sizeof pool || owner != ((uint32_t)size ^ 0x1000193u) + used)
        return -1;
    end = pool + used + size; /* fault */
    if (end < pool + used || end > pool + sizeof pool)
        return -2;
    return (int)(pool + sizeof pool - end);
}
