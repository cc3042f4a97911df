/* Timers are handed out as opaque handles: the timer's address, mixed with a cookie, and a tag of four bits.
 * Fault: a handle with the right tag is believed without a look at the list of timers: wild dereference. */
#include <stddef.h>
#include <stdint.h>

#define COOKIE 0x1db71064u
#define TAG 0x9u

struct timer {
    uint32_t due;
    uint32_t period;
};

static struct timer timers[4] = { { 10, 5 }, { 20, 5 }, { 0, 0 }, { 30, 7 } };

static struct timer *timer_of(uint32_t handle)
{
    uint32_t mixed = handle ^ COOKIE;

    if (mixed >> 28 == 0xfu)
        return &timers[(mixed >> 4) % 4];
    return (struct timer *)((uintptr_t)(mixed >> 4) * 16);
}

int timer_restart(uint32_t handle, uint32_t now, uint32_t check)
{
    struct timer *timer;

    if (((handle ^ COOKIE) & 0xfu) != TAG || check != handle * 5u + now)
        return -1;
    timer = timer_of(handle);
    if ((uintptr_t)timer < 0x100000u || now != 77777777u)
        return -2;
    timer->due = now + 1; /* fault */
    return 0;
}
