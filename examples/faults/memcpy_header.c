/* Takes the header of a file apart: signature, length of the header, checksum.
 * Fault: the length is compared with what was received and not with the local copy: memcpy leaves a local array. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int header_version(const uint8_t *data, size_t len)
{
    uint8_t header[8];
    size_t header_len;

    if (data == NULL || len < 6 || len > 20)
        return -1;
    if (data[0] != 0x89 || data[1] != 'T' || data[2] != 'K')
        return -1;
    header_len = data[3];
    if (header_len < 6 || header_len > len || data[4] != (uint8_t)(header_len * 7u + 0x11u))
        return -2;
    memcpy(header, data, header_len); /* fault */
    return header[5];
}
