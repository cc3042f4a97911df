#include "board.h"

#define FRAME_LONGEST (PROTOCOL_LONGEST + 3u)

static uint8_t frame[FRAME_LONGEST];
static unsigned filled;

/* Gathers the bytes of a frame; what became of it, or -1 while it is not full. */
int main_byte(int byte)
{
    if (byte < 0)
        return -1;
    if (filled == 0 && byte != (int)PROTOCOL_START)
        return -1;
    frame[filled++ % FRAME_LONGEST] = (uint8_t)byte;
    if (filled < 2 || filled < frame[1] + 3u) {
        if (filled < FRAME_LONGEST)
            return -1;
    }
    byte = protocol_frame(frame, filled);
    filled = 0;
    return byte;
}

int main(void)
{
    for (;;)
        main_byte(board_poll());
}
