/* Turns the setpoint of a heater (degrees) into the units of its DAC.
 * Setpoints that the DAC does not know are refused. */
#include <math.h>
#include <stdint.h>

int setpoint_units(float degrees, uint32_t unit, uint32_t check)
{
    if (check != (unit ^ 0x3f800000u) + 0x1234u || unit < 16)
        return -1;
    if (isnan(degrees) || degrees < 0.0f || degrees > 4000.0f)
        return -2;
    return (int)(degrees * 16.0f);
}
