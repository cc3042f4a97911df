/* Buffers with their length, and strings. Code that stays within its buffer must not be accused of leaving it. */
#include <stddef.h>
#include <string.h>

int find_byte(const unsigned char *data, size_t size, unsigned char wanted)
{
    if (data == NULL)
        return -1;
    for (size_t i = 0; i < size; i++) {
        if (data[i] == wanted)
            return (int)i;
    }
    return -2;
}

int twenty_rising(const int *values, int count)
{
    if (values == NULL || count < 20)
        return 0;
    for (int i = 1; i < count; i++) {
        if (values[i] <= values[i - 1])
            return 0;
    }
    return 1;
}

int first_three(const int values[static 3])
{
    if (values[0] == 1 && values[1] == 4 && values[2] == 9)
        return 1;
    return 0;
}

struct vector {
    int *items;
    unsigned count;
};

int vector_has(const struct vector *vector, int wanted)
{
    if (vector == NULL || vector->items == NULL)
        return -1;
    for (unsigned i = 0; i < vector->count; i++) {
        if (vector->items[i] == wanted)
            return 1;
    }
    return 0;
}

int is_command(const char *line)
{
    if (line == NULL)
        return -1;
    if (strcmp(line, "quit") == 0)
        return 1;
    if (strncmp(line, "open ", 5) == 0 && line[5] != '\0')
        return 2;
    return 0;
}

int long_name(const char *name)
{
    if (name == NULL)
        return -1;
    if (strlen(name) > 40)
        return 1;
    return 0;
}
