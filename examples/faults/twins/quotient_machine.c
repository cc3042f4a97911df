/* One instruction of a stack machine: an operation and two operands.
 * The one quotient that does not fit is told apart. */
#include <stdint.h>

int32_t operation_run(uint32_t opcode, int32_t left, int32_t right, uint32_t key)
{
    if (key != (opcode ^ 0x0f1e2d3cu) * 11u)
        return -1;
    switch (opcode) {
    case 0x6001:
        return left & right;
    case 0x6002:
        return left ^ right;
    case 0x6003:
        if (right == 0 || (left == INT32_MIN && right == -1))
            return 0;
        return left / right;
    default:
        return -2;
    }
}
