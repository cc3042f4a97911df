/* Uninitialised memory: fresh heap blocks and those local variables that the instrumenter could not be sure of.
 *
 * Their bytes are marked in the shadow until something writes them. Loads whose value decides something ask here; copying
 * moves the marks. What code without hooks was given, it may have written: its marks go. */
#include "private.h"

/* Bytes of a fresh block that are marked: the marks of more would cost a run more than they find. */
#define MOST_FRESH_BYTES 4096u
#define MOST_GIVEN_BYTES (1u << 16)
#define WORDS_FOLLOWED 32u

static int looking;    /* such reads are looked for at all */
static int distrusted; /* somebody unknown may have written anything */

void tk_look_for_uninitialised(void) { looking = 1; }

void tk_fresh_object(const void *object, uint64_t size) { tk_poison((uint64_t)object, size, TK_POISON_FRESH); }

/* What is told if the result that a function does not have is used after all. */
static tk_fault_record missing;

/* A function is about to read its result: where nothing wrote it, it has none, and nobody reads anything. */
void tk_without_result(const void *result, uint64_t size, const void *function) {
  if (!tk_is_fresh((uint64_t)result, size)) {
    tk_without_result_of = 0;
    return;
  }
  tk_shadow_clear((uint64_t)result, size);
  for (uint64_t i = 0; i < size; i++) ((uint8_t *)result)[i] = 0;
  tk_without_result_of = function;
  uint32_t count = TK_HEADER->fault_count;
  missing.kind = 0;
  if (looking && !distrusted)
    tk_record_fault(TK_FAULT_UNINITIALISED, TK_NO_SITE, (uint64_t)result, CALLER_PC, CALLER_FRAME);
  if (TK_HEADER->fault_count == count) return;
  missing = TK_FAULTS[count];
  TK_HEADER->fault_count = count;
}

/* C leaves it undefined to use a result that there is not. */
void tk_used_result(const void *function) {
  if (tk_without_result_of != function) return;
  tk_without_result_of = 0;
  uint32_t count = TK_HEADER->fault_count;
  for (uint32_t i = 0; i < count; i++)
    if (TK_FAULTS[i].kind == missing.kind && TK_FAULTS[i].backtrace[0] == missing.backtrace[0]) return;
  if (!missing.kind || count >= TK_MAX_FAULTS) return;
  TK_FAULTS[count] = missing;
  TK_HEADER->fault_count = count + 1;
}

void tk_fresh_block(uint64_t base, uint64_t size) {
  if (looking) tk_poison(base, size < MOST_FRESH_BYTES ? size : MOST_FRESH_BYTES, TK_POISON_FRESH);
}

/* Once for each place; from then on the bytes count as written. */
void tk_read_uninitialised(uint64_t address, uint64_t size, uint64_t pc, uint64_t frame) {
  tk_shadow_clear(address, size);
  if (!looking || distrusted) return;
  for (uint32_t i = 0; i < TK_HEADER->fault_count; i++)
    if (TK_FAULTS[i].kind == TK_FAULT_UNINITIALISED && TK_FAULTS[i].backtrace[0] == pc) return;
  tk_record_fault(TK_FAULT_UNINITIALISED, TK_NO_SITE, address, pc, frame);
}

void tk_check_uninitialised(uint32_t site, const tk_extent *object, uint64_t address, uint32_t laddress, uint32_t size) {
  if (!looking || distrusted) return;
  uint32_t passes = !tk_is_fresh(address, size);
  /* One place is enough: what is read there tells whether it may be. */
  uint64_t place = passes ? object->base + (address - object->base) % size : address;
  while (passes && place + size <= object->base + object->size && !tk_is_fresh(place, size)) place += size;
  if (place + size > object->base + object->size || !tk_is_worth_telling(site, passes)) return;
  uint32_t there = tk_node_const(64, place);
  uint32_t elsewhere = there ? tk_node_make(TK_OP_NE, 1, laddress, there, 0) : 0;
  if (elsewhere) tk_log(site, TK_EVENT_UNDEFINED, (uint16_t)passes, elsewhere, 0);
}

void tk_written_by_anybody(void) { distrusted = 1; }

static void follow(uint64_t address, uint32_t depth) {
  tk_extent object;
  if (tk_in_arena(address) || !tk_object_at(address, &object)) return;
  uint64_t size = object.size < MOST_GIVEN_BYTES ? object.size : MOST_GIVEN_BYTES;
  uint32_t *entries = tk_shadow(object.base);
  uint64_t words = !depth || object.base % 8 ? 0 : size / 8 < WORDS_FOLLOWED ? size / 8 : WORDS_FOLLOWED;
  /* An uninitialised pointer leads nowhere. */
  for (uint64_t word = 0; word < words; word++)
    if (!tk_is_fresh(object.base + 8 * word, 8)) follow(((const uint64_t *)object.base)[word], depth - 1);
  for (uint64_t i = 0; i < size; i++)
    if (entries[i] == TK_POISON_ENTRY(TK_POISON_FRESH)) entries[i] = 0;
}

void tk_written_by_others(uint64_t pointer) {
  if (looking) follow(pointer, 2);
}
