/* Puts a label on a display line: a label has to be short, and shown as it is.
 * The byte that ends the string is counted. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int label_show(const char *label, uint32_t line, uint32_t ticket)
{
    char shown[6];

    if (label == NULL || ticket != (line ^ 0x1abe1000u) * 3u || line > 3)
        return -1;
    if (label[0] != '#' || strlen(label) >= sizeof shown)
        return -2;
    strcpy(shown, label);
    return shown[1] + (int)line;
}
