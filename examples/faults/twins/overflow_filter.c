/* A fixed-point filter with four taps: sums up the products of a block's samples and the window.
 * The sum has 64 bits. */
#include <stddef.h>
#include <stdint.h>

static const int32_t window[4] = { 11000, 21000, 21000, 11000 };

struct block {
    uint32_t id;
    int32_t sample[4];
    uint16_t sum;
};

int filter_output(const struct block *block)
{
    int64_t accumulator = 0;
    uint16_t sum = 0;
    int i;

    if (block == NULL || block->id != 0x46495234u)
        return -1;
    for (i = 0; i < 4; i++) {
        if (block->sample[i] > 100000 || block->sample[i] < -100000)
            return -2;
        sum = (uint16_t)(sum + (uint16_t)block->sample[i]);
    }
    if (sum != (block->sum ^ 0x7117u))
        return -3;
    for (i = 0; i < 4; i++)
        accumulator += window[i] * block->sample[i];
    return (int)(accumulator >> 15);
}
