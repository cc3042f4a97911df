/* Containers in the manner of a library of generic ones, each with an assertion planted that only one state of the
 * container and one argument fail together, after paper 1 (§5.2). Every pointer is an input. */
#include <assert.h>
#include <stddef.h>

struct item {
    int key;
    struct item *next;
};

/* Puts an item into a sorted list, behind those with the same key. */
void sorted_add(struct item **list, struct item *item)
{
    int passed = 0;

    if (list == NULL || item == NULL)
        return;
    while (*list != NULL && (*list)->key <= item->key) {
        if ((*list)->key == item->key && passed == 2)
            assert(0); /* planted 1: the third item has the same key */
        list = &(*list)->next;
        passed++;
    }
    item->next = *list;
    *list = item;
}

struct link {
    int key;
    struct link *previous;
    struct link *next;
};

/* Takes the first link with a key out of a doubly linked list. */
struct link *chain_remove(struct link **first, int key)
{
    struct link *link;

    if (first == NULL)
        return NULL;
    for (link = *first; link != NULL && link->key != key; link = link->next)
        ;
    if (link == NULL)
        return NULL;
    if (link->previous != NULL && link->next != NULL && link->next->next == NULL)
        assert(0); /* planted 2: the last but one */
    if (link->previous != NULL)
        link->previous->next = link->next;
    else
        *first = link->next;
    if (link->next != NULL)
        link->next->previous = link->previous;
    return link;
}

struct node {
    int key;
    struct node *left;
    struct node *right;
};

/* Finds a key in a binary tree of bounded depth. */
const struct node *tree_find(const struct node *node, int key)
{
    int left = 0, right = 0;

    while (node != NULL && node->key != key && left + right < 4) {
        if (key < node->key) {
            node = node->left;
            left++;
        } else {
            node = node->right;
            right++;
        }
    }
    if (node != NULL && left == 2 && right == 1)
        assert(0); /* planted 3: two steps to the left and one to the right */
    return node;
}

#define ROOM 12

struct heap {
    int keys[ROOM];
    int count;
};

/* Puts a key into a heap whose largest key comes first. */
int heap_add(struct heap *heap, int key)
{
    int at, steps = 0;

    if (heap == NULL || heap->count < 0 || heap->count >= ROOM)
        return -1;
    at = heap->count++;
    while (at > 0 && heap->keys[(at - 1) / 2] < key) {
        heap->keys[at] = heap->keys[(at - 1) / 2];
        at = (at - 1) / 2;
        steps++;
    }
    heap->keys[at] = key;
    if (at == 0 && steps == 3)
        assert(0); /* planted 4: from the third level to the top */
    return steps;
}
