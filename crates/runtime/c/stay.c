/* A process that makes one run after another: each begins with the memory, the stack pointer, the blocked signals and the
 * floating-point state of the first.
 *
 * A run may end anywhere: in the unit, in a library function, in the handler of a signal. It is simply left: the process goes on
 * on a stack of its own and gives everything back. Never decides whether a run did something else: the server hears of that, and ends the
 * process. */
#include "stay.h"

enum { SYS_PROTECT = 10, SYS_SIGNAL_MASK = 14, SYS_RUSAGE = 98, SYS_PENDING = 127, SYS_OWN_ID = 186, SYS_SET_BREAK = 12 };
enum { READ_AND_WRITE = 3, SET_MASK = 2 };

int tk_is_last_run, tk_gave_pages_back;
/* This process, if it stays; a process that the unit made of it does not. */
static long stays;

void tk_stay_open(int is_open) {
  tk_syscall(SYS_PROTECT, (long)TK_STAY, (long)TK_STAY_SIZE, is_open ? READ_AND_WRITE : 0, 0, 0, 0);
}

static uint64_t count_faults(void) {
  struct { long times[4], others[4], minor, major, rest[6]; } used;
  tk_syscall(SYS_RUSAGE, 0, (long)&used, 0, 0, 0, 0);
  return (uint64_t)(used.minor + used.major);
}

static uint64_t block_signals(uint64_t which) {
  uint64_t before = 0;
  tk_syscall(SYS_SIGNAL_MASK, SET_MASK, (long)&which, (long)&before, sizeof before, 0, 0);
  return before;
}

/* The stack goes on at an address, and what was on it is forgotten. */
TK_NORETURN static void go_on_at(uint64_t stack, void (*function)(uint64_t), uint64_t argument) {
  __asm__ volatile("cld\n\tmovq %0, %%rsp\n\txorl %%ebp, %%ebp\n\tcall *%1\n\tud2" : : "r"(stack), "r"(function), "D"(argument));
  __builtin_unreachable();
}

/* ---- A run ---- */

/* Below all that the server itself ever does on its stack, so that every run finds the same there. */
#define RUN_BELOW 8192u

static void begin(uint64_t unused) {
  (void)unused;
  if (stays) {
    tk_stay *stay = TK_STAY;
    __asm__ volatile("fldenv %0\n\tldmxcsr %1" : : "m"(stay->environment), "m"(stay->vector_state));
    uint64_t signals = stay->signals;
    stay->faults = count_faults();
    tk_stay_open(0);
    block_signals(signals);
  }
  tk_run_unit();
}

TK_NORETURN void tk_begin_run(void) { go_on_at((tk_stack_top - RUN_BELOW) & ~(TK_PAGE - 1), begin, 0); }

/* ---- Between runs ---- */

/* 0 if the heap cannot end where it did; `is_moved` is set if it had another end. */
static int give_heap_back(uint64_t *is_moved) {
  uint64_t end = TK_STAY->heap_end;
  if ((uint64_t)tk_syscall(SYS_SET_BREAK, 0, 0, 0, 0, 0, 0) == end) return 1;
  *is_moved = 1;
  return (uint64_t)tk_syscall(SYS_SET_BREAK, (long)end, 0, 0, 0, 0, 0) == end;
}

static void wait_for_next(void) {
  tk_notices_wait();
  tk_begin_run();
}

/* `is_new` is whether there may be pages that were not written before. */
static void give_back(uint64_t is_new) {
  uint64_t pending = 0;
  tk_set_timer(TK_TIMER_PROCESSOR, 0);
  tk_set_timer(TK_TIMER_CLOCK, 0);
  tk_syscall(SYS_PENDING, (long)&pending, sizeof pending, 0, 0, 0, 0);
  if (pending || !give_heap_back(&is_new) || (is_new && !tk_memory_find())) tk_exit_now(0);
  tk_memory_restore();
  wait_for_next();
}

TK_NORETURN void tk_run_over(void) {
  if (!stays || tk_is_last_run || stays != tk_syscall(SYS_OWN_ID, 0, 0, 0, 0, 0, 0)) tk_exit_now(0);
  block_signals(~0ull);
  uint64_t faults = count_faults();
  int gave_pages_back = tk_gave_pages_back;
  tk_stay_open(1);
  go_on_at((uint64_t)(TK_STAY->stack + sizeof TK_STAY->stack), give_back, gave_pages_back || faults != TK_STAY->faults);
}

/* ---- The beginning ---- */

static void keep_all(uint64_t unused) {
  (void)unused;
  tk_stay *stay = TK_STAY;
  __asm__ volatile("fnstenv %0\n\tfldenv %0\n\tstmxcsr %1" : "+m"(stay->environment), "=m"(stay->vector_state));
  stay->signals = block_signals(~0ull);
  if (!tk_memory_keep()) tk_exit_now(0);
  wait_for_next();
}

TK_NORETURN void tk_stay_runs(void) {
  tk_stay_open(1);
  stays = tk_syscall(SYS_OWN_ID, 0, 0, 0, 0, 0, 0);
  go_on_at((uint64_t)(TK_STAY->stack + sizeof TK_STAY->stack), keep_all, 0);
}
