/* Lines that are longer than their array. A line that ends in the comment `fault` reads one.
 *
 * C has no `gets` any more, and libraries still do. What it reads is always an input, because no call of it is safe. */
#include <stddef.h>

char *gets(char *line);

/* Wrong: nobody can tell gets how much room there is. */
int answer_of(void)
{
    char line[16];

    if (gets(line) == NULL) /* fault */
        return -1;
    return line[0] == 'y';
}
