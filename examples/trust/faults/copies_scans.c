/* Words out of a line that are longer than their array. A line that ends in the comment `fault` reads one. */
#include <stddef.h>
#include <stdio.h>

/* Wrong: a word may have any length. */
int word_of(const char *line)
{
    char word[8];

    if (line == NULL || sscanf(line, "%s", word) != 1) /* fault */
        return -1;
    return word[0];
}

/* Right: seven characters and the end. */
int word_limited(const char *line)
{
    char word[8];

    if (line == NULL || sscanf(line, "%7s", word) != 1)
        return -1;
    return word[0];
}

/* Wrong: eight characters have no room for the end. */
int word_nearly_limited(const char *line)
{
    char word[8];

    if (line == NULL || sscanf(line, "%8s", word) != 1) /* fault */
        return -1;
    return word[0];
}

/* Wrong: what stands before the colon is not limited. */
int setting_of(const char *line)
{
    char key[12];
    int value;

    if (line == NULL || sscanf(line, "%[^:]:%d", key, &value) != 2) /* fault */
        return -1;
    return value;
}

/* Right: the line may be long, its words are not. */
int words_of(const char *line)
{
    char first[8], second[8];

    if (line == NULL || sscanf(line, "%7s %7s", first, second) != 2)
        return -1;
    return first[0] + second[0];
}
