/* A fixed-point filter with four taps: sums up the products of samples and coefficients.
 * Fault: each product fits, their sum need not: signed overflow in a loop. */
#include <stddef.h>
#include <stdint.h>

struct taps {
    uint32_t id;
    int16_t coefficient[4];
    uint16_t sum;
};

int filter_output(const struct taps *taps, const int16_t samples[4])
{
    int32_t accumulator = 0;
    uint16_t sum = 0;
    int i;

    if (taps == NULL || samples == NULL || taps->id != 0x46495234u)
        return -1;
    for (i = 0; i < 4; i++)
        sum = (uint16_t)(sum + (uint16_t)taps->coefficient[i]);
    if (sum != (taps->sum ^ 0x7117u))
        return -2;
    for (i = 0; i < 4; i++)
        accumulator += taps->coefficient[i] * samples[i]; /* fault */
    return accumulator >> 15;
}
