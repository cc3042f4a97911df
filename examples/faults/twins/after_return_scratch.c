/* A small machine computes with a stack; `expand` gives it more room for one instruction.
 * The room lives as long as the machine. */
#include <stddef.h>
#include <stdint.h>

struct machine {
    int32_t *stack;
    int32_t fixed[4];
    int32_t large[16];
    int top;
};

static void move_stack(struct machine *machine, int32_t *to)
{
    int i;

    for (i = 0; i < machine->top; i++)
        to[i] = machine->stack[i];
    machine->stack = to;
}

static int expand(struct machine *machine)
{
    move_stack(machine, machine->large);
    return (int)(sizeof machine->large / sizeof machine->large[0]);
}

int machine_run(const uint8_t *code, size_t len, uint32_t entry)
{
    struct machine machine = { NULL, { 0 }, { 0 }, 0 };
    int room = 4;
    size_t i;

    if (code == NULL || len > 8 || entry != (uint32_t)len * 0x00fac688u + 0x12d687u)
        return -1;
    machine.stack = machine.fixed;
    for (i = 0; i < len; i++) {
        if (code[i] == 0xee && room == 4)
            room = expand(&machine);
        else if (machine.top < room)
            machine.stack[machine.top++] = code[i];
        else
            return -2;
    }
    return machine.top;
}
