#include "../../examples/control.c"
#include "peer.h"

static void one_run(void)
{
    struct controller controller;
    double measured;

    fill(&controller, sizeof controller);
    fill(&measured, sizeof measured);
    control(&controller, measured);
}
