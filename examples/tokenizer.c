/* The first token of a line: its kind, and where the next one starts. */
#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum token { END, NUMBER, NAME, KEYWORD, STRING, OPERATOR, BAD };

static int is_keyword(const char *text, size_t length)
{
    return (length == 2 && strncmp(text, "if", 2) == 0) || (length == 4 && strncmp(text, "else", 4) == 0);
}

enum token next_token(const char *line, size_t *end)
{
    size_t i = 0;
    size_t start;

    if (line == NULL || end == NULL)
        return BAD;
    while (line[i] == ' ' || line[i] == '\t')
        i++;
    start = i;
    if (line[i] == '\0') {
        *end = i;
        return END;
    }
    if (isdigit((unsigned char)line[i])) {
        while (isdigit((unsigned char)line[i]))
            i++;
        *end = i;
        return NUMBER;
    }
    if (isalpha((unsigned char)line[i]) || line[i] == '_') {
        while (isalnum((unsigned char)line[i]) || line[i] == '_')
            i++;
        *end = i;
        return is_keyword(line + start, i - start) ? KEYWORD : NAME;
    }
    if (line[i] == '"') {
        do {
            i++;
        } while (line[i] != '"' && line[i] != '\0');
        if (line[i] == '\0') {
            *end = i;
            return BAD;
        }
        *end = i + 1;
        return STRING;
    }
    switch (line[i]) {
    case '+':
    case '-':
        if (line[i + 1] == line[i])
            i++;
        /* fall through */
    case '*':
    case '/':
    case '=':
        *end = i + 1;
        return OPERATOR;
    default:
        *end = i;
        return BAD;
    }
}
