/* Checks that the compiler made, beyond their inlined part: what failed is recorded, what is symbolic is logged.
 *
 * A check after whose failing the program goes on decides nothing, so not every one of a loop is worth telling: of each
 * site the 1st, 2nd, 4th, 8th … that depends on the input, and the first that fails. Nodes are only made for those.
 */
#include "private.h"

#define HAS_FAILED (1u << 31)

TK_HOT_TABLE static uint32_t times[TK_MAX_SITES];

int tk_is_worth_telling(uint32_t site, uint32_t passes) {
  if (tk_assuming || site >= TK_MAX_SITES) return 0;
  uint32_t before = times[site], count = (before & ~HAS_FAILED) + 1;
  int fails_first = !passes && !(before & HAS_FAILED);
  times[site] = (count & ~HAS_FAILED) | (before & HAS_FAILED) | (passes ? 0 : HAS_FAILED);
  return fails_first || (count & (count - 1)) == 0;
}

static void tell(uint32_t site, uint32_t holds, uint32_t label) {
  if (label) tk_log(site, TK_EVENT_UNDEFINED, holds != 0, label, 0);
}

/* The label of "does not overflow". */
static uint32_t negated(uint32_t label) {
  uint32_t one = label ? tk_node_const(1, 1) : 0;
  return one ? tk_node_make(TK_OP_XOR, 1, label, one, 0) : 0;
}

TK_SLOW void tk_check_slow(uint32_t site, uint32_t kind, uint32_t passes, uint32_t label) {
  if (label) tk_log_check(site, passes, label, 0);
  if (passes) return;
  TK_HEADER->fault_site = site + 1;
  TK_FINISH_HERE(TK_END_FAULT, (int32_t)kind);
}

TK_SLOW void tk_undefined_slow(uint32_t site, uint32_t kind, uint32_t passes, uint32_t label) {
  if (label && tk_is_worth_telling(site, passes)) tell(site, passes, label);
  if (!passes) tk_record_fault(kind, site, 0, CALLER_PC, CALLER_FRAME);
}

TK_SLOW void tk_overflow_slow(uint32_t site, uint32_t kind, uint32_t passes, uint32_t what, uint64_t labels, uint64_t a,
                              uint64_t b) {
  if (labels && tk_is_worth_telling(site, passes)) {
    uint32_t la = (uint32_t)(labels >> 32), lb = (uint32_t)labels;
    tell(site, passes, negated(tk_binary_slow(what & 0xff, 1, what >> 8, la, lb, a, b)));
  }
  if (!passes) tk_record_fault(kind, site, 0, CALLER_PC, CALLER_FRAME);
}

/* A pointer of the input is aligned: what is added to it may not be. */
TK_SLOW void tk_aligned_slow(uint32_t site, uint32_t kind, uint32_t passes, uint32_t laddress, uint64_t bits) {
  if (laddress && !tk_points_to_input(laddress) && tk_is_worth_telling(site, passes)) {
    uint32_t mask = tk_node_const(64, bits), zero = tk_node_const(64, 0);
    uint32_t low = mask && zero ? tk_node_make(TK_OP_AND, 64, laddress, mask, 0) : 0;
    tell(site, passes, low ? tk_node_make(TK_OP_EQ, 1, low, zero, 0) : 0);
  }
  if (!passes) tk_record_fault(kind, site, 0, CALLER_PC, CALLER_FRAME);
}

/* The pointer counts as it is; its index decides. A signed one must not lead below address 0, an unsigned one not
 * beyond the last. */
TK_SLOW void tk_moved_slow(uint32_t site, uint32_t kind, uint32_t how, uint32_t lindex, uint64_t index, uint64_t size,
                           uint64_t pointer) {
  uint32_t passes = how & 1, is_signed = how >> 1;
  if (lindex && tk_is_worth_telling(site, passes)) {
    uint32_t factor = size == 1 ? lindex : tk_node_const(64, size);
    uint32_t offset = size == 1 || !factor ? factor : tk_node_make(TK_OP_MUL, 64, lindex, factor, 0);
    uint64_t bound = is_signed ? -pointer : ~pointer, moved = index * size;
    uint32_t most = tk_node_const(64, bound);
    if (offset && most && is_signed)
      tell(site, (int64_t)bound <= (int64_t)moved, tk_node_make(TK_OP_SLE, 1, most, offset, 0));
    else if (offset && most)
      tell(site, moved <= bound, tk_node_make(TK_OP_ULE, 1, offset, most, 0));
  }
  if (!passes) tk_record_fault(kind, site, pointer, CALLER_PC, CALLER_FRAME);
}
