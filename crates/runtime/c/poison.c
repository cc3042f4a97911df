/* Poison: shadow entries that say why a byte must not be used, so that the fast paths find out without a test of their own.
 *
 * Bytes around objects, freed objects and locals of functions that returned end the run when they are touched; bytes that are
 * uninitialised may be written and copied, and reading them is a fault after which the run goes on. */
#include "private.h"

void tk_poison(uint64_t address, uint64_t size, enum tk_poison why) {
  uint32_t *entries = tk_shadow(address);
  for (uint64_t i = 0; i < size; i++) entries[i] = TK_POISON_ENTRY(why);
}

void tk_unpoison(uint64_t address, uint64_t size) {
  uint32_t *entries = tk_shadow(address);
  for (uint64_t i = 0; i < size; i++)
    if (tk_is_poison(entries[i])) entries[i] = 0;
}

static int32_t fault_kind(enum tk_poison why) {
  switch (why) {
    case TK_POISON_FREED: return TK_FAULT_USE_AFTER_FREE;
    case TK_POISON_RETURNED: return TK_FAULT_USE_AFTER_RETURN;
    default: return TK_FAULT_OUT_OF_BOUNDS;
  }
}

/* The first byte from `i` on that must not be touched; `size` if there is none. Large ranges are looked at in groups. */
static uint64_t next_forbidden(const uint32_t *entries, uint64_t i, uint64_t size) {
  enum { GROUP = 32 };
  while (i + GROUP <= size) {
    uint32_t any = 0;
    for (uint32_t k = 0; k < GROUP; k++) any |= entries[i + k] > TK_POISON_ENTRY(TK_POISON_FRESH);
    if (any) break;
    i += GROUP;
  }
  while (i < size && entries[i] <= TK_POISON_ENTRY(TK_POISON_FRESH)) i++;
  return i;
}
_Static_assert(TK_POISON_FRESH == 0, "the only poison that may be touched is the first");

void tk_check_poison(uint32_t site, uint64_t address, uint64_t size, uint64_t pc, uint64_t frame) {
  const uint32_t *entries = tk_shadow(address);
  uint64_t i = next_forbidden(entries, 0, size);
  if (TK_LIKELY(i == size)) return;
  TK_HEADER->fault_address = address + i;
  TK_HEADER->fault_site = site + 1;
  tk_tell_block(address + i);
  tk_finish(TK_END_FAULT, fault_kind((enum tk_poison)(entries[i] & 15)), pc, frame);
}

int tk_is_fresh(uint64_t address, uint64_t size) {
  const uint32_t *entries = tk_shadow(address);
  for (uint64_t i = 0; i < size; i++)
    if (entries[i] != TK_POISON_ENTRY(TK_POISON_FRESH)) return 0;
  return size != 0;
}
