/* Pointers, arrays, aliases, literals. */
#include <stddef.h>

struct header {
    int kind;
    int size;
};

struct packet {
    struct header header;
    int body[4];
};

struct record {
    char name[4];
    char code[4];
};

struct node {
    int value;
    struct node *next;
};

struct cell {
    unsigned value;
};

int budget = 10;

/* 6.5.6p8 and 6.5.9p6: the pointer just past the first part may be formed, and
   it can be the start of the second part. */
int parts_join(const int *first, size_t count, const int *second)
{
    if (first + count == second)
        return 1;
    return 0;
}

/* 6.2.5p20 and 6.5.9p6: the rows follow each other without a gap, so the end
   of row a is the start of row a + 1. */
int rows_touch(int (*grid)[4], int a, int b)
{
    if (grid[a] + 4 == grid[b])
        return 1;
    return 0;
}

/* 6.5.9p6: the end of name can be equal to the start of the member after it,
   which the caller may point to. */
int after_name(const struct record *record, const char *at)
{
    if (at == record->name + 4)
        return 1;
    return 0;
}

/* 6.7.2.1p15: a pointer to a struct, converted, points to its first member.
   Two pointers of different types can be equal. */
int is_own_header(const struct packet *packet, const struct header *header)
{
    if ((const void *)packet == (const void *)header)
        return 1;
    return 0;
}

/* 6.5.8p5: both pointers may point into one array in either order. */
int distance(const int *from, const int *to)
{
    if (to < from)
        return (int)(from - to);
    return (int)(to - from);
}

/* 6.7.2.1p3: a struct may hold a pointer to its own type, so a node can be its
   own next node. */
int is_ring_of_one(const struct node *node)
{
    if (node->next == node)
        return 1;
    return 0;
}

/* 6.3.2.3p1: a void pointer can hold any object address, also that of the
   variable it is stored in. */
int points_to_itself(void **slot)
{
    if (*slot == (void *)slot)
        return 1;
    return 0;
}

/* 6.7.3.1: without restrict the two areas may overlap, so the copy can change
   its own source. size is at least 1. */
int copy_spoils(char *to, const char *from, size_t size)
{
    char first = from[0];
    size_t i;

    for (i = 0; i < size; i++)
        to[i] = from[i];
    if (from[0] != first)
        return 1;
    return 0;
}

/* 6.5p7: both results may go to the same int, so the second store can replace
   the first. */
int split(int total, int size, int *groups, int *rest)
{
    if (size <= 0)
        return -1;
    *groups = total / size;
    *rest = total % size;
    if (*groups != total / size)
        return 1;
    return 0;
}

/* 6.5p7: a and b may point to the same object, and then the value is lost. */
int xor_swap(unsigned *a, unsigned *b)
{
    unsigned old = *a;

    *a ^= *b;
    *b ^= *a;
    *a ^= *b;
    if (*b != old)
        return -1;
    return 0;
}

/* 6.7.3p6: const only forbids a change through this pointer. The object
   itself may be the variable budget, which is not const. */
int limit_moved(const int *limit, int amount)
{
    int before = *limit;

    budget = amount;
    if (*limit != before)
        return 1;
    return 0;
}

/* 6.5p7: out may be the address of the global budget. */
int budget_kept(int *out)
{
    budget = 5;
    *out = 7;
    if (budget == 5)
        return 1;
    return 0;
}

static const char *road_unit(int far)
{
    if (far)
        return "km";
    return "mile";
}

static const char *walk_unit(int metric)
{
    if (metric)
        return "km";
    return "yard";
}

/* 6.4.5p7: equal string literals may be one array. gcc and clang do share
   them, so the two pointers can be equal. */
int same_unit(int far, int metric)
{
    if (road_unit(far) == walk_unit(metric))
        return 1;
    return 0;
}

/* 6.5.2.5p5: the literal belongs to the function's block, so going back with
   goto uses the same object again. last and now become equal, and the first
   value is gone. */
int literal_again(unsigned start, unsigned char rounds)
{
    struct cell *last;
    struct cell *now = NULL;

again:
    last = now;
    now = &(struct cell){ start++ };
    if (rounds-- > 0)
        goto again;
    if (last == now) {
        if (last->value == start - 1)
            return 1;
        return 2;
    }
    return 0;
}
