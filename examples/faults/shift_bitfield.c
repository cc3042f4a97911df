/* Takes a field of some bits out of a register; the description of the field comes from a table on flash.
 * Fault: a field may be as wide as the register, and its mask is made by shifting by the width: bad shift. */
#include <stdint.h>

int64_t field_value(uint32_t reg, uint32_t first, uint32_t width, uint32_t crc)
{
    uint32_t mask;

    if (crc != (first * 0x0101u ^ width * 0x10001u ^ 0xedb88320u))
        return -1;
    if (width == 0 || width > 32 || first > 32 - width)
        return -2;
    mask = (1u << width) - 1; /* fault */
    return reg >> first & mask;
}
