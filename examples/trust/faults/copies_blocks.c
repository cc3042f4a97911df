/* Blocks that are as long as a string, or one byte shorter. A line that ends in the comment `fault` copies one. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Wrong: the block is as long as the string, the array is not. */
int label_of(const char *name)
{
    char label[16];

    if (name == NULL)
        return -1;
    memcpy(label, name, strlen(name) + 1); /* fault */
    return label[0];
}

/* Right: no more than the array holds. */
int label_cut(const char *name)
{
    char label[16] = "";

    if (name == NULL)
        return -1;
    size_t length = strlen(name);
    memcpy(label, name, length < sizeof label ? length : sizeof label - 1);
    return label[0];
}

/* Wrong: no byte for the end of the string is asked for. */
char *copy_of(const char *name)
{
    if (name == NULL)
        return NULL;
    char *copy = malloc(strlen(name));
    if (copy != NULL)
        strcpy(copy, name); /* fault */
    return copy;
}

/* Right: one byte more. */
char *copy_whole(const char *name)
{
    if (name == NULL)
        return NULL;
    char *copy = malloc(strlen(name) + 1);
    if (copy != NULL)
        strcpy(copy, name);
    return copy;
}
