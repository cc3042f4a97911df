/* Functions and variables that nobody defines: each call of a stub gives a value of its own. */
#include <errno.h>
#include <stddef.h>

extern int verbosity;
int read_sensor(int channel);
int get_limits(int *low, int *high);
int open_port(const char *name);

struct item {
    int key;
    int weight;
};
struct item *lookup(int key);

int sensor_protocol(void)
{
    if (read_sensor(0) != 1)
        return 0;
    if (read_sensor(1) != 5)
        return 1;
    if (read_sensor(2) >= 0)
        return 2;
    return 3;
}

int in_limits(int value)
{
    int low = 0, high = 0;

    if (get_limits(&low, &high) != 0)
        return -1;
    if (low > high)
        return -2;
    return value >= low && value <= high;
}

int connect_port(void)
{
    if (open_port("main") < 0) {
        if (errno == EAGAIN)
            return 1;
        return -1;
    }
    return verbosity > 3 ? 2 : 0;
}

int weight_of(int key)
{
    struct item *item = lookup(key);

    if (item == NULL)
        return -1;
    if (item->key == key && item->weight > 100)
        return 1;
    return 0;
}
