/* How many bytes of a pool are left behind an allocation of some size.
 * The size is compared with the room before anything is added. */
#include <stddef.h>
#include <stdint.h>

static uint8_t pool[64];

int pool_left(uint32_t used, uint64_t size, uint32_t owner)
{
    const uint8_t *end;

    if (used > sizeof pool || owner != ((uint32_t)size ^ 0x1000193u) + used)
        return -1;
    if (size > sizeof pool - used)
        return -2;
    end = pool + used + size;
    return (int)(pool + sizeof pool - end);
}
