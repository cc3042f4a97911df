/* Copies of a string that is longer than its copy has room for. A line that ends in the comment `fault` copies it. */
#include <stddef.h>
#include <string.h>

/* Wrong: nobody looks how long the name is; 16 characters and the end are 17 bytes. */
int plate_of(const char *name)
{
    char plate[16];

    if (name == NULL)
        return -1;
    strcpy(plate, name); /* fault */
    return plate[0];
}

/* Wrong: the same with an array that takes a string far beyond the usual length. */
int path_first(const char *path)
{
    char copy[4096];

    if (path == NULL)
        return -1;
    strcpy(copy, path); /* fault */
    return copy[0];
}

/* Right: the length is looked at first. */
int plate_checked(const char *name)
{
    char plate[16];

    if (name == NULL || strlen(name) >= sizeof plate)
        return -1;
    strcpy(plate, name);
    return plate[0];
}

/* Wrong: the end of the string is forgotten when the length is compared. */
int plate_nearly_checked(const char *name)
{
    char plate[16];

    if (name == NULL || strlen(name) > sizeof plate)
        return -1;
    strcpy(plate, name); /* fault */
    return plate[0];
}

/* Wrong: the greeting takes 6 of the 16 bytes already. */
int greeting_of(const char *name)
{
    char text[16] = "hello ";

    if (name == NULL)
        return -1;
    strcat(text, name); /* fault */
    return text[6];
}

/* Wrong: the limit of strncat is what may be added, not what there is room for in all. */
int greeting_limited(const char *name)
{
    char text[16] = "hello ";

    if (name == NULL)
        return -1;
    strncat(text, name, sizeof text); /* fault */
    return text[6];
}

/* Right: what may be added is what is left. */
int greeting_short(const char *name)
{
    char text[16] = "hello ";

    if (name == NULL)
        return -1;
    strncat(text, name, sizeof text - strlen(text) - 1);
    return text[6];
}

/* Wrong: a name of 8 characters or more has no end in its copy, and strlen reads on behind it. */
int badge_length(const char *name)
{
    char badge[8];

    if (name == NULL)
        return -1;
    strncpy(badge, name, sizeof badge);
    return (int)strlen(badge); /* fault */
}

/* Right: the last byte is set by hand. */
int badge_length_ended(const char *name)
{
    char badge[8];

    if (name == NULL)
        return -1;
    strncpy(badge, name, sizeof badge - 1);
    badge[sizeof badge - 1] = '\0';
    return (int)strlen(badge);
}

/* Wrong: the first copy has room for every name, the second has not. */
int plate_twice(const char *name)
{
    char copy[64], plate[16];

    if (name == NULL || strlen(name) >= sizeof copy)
        return -1;
    strcpy(copy, name);
    strcpy(plate, copy); /* fault */
    return plate[0];
}
