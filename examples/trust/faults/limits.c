/* What is no fault of the unit nor of its callers: our stand-ins end, and the sizes of our objects are guesses. */
#include <stddef.h>

int next_event(void);
unsigned clock_now(void);

static unsigned events;

/* limit: it goes on only as long as the stand-in for next_event does. */
unsigned all_events(void)
{
    events = 0;
    while (next_event() != 0)
        events++;
    return events;
}

/* limit: time passes; a stand-in that does not know this is no endless loop. */
unsigned wait_until(unsigned moment)
{
    unsigned rounds = 0;

    while (clock_now() < moment)
        rounds++;
    return rounds;
}

/* limit: how many numbers there are before the 0 was our guess. */
unsigned sum_to_zero(const unsigned *number)
{
    unsigned sum = 0;

    if (number == NULL)
        return 0;
    while (*number != 0)
        sum += *number++;
    return sum;
}

/* limit: how long the table is was our guess. */
unsigned row_at_thousand(const unsigned *row)
{
    if (row == NULL)
        return 0;
    return row[1000];
}
