/* Bytes from outside: packets, records of type and length, lines of text. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char hex_value[128] = { ['1'] = 1, ['2'] = 2, ['3'] = 3, ['a'] = 10, ['b'] = 11, ['f'] = 15 };
static const unsigned char class_of[256] = { [' '] = 1, ['0'] = 2, ['a'] = 3 };
static unsigned records;

/* unchecked: the packet says how much is copied, and nobody asks whether there is so much, or room for it. */
int packet_name(const unsigned char *packet, size_t size)
{
    unsigned char name[16] = { 0 };

    if (packet == NULL || size < 2)
        return -1;
    memcpy(name, packet + 2, packet[1]);
    return name[0];
}

/* none: both questions are asked. */
int packet_name_checked(const unsigned char *packet, size_t size)
{
    unsigned char name[16] = { 0 };

    if (packet == NULL || size < 2)
        return -1;
    if (packet[1] > sizeof name || packet[1] > size - 2)
        return -1;
    memcpy(name, packet + 2, packet[1]);
    return name[0];
}

/* unchecked: a record at the end may say that it goes on. */
unsigned values_sum(const unsigned char *packet, size_t size)
{
    size_t at = 0, i;
    unsigned sum = 0;

    if (packet == NULL)
        return 0;
    while (at < size) {
        size_t length = packet[at++];
        for (i = 0; i < length; i++)
            sum += packet[at + i];
        at += length;
    }
    return sum;
}

/* none: a record that goes on behind the end is refused. */
unsigned values_sum_checked(const unsigned char *packet, size_t size)
{
    size_t at = 0, i;
    unsigned sum = 0;

    if (packet == NULL)
        return 0;
    while (at < size) {
        size_t length = packet[at++];
        if (length > size - at)
            return 0;
        for (i = 0; i < length; i++)
            sum += packet[at + i];
        at += length;
    }
    return sum;
}

/* unchecked: a record of length 0 never ends. */
unsigned record_count(const unsigned char *packet, size_t size)
{
    size_t at = 0;

    records = 0;
    if (packet == NULL)
        return 0;
    while (at < size) {
        records++;
        at += packet[at];
    }
    return records;
}

/* none: a record of length 0 is refused. */
unsigned record_count_checked(const unsigned char *packet, size_t size)
{
    size_t at = 0;

    records = 0;
    if (packet == NULL)
        return 0;
    while (at < size) {
        if (packet[at] == 0)
            return 0;
        records++;
        at += packet[at];
    }
    return records;
}

/* unchecked: a text is as long as it likes. */
size_t name_length(const char *name)
{
    char copy[12];

    if (name == NULL)
        return 0;
    strcpy(copy, name);
    return strlen(copy);
}

/* none: a text that is too long is refused. */
size_t name_length_checked(const char *name)
{
    char copy[12];

    if (name == NULL || strlen(name) >= sizeof copy)
        return 0;
    strcpy(copy, name);
    return strlen(copy);
}

/* unchecked: a text of eight characters leaves no end in the copy. */
size_t tag_length(const char *tag)
{
    char copy[8];

    if (tag == NULL)
        return 0;
    strncpy(copy, tag, sizeof copy);
    return strlen(copy);
}

/* bug: the text is our own, and its end has no room; no input decides. */
size_t greeting_length(void)
{
    char copy[4];

    memset(copy, 'x', sizeof copy);
    strcpy(copy, "four");
    return sizeof copy;
}

/* unchecked: a line without '=' is possible. */
int split_line(char *line)
{
    char *equals;

    if (line == NULL)
        return -1;
    equals = strchr(line, '=');
    *equals = '\0';
    return 0;
}

/* none: a line without '=' is refused. */
int split_line_checked(char *line)
{
    char *equals;

    if (line == NULL)
        return -1;
    equals = strchr(line, '=');
    if (equals == NULL)
        return -1;
    *equals = '\0';
    return 0;
}

/* unchecked: a byte above 127 is possible. */
unsigned hex_digit(const unsigned char *text)
{
    if (text == NULL)
        return 0;
    return hex_value[text[0]];
}

/* none: the table has a place for every byte. */
unsigned first_class(const unsigned char *text)
{
    if (text == NULL)
        return 0;
    return class_of[text[0]];
}

/* unchecked: a char may be negative. */
unsigned char_class(const char *text)
{
    if (text == NULL)
        return 0;
    return class_of[(signed char)text[0]];
}

/* unchecked: a line may have more than three commas. */
unsigned widest_field(const char *line)
{
    unsigned width[4] = { 0 }, field = 0, i, widest = 0;

    if (line == NULL)
        return 0;
    for (; *line != '\0'; line++) {
        if (*line == ',')
            field++;
        else
            width[field]++;
    }
    for (i = 0; i < 4; i++)
        if (width[i] > widest)
            widest = width[i];
    return widest;
}

/* unchecked: the divisor is a byte of the packet. */
unsigned packet_rate(const unsigned char *packet, size_t size)
{
    if (packet == NULL || size < 2)
        return 0;
    return 1000u / packet[1];
}

/* none: a divisor of 0 is refused. */
unsigned packet_rate_checked(const unsigned char *packet, size_t size)
{
    if (packet == NULL || size < 2 || packet[1] == 0)
        return 0;
    return 1000u / packet[1];
}

/* unchecked: the number of the flag is a byte of the packet. */
uint32_t packet_flag(const unsigned char *packet, size_t size)
{
    if (packet == NULL || size < 1)
        return 0;
    return (uint32_t)1 << packet[0];
}

/* unchecked: what comes from outside is asserted. */
int packet_kind(const unsigned char *packet, size_t size)
{
    if (packet == NULL || size < 2)
        return -1;
    assert(packet[0] == 0x45);
    return packet[1];
}

/* unchecked: what comes from outside ends the program. */
int packet_version(const unsigned char *packet, size_t size)
{
    if (packet == NULL || size < 1)
        return -1;
    if (packet[0] >> 4 > 6)
        abort();
    return packet[0] >> 4;
}
