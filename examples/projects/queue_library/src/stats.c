#include "internal.h"

void stats_pushed(struct stats *stats, int priority)
{
    stats->by_class[policy_class(priority)]++;
}

void stats_cancelled(struct stats *stats, const struct node *node)
{
    if (stats->observed)
        stats->cancelled[policy_class(node->priority)]++;
}
