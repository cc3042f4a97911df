/* What a module keeps: tables with lengths, enumerations, settings that nobody changes, lists through members. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

const char **words;
size_t word_count;

int word_index(const char *word)
{
    size_t i;

    for (i = 0; i < word_count && i < 4; i++)
        if (strcmp(words[i], word) == 0)
            return (int)i;
    return -1;
}

enum level { LOW = 10, MIDDLE = 20, HIGH = 30 };

struct channel {
    enum level level;
    uint8_t muted;
};

int channel_gain(const struct channel *c)
{
    if (c->muted)
        return 0;
    if (c->level == LOW)
        return 1;
    if (c->level == MIDDLE)
        return 2;
    return 4;
}

static unsigned limits[3] = {5, 50, 500};

/* Nobody changes the limits. */
int grade(unsigned value)
{
    int i;

    for (i = 0; i < 3; i++)
        if (value < limits[i])
            return i;
    return 3;
}

/* Four bytes are there, because it says so. */
uint32_t word_at(const uint8_t *p, size_t n)
{
    if (n < 4)
        return 0;
    return p[3] == 0x7f ? 1 : (uint32_t)p[0] << 8 | p[1];
}

struct tree {
    struct tree *left, *right, *parent;
    int key;
};

const struct tree *tree_next(const struct tree *n)
{
    if (n->right != NULL) {
        n = n->right;
        while (n->left != NULL)
            n = n->left;
        return n;
    }
    while (n->parent != NULL && n == n->parent->right)
        n = n->parent;
    return n->parent;
}

struct entry {
    struct entry *next;
    const char *name;
    int value;
};

struct map {
    struct entry *buckets[4];
    unsigned count;
};

int map_get(const struct map *map, const char *name, int *value)
{
    unsigned hash = (unsigned char)name[0] & 3;
    const struct entry *at;

    for (at = map->buckets[hash]; at != NULL; at = at->next)
        if (strcmp(at->name, name) == 0) {
            *value = at->value;
            return 1;
        }
    return 0;
}

/* Two ends of a doubly linked list. */
struct item {
    struct item *next, *previous;
    int weight;
};

struct queue {
    struct item *first, *last;
};

struct item *queue_take(struct queue *q, int heaviest)
{
    struct item *item = heaviest ? q->last : q->first;

    if (item == NULL)
        return NULL;
    if (item->previous != NULL)
        item->previous->next = item->next;
    else
        q->first = item->next;
    if (item->next != NULL)
        item->next->previous = item->previous;
    else
        q->last = item->previous;
    return item;
}

/* A text that is read up to its end, whatever else is behind it. */
int starts_with(const char *text, size_t length, const char *prefix)
{
    size_t i;

    for (i = 0; prefix[i] != '\0'; i++)
        if (i >= length || text[i] != prefix[i])
            return 0;
    return 1;
}

int field_count(const char *line, size_t length, char separator)
{
    size_t i;
    int count = 1, quoted = 0;

    if (length == 0)
        return 0;
    for (i = 0; i < length; i++) {
        if (line[i] == '"')
            quoted = !quoted;
        else if (line[i] == separator && !quoted)
            count++;
    }
    return quoted ? -1 : count;
}
