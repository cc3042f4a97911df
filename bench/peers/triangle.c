#include "../../examples/triangle.c"
#include "peer.h"

static void one_run(void)
{
    int sides[3];

    fill(sides, sizeof sides);
    triangle(sides[0], sides[1], sides[2]);
}
