/* Decodes a block of a sound codec: its mode, and the parameter of the mode.
 * Fault: the header allows modes up to 6, and the decoder knows five and aborts for the others. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static int samples_of(uint32_t mode, uint32_t parameter)
{
    switch (mode) {
    case 0:
        return 0;
    case 1:
    case 2:
        return (int)(parameter & 0xff);
    case 3:
        return (int)(parameter >> 4 & 0xff) + 1;
    case 4:
        return 64;
    default:
        abort(); /* fault */
    }
}

int block_samples(uint32_t header, uint32_t parameter, uint32_t check)
{
    uint32_t mode = header & 0xf;

    if (header >> 16 != 0x6ec0u || (header >> 4 & 0xfff) != (check & 0xfff))
        return -1;
    if (check >> 12 != ((parameter ^ header) & 0xfffffu))
        return -1;
    if (mode > 6)
        return -2;
    return samples_of(mode, parameter);
}
