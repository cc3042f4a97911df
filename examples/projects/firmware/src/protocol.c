#include "board.h"

static uint8_t sum_of(const uint8_t *bytes, unsigned count)
{
    uint8_t sum = 0;

    while (count-- > 0)
        sum = (uint8_t)(sum + *bytes++);
    return sum;
}

/* Start, length, that many bytes, sum of the bytes. */
int protocol_frame(const uint8_t *frame, unsigned size)
{
    struct command command;
    unsigned length;

    if (size < 3)
        return FRAME_SHORT;
    if (frame[0] != PROTOCOL_START)
        return FRAME_START;
    length = frame[1];
    if (length > PROTOCOL_LONGEST || size < length + 3)
        return FRAME_LENGTH;
    if (sum_of(frame + 2, length) != frame[length + 2])
        return FRAME_SUM;
    command_take(&command, frame + 2, length);
    return command_run(&command) == 0 ? FRAME_OK : FRAME_LENGTH;
}
