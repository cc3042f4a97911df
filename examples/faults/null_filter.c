/* Applies the configuration of an input channel to a sample: an offset, and a filter where one is configured.
 * Fault: only FLAG_FILTER demands that there is a filter, and FLAG_SMOOTH uses it as well: null dereference. */
#include <stddef.h>
#include <stdint.h>

#define CONFIG_MAGIC 0x43464731u
#define FLAG_FILTER 0x0100u
#define FLAG_SMOOTH 0x0200u

struct filter {
    int32_t gain;
    int32_t bias;
};

struct config {
    uint32_t magic;
    uint16_t flags;
    uint16_t check;
    const struct filter *filter;
};

int config_apply(const struct config *config, int16_t sample)
{
    int32_t value = sample;

    if (config == NULL || config->magic != CONFIG_MAGIC)
        return -1;
    if (config->check != (uint16_t)((config->flags * 3u) ^ 0xa55au))
        return -1;
    if (config->filter == NULL && (config->flags & FLAG_FILTER) != 0)
        return -1;
    if ((config->flags & FLAG_SMOOTH) != 0)
        value = (value * 3 + config->filter->bias % 1000) / 4; /* fault */
    if ((config->flags & FLAG_FILTER) != 0)
        value += config->filter->gain % 100;
    return value;
}
