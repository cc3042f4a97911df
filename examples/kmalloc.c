/* The small-block allocator of an early kernel, after paper 1 (§5.2): requests are rounded up to a bucket, every bucket keeps
 * a chain of page descriptors, an empty chain takes an unused descriptor and a fresh page, and when no descriptor is left a
 * page is made into descriptors. Globals of the kernel are parameters and page allocation is a mock, as in the paper. The three
 * faults stand where the paper planted them: in the mock, where no page is left, and in the branch for requests larger
 * than a page. */
/* tarka-flags: -std=c11 */
#include <assert.h>
#include <stddef.h>

#define PAGE_SIZE 4096
#define PER_PAGE 4
#define BUCKETS 8

struct bucket_desc {
    char *page;
    struct bucket_desc *next;
    char *free_block;
    unsigned short users;
    unsigned short size;
};

struct bucket {
    int size;
    struct bucket_desc *chain;
};

struct memory {
    struct bucket directory[BUCKETS];
    struct bucket_desc *unused;
    struct bucket_desc spare[PER_PAGE];
    int pages_left;
    char *page;
};

static const int sizes[BUCKETS] = { 32, 64, 128, 256, 512, 1024, 2048, 4096 };

static char *get_free_page(struct memory *m)
{
    if (m->pages_left <= 0)
        return NULL;
    m->pages_left--;
    if (m->pages_left == 3)
        assert(0); /* planted 1: in the mock of page allocation */
    return m->page;
}

static int init_descriptors(struct memory *m)
{
    int i;

    if (get_free_page(m) == NULL)
        return -1;
    for (i = 0; i + 1 < PER_PAGE; i++)
        m->spare[i].next = &m->spare[i + 1];
    m->spare[i].next = m->unused;
    m->unused = m->spare;
    return 0;
}

void *kmalloc(struct memory *m, int len)
{
    struct bucket_desc *d;
    void *result;
    int i;

    for (i = 0; i < BUCKETS; i++) {
        if (sizes[i] >= len)
            break;
    }
    if (i == BUCKETS) {
        assert(0); /* planted 3: a request larger than a page */
        return NULL;
    }
    for (d = m->directory[i].chain; d != NULL; d = d->next) {
        if (d->free_block != NULL)
            break;
    }
    if (d == NULL) {
        if (m->unused == NULL) {
            if (init_descriptors(m) < 0)
                return NULL;
        }
        d = m->unused;
        m->unused = d->next;
        d->users = 0;
        d->size = (unsigned short)sizes[i];
        d->page = get_free_page(m);
        if (d->page == NULL) {
            assert(0); /* planted 2: no page left */
            return NULL;
        }
        d->free_block = d->page;
        d->next = m->directory[i].chain;
        m->directory[i].chain = d;
    }
    result = d->free_block;
    d->free_block = NULL;
    d->users++;
    return result;
}
