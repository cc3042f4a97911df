/* Writes the digits of a badge number into the identity of an access record.
 * The member has room for the badges of both series. */
#include <stddef.h>
#include <stdint.h>

struct access_record {
    uint8_t digits[7];
    uint8_t door;
    uint8_t granted;
    uint32_t stamp;
};

int access_log(struct access_record *record, uint32_t badge, uint32_t series, uint32_t code)
{
    int length, i;

    if (record == NULL || code != ((badge + 0x01234567u) ^ series))
        return -1;
    if (series == 0x0e1f2031u)
        length = 6;
    else if (series == 0x0e1f2032u)
        length = 7;
    else
        return -2;
    for (i = 0; i < length; i++)
        record->digits[i] = (uint8_t)(badge >> (4 * i) & 0xf);
    record->stamp++;
    return length;
}
