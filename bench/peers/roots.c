#include "../../examples/roots.c"
#include "peer.h"

static void one_run(void)
{
    double factors[3];

    fill(factors, sizeof factors);
    roots(factors[0], factors[1], factors[2]);
}
