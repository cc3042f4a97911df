#include <stddef.h>

#include "internal.h"

static unsigned put(char *text, unsigned size, unsigned at, char character)
{
    if (at < size)
        text[at] = character;
    return at + 1;
}

int queue_describe(const struct queue *queue, char *text, unsigned size)
{
    const struct node *node;
    unsigned at = 0;

    if (queue == NULL || size == 0)
        return -1;
    for (node = queue->head; node != NULL; node = node->next)
        at = put(text, size, at, policy_class(node->priority) >= POLICY_URGENT ? '!' : '.');
    text[at < size ? at : size - 1] = '\0';
    return (int)at;
}
