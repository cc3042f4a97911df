/* A jump out of the unit: carried out if it leads to a live frame, with the labels' books put in order. */
#include "private.h"

enum { SIGNAL_SEGV = 11 };

/* glibc keeps the stack pointer at index 6 of a jmp_buf, rotated and mixed with a secret of the thread. */
static uint64_t stack_pointer_of(const uint64_t *environment) {
  uint64_t mixed = environment[6], guard;
  __asm__("movq %%fs:0x30, %0" : "=r"(guard));
  return (mixed >> 17 | mixed << 47) ^ guard;
}

TK_NORETURN void longjmp(void *environment, int value);

/* A jump to a live frame of the unit is carried out. Any other (the buffer was never set in this run) would crash. */
TK_NORETURN void tkw_longjmp(void *environment, int value) {
  uint64_t target = stack_pointer_of(environment);
  if (target <= (uint64_t)__builtin_frame_address(0) || target > tk_run_frame) {
    TK_HEADER->fault_address = (uint64_t)environment;
    TK_FINISH_HERE(TK_END_SIGNAL, SIGNAL_SEGV);
  }
  tk_stack_pop_below(target);
  tk_native_reset();
  tk_calls.callee = 0;
  tk_calls.results_valid = 0;
  longjmp(environment, value);
}
