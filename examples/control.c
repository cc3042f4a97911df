/* A small controller in floating point: clamping, hysteresis and a sensor that may be broken. */
#include <math.h>

struct controller {
    double setpoint;
    float gain;
    int heating;
};

/* Duty in percent, or -1 for a broken sensor. */
int control(struct controller *c, double measured)
{
    double error;

    if (isnan(measured) || measured < -40.0 || measured > 125.0)
        return -1;
    error = c->setpoint - measured;
    if (c->heating) {
        if (error < -0.5)
            c->heating = 0;
    } else {
        if (error > 0.5)
            c->heating = 1;
    }
    if (!c->heating)
        return 0;
    error *= c->gain;
    if (error >= 100.0)
        return 100;
    return error <= 1.0 ? 1 : (int)error;
}
