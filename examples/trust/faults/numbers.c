/* Numbers that are read from a text. */
#include <stdlib.h>

static const unsigned char class_of[256] = { [' '] = 1, ['0'] = 2, ['a'] = 3 };

/* unchecked: the caller's number is right, the text's is anything. */
unsigned chosen_class(const char *text)
{
    if (text == NULL)
        return 0;
    return class_of[atoi(text)];
}
