#include "../../examples/search.c"
#include "peer.h"

static void one_run(void)
{
    struct map map;
    int key;

    fill(&key, sizeof key);
    fill(&map, sizeof map);
    map_find(&map, key);
}
