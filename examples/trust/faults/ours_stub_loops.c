/* Loops around functions that nobody defines. A stub that has come to the end of its script goes on with answers that
 * end loops: nothing left, a failure, a success, each enumerator. Only one certain number does not come by itself. */
#include <stddef.h>

enum state { IDLE, BUSY, BROKEN, DONE };

int ready(void);
int next_item(void);
int fetch(char *buffer, size_t size);
unsigned status(void);
enum state state_of(int device);

/* none: a stub is not busy for ever. */
int wait_ready(void)
{
    while (!ready()) {
    }
    return 1;
}

/* none: some time nothing is left. */
int drain(void)
{
    int count = 0;
    while (next_item() != 0)
        count++;
    return count;
}

/* none: some time it fails. */
int drain_until_failure(void)
{
    int count = 0;
    while (next_item() != -1)
        count++;
    return count;
}

/* none: some time nothing arrives. */
int copy_all(void)
{
    char block[16];
    int got, rounds = 0;
    while ((got = fetch(block, sizeof block)) > 0)
        rounds++;
    return rounds;
}

/* none: some time the bit is set. */
int wait_for_bit(void)
{
    int rounds = 0;
    while ((status() & 0x80) == 0)
        rounds++;
    return rounds;
}

/* none: each state comes. */
int wait_for_state(int device)
{
    int rounds = 0;
    while (state_of(device) != DONE)
        rounds++;
    return rounds;
}

/* limit: the one number that ends it does not come by itself; that is no endless loop. */
int wait_for_magic(void)
{
    unsigned rounds = 0;
    while (status() != 0xAA55)
        rounds++;
    return rounds > 3;
}

/* limit: it asks for ever, and a stub has no more to say. */
int count_for_ever(void)
{
    unsigned rounds = 0;
    for (;;) {
        rounds += (unsigned)ready();
        if (rounds == 0xffffffffu)
            return 1;
        rounds &= 3;
    }
}
