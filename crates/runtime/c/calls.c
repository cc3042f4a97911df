/* Labels of variadic arguments, for the calling convention of x86-64 System V.
 *
 * The caller cannot know where the callee will save its arguments, and the callee may call other variadic functions
 * before its va_start. So each call's labels are kept under the caller's stack pointer until the callee asks.
 */
#include "private.h"

static uint32_t staged_labelled;
static uint32_t call_count;

void tk_va_reset(void) {
  call_count = 0;
  staged_labelled = 0;
}

void tk_va_argument(uint32_t offset, uint32_t size, uint32_t label) {
  for (uint32_t i = 0; i < size && offset + i < TK_VA_BYTES; i++) {
    uint32_t entry = label && i < tk_label_width(label) / 8 && i < 16 ? label << 4 | i : 0;
    if (TK_PRIVATE->va_staged[offset + i] != entry) TK_PRIVATE->va_staged[offset + i] = entry;
    staged_labelled |= entry;
  }
}

void tk_va_ready(uint32_t overflow) {
  uint64_t stack_pointer = (uint64_t)__builtin_frame_address(0) + 16;
  /* Calls made from here or from deeper frames before are over. */
  while (call_count && TK_PRIVATE->va[call_count - 1].stack_pointer <= stack_pointer) call_count--;
  if (call_count < TK_MAX_VA_CALLS) {
    tk_va_call *call = &TK_PRIVATE->va[call_count++];
    uint32_t room = TK_VA_BYTES - TK_VA_REGISTERS;
    call->stack_pointer = stack_pointer;
    call->overflow = overflow < room ? overflow : room;
    call->labelled = staged_labelled != 0;
    if (call->labelled) tk_copy_bytes(call->entries, TK_PRIVATE->va_staged, sizeof call->entries);
  }
  if (staged_labelled)
    for (uint32_t i = 0; i < TK_VA_BYTES; i++) TK_PRIVATE->va_staged[i] = 0;
  staged_labelled = 0;
}

typedef struct {
  uint32_t gp_offset, fp_offset;
  void *overflow_area, *register_area;
} va_list_layout;

static void put_entries(const void *where, const uint32_t *entries, uint32_t count) {
  uint32_t *to = tk_shadow((uint64_t)where);
  for (uint32_t i = 0; i < count; i++)
    if (to[i] != entries[i]) to[i] = entries[i];
}

void tk_va_start(const void *list) {
  const va_list_layout *va = list;
  uint64_t area = (uint64_t)va->overflow_area;
  tk_shadow_clear((uint64_t)va->register_area, TK_VA_REGISTERS);
  while (call_count && TK_PRIVATE->va[call_count - 1].stack_pointer < area) call_count--;
  if (!call_count) return;
  const tk_va_call *call = &TK_PRIVATE->va[call_count - 1];
  /* The stack arguments begin at the caller's stack pointer, or just below it if they were pushed. */
  enum { PADDING = 64 };
  if (call->stack_pointer - area > call->overflow + PADDING) return;
  tk_shadow_clear(area, call->overflow);
  if (!call->labelled) return;
  put_entries(va->register_area, call->entries, TK_VA_REGISTERS);
  put_entries(va->overflow_area, call->entries + TK_VA_REGISTERS, call->overflow);
}
