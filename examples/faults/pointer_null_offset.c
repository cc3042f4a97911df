/* Where the payload of a packet begins: behind the header, if there is a header.
 * Fault: a packet without a header has no buffer either, and an offset is added to its null pointer: undefined
 * pointer arithmetic. */
#include <stddef.h>
#include <stdint.h>

struct packet {
    uint32_t flags;
    uint32_t offset;
    uint32_t check;
    const uint8_t *buffer;
};

int packet_has_payload(const struct packet *packet)
{
    const uint8_t *payload;

    if (packet == NULL || packet->offset - 4u > 4 || packet->flags >> 4 != 0x0a0b0c0u)
        return -1;
    if (packet->check != (packet->flags ^ packet->offset * 0x9e3779b1u))
        return -1;
    if (packet->buffer == NULL && (packet->flags & 1) != 0)
        return -2;
    payload = packet->buffer + packet->offset; /* fault */
    return payload != NULL;
}
