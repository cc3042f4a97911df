/* Goals behind a place where some inputs go wrong: a wait that never ends, a null pointer, a zero, an assertion, a table
 * that is too short, a stack that is too small. Other inputs, all of them legal, get past it. */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

struct uart {
    unsigned SR;
    unsigned DR;
};

/* With the bit clear this waits forever; with the bit set it goes on at once. */
int uart_receive(struct uart *U)
{
    while (!(U->SR & 0x20))
        ;
    if (U->DR == 0x7e)
        return -1;
    if (U->SR & 0x0f)
        return -2;
    return (int)(U->DR & 0xff);
}

struct device {
    const char *name;
    struct device *parent;
    int speed;
};

/* A device without a parent crashes it, but a caller may pass one that has a parent. */
int bus_speed(const struct device *device)
{
    int speed = device->parent->speed;

    if (speed > 480)
        return 3;
    if (device->parent->name[0] == 'u' && device->speed > speed)
        return 2;
    return 1;
}

/* Zero parts are a division by zero; any other number of parts leads on. */
int share_class(int total, int parts)
{
    int share = total / parts;

    if (share > 100)
        return 2;
    if (share < 0)
        return -1;
    return total % parts == 3 ? 1 : 0;
}

/* The assertion stops bad counts only. The goal behind it needs a good one. */
int average_class(const int *values, int count)
{
    int sum = 0;
    int i;

    if (values == NULL)
        return -1;
    assert(count > 0);
    for (i = 0; i < count; i++)
        sum += values[i];
    if (sum / count > 50)
        return 2;
    return sum % count != 0 ? 1 : 0;
}

struct entry {
    int key;
    int value;
};

struct lookup {
    unsigned count;
    const struct entry *entries;
};

/* A count beyond the real table runs off its end; with a matching table each result is possible. */
int look_up(const struct lookup *t, int key)
{
    unsigned i;

    for (i = 0; i < t->count; i++)
        if (t->entries[i].key == key)
            break;
    if (i == t->count)
        return -1;
    if (i == 5)
        return 5;
    return t->entries[i].value;
}

static unsigned depth_of(const char *text)
{
    if (*text != '(')
        return 0;
    return 1 + depth_of(text + 1);
}

/* Very many brackets use up the stack; a few, or a few thousand, do not. */
int nesting_class(const char *text)
{
    unsigned depth = depth_of(text);

    if (depth == 0)
        return 0;
    if (depth > 2000)
        return 3;
    return text[depth] == ')' ? 1 : 2;
}

static unsigned steps_down(unsigned n)
{
    return n == 0 ? 0 : 1 + steps_down(n - 1);
}

/* Millions of steps are too deep for the stack, but 3000 are fine. */
int stairs(unsigned n)
{
    if (steps_down(n) == 3000)
        return 1;
    return 0;
}

/* A bad version ends the program, so only a good one comes to the tests. */
int open_image(const unsigned char *image)
{
    if (image[0] != 0x4d)
        abort();
    if (image[1] > 3)
        exit(2);
    if (image[2] == 0xff)
        return 2;
    return image[1] == 3 ? 1 : 0;
}
