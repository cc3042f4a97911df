/* Pointers: null, fresh, to pointers, into arrays, and to the same object twice. */
#include <stddef.h>

int second_level(int **handle)
{
    if (handle == NULL || *handle == NULL)
        return -1;
    if (**handle == 77)
        return 1;
    return 0;
}

int same_cell(const int *left, const int *right)
{
    if (left == NULL || right == NULL)
        return -1;
    if (left == right)
        return 1;
    return *left == *right ? 2 : 0;
}

__attribute__((nonnull)) int overlap(int *first, int *second)
{
    *first = 1;
    *second = 2;
    if (*first == 2)
        return 1;
    return 0;
}

int sevens(const int *begin, const int *end)
{
    int count = 0;

    if (begin == NULL || end == NULL)
        return -1;
    for (const int *p = begin; p != end; p++) {
        if (*p == 7)
            count++;
    }
    return count > 2 ? 1 : 0;
}

struct device;

int device_ready(struct device *device, int mode)
{
    if (device == NULL)
        return -1;
    if (mode == 3)
        return 1;
    return 0;
}

__attribute__((nonnull)) int compare_ints(const void *left, const void *right)
{
    const int *a = left;
    const int *b = right;

    if (*a < *b)
        return -1;
    return *a > *b ? 1 : 0;
}

int magic(const void *data, size_t size)
{
    const unsigned char *bytes = data;

    if (data == NULL || size < 4)
        return 0;
    if (bytes[0] == 0x7f && bytes[1] == 'E' && bytes[2] == 'L' && bytes[3] == 'F')
        return 1;
    return 0;
}

struct config {
    int version;
    const char *name;
};

int use_context(void *context)
{
    const struct config *config = context;

    if (config == NULL || config->name == NULL)
        return -1;
    if (config->version == 2 && config->name[0] == 'x')
        return 1;
    return 0;
}
