/* Bit fields, unions, object representation, enums, access through char. */
#include <stdint.h>
#include <string.h>

struct lamp {
    signed int on : 1;
    unsigned int step : 3;
    unsigned int width : 4;
};

struct entry {
    char tag;
    int value;
};

union word {
    uint32_t whole;
    unsigned char part[4];
};

union number {
    float real;
    uint32_t bits;
};

enum colour { RED, GREEN, BLUE };

enum access_mode { MODE_READ = 1, MODE_WRITE = 2, MODE_APPEND = 4 };

/* 6.7.2.1p10 and 6.3.1.3p3: a signed field of one bit holds 0 and -1, so
   storing 1 gives -1. */
int lamp_switch(struct lamp *lamp, int want)
{
    lamp->on = want & 1;
    if (lamp->on < 0)
        return 1;
    return 0;
}

/* 6.7.2.1p10: three bits hold 0 to 7, so one step after 7 is 0. */
int lamp_next(struct lamp *lamp)
{
    lamp->step++;
    if (lamp->step == 0)
        return 1;
    return 0;
}

/* 6.3.1.1p2: an int can hold every value of a four bit field, so the field
   becomes int (not unsigned) and the difference can be negative. */
int lamp_room(const struct lamp *lamp)
{
    if (lamp->width - 5 < 0)
        return -1;
    return lamp->width - 5;
}

/* 6.5.2.3p3: reading another member shows the stored bytes. Minus zero equals
   zero, but its bits are not all zero. */
int zero_with_bits(float value)
{
    union number n;

    n.real = value;
    if (n.real == 0.0f) {
        if (n.bits != 0)
            return 1;
        return 0;
    }
    return -1;
}

/* 6.5.2.3p3: part and whole share their bytes, so a store to one part changes
   the whole. */
int patched_word(unsigned char byte)
{
    union word w;

    w.whole = 0;
    w.part[1] = byte;
    if (w.whole > 255)
        return 1;
    return 0;
}

/* 6.2.6.1p6: padding bytes may hold anything, so two entries with equal
   members can still have different bytes. */
int differ_in_padding(const struct entry *a, const struct entry *b)
{
    if (a->tag == b->tag && a->value == b->value) {
        if (memcmp(a, b, sizeof *a) != 0)
            return 1;
        return 0;
    }
    return -1;
}

/* 6.7.2.2p4: an enum is compatible with some integer type and can hold values
   that have no name. */
int colour_index(enum colour colour)
{
    if (colour == RED)
        return 0;
    if (colour == GREEN)
        return 1;
    if (colour == BLUE)
        return 2;
    return -1;
}

/* 6.7.2.2p4: the modes can be joined with |, and the result 3 is no enumerator. */
int mode_kind(enum access_mode mode)
{
    if ((mode & MODE_READ) != 0 && (mode & MODE_WRITE) != 0)
        return 3;
    if (mode == MODE_APPEND)
        return 4;
    return 0;
}

/* 6.5p7: an int may be changed through a pointer to a character type, so byte
   may point into the counter. */
int counter_touched(const int *counter, unsigned char *byte)
{
    int before = *counter;

    *byte = 9;
    if (*counter != before)
        return 1;
    return 0;
}
