/* Text made by the functions of printf that is longer than its buffer. A line that ends in the comment `fault` makes it. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Wrong: a name of 11 characters does not fit any more. */
int tag_of(const char *name)
{
    char tag[16];

    if (name == NULL)
        return -1;
    sprintf(tag, "user=%s", name); /* fault */
    return tag[5];
}

/* Right: a precision limits what is taken of the name. */
int tag_limited(const char *name)
{
    char tag[16];

    if (name == NULL)
        return -1;
    sprintf(tag, "user=%.10s", name);
    return tag[5];
}

/* Wrong: numbers may have six digits and more. */
int count_text(int count)
{
    char text[8];

    sprintf(text, "n=%d", count); /* fault */
    return text[2];
}

/* Wrong: eleven bytes are enough for every number but the longest negative ones. */
int number_text(int number)
{
    char text[11];

    sprintf(text, "%d", number); /* fault */
    return text[0];
}

/* Right: twelve bytes are enough for all. */
int number_text_whole(int number)
{
    char text[12];

    sprintf(text, "%d", number);
    return text[0];
}

/* Wrong: `%02x` is two digits at least, and eight at most. */
int color_text(int red, int green)
{
    char text[8];

    sprintf(text, "#%02x%02x", red, green); /* fault */
    return text[1];
}

/* Right: each part is one byte. */
int color_text_bytes(int red, int green)
{
    char text[8];

    sprintf(text, "#%02x%02x", red & 255, green & 255);
    return text[1];
}

/* Wrong: two digits of each byte, and no room for the end behind the eighth. */
int key_text(const unsigned char *key, size_t length)
{
    char text[16] = "";

    if (key == NULL || length > 8)
        return -1;
    for (size_t i = 0; i < length; i++)
        sprintf(text + 2 * i, "%02x", key[i]); /* fault */
    return text[0];
}

/* Wrong: the size that is told is not the one of the array. */
int title_of(const char *name)
{
    char title[16];

    if (name == NULL)
        return -1;
    snprintf(title, 32, "%s", name); /* fault */
    return title[0];
}

/* Right: it is. */
int title_cut(const char *name)
{
    char title[16];

    if (name == NULL)
        return -1;
    snprintf(title, sizeof title, "%s", name);
    return title[0];
}

/* Wrong: snprintf tells how long the text would have been, not how much of it is there. */
int title_ended(const char *name)
{
    char title[16];

    if (name == NULL)
        return -1;
    int length = snprintf(title, sizeof title, "%s", name);
    title[length] = '.'; /* fault */
    return title[0];
}
