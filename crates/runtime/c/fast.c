/* The inlined fast paths: every `tkf_*` hook.
 *
 * Compiled to bitcode and linked into the unit, where LLVM inlines them. The rule: when everything is concrete, a hook
 * is a test that falls through; anything else is a call of a slow path in the runtime object.
 */
#include "tk.h"

#define FAST __attribute__((always_inline))

/* ---- Branches ---- */

/* Symbolic outcomes are always logged, concrete ones a few times. */
static inline FAST void log_outcome(uint32_t site, uint32_t coverage, uint16_t kind, uint32_t outcome, uint32_t label) {
  uint8_t *seen = &TK_COVERAGE[coverage + outcome];
  uint8_t times = *seen;
  if (TK_LIKELY(times >= TK_CONCRETE_EVENTS && label == 0)) return;
  *seen = (uint8_t)(times + (times < TK_CONCRETE_EVENTS));
  tk_log(site, kind, (uint16_t)outcome, label, 0);
}

FAST void tkf_condition(uint32_t site, uint32_t coverage, uint32_t value, uint32_t label) {
  log_outcome(site, coverage, TK_EVENT_CONDITION, value != 0, label);
}

FAST void tkf_switch(uint32_t site, uint32_t coverage, uint32_t arm, uint32_t label) {
  log_outcome(site, coverage, TK_EVENT_SWITCH, arm, label);
}

FAST void tkf_internal(uint32_t site, uint32_t taken, uint32_t label) {
  if (TK_UNLIKELY(label)) tk_log(site, TK_EVENT_INTERNAL, taken != 0, label, 0);
}

FAST void tkf_internal_switch(uint32_t site, uint64_t value, uint32_t label) {
  if (TK_UNLIKELY(label))
    tk_log(site, TK_EVENT_INTERNAL_SWITCH, (uint16_t)(value >> 32), label, (uint32_t)value);
}

FAST void tkf_assume(uint32_t site, uint32_t holds, uint32_t label) {
  tkf_internal(site, holds, label);
  if (TK_UNLIKELY(!holds)) tk_assume_failed(UINT32_MAX);
}

/* ---- Checks that the compiler made ---- */

FAST void tkf_check(uint32_t site, uint32_t kind, uint32_t passes, uint32_t label) {
  if (TK_UNLIKELY(label || !passes)) tk_check_slow(site, kind, passes, label);
}

FAST void tkf_undefined(uint32_t site, uint32_t kind, uint32_t passes, uint32_t label) {
  if (TK_UNLIKELY(label || !passes)) tk_undefined_slow(site, kind, passes, label);
}

FAST void tkf_overflow(uint32_t site, uint32_t kind, uint32_t passes, uint8_t op, uint32_t width, uint32_t la,
                       uint32_t lb, uint64_t a, uint64_t b) {
  if (TK_UNLIKELY((la | lb) || !passes))
    tk_overflow_slow(site, kind, passes, op | width << 8, (uint64_t)la << 32 | lb, a, b);
}

FAST void tkf_aligned(uint32_t site, uint32_t kind, uint32_t passes, uint32_t laddress, uint64_t bits) {
  if (TK_UNLIKELY(laddress || !passes)) tk_aligned_slow(site, kind, passes, laddress, bits);
}

FAST void tkf_moved(uint32_t site, uint32_t kind, uint32_t passes, uint32_t lindex, uint64_t index, uint64_t size,
                    uint32_t is_signed, const void *pointer) {
  if (TK_UNLIKELY(lindex || !passes))
    tk_moved_slow(site, kind, passes | is_signed << 1, lindex, index, size, (uint64_t)pointer);
}

/* Volatile: a run may end anywhere, and what it has begun must be known then. */
FAST void tkf_statement(uint32_t index) { *(volatile uint8_t *)&TK_COVERAGE[index] = 1; }

/* Vectors of one decision lie side by side, so that a run touches few pages of the table. */
FAST void tkf_evaluation(uint32_t decision, uint32_t values, uint32_t evaluated, uint32_t result) {
  uint32_t mixed = values * 0x9e3779b1u ^ evaluated * 0x85ebca6bu;
  uint32_t slot = (decision * 8 + (mixed >> 29)) % TK_SEEN_EVALUATIONS;
  uint64_t what = (uint64_t)decision << 32 | (result + 1), bits = (uint64_t)values << 32 | evaluated;
  const tk_seen_evaluation *seen = &tk_seen_evaluations[slot];
  if (TK_UNLIKELY(((seen->what ^ what) | (seen->bits ^ bits)) != 0)) tk_evaluation_slow(slot, what, bits);
}

/* ---- Operations ---- */

#define LOW(value) ((uint64_t)(value))
#define HIGH(value) ((uint64_t)((value) >> 64))

FAST uint32_t tkf_binary(uint8_t op, uint32_t width, uint32_t operand_width, uint32_t la, uint32_t lb, uint64_t a,
                         uint64_t b) {
  if (TK_LIKELY((la | lb) == 0)) return 0;
  return tk_binary_slow(op, width, operand_width, la, lb, a, b);
}

FAST uint32_t tkf_binary128(uint8_t op, uint32_t width, uint32_t operand_width, uint32_t la, uint32_t lb, tk_u128 a,
                            tk_u128 b) {
  if (TK_LIKELY((la | lb) == 0)) return 0;
  return tk_binary128_slow(op, width, operand_width, la, lb, LOW(a), HIGH(a), LOW(b), HIGH(b));
}

FAST uint32_t tkf_divide(uint32_t site, uint8_t op, uint32_t width, uint32_t la, uint32_t lb, uint64_t a, uint64_t b) {
  if (TK_LIKELY((la | lb) == 0)) return 0;
  return tk_divide_slow(site, op, width, la, lb, a, b);
}

FAST uint32_t tkf_divide128(uint32_t site, uint8_t op, uint32_t width, uint32_t la, uint32_t lb, tk_u128 a, tk_u128 b) {
  if (TK_LIKELY((la | lb) == 0)) return 0;
  return tk_divide128_slow(site, op, width, la, lb, LOW(a), HIGH(a), LOW(b), HIGH(b));
}

FAST uint32_t tkf_unary(uint8_t op, uint32_t width, uint32_t la) {
  if (TK_LIKELY(la == 0)) return 0;
  return tk_unary_slow(op, width, la);
}

FAST uint32_t tkf_extract(uint32_t first, uint32_t width, uint32_t la) {
  if (TK_LIKELY(la == 0)) return 0;
  return tk_extract_slow(first, width, la);
}

FAST uint32_t tkf_fcmp(uint32_t predicate, uint32_t width, uint32_t la, uint32_t lb, uint64_t a, uint64_t b) {
  if (TK_LIKELY((la | lb) == 0)) return 0;
  return tk_fcmp_slow(predicate, width, la, lb, a, b);
}

FAST uint32_t tkf_fcmp128(uint32_t predicate, uint32_t width, uint32_t la, uint32_t lb, tk_u128 a, tk_u128 b) {
  if (TK_LIKELY((la | lb) == 0)) return 0;
  return tk_fcmp128_slow(predicate, width, la, lb, LOW(a), HIGH(a), LOW(b), HIGH(b));
}

FAST uint32_t tkf_ternary(uint8_t op, uint32_t width, uint32_t la, uint32_t lb, uint32_t lc, uint64_t a, uint64_t b,
                          uint64_t c) {
  if (TK_LIKELY((la | lb | lc) == 0)) return 0;
  return tk_ternary_slow(op, width, la, lb, lc, a, b, c);
}

FAST uint32_t tkf_ternary128(uint8_t op, uint32_t width, uint32_t la, uint32_t lb, uint32_t lc, tk_u128 a, tk_u128 b,
                             tk_u128 c) {
  if (TK_LIKELY((la | lb | lc) == 0)) return 0;
  return tk_ternary128_slow(op, width, la, lb, lc, LOW(a), HIGH(a), LOW(b), HIGH(b), LOW(c), HIGH(c));
}

FAST uint32_t tkf_select(uint32_t width, uint32_t lcond, uint32_t cond, uint32_t lt, uint32_t lf, uint64_t t,
                         uint64_t f) {
  if (TK_LIKELY(lcond == 0)) return cond ? lt : lf;
  return tk_select_slow(width, lcond, lt, lf, t, 0, f, 0);
}

FAST uint32_t tkf_select128(uint32_t width, uint32_t lcond, uint32_t cond, uint32_t lt, uint32_t lf, tk_u128 t,
                            tk_u128 f) {
  if (TK_LIKELY(lcond == 0)) return cond ? lt : lf;
  return tk_select_slow(width, lcond, lt, lf, LOW(t), HIGH(t), LOW(f), HIGH(f));
}

/* ---- Memory ---- */

typedef uint64_t entry_pair __attribute__((aligned(4), may_alias));

/* True if the shadow entries of `size` bytes (a constant at every call) are all zero. */
static inline FAST int entries_clear(const uint32_t *entries, uint32_t size) {
  const entry_pair *pairs = (const entry_pair *)entries;
  switch (size) {
    case 1: return entries[0] == 0;
    case 2: return pairs[0] == 0;
    case 4: return (pairs[0] | pairs[1]) == 0;
    case 8: return (pairs[0] | pairs[1] | pairs[2] | pairs[3]) == 0;
    case 10: return (pairs[0] | pairs[1] | pairs[2] | pairs[3] | pairs[4]) == 0;
    case 16:
      return (pairs[0] | pairs[1] | pairs[2] | pairs[3] | pairs[4] | pairs[5] | pairs[6] | pairs[7]) == 0;
    default: return 0;
  }
}

FAST uint32_t tkf_load(uint32_t site, const void *address, uint32_t laddress, uint32_t size) {
  uint64_t at = (uint64_t)address;
  if (TK_LIKELY(laddress == 0 && !tk_in_arena(at) && entries_clear(tk_shadow(at), size & ~TK_LOAD_NEEDED))) return 0;
  return tk_load_slow(site, at, laddress, size);
}

/* Storing something concrete where nothing symbolic was needs no write: the shadow's pages stay untouched. */
FAST void tkf_store(uint32_t site, const void *address, uint32_t laddress, uint32_t size, uint32_t label,
                    uint64_t value) {
  uint64_t at = (uint64_t)address;
  if (TK_LIKELY((laddress | label) == 0 && !tk_in_arena(at) && entries_clear(tk_shadow(at), size))) return;
  tk_store_slow(site, at, laddress, size, label, value, 0);
}

FAST void tkf_store128(uint32_t site, const void *address, uint32_t laddress, uint32_t size, uint32_t label,
                       tk_u128 value) {
  uint64_t at = (uint64_t)address;
  if (TK_LIKELY((laddress | label) == 0 && !tk_in_arena(at) && entries_clear(tk_shadow(at), size))) return;
  tk_store_slow(site, at, laddress, size, label, LOW(value), HIGH(value));
}

FAST uint32_t tkf_stack_depth(void) { return tk_calls.stack_depth; }

FAST void tkf_stack_restore(uint32_t depth) {
  if (TK_LIKELY(tk_calls.stack_depth > depth)) tk_stack_leave(depth);
}

/* ---- Calls ---- */

FAST void tkf_call(const void *callee) {
  tk_calls.callee = callee;
  tk_calls.results_valid = 0;
}

FAST void tkf_set_argument(uint32_t index, uint32_t label) {
  if (index < TK_MAX_ARGUMENTS) tk_calls.arguments[index] = label;
}

FAST uint32_t tkf_get_result(uint32_t index) {
  return TK_LIKELY(tk_calls.results_valid) && index < TK_MAX_RESULTS ? tk_calls.results[index] : 0;
}

FAST uint32_t tkf_enter(const void *own_address) {
  uint32_t meant = tk_calls.callee == own_address;
  tk_calls.callee = 0;
  if (TK_UNLIKELY(!meant)) tk_enter_from_native();
  return meant;
}

FAST uint32_t tkf_get_argument(uint32_t valid, uint32_t index) {
  return valid && index < TK_MAX_ARGUMENTS ? tk_calls.arguments[index] : 0;
}

FAST void tkf_set_result(uint32_t index, uint32_t label) {
  if (index < TK_MAX_RESULTS) tk_calls.results[index] = label;
}

FAST void tkf_return(uint32_t valid) { tk_calls.results_valid = valid; }

FAST void tkf_native_argument(uint32_t site, uint32_t label) {
  if (TK_UNLIKELY(label)) tk_native_argument_slow(site, label);
}

FAST void tkf_concretise(uint32_t site, uint32_t label) {
  if (TK_UNLIKELY(label)) tk_count_concretised(site);
}

FAST void tkf_self_check(uint32_t label, uint64_t value) {
  if (TK_UNLIKELY(label)) tk_self_check(label, value);
}
