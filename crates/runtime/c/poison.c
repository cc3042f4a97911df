/* Poison: shadow entries that say why a byte must not be used, so that the fast paths find out without a test of their own.
 *
 * Bytes around objects, freed objects and locals of functions that returned end the run when they are touched; bytes that
 * nobody wrote yet may be written and copied, and reading them is a fault after which the run goes on. */
#include "private.h"

void tk_poison(uint64_t address, uint64_t size, enum tk_poison why) {
  uint32_t *entries = tk_shadow(address);
  for (uint64_t i = 0; i < size; i++) entries[i] = TK_POISON_ENTRY(why);
}

static int32_t fault_kind(enum tk_poison why) {
  switch (why) {
    case TK_POISON_FREED: return TK_FAULT_USE_AFTER_FREE;
    case TK_POISON_RETURNED: return TK_FAULT_USE_AFTER_RETURN;
    default: return TK_FAULT_OUT_OF_BOUNDS;
  }
}

void tk_check_poison(uint32_t site, uint64_t address, uint64_t size, uint64_t pc, uint64_t frame) {
  const uint32_t *entries = tk_shadow(address);
  for (uint64_t i = 0; i < size; i++) {
    if (TK_LIKELY(!tk_is_poison(entries[i]) || entries[i] == TK_POISON_ENTRY(TK_POISON_FRESH))) continue;
    TK_HEADER->fault_address = address + i;
    TK_HEADER->fault_site = site + 1;
    tk_finish(TK_END_FAULT, fault_kind((enum tk_poison)(entries[i] & 15)), pc, frame);
  }
}

int tk_is_fresh(uint64_t address, uint64_t size) {
  const uint32_t *entries = tk_shadow(address);
  for (uint64_t i = 0; i < size; i++)
    if (entries[i] != TK_POISON_ENTRY(TK_POISON_FRESH)) return 0;
  return size != 0;
}
