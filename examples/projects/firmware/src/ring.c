#include "board.h"

/* From the interrupt. */
FAST int ring_put(struct ring *ring, uint8_t byte)
{
    uint8_t next = (uint8_t)((ring->head + 1u) % RING_SIZE);

    if (next == ring->tail)
        return -1;
    ring->bytes[ring->head % RING_SIZE] = byte;
    ring->head = next;
    return 0;
}

int ring_get(struct ring *ring)
{
    int byte = -1;

    INTERRUPTS_OFF();
    if (ring->head != ring->tail) {
        byte = ring->bytes[ring->tail % RING_SIZE];
        ring->tail = (uint8_t)((ring->tail + 1u) % RING_SIZE);
    }
    INTERRUPTS_ON();
    return byte;
}
