#include "../../examples/bubble.c"
#include "peer.h"

static void one_run(void)
{
    int values[MAXLEN], count;

    fill(&count, sizeof count);
    fill(values, sizeof values);
    bubble(values, count);
}
