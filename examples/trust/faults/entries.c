/* Entry points that are static: called from elsewhere, through a header or a pointer. */
/* tarka-options: -f on_key -f on_tick -f on_mode -f warm_up -f level_up_to -f level_at */
#include "entries.h"

struct device {
    unsigned (*key)(unsigned code);
    unsigned (*tick)(unsigned time);
    unsigned (*mode)(unsigned mode);
};

/* bug: called from elsewhere through the table, and 8 passes. */
static unsigned on_key(unsigned code)
{
    if (code > 8)
        return 0;
    return levels[code];
}

/* contract: called from elsewhere through the table, and nobody looks at time. */
static unsigned on_tick(unsigned time)
{
    return levels[time];
}

/* none: called from elsewhere, and checked. */
static unsigned on_mode(unsigned mode)
{
    if (mode >= 8)
        return 0;
    return levels[mode];
}

const struct device keyboard = { on_key, on_tick, on_mode };

/* none: all it passes is right. */
unsigned warm_up(void)
{
    return on_key(1) + on_mode(2) + level_up_to(3) + level_at(4);
}
