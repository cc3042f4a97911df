#include <string.h>

#include "board.h"

void command_take(struct command *command, const uint8_t *bytes, unsigned length)
{
    command->length = (uint8_t)length;
    memcpy(command->bytes, bytes, length);
}

int command_run(const struct command *command)
{
    if (command->length < 2)
        return -1;
    switch (command->bytes[0]) {
    case COMMAND_TARGET:
        return control_set_target(command->bytes[1]);
    case COMMAND_MODE:
        return control_set_mode(command->bytes[1]);
    default:
        return -1;
    }
}
