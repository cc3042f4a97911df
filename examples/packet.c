/* Decodes a small packet: lengths, a checksum and a division that a careless sender can break. */
#include <stdint.h>

enum packet_error { PACKET_OK, PACKET_SHORT, PACKET_VERSION, PACKET_CHECKSUM, PACKET_KIND };

struct packet {
    uint8_t kind;
    uint16_t count;
    uint32_t average;
};

enum packet_error packet_decode(const uint8_t bytes[12], unsigned length, struct packet *out)
{
    uint32_t total;
    uint8_t sum = 0;
    unsigned i;

    if (length < 8 || length > 12)
        return PACKET_SHORT;
    if ((bytes[0] >> 4) != 2)
        return PACKET_VERSION;
    for (i = 0; i + 1 < length; i++)
        sum ^= bytes[i];
    if (sum != bytes[length - 1])
        return PACKET_CHECKSUM;
    out->kind = bytes[0] & 15;
    out->count = (uint16_t)(bytes[1] << 8 | bytes[2]);
    total = (uint32_t)bytes[3] << 16 | (uint32_t)bytes[4] << 8 | bytes[5];
    switch (out->kind) {
    case 1 ... 3:
        out->average = total / out->count; /* fault: a count of zero */
        return PACKET_OK;
    case 7:
        out->average = total;
        return PACKET_OK;
    }
    return PACKET_KIND;
}
