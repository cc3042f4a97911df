/* A queue of jobs, a list on the heap: jobs are entered with their priorities, then everything below a limit is dropped.
 * Fault: the walk goes on from a job that was dropped and freed: use after free. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct job {
    uint8_t priority;
    struct job *next;
};

static struct job *enter(struct job *queue, uint8_t priority)
{
    struct job *job = malloc(sizeof *job);

    if (job == NULL)
        return queue;
    job->priority = priority;
    job->next = queue;
    return job;
}

/* Takes a job out of the queue and releases it. */
static void drop(struct job **queue, const struct job *which)
{
    struct job **link, *found;

    for (link = queue; *link != NULL; link = &(*link)->next) {
        if (*link == which) {
            found = *link;
            *link = found->next;
            free(found);
            return;
        }
    }
}

int jobs_drop(const uint8_t *priorities, size_t len, uint32_t limit, uint32_t order)
{
    struct job *queue = NULL, *job;
    size_t i;
    int left = 0;

    if (priorities == NULL || len < 2 || len > 5 || limit > 255)
        return -1;
    if (order != (limit * 0x00010001u ^ 0x4a4f4253u))
        return -1;
    for (i = 0; i < len; i++)
        queue = enter(queue, priorities[i]);
    for (job = queue; job != NULL; job = job->next) { /* fault */
        if (job->priority < limit)
            drop(&queue, job);
    }
    while (queue != NULL) {
        drop(&queue, queue);
        left++;
    }
    return left;
}
