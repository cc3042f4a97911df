#include "../../examples/range_split.c"
#include "peer.h"

static void one_run(void)
{
    double x;

    fill(&x, sizeof x);
    hyperbolic_sine(x);
}
