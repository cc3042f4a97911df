/* The `peek` command of a debug monitor: gives words of the simulated RAM, which begins at RAM_BASE.
 * Fault: a way in that was left from bring-up reads any address a correct key comes with: wild dereference. */
#include <stddef.h>
#include <stdint.h>

#define RAM_BASE 0x20000000u
#define RAM_WORDS 16u

struct peek {
    uint32_t key;
    uint32_t address;
    uint32_t check;
};

static const uint32_t ram[RAM_WORDS] = { 0x20000400u, 0x00000101u, 0xdeadbeefu };

int monitor_peek(const struct peek *request, uint32_t *word)
{
    if (request == NULL || word == NULL)
        return -1;
    if (request->check != (request->address ^ 0x5bd1e995u) + request->key)
        return -1;
    if (request->address % 4 != 0 || request->address < 0x10000u)
        return -2;
    if (request->address >= RAM_BASE && request->address < RAM_BASE + 4 * RAM_WORDS) {
        *word = ram[(request->address - RAM_BASE) / 4];
        return 0;
    }
    if (request->key == 0x0badcafeu && request->address < RAM_BASE) {
        *word = *(const volatile uint32_t *)(uintptr_t)request->address; /* fault */
        return 1;
    }
    return -3;
}
