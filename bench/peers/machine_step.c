#include "../../examples/vending.c"
#include "peer.h"

static void one_run(void)
{
    struct machine machine;
    enum event event;
    unsigned choice;

    fill(&machine, sizeof machine);
    fill(&event, sizeof event);
    fill(&choice, sizeof choice);
    machine_step(&machine, event, choice);
}
