#include "internal.h"

/* Priorities come in quarters. */
int policy_class(int priority)
{
    return priority / (QUEUE_HIGHEST / POLICY_CLASSES);
}

int policy_admits(const struct queue *queue, int priority)
{
    if (queue->length < queue->capacity)
        return 1;
    /* A few places more are kept for what is urgent. */
    return policy_class(priority) >= POLICY_URGENT && queue->length < queue->capacity + QUEUE_RESERVE;
}
