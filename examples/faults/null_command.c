/* Checks a command frame of a serial protocol: start bytes, code, number of arguments, Fletcher checksum.
 * Fault: a code that is not in the table is not expected, and the lookup's NULL is followed: null dereference. */
#include <stddef.h>
#include <stdint.h>

struct command {
    uint8_t code;
    uint8_t arguments;
};

static const struct command commands[] = {
    { 0x10, 1 },
    { 0x11, 2 },
    { 0x20, 0 },
    { 0x42, 4 },
};

static const struct command *find_command(uint8_t code)
{
    size_t i;

    for (i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (commands[i].code == code)
            return &commands[i];
    }
    return NULL;
}

int frame_arguments(const uint8_t *frame, size_t len)
{
    const struct command *command;
    unsigned sum = 0, sum_of_sums = 0;
    size_t i;

    if (frame == NULL || len != 6 || frame[0] != 0x7e || frame[1] != 0xa5)
        return -1;
    for (i = 0; i + 2 < len; i++) {
        sum += frame[i];
        sum_of_sums += sum;
    }
    if (frame[4] != (sum & 0xff) || frame[5] != (sum_of_sums & 0xff))
        return -1;
    command = find_command(frame[2]);
    if (command->arguments != frame[3]) /* fault */
        return -2;
    return command->arguments;
}
