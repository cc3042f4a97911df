/* Objects with something in front of them: strings with a header, members whose record is found by where it lies. */
#include <stddef.h>
#include <stdint.h>

struct text_header {
    uint32_t length;
    uint32_t room;
};

/* The header lies before the first character. */
static struct text_header *header_of(char *s)
{
    return (struct text_header *)(s - sizeof(struct text_header));
}

uint32_t text_length(char *s)
{
    return s == NULL ? 0 : header_of(s)->length;
}

int text_push(char *s, char c)
{
    struct text_header *header = header_of(s);

    if (header->length >= header->room || header->room > 16)
        return -1;
    s[header->length++] = c;
    if (header->length < header->room)
        s[header->length] = '\0';
    return 0;
}

/* The kind of a string is in the byte before it. */
int short_kind(const char *s)
{
    unsigned char flags = (unsigned char)s[-1];

    switch (flags & 7) {
    case 0:
        return flags >> 3;
    case 1:
        return (unsigned char)s[-2];
    default:
        return -1;
    }
}

/* An array that knows how long it is: capacity and count before the first element. */
int stretchy_sum(const int *a)
{
    int i, sum = 0;

    if (a == NULL)
        return 0;
    if (a[-1] < 0 || a[-1] > 4)
        return -1;
    for (i = 0; i < a[-1]; i++)
        sum += a[i] == 7;
    return sum;
}

struct link {
    struct link *next;
};

struct job {
    int priority;
    unsigned id;
    struct link link;
};

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

int job_is_urgent(const struct link *link)
{
    const struct job *job = container_of(link, struct job, link);

    if (job->priority > 90)
        return 1;
    return job->id == 4711 ? 2 : 0;
}

/* The first urgent job of a list that holds links only. */
const struct job *job_find(const struct link *head, unsigned id)
{
    const struct link *at;

    for (at = head; at != NULL; at = at->next) {
        const struct job *job = container_of(at, struct job, link);
        if (job->id == id)
            return job;
    }
    return NULL;
}

struct timer {
    uint32_t deadline;
    struct link in_wheel;
    uint8_t armed;
};

int timer_expire(struct link *entry, uint32_t now)
{
    struct timer *timer = container_of(entry, struct timer, in_wheel);

    if (!timer->armed)
        return 0;
    if (timer->deadline > now)
        return 1;
    timer->armed = 0;
    return 2;
}
