/* Binary search in a table with a size, and a table lookup at a symbolic index. */
#include <stddef.h>

struct entry {
    int key;
    int value;
};

struct map {
    unsigned count;
    struct entry entries[8];
};

const struct entry *map_find(const struct map *m, int key)
{
    unsigned low = 0, high;

    if (m->count > 8)
        return NULL;
    high = m->count;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;

        if (m->entries[middle].key == key)
            return &m->entries[middle];
        if (m->entries[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static const unsigned char weight[16] = { 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4 };

/* Number of one bits, by table; -1 where parity is odd and the high bit is set. */
int bit_weight(unsigned short bits)
{
    int n = weight[bits & 15] + weight[bits >> 4 & 15] + weight[bits >> 8 & 15] + weight[bits >> 12];

    if (n % 2 == 1 && (bits & 0x8000))
        return -1;
    if (n == 16)
        return 100;
    return n;
}
