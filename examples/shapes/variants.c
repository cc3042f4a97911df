/* What a tag selects: unions and void pointers by kind. */
#include <stddef.h>
#include <stdint.h>

enum kind { NOTHING, NUMBER, TEXT, LIST };

struct value {
    enum kind kind;
    union {
        double number;
        const char *text;
        struct {
            struct value *items;
            unsigned count;
        } list;
    } as;
};

int value_truth(const struct value *v)
{
    switch (v->kind) {
    case NOTHING:
        return 0;
    case NUMBER:
        return v->as.number > 0.5;
    case TEXT:
        return v->as.text != NULL && v->as.text[0] == 'y';
    case LIST:
        return v->as.list.count != 0;
    }
    return -1;
}

/* How deep the first items go. */
int value_first(const struct value *v)
{
    if (v->kind != LIST || v->as.list.count == 0)
        return 0;
    return v->as.list.items[0].kind == NUMBER && v->as.list.items[0].as.number == 2.0 ? 2 : 1;
}

enum type { TYPE_INT, TYPE_SHORT, TYPE_STRING };

/* Reads a setting of any type. */
int setting_is_on(enum type type, const void *data)
{
    switch (type) {
    case TYPE_INT:
        return *(const int *)data == 1;
    case TYPE_SHORT:
        return *(const short *)data == 1;
    case TYPE_STRING:
        return *(const char *const *)data != NULL && (*(const char *const *)data)[0] == '1';
    }
    return -1;
}

/* Items of any kind: a list of pointers to numbers. */
int count_ones(void *items[], unsigned count)
{
    unsigned i;
    int ones = 0;

    for (i = 0; i < count && i < 4; i++)
        if (items[i] != NULL && *(int *)items[i] == 1)
            ones++;
    return ones;
}

/* The answer is written where the caller says, by kind. */
int convert(enum type type, int value, void *to)
{
    if (to == NULL)
        return -1;
    if (type == TYPE_INT)
        *(int *)to = value;
    else if (type == TYPE_SHORT && value < 1000 && value > -1000)
        *(short *)to = (short)value;
    else
        return -2;
    return 0;
}

/* A handle whose type users do not know. */
struct handle;

struct stream {
    int mode;
    unsigned have;
    struct handle *next;
};

int handle_ready(struct handle *handle)
{
    struct stream *stream = (struct stream *)handle;

    if (stream == NULL || stream->mode < 16180 || stream->mode > 16182)
        return -1;
    return stream->have != 0 && stream->next != NULL && ((struct stream *)stream->next)->mode == 7;
}
