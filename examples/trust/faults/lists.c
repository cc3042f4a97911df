/* Lists and trees: every one ends somewhere, so a null link is legal. */
#include <stddef.h>

struct node {
    unsigned value;
    struct node *next;
};

struct tree {
    unsigned key;
    struct tree *left, *right;
};

/* bug: a list without the value ends, and the walk does not. */
unsigned steps_to(struct node *node, unsigned value)
{
    unsigned steps = 0;

    if (node == NULL)
        return 0;
    while (node->value != value) {
        node = node->next;
        steps++;
    }
    return steps;
}

/* none: what steps_to should be. A list that leads back to itself is one that nobody builds. */
unsigned steps_until(struct node *node, unsigned value)
{
    unsigned steps = 0;

    while (node != NULL && node->value != value) {
        node = node->next;
        steps++;
    }
    return steps;
}

/* bug: a list may have one element. */
unsigned second_value(struct node *list)
{
    if (list == NULL)
        return 0;
    return list->next->value;
}

/* none: what second_value should be. */
unsigned second_value_or_none(struct node *list)
{
    if (list == NULL || list->next == NULL)
        return 0;
    return list->next->value;
}

/* bug: a value greater than all others comes after the last element. */
void insert_sorted(struct node *head, struct node *fresh)
{
    if (head == NULL || fresh == NULL)
        return;
    while (head->next->value < fresh->value)
        head = head->next;
    fresh->next = head->next;
    head->next = fresh;
}

/* contract: the head is not looked at; the end of the list is. */
unsigned last_value(struct node *head)
{
    while (head->next != NULL)
        head = head->next;
    return head->value;
}

/* bug: a node without a left child is legal. */
unsigned left_key(struct tree *tree)
{
    if (tree == NULL)
        return 0;
    return tree->left->key;
}

/* none: walks only where there is something. */
unsigned least_key(struct tree *tree)
{
    if (tree == NULL)
        return 0;
    while (tree->left != NULL)
        tree = tree->left;
    return tree->key;
}
