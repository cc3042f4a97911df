#include "queue.h"

#include <stdlib.h>

#include "internal.h"

struct queue *queue_create(unsigned capacity)
{
    struct queue *queue;

    if (capacity == 0 || capacity > QUEUE_LARGEST)
        return NULL;
    queue = calloc(1, sizeof *queue);
    if (queue == NULL)
        return NULL;
    queue->capacity = capacity;
    return queue;
}

void queue_destroy(struct queue *queue)
{
    if (queue == NULL)
        return;
    node_free_all(queue->head);
    free(queue);
}

void queue_observe(struct queue *queue, int on)
{
    if (queue != NULL)
        queue->stats.observed = on;
}

enum queue_result queue_push(struct queue *queue, int priority, int job)
{
    if (queue == NULL)
        return QUEUE_BAD;
    if (priority < 0 || priority > QUEUE_HIGHEST)
        return QUEUE_BAD;
    if (!policy_admits(queue, priority))
        return QUEUE_FULL;
    if (node_insert(&queue->head, priority, job) != 0)
        return QUEUE_NO_MEMORY;
    queue->length++;
    stats_pushed(&queue->stats, priority);
    return QUEUE_OK;
}

enum queue_result queue_pop(struct queue *queue, int *job)
{
    if (queue == NULL || job == NULL)
        return QUEUE_BAD;
    if (queue->head == NULL)
        return QUEUE_EMPTY;
    *job = queue->head->job;
    node_remove(&queue->head, queue->head);
    queue->length--;
    return QUEUE_OK;
}

enum queue_result queue_cancel(struct queue *queue, int job)
{
    struct node *node;

    if (queue == NULL)
        return QUEUE_BAD;
    node = node_find(queue->head, job);
    if (node == NULL)
        return QUEUE_EMPTY;
    node_remove(&queue->head, node);
    queue->length--;
    stats_cancelled(&queue->stats, node);
    return QUEUE_OK;
}

unsigned queue_length(const struct queue *queue)
{
    return queue == NULL ? 0 : queue->length;
}
