#include <stdlib.h>

#include "internal.h"

int node_insert(struct node **head, int priority, int job)
{
    struct node *node = malloc(sizeof *node);

    if (node == NULL)
        return -1;
    node->priority = priority;
    node->job = job;
    /* Behind those that are as important: first come, first served. */
    while (*head != NULL && (*head)->priority >= priority)
        head = &(*head)->next;
    node->next = *head;
    *head = node;
    return 0;
}

struct node *node_find(struct node *head, int job)
{
    while (head != NULL && head->job != job)
        head = head->next;
    return head;
}

void node_remove(struct node **head, struct node *node)
{
    while (*head != node)
        head = &(*head)->next;
    *head = node->next;
    free(node);
}

void node_free_all(struct node *node)
{
    while (node != NULL) {
        struct node *next = node->next;

        free(node);
        node = next;
    }
}
