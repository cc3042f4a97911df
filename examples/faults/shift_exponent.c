/* Turns a packed number (sign, exponent, mantissa) of an instrument into a whole number.
 * Fault: exponents below the bias are meant to shift right, and one of them slips through: shift by a negative amount. */
#include <stdint.h>

#define BIAS 10

int packed_whole(uint32_t packed, uint32_t channel, uint32_t sum)
{
    uint32_t mantissa = packed & 0xffffu;
    int exponent = (int)(packed >> 16 & 0x1f);

    if (sum != packed + channel * 3u + 0x00c0de00u || channel >> 8 != 0x00a1b2u)
        return -1;
    if (exponent < BIAS - 1)
        return (int)(mantissa >> (BIAS - exponent));
    if (exponent > BIAS + 12)
        return -2;
    return (int)(mantissa << (exponent - BIAS) & 0x7fffffffu); /* fault */
}
