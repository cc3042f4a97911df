/* Structs by value and by pointer, nested, packed, with bit fields; unions; arrays of arrays and of structs; a flexible
   array member. tarka-flags: -std=c99 */
#include <stddef.h>

struct point {
    int x, y;
};

struct rectangle {
    struct point low, high;
};

int inside(struct rectangle area, struct point where)
{
    if (where.x < area.low.x || where.x > area.high.x)
        return 0;
    return where.y >= area.low.y && where.y <= area.high.y;
}

struct status {
    unsigned ready : 1;
    signed level : 3;
    unsigned mode : 4;
};

int bit_fields(struct status status)
{
    if (status.ready && status.level == -4)
        return status.mode > 12 ? 2 : 1;
    return 0;
}

struct __attribute__((packed)) header {
    char tag;
    int length;
    short check;
};

int packed_header(const struct header *header)
{
    if (header == NULL)
        return -1;
    if (header->tag == 'H' && header->length > 1000 && header->check == (short)(header->length ^ 0x55))
        return 1;
    return 0;
}

enum kind { NUMBER, REAL, WORD };

struct value {
    enum kind kind;
    union {
        int number;
        float real;
        char word[8];
    } as;
};

int is_ok(struct value value)
{
    switch (value.kind) {
    case NUMBER:
        return value.as.number == 12345;
    case REAL:
        if (value.as.real == 0.5f)
            return 1;
        break;
    case WORD:
        if (value.as.word[0] == 'o' && value.as.word[1] == 'k' && value.as.word[2] == '\0')
            return 1;
        break;
    default:
        return -1;
    }
    return 0;
}

union either {
    unsigned long bits;
    double number;
};

int union_bits(union either either)
{
    if (either.number > 1.0 && (either.bits & 0xff) == 0x7f)
        return 1;
    return 0;
}

int diagonal(int grid[3][3])
{
    if (grid == NULL)
        return -1;
    if (grid[0][0] == 1 && grid[1][1] == 2 && grid[2][2] == 3)
        return 1;
    return 0;
}

struct slot {
    int key;
    int used;
};

struct table {
    struct slot slots[4];
    int size;
};

int find_slot(const struct table *table, int key)
{
    if (table == NULL || table->size < 0 || table->size > 4)
        return -2;
    for (int i = 0; i < table->size; i++) {
        if (table->slots[i].used && table->slots[i].key == key)
            return i;
    }
    return -1;
}

struct message {
    unsigned short length;
    unsigned char data[];
};

int message_ok(const struct message *message)
{
    unsigned char sum = 0;

    if (message == NULL || message->length < 2)
        return 0;
    for (int i = 0; i < message->length; i++)
        sum ^= message->data[i];
    return sum == 0xa5 ? 1 : 0;
}
