/* The width of a line of code from its tokens: numbers, names and operators, held as nodes on the heap.
 * Whether it is quoted is noted for all of them. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum kind { NUMBER = 1, NAME = 2, OPERATOR = 3 };

struct node {
    uint32_t kind;
    int32_t value;
    uint32_t quoted;
};

static void node_set(struct node *node, uint32_t kind, int32_t value)
{
    node->kind = kind;
    node->value = value;
    switch (kind) {
    case NUMBER:
        node->quoted = 0;
        break;
    default:
        node->quoted = value < 0;
        break;
    }
}

int nodes_width(const uint8_t *kinds, size_t len, int32_t value, uint32_t parent)
{
    struct node *nodes;
    size_t i;
    int width = 0;

    if (kinds == NULL || len < 1 || len > 4 || parent != ((uint32_t)value ^ 0x6c078965u) + kinds[0])
        return -1;
    nodes = malloc(len * sizeof *nodes);
    if (nodes == NULL)
        return -1;
    for (i = 0; i < len; i++)
        node_set(&nodes[i], kinds[i], value);
    for (i = 0; i < len; i++) {
        if (nodes[i].kind < NUMBER || nodes[i].kind > OPERATOR)
            continue;
        width += 2;
        if (nodes[i].quoted != 0)
            width += 2;
    }
    free(nodes);
    return width;
}
