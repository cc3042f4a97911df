/* A bucket allocator after the early kernels' small-block allocator: requests are rounded up to a bucket, every bucket
 * keeps a chain of page descriptors, and an empty chain takes a spare descriptor and a fresh page.
 * Three asserts are planted; each needs another state of the allocator. */
/* tarka-flags: -std=c11 */
#include <assert.h>
#include <stddef.h>

#define BUCKETS 4
#define PAGE_SIZE 4096

struct descriptor {
    int page;
    int free_offset; /* -1: the page is full */
    unsigned short used;
    unsigned short size;
    struct descriptor *next;
};

struct allocator {
    struct descriptor *chain[BUCKETS];
    struct descriptor *spare;
    int pages_left;
};

static const int bucket_size[BUCKETS] = { 32, 128, 512, 4096 };

static int take_page(struct allocator *a)
{
    if (a->pages_left <= 0)
        return -1;
    assert(a->pages_left != 77); /* planted 1: behind the page supply */
    a->pages_left--;
    return a->pages_left + 1;
}

/* Returns the address of the block (page number times the page size plus the offset), or -1. */
long bucket_alloc(struct allocator *a, int length)
{
    struct descriptor *d;
    int bucket;
    long address;

    if (a == NULL || length <= 0)
        return -1;
    for (bucket = 0; bucket < BUCKETS; bucket++) {
        if (bucket_size[bucket] >= length)
            break;
    }
    if (bucket == BUCKETS)
        return -1;

    for (d = a->chain[bucket]; d != NULL; d = d->next) {
        if (d->free_offset >= 0)
            break;
    }
    if (d == NULL) {
        d = a->spare;
        if (d == NULL)
            return -1;
        d->page = take_page(a);
        if (d->page < 0)
            return -1;
        assert(bucket != 2); /* planted 2: a fresh page for the third bucket */
        a->spare = d->next;
        d->free_offset = 0;
        d->used = 0;
        d->size = (unsigned short)bucket_size[bucket];
        d->next = a->chain[bucket];
        a->chain[bucket] = d;
    }

    address = (long)d->page * PAGE_SIZE + d->free_offset;
    d->used++;
    if (d->free_offset + 2 * bucket_size[bucket] > PAGE_SIZE) {
        d->free_offset = -1;
        assert(d->used != 9 || bucket != 3); /* planted 3: a full page of the largest bucket in an old chain */
    } else {
        d->free_offset += bucket_size[bucket];
    }
    return address;
}
