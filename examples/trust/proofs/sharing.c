/* Pointers that meet: two names for one place. Nothing in the code says that the caller must keep them apart. */
#include <stddef.h>
#include <string.h>

struct block {
    const unsigned char *data;
    size_t size;
    unsigned char inside[16];
};

/* Short contents are kept in the block itself, and then data points there. */
int is_inline(const struct block *blk)
{
    if (blk->data == blk->inside)
        return blk->size > 16 ? -1 : 1;
    if (blk->data == NULL)
        return -2;
    return 0;
}

/* The data of one block may be the very bytes of another, or of the block itself. */
int holds_block(const struct block *b, const struct block *blk)
{
    if (b->data == (const unsigned char *)blk)
        return b == blk ? 2 : 1;
    return 0;
}

struct node {
    struct node *next;
    int value;
};

/* A ring of one node points to itself, and a ring of two comes back after two steps. */
int ring_size(const struct node *n)
{
    if (n->next == NULL)
        return 0;
    if (n->next == n)
        return 1;
    if (n->next->next == n)
        return 2;
    return 3;
}

/* The caller may pass two places of one array that are three apart. */
int third_after(const int *p, const int *q)
{
    if (q == p + 3)
        return p[1] == 5 ? 2 : 1;
    if (p == q)
        return 3;
    return 0;
}

struct packet {
    unsigned short kind;
    unsigned short length;
    unsigned char body[12];
};

/* Pointers of different types may hold the same address, or one may lie inside the other. */
int names_packet(const struct packet *s, const char *c)
{
    if ((const char *)s == c)
        return 1;
    if (c == (const char *)s->body)
        return 2;
    if (c == (const char *)&s->length + 1)
        return 3;
    return 0;
}

/* A pointer to short may point to a member of the packet; writing through it then changes the packet. */
int clear_length(struct packet *s, unsigned short *where)
{
    if (where == &s->length)
        return 1;
    s->kind = 4;
    *where = 9;
    if (s->kind != 4)
        return 2;
    return 0;
}

int table[8];
int fallback = 5;

/* The place may be in the public table, one past its end, or the public fallback. */
int place_in_table(const int *p)
{
    if (p == table)
        return 0;
    if (p == table + 8)
        return -1;
    if (p == &fallback)
        return -2;
    return *p == 7 ? 2 : 1;
}

struct ring {
    int *head;
    int *tail;
    int *end;
    int slots[4];
};

/* Head and tail meet when the ring is empty, and the tail may be at the end of the slots. */
int ring_state(struct ring *r)
{
    if (r->head == r->tail)
        return 0;
    if (r->tail == r->slots + 4)
        return 1;
    return r->tail + 1 == r->head ? 2 : 3;
}

struct chain {
    struct node first;
    struct node *cur;
    struct chain *self;
};

/* A member may point at its own object, or at another member of it. */
int chain_state(struct chain *s)
{
    if (s->self != s)
        return -1;
    if (s->cur == &s->first)
        return 1;
    s->first.value = 0;
    s->cur->value = 8;
    return s->cur->next == &s->first ? 2 : 0;
}

/* If both pointers name one int, the second write is what the first pointer sees. */
int write_both(int *a, int *b)
{
    *a = 1;
    *b = 2;
    if (*a == 2)
        return 1;
    return 0;
}

struct counter {
    int total;
    int limit;
};

/* The pointer may name a member of the structure, so the write through it can change the total or the limit. */
int reset_counter(struct counter *c, int *other)
{
    c->total = 10;
    c->limit = 20;
    *other = 30;
    if (c->total == 30)
        return 1;
    if (c->limit > 20)
        return 2;
    return 0;
}

int quota = 100;

/* The place for the result may be the public quota itself. */
int spend(int amount, int *rest)
{
    int before = quota;

    if (amount < 0 || amount > 50)
        return -1;
    *rest = amount + 1;
    if (quota != before)
        return 1;
    return 0;
}

/* The two texts may overlap, so cutting one can shorten the other. */
int cut_both(char *left, char *right)
{
    if (strlen(right) != 4)
        return -1;
    left[1] = '\0';
    if (strlen(right) < 4)
        return 1;
    return 0;
}

struct hidden;

struct handle {
    struct hidden *state;
};

struct opened {
    struct handle *owner;
    int mode;
};

/* The type of the member is only declared, and cast to what it really is: its owner can be the handle. */
int is_open(struct handle *h)
{
    if (h == 0 || h->state == 0)
        return 0;
    struct opened *o = (struct opened *)h->state;
    if (o->owner != h || o->mode < 3)
        return 0;
    return 1;
}
