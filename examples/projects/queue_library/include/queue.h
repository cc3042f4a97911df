/* A queue of jobs, the most important first. What a queue is made of is nobody's business but the library's. */
#ifndef QUEUE_H
#define QUEUE_H

#define QUEUE_HIGHEST 100 /* the most important priority; 0 is the least */

enum queue_result { QUEUE_OK, QUEUE_BAD, QUEUE_FULL, QUEUE_EMPTY, QUEUE_NO_MEMORY };

struct queue;

/* A queue for so many jobs; NULL if that is too many, none, or there is no memory. */
struct queue *queue_create(unsigned capacity);
void queue_destroy(struct queue *queue);

/* Whether cancelled jobs are counted. */
void queue_observe(struct queue *queue, int on);

enum queue_result queue_push(struct queue *queue, int priority, int job);
enum queue_result queue_pop(struct queue *queue, int *job);
enum queue_result queue_cancel(struct queue *queue, int job);
unsigned queue_length(const struct queue *queue);

/* A character for each job, '!' for the urgent ones. Gives how many there are; -1 if nothing can be written. */
int queue_describe(const struct queue *queue, char *text, unsigned size);

#endif
