// What the unit takes its untyped pointers for.
#include <string.h>

struct point { int x, y; };
struct hidden;
typedef struct { double re, im; } number;

int written_out(void *p) { return ((struct point *)p)->x; }
int not_written_out(const void *p) {
    const number *n = p;
    return n->re > 0;
}
int assigned(void *p) {
    struct point *q;
    q = p;
    return q->y;
}
static int takes_point(struct point *p) { return p->x + p->y; }
int passed_typed(void *p) { return takes_point(p); }
int passed_untyped(void *context) { return written_out(context); }
int passed_twice(void *context) { return passed_untyped(context); }
int largest(void *p, int kind) {
    if (kind == 0) return *(int *)p;
    if (kind == 1) return ((struct point *)p)->y;
    return *(char *)p;
}
int only_bytes(const void *p) { return *(const unsigned char *)p; }
int by_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
int through_a_local(void *p) {
    void *q = p;
    return takes_point(q);
}
int unknown(void *p) { return p != 0; }
int hidden(void *p) { return (struct hidden *)p != 0; }
int address(void *p) { return (int)(long)p; }
int not_untyped(int *p) { return *(unsigned char *)p; }

struct event {
    int kind;
    void *payload;
    void *spare;
};
int handle(struct event *e) {
    struct point *p = e->payload;
    return e->kind ? p->x : e->spare != 0;
}
