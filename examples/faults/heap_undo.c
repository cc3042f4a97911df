/* An undo stack: pushes the steps of a session on the heap, and looks some steps back.
 * Fault: it may look back one step further than there are: negative index into a heap object. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int undo_peek(const uint8_t *steps, size_t len, int back, uint32_t seal)
{
    int *stack;
    int top = 0, result;
    size_t i;

    if (steps == NULL || len < 3 || len > 16)
        return -1;
    if (seal != (uint32_t)back * 2654435761u + 99u || back < 3)
        return -1;
    stack = malloc(len * sizeof *stack);
    if (stack == NULL)
        return -2;
    for (i = 0; i < len; i++)
        stack[top++] = steps[i];
    if (back > top + 1) {
        free(stack);
        return -3;
    }
    result = stack[top - back]; /* fault */
    free(stack);
    return result;
}
