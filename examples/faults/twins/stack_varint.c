/* Encodes a number as a varint, seven bits to a byte, and folds the bytes into a hash.
 * Five bytes are enough for 32 bits. */
#include <stddef.h>
#include <stdint.h>

int varint_hash(uint32_t value, uint32_t salt, uint32_t proof)
{
    uint8_t bytes[5];
    size_t used = 0, i;
    uint32_t hash = salt;

    if (proof != ((value ^ salt) * 9u ^ 0x7feb352du))
        return -1;
    if ((salt & 0xffff) != 0x2b2b)
        return -2;
    while (value >= 0x80) {
        bytes[used++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    bytes[used++] = (uint8_t)value;
    for (i = 0; i < used; i++)
        hash = hash * 33u ^ bytes[i];
    return (int)(hash & 0x7fff);
}
