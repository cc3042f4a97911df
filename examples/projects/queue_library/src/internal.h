/* What a queue is made of. */
#ifndef QUEUE_INTERNAL_H
#define QUEUE_INTERNAL_H

#include "queue.h"

#define POLICY_CLASSES 4
#define POLICY_URGENT 3

struct node {
    int priority;
    int job;
    struct node *next;
};

struct stats {
    unsigned by_class[POLICY_CLASSES];
    unsigned cancelled[POLICY_CLASSES];
    int observed;
};

struct queue {
    struct node *head;
    unsigned length;
    unsigned capacity;
    struct stats stats;
};

/* node.c */
int node_insert(struct node **head, int priority, int job);
struct node *node_find(struct node *head, int job);
void node_remove(struct node **head, struct node *node);
void node_free_all(struct node *node);

/* policy.c */
int policy_class(int priority);
int policy_admits(const struct queue *queue, int priority);

/* stats.c */
void stats_pushed(struct stats *stats, int priority);
void stats_cancelled(struct stats *stats, const struct node *node);

#endif
