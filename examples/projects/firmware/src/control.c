#include "board.h"

#define LOWEST 5
#define HIGHEST 30
#define ECO_LESS 4

static enum mode mode;
static int target = 20;
static int heating;

int control_set_mode(int wanted)
{
    if (wanted < MODE_OFF || wanted > MODE_COMFORT)
        return -1;
    mode = (enum mode)wanted;
    return 0;
}

int control_set_target(int degrees)
{
    if (degrees < LOWEST || degrees > HIGHEST)
        return -1;
    target = degrees;
    return 0;
}

/* Heats until it is warm enough, and begins again a degree below. */
int control_step(int degrees)
{
    int wanted = target;

    switch (mode) {
    case MODE_OFF:
        wanted = LOWEST;
        break;
    case MODE_ECO:
        wanted -= ECO_LESS;
        break;
    case MODE_COMFORT:
        break;
    }
    if (degrees >= wanted)
        heating = 0;
    else if (degrees < wanted - 1)
        heating = 1;
    return heating;
}
