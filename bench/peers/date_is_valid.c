#include "../../examples/calendar.c"
#include "peer.h"

static void one_run(void)
{
    struct date date;

    fill(&date, sizeof date);
    date_is_valid(date);
}
