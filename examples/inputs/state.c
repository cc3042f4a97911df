/* State of the unit: globals, file-scope statics and variables that a function keeps between its calls. */
#include <stddef.h>

enum mode { IDLE, RUNNING, FAILED };

static enum mode mode;
int limit = 10;
static int history[4];

int machine_tick(int load)
{
    switch (mode) {
    case IDLE:
        if (load > 0)
            mode = RUNNING;
        return 0;
    case RUNNING:
        if (load > limit) {
            mode = FAILED;
            return -1;
        }
        return history[2] == load ? 2 : 1;
    default:
        return -2;
    }
}

struct job {
    int priority;
    struct job *next;
};

static struct job *queue;

int add_job(struct job *job)
{
    if (job == NULL)
        return -1;
    job->next = queue;
    queue = job;
    return 0;
}

int next_job(void)
{
    if (queue == NULL)
        return -1;
    if (queue->next != NULL && queue->next->priority > queue->priority)
        return 1;
    return 0;
}

int every_third(int enabled)
{
    static int calls;

    if (!enabled)
        return 0;
    if (++calls == 3) {
        calls = 0;
        return 1;
    }
    return 0;
}
