/* Puts a label on a display line: a label has to be short, and shown as it is.
 * Fault: the length is compared without the byte that ends a string: strcpy leaves a local array by one. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int label_show(const char *label, uint32_t line, uint32_t ticket)
{
    char shown[6];

    if (label == NULL || ticket != (line ^ 0x1abe1000u) * 3u || line > 3)
        return -1;
    if (label[0] != '#' || strlen(label) > sizeof shown)
        return -2;
    strcpy(shown, label); /* fault */
    return shown[1] + (int)line;
}
