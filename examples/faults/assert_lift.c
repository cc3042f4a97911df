/* The controller of a lift: takes commands and keeps a promise it asserts, that the lift never moves with its door open.
 * Fault: an emergency stop opens the door, and a resume after it moves on: failed assertion. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

enum { OPEN = 0x4f, CLOSE = 0x43, MOVE = 0x4d, STOP = 0x53, RESUME = 0x52 };

int lift_run(const uint8_t *commands, size_t len, uint32_t signature)
{
    int door_open = 1, moving = 0, was_moving = 0;
    size_t i;

    if (commands == NULL || len > 5 || signature != (uint32_t)len * 0x00beef01u + 0x77u)
        return -1;
    for (i = 0; i < len; i++) {
        switch (commands[i]) {
        case OPEN:
            door_open = !moving;
            break;
        case CLOSE:
            door_open = 0;
            break;
        case MOVE:
            moving = !door_open;
            break;
        case STOP:
            was_moving = moving;
            moving = 0;
            door_open = 1;
            break;
        case RESUME:
            moving = was_moving;
            break;
        default:
            return -2;
        }
        assert(!(moving && door_open)); /* fault */
    }
    return moving;
}
