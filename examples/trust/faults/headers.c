/* Headers of a fixed size, checked for with a constant; what follows is as long as the header says. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* unchecked: the answer is as long as the request says, which may be more than came. */
int echo(const unsigned char *request, size_t n, unsigned char *answer)
{
    size_t length;

    if (request == NULL || answer == NULL || n < 3)
        return -1;
    length = (size_t)request[1] << 8 | request[2];
    if (request[0] != 1)
        return -2;
    memcpy(answer, request + 3, length);
    return (int)length;
}

/* none: what came is asked as well. */
int echo_checked(const unsigned char *request, size_t n, unsigned char answer[65536])
{
    size_t length;

    if (request == NULL || n < 3)
        return -1;
    length = (size_t)request[1] << 8 | request[2];
    if (request[0] != 1 || length > n - 3)
        return -2;
    memcpy(answer, request + 3, length);
    return (int)length;
}

/* unchecked: four bytes are asked for, and the fifth is read if the first one says so. */
int version_of(const unsigned char *header, unsigned len)
{
    if (header == NULL || len < 4)
        return -1;
    if (header[0] != 0x7f)
        return 0;
    return header[4];
}

/* none: five are asked for. */
int version_checked(const unsigned char *header, unsigned len)
{
    if (header == NULL || len < 5)
        return -1;
    if (header[0] != 0x7f)
        return 0;
    return header[4];
}

/* unchecked: the offset of the name is what the record says. */
int initial_of(const unsigned char *record, int size)
{
    if (record == NULL || size <= 2)
        return -1;
    return record[record[2]];
}

/* none: size bytes are there, and the offset is below. */
int initial_checked(const unsigned char *record, int size)
{
    if (record == NULL || size <= 2)
        return -1;
    return record[2] < size ? record[record[2]] : 0;
}

/* none: the checksum of a header of eight bytes. */
int sum_of(const uint8_t *header, size_t length)
{
    uint16_t sum = 0;

    if (header == NULL || length != 8)
        return -1;
    for (int i = 0; i < 8; i++)
        sum = (uint16_t)(sum + header[i]);
    return sum == header[0] * 2;
}

/* bug: four bytes are asked for, and the fifth is read. */
int fifth_of(const unsigned char *header, unsigned len)
{
    if (header == NULL || len < 4)
        return -1;
    return header[4];
}
