/* Function pointers: functions of the file whose address is taken, or a stub. */
#include <stddef.h>

static int add(int a, int b)
{
    return (int)((unsigned)a + (unsigned)b);
}

static int multiply(int a, int b)
{
    return (int)((unsigned)a * (unsigned)b);
}

int (*const operations[])(int, int) = {add, multiply};

int apply(int (*operation)(int, int), int a, int b)
{
    if (operation == NULL)
        return -1;
    if (operation == multiply)
        return 1;
    if (operation(a, b) == 42)
        return 2;
    return 0;
}

struct driver {
    int (*open)(int port);
    int (*read)(void *buffer, size_t size);
    int port;
};

int driver_start(const struct driver *driver)
{
    unsigned char reply[4] = {0};

    if (driver == NULL || driver->open == NULL || driver->read == NULL)
        return -1;
    if (driver->open(driver->port) < 0)
        return -2;
    if (driver->read(reply, sizeof reply) == 4 && reply[3] == 0x55)
        return 1;
    return 0;
}
