/* Temperature of a thermistor from a table of eight points, a linear interpolation between them.
 * Readings are clamped at both ends. */
#include <stddef.h>
#include <stdint.h>

#define FIRST_MILLIVOLT 200
#define STEP 100
#define POINTS 8

static const int16_t points[POINTS] = { 1250, 980, 770, 600, 460, 330, 210, 90 };

struct reading {
    int16_t millivolt;
    uint16_t channel;
    uint32_t crc;
};

int thermistor_decidegrees(const struct reading *reading)
{
    int above, slot;

    if (reading == NULL || reading->channel != 0x3c5a)
        return -9999;
    if (reading->crc != (uint32_t)(uint16_t)reading->millivolt * 40503u + reading->channel)
        return -9999;
    above = reading->millivolt - FIRST_MILLIVOLT;
    if (above >= STEP * (POINTS - 1))
        return points[POINTS - 1];
    if (above < 0)
        return points[0];
    slot = above / STEP;
    return points[slot] + (points[slot + 1] - points[slot]) * (above % STEP) / STEP;
}
