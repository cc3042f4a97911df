#include "../../examples/packet.c"
#include "peer.h"

static void one_run(void)
{
    uint8_t bytes[12];
    unsigned length;
    struct packet packet;

    fill(&length, sizeof length);
    fill(bytes, sizeof bytes);
    packet_decode(bytes, length, &packet);
}
