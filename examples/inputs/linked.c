/* Linked structures: lists, a ring of three, a shared tail, and a search tree of depth four. */
#include <limits.h>
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

int longer_than_five(const struct node *list)
{
    int length = 0;

    for (; list != NULL; list = list->next) {
        if (++length > 5)
            return 1;
    }
    return 0;
}

int ring_of_three(const struct node *n)
{
    if (n && n->next && n->next->next && n->next->next->next == n && n->next != n)
        return 1;
    return 0;
}

int shared_tail(const struct node *a, const struct node *b)
{
    if (a && b && a != b && a->next && a->next == b->next)
        return 1;
    return 0;
}

struct tree {
    int key;
    struct tree *left, *right;
};

static int depth(const struct tree *tree)
{
    int left, right;

    if (tree == NULL)
        return 0;
    left = depth(tree->left);
    right = depth(tree->right);
    return 1 + (left > right ? left : right);
}

static int ordered(const struct tree *tree, long low, long high)
{
    if (tree == NULL)
        return 1;
    if (tree->key <= low || tree->key >= high)
        return 0;
    return ordered(tree->left, low, tree->key) && ordered(tree->right, tree->key, high);
}

int search_tree_of_four(const struct tree *tree)
{
    if (depth(tree) == 4 && ordered(tree, LONG_MIN, LONG_MAX))
        return 1;
    return 0;
}
