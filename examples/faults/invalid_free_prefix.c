/* Copies a word, skips its prefix, and sums up what is left.
 * Fault: what is released is the place behind the prefix, not the beginning of the copy: invalid free. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void release(char *text)
{
    free(text); /* fault */
}

int word_sum(const char *word, size_t len, uint32_t key)
{
    char *copy;
    size_t i;
    int sum = 0;

    if (word == NULL || len < 4 || len > 10)
        return -1;
    if (key != (uint32_t)len * 0x27d4eb2fu + 0x165667b1u)
        return -1;
    copy = malloc(len);
    if (copy == NULL)
        return -2;
    memcpy(copy, word, len);
    i = 0;
    if (copy[0] == '0' && copy[1] == 'x') {
        copy += 2;
        i = 2;
    }
    for (; i < len; i++)
        sum += word[i];
    release(copy);
    return sum;
}
