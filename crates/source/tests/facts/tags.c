// Which member of a union a tag selects.
#include <assert.h>

enum kind { NUMBER, TEXT, PAIR, CALL, PLACE };

struct value {
    enum kind kind;
    union {
        long number;
        const char *text;
        const struct pair *pair;
        int (*call)(int);
        struct { int x, y; } place;
    } as;
};
struct pair { struct value left, right; };

int by_switch(const struct value *v) {
    switch (v->kind) {
    case NUMBER: return v->as.number > 0;
    case TEXT: return v->as.text[0] == 'y';
    case CALL:
    case 17: return v->as.call(1);
    default: return -1;
    }
}
int by_conjunction(struct value v) { return v.kind == PAIR && v.as.pair->left.kind == NUMBER && v.as.pair->left.as.number; }
int by_refusal(struct value *all, int i) {
    if (all[i].kind != PLACE || all[i].as.place.x == 0)
        return 0;
    return all[i].as.place.y;
}

/* Two members under one value: it selects none. So do a tag of another record, and a tag that is told apart from nothing. */
struct mixed { int tag; union { int whole; float real; short half; unsigned char byte; } of; };
int mixed(struct mixed *one, struct mixed *two) {
    if (one->tag == 1) return one->of.whole;
    if (one->tag == 1) return one->of.real > 0;
    if (one->tag == 2) return two->of.half;
    if (one->tag > 3) return one->of.half;
    if (one->tag != 3) return one->of.half;
    return 0;
}

/* Falling through, breaking out, asserting, setting. */
struct message { unsigned char type; _Bool is_long : 1; union { int code; char name[8]; long size; struct { short a, b; }; }; };
int by_cases(struct message *m) {
    int n = 0;
    switch (m->type) {
    case 1: n = m->code;
    case 2: n += m->size > 0; break;
    case 3: if (n) return 0;
        n = m->name[0];
        break;
    case 4: { n = m->b; }
    }
    return n;
}
int asserts(struct message *m) { assert(m->type == 5); return m->name[0]; }
void sets(struct message *m, int code) { m->type = 6; m->code = code; }
int either(struct message *m) { return m->type == 7 || m->type == 8 ? m->name[0] : 0; }
int by_truth(struct message *m) { return m->is_long ? m->size > 9 : m->code > 9; }
int by_negation(struct message *m) { if (!(m->type == 9)) { return 0; } else { return m->name[0]; } }
