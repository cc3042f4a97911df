/* Stacks with a start, a top one behind the last element, and an end, as in parsers. */
#include <stddef.h>

struct key {
    int possible;
    int required;
    size_t line;
};

struct parser {
    int error;
    int indent;
    size_t line;
    struct {
        int *start;
        int *end;
        int *top;
    } indents;
    struct {
        struct key *start;
        struct key *end;
        struct key *top;
    } keys;
};

/* The last key, if there may be one. */
int drop_key(struct parser *parser)
{
    struct key *key = parser->keys.top - 1;

    if (key->possible) {
        if (key->required)
            return 0;
        if (key->line < parser->line)
            parser->error = 1;
    }
    key->possible = 0;
    return 1;
}

/* Indents are taken off the stack until one fits. */
int unroll(struct parser *parser, int column)
{
    int levels = 0;

    while (parser->indent > column) {
        parser->indent = *--parser->indents.top;
        levels++;
    }
    if (parser->indent < column)
        return -1;
    return levels == 3 ? 1 : 0;
}

/* A level that is left takes its key along. */
int leave_level(struct parser *parser)
{
    if (parser->keys.start == parser->keys.top)
        return 0;
    parser->keys.top--;
    return parser->keys.top->possible ? 1 : 2;
}
