/* The input's way into the unit: parameters, globals and what stubs hand out are copies of bytes of the arena, labelled
 * as those bytes; results and globals find their way back here.
 *
 * What the generated driver calls. It never decides which variable is an input: the engine's object table does. */
#include "private.h"

/* Preconditions that a stub of a library function has of its own: it must not answer what the function never does. */
enum { ASSUMED_OF_LIBRARY = -2 };

uint32_t tk_assuming;

static int fits(uint64_t size, uint32_t arena_offset) {
  return arena_offset <= TK_ARENA_SIZE && size <= TK_ARENA_SIZE - arena_offset;
}

/* ---- Variables ---- */

void tk_bind(void *variable, uint64_t size, uint32_t arena_offset) {
  if (!fits(size, arena_offset)) return;
  tk_copy_bytes(variable, (const void *)(TK_ARENA_BASE + arena_offset), size);
  tk_label_input((uint64_t)variable, arena_offset, size);
}

/* The input's bytes become those the variable has: for globals that are symbolic but keep their initial value. */
void tk_adopt(const void *variable, uint64_t size, uint32_t arena_offset) {
  if (fits(size, arena_offset)) tk_copy_bytes((void *)(TK_ARENA_BASE + arena_offset), variable, size);
}

/* What the unit left in a global, for the engine to read where the input was. */
void tk_unbind(const void *variable, uint64_t size, uint32_t arena_offset) { tk_adopt(variable, size, arena_offset); }

const void *tk_without_result_of;

/* A function that fell off its end has no result. */
void tk_result(const void *value, uint64_t size, const void *function) {
  const void *without = tk_without_result_of;
  tk_without_result_of = 0;
  if (without == function) {
    TK_HEADER->result_size = 0;
    return;
  }
  uint64_t kept = size < TK_MAX_RESULT ? size : TK_MAX_RESULT;
  if (TK_HEADER->result_size) tk_keeps_result(); /* of an earlier call */
  tk_copy_bytes(TK_RESULT, value, kept);
  TK_HEADER->result_size = (uint32_t)kept;
}

uint32_t tk_call_count(void) { return TK_HEADER->calls ? TK_HEADER->calls : 1; }

/* ---- Stubs ---- */

static uint32_t stub_base, stub_stride, stub_calls;

/* Calls of stubs without answers after which a run is over: whoever asks so often waits for one answer alone. */
enum { MOST_EXHAUSTED = 1 << 17 };

static void exhausted(uint32_t stub) {
  static uint32_t times;
  if (++times >= MOST_EXHAUSTED) TK_FINISH_HERE(TK_END_TIMEOUT, TK_TIMEOUT_STUB);
  if (TK_HEADER->stub_exhausted) return;
  TK_HEADER->stub_exhausted = stub + 1;
  TK_HEADER->stub_exhausted_events = TK_HEADER->event_count;
}

/* A stub writes more than there are input values for: the engine is told since when. Gives the amount as a plain number:
 * nothing that follows is a proof, so its path need not say how much it was. */
uint64_t tk_stub_cut(uint32_t stub, const uint64_t *amount) {
  if (!TK_HEADER->stub_cut) {
    TK_HEADER->stub_cut = stub + 1;
    TK_HEADER->stub_cut_events = TK_HEADER->event_count;
  }
  return *amount;
}

/* A stub that never returns ends the test as `exit(0)` would. */
TK_NORETURN void tk_stub_exit(void) { TK_FINISH_HERE(TK_END_EXITED, 0); }

void tk_stub_values(uint32_t base, uint32_t stride, uint32_t calls) {
  stub_base = base;
  stub_stride = stride;
  stub_calls = calls;
}

/* Without an input value for that call it is zero, and the engine is told; gives whether there was one. */
uint32_t tk_stub_value(void *to, uint64_t size, uint32_t part, const uint32_t *call, const uint64_t *element, uint32_t stub) {
  uint64_t offset = stub_base + (uint64_t)stub_stride * *call + part + (element ? *element * size : 0);
  int has_value = *call < stub_calls && offset <= TK_ARENA_SIZE && fits(size, (uint32_t)offset) &&
                  (!size || TK_FLAGS[offset] & TK_FLAG_VALID);
  if (!has_value) {
    for (uint64_t i = 0; i < size; i++) ((uint8_t *)to)[i] = 0;
    tk_shadow_clear((uint64_t)to, size);
    exhausted(stub);
    return 0;
  }
  tk_bind(to, size, (uint32_t)offset);
  for (uint64_t i = 0; i < size; i++) TK_FLAGS[offset + i] |= TK_FLAG_READ;
  return 1;
}

/* ---- Preconditions ---- */

void tk_assume_begin(uint32_t number) { tk_assuming = number + 1; }

void tk_assume_end(void) { tk_assuming = 0; }

TK_NORETURN void tk_assume_failed(uint32_t number) { TK_FINISH_HERE(TK_END_ASSUMPTION, (int32_t)number); }

TK_NORETURN void tk_answer_impossible(void) { TK_FINISH_HERE(TK_END_ASSUMPTION, ASSUMED_OF_LIBRARY); }
