/* A string builder that grows: takes a text and puts every mark into it twice.
 * Fault: the place to write to is kept across the growing: use after free through a stale pointer of realloc. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct builder {
    char *text;
    size_t used;
    size_t room;
};

static int grow(struct builder *builder)
{
    char *text = realloc(builder->text, builder->room * 2);

    if (text == NULL)
        return -1;
    builder->text = text;
    builder->room *= 2;
    return 0;
}

int marks_double(const char *text, size_t len, char mark, uint32_t seal)
{
    struct builder builder = { NULL, 0, 4 };
    char *end;
    size_t i;
    int result = -1;

    if (text == NULL || len > 6 || seal != (uint32_t)(unsigned char)mark * 0x01000193u + 0x811cu)
        return -1;
    builder.text = malloc(builder.room);
    if (builder.text == NULL)
        return -1;
    for (i = 0; i < len; i++) {
        end = builder.text + builder.used;
        if (builder.used + 2 > builder.room && grow(&builder) != 0)
            goto out;
        *end = text[i]; /* fault */
        builder.used++;
        if (text[i] == mark)
            builder.text[builder.used++] = mark;
    }
    result = (int)builder.used;
out:
    free(builder.text);
    return result;
}
