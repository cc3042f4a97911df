/* Structs passed by value on the stack: the callee's copy is at an address only the callee knows.
 *
 * The caller leaves the shadow of its copy in a side buffer right before the call; the callee, whose copy starts with a
 * clear shadow, takes it from there right after its entry if the call was meant for it.
 */
#include "private.h"

void tk_byval_argument(uint32_t offset, const void *copy, uint64_t size) {
  if (offset > TK_BY_VALUE_BYTES || size > TK_BY_VALUE_BYTES - offset) return;
  const uint32_t *from = tk_shadow((uint64_t)copy);
  uint32_t *to = TK_PRIVATE->by_value + offset;
  for (uint64_t i = 0; i < size; i++)
    if (to[i] != from[i]) to[i] = from[i];
}

void tk_byval_enter(uint32_t valid, uint32_t offset, const void *copy, uint64_t size) {
  if (!valid || offset > TK_BY_VALUE_BYTES || size > TK_BY_VALUE_BYTES - offset) return;
  const uint32_t *from = TK_PRIVATE->by_value + offset;
  uint32_t *to = tk_shadow((uint64_t)copy);
  for (uint64_t i = 0; i < size; i++)
    if (to[i] != from[i]) to[i] = from[i];
}
