/* Output buffers with a place to write to and an end, and a function that makes room. */
#include <stddef.h>

struct writer {
    char *start, *next, *end;
    int (*flush)(struct writer *);
    int column;
};

static int has_room(struct writer *w)
{
    return w->next + 3 < w->end || w->flush(w);
}

int write_mark(struct writer *w, char mark, int count)
{
    while (count > 0) {
        if (!has_room(w))
            return 0;
        *w->next++ = mark;
        w->column++;
        count--;
    }
    return 1;
}

int write_hint(struct writer *w, const char *text, size_t length)
{
    if (length > 0 && text[0] == ' ') {
        if (!has_room(w))
            return 0;
        *w->next++ = '2';
    }
    if (length == 0 || text[length - 1] != '\n') {
        if (!has_room(w))
            return 0;
        *w->next++ = '-';
        w->column++;
    }
    return 1;
}

int begin_line(struct writer *w, int indent)
{
    if (w->column == 0)
        return 1;
    if (!has_room(w))
        return 0;
    *w->next++ = '\n';
    w->column = 0;
    return indent < 0 || write_mark(w, ' ', indent);
}
