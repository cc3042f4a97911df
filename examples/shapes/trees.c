/* Trees whose nodes are told apart by a tag: numbers, words, operations and functions share the bytes of a union. */
#include <stddef.h>
#include <string.h>

enum node_kind { NODE_NUMBER, NODE_NAME, NODE_PAIR, NODE_CALL };

struct node {
    enum node_kind kind;
    union {
        long number;
        const char *name;
        const struct pair *pair;
        long (*function)(long);
    } as;
    const struct node *next;
};

struct pair {
    char operator;
    struct node left, right;
};

long twice(long n)
{
    return n > 1000 || n < -1000 ? n : 2 * n;
}

long opposite(long n)
{
    return n < -1000 ? n : -n;
}

long (*const known_functions[])(long) = {twice, opposite};

/* What a node without parts is worth. */
int node_value(const struct node *node, long *value)
{
    switch (node->kind) {
    case NODE_NUMBER:
        *value = node->as.number;
        return 1;
    case NODE_NAME:
        if (node->as.name == NULL || strcmp(node->as.name, "pi") != 0)
            return 0;
        *value = 3;
        return 1;
    case NODE_CALL:
        if (node->as.function == NULL)
            return 0;
        *value = node->as.function(21);
        return *value == 42 ? 2 : 1;
    case NODE_PAIR:
        break;
    }
    return -1;
}

/* Whether a node adds two numbers that are not both zero. */
int is_sum(const struct node *node)
{
    const struct pair *pair;

    if (node->kind != NODE_PAIR || node->as.pair == NULL)
        return 0;
    pair = node->as.pair;
    if (pair->operator != '+')
        return 0;
    if (pair->left.kind != NODE_NUMBER || pair->right.kind != NODE_NUMBER)
        return 0;
    return pair->left.as.number != 0 || pair->right.as.number != 0;
}

/* How many names of a list begin with an underscore. */
int private_names(const struct node *list)
{
    int found = 0;

    for (; list != NULL; list = list->next)
        if (list->kind == NODE_NAME && list->as.name != NULL && list->as.name[0] == '_')
            found++;
    return found;
}
