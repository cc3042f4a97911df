/* Texts with a length that have an end behind them all the same, as those of YAML and XML writers: whoever goes through
 * one may look at the character behind the last. */
#include <stddef.h>
#include <string.h>

struct style {
    int is_plain;
    int is_long;
    size_t words;
};

/* What a scalar needs to be written: the character after each one is looked at, also after the last. */
static int analyse_text(struct style *style, const char *text, size_t length)
{
    const char *at = text;
    const char *end = text + length;
    int before_blank;

    style->is_plain = 1;
    style->words = 0;
    if (at == end) {
        style->is_plain = 0;
        return 0;
    }
    before_blank = at[1] == ' ' || at[1] == '\0';
    while (at != end) {
        if (*at == '#' || *at == '%')
            style->is_plain = 0;
        if (*at == ':' && before_blank)
            style->is_plain = 0;
        if (*at != ' ' && before_blank)
            style->words++;
        at++;
        if (at != end)
            before_blank = at[1] == ' ' || at[1] == '\0';
    }
    style->is_long = length > 8;
    return 1;
}

int style_of(struct style *style, const char *text)
{
    if (!style || !text)
        return -1;
    return analyse_text(style, text, strlen(text));
}

/* Numbers with a zero behind them: pairs are compared to the end of the list. */
static int count_falls(const int *list, size_t count)
{
    int falls = 0;
    size_t i;

    for (i = 0; i < count; i++)
        if (list[i] > list[i + 1] && list[i + 1] != 0)
            falls++;
    return falls > 2 ? -1 : falls;
}

int falls_of(const int *list)
{
    size_t count = 0;

    while (list[count] != 0)
        count++;
    return count_falls(list, count);
}
