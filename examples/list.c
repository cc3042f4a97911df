/* A singly linked list with ordered keys. */
#include <stddef.h>
#include <stdlib.h>

struct item {
    int key;
    struct item *next;
};

int list_length(const struct item *head)
{
    int n = 0;

    while (head != NULL) {
        n++;
        head = head->next;
    }
    return n;
}

/* Position of the key, or -1. */
int list_find(const struct item *head, int key)
{
    int position = 0;

    for (; head != NULL; head = head->next, position++) {
        if (head->key == key)
            return position;
    }
    return -1;
}

/* 1 if the keys never fall. */
int list_is_sorted(const struct item *head)
{
    if (head == NULL)
        return 1;
    while (head->next != NULL) {
        if (head->key > head->next->key)
            return 0;
        head = head->next;
    }
    return 1;
}

/* Links a new item at its place in a sorted list; the new head. */
struct item *list_insert(struct item *head, struct item *fresh)
{
    struct item *at = head;

    if (fresh == NULL)
        return head;
    if (head == NULL || fresh->key <= head->key) {
        fresh->next = head;
        return fresh;
    }
    while (at->next != NULL && at->next->key < fresh->key)
        at = at->next;
    fresh->next = at->next;
    at->next = fresh;
    return head;
}

/* Frees the first item with this key; the new head. */
struct item *list_remove(struct item *head, int key)
{
    struct item *before = NULL;
    struct item *at;

    for (at = head; at != NULL; before = at, at = at->next) {
        if (at->key == key) {
            if (before == NULL)
                head = at->next;
            else
                before->next = at->next;
            free(at);
            return head;
        }
    }
    return head;
}
