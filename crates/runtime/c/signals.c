/* Signals: each one that means a crash ends the run with its number, its address and where it happened. */
#include <signal.h>
#include <ucontext.h>

#include "private.h"

enum { SYS_SIGACTION = 13, SYS_SIGALTSTACK = 131, SYS_GETRLIMIT = 97, LIMIT_STACK = 3 };
enum { RESTORER = 0x04000000, STACK_SLACK = 4 << 20 };

uint64_t tk_stack_top, tk_run_frame;
static uint64_t stack_limit;

/* The kernel's layout, which differs from libc's. */
typedef struct {
  void (*handler)(int, siginfo_t *, void *);
  uint64_t flags;
  void (*restorer)(void);
  uint64_t mask;
} kernel_sigaction;

__attribute__((naked)) static void return_from_signal(void) { __asm__("movq $15, %rax\n\tsyscall"); }

static int is_stack_overflow(uint64_t address, uint64_t stack_pointer) {
  uint64_t lowest = tk_stack_top - stack_limit - STACK_SLACK;
  return address >= lowest && address < tk_stack_top && stack_pointer < tk_stack_top && stack_pointer >= lowest;
}

/* Where it happened. A call through a wild pointer arrives where there is no code: the place is then the call, whose
 * return address is on top of the stack. */
static uint64_t place_of(int number, const siginfo_t *info, const greg_t *registers) {
  uint64_t pc = (uint64_t)registers[REG_RIP], stack_pointer = (uint64_t)registers[REG_RSP];
  if (number != SIGSEGV || info->si_code == SI_KERNEL || (uint64_t)info->si_addr != pc) return pc;
  return tk_return_address(stack_pointer, pc);
}

/* ---- The time limit ----
 * It is one of processor time: a busy machine makes no loop endless. A run that waits for something uses none, so the clock
 * is asked as well, now and then.
 *
 * Which loop does not end is seen from the statements that are still executed once the limit is reached: a while longer,
 * the run goes on and its statements are marked anew. */

enum { EXECUTED = 1, EXECUTED_BEFORE = 0x40, WATCHED_PART = 16, SHORTEST_WATCH_MS = 10, LONGEST_WATCH_MS = 100 };

static int watching;

static void watch(void) {
  long limit = TK_HEADER->time_limit_ms, longer = limit / WATCHED_PART;
  longer = longer < SHORTEST_WATCH_MS ? SHORTEST_WATCH_MS : longer > LONGEST_WATCH_MS ? LONGEST_WATCH_MS : longer;
  watching = 1;
  for (uint32_t i = 0; i < TK_MAX_COVERAGE; i++)
    if (TK_COVERAGE[i] == EXECUTED) TK_COVERAGE[i] = EXECUTED_BEFORE;
  tk_set_timer(TK_TIMER_PROCESSOR, longer);
}

uint64_t tk_processor_time(void) {
  enum { SYS_CLOCK_GETTIME = 228, PROCESSOR_TIME = 2 };
  long now[2] = {0, 0};
  tk_syscall(SYS_CLOCK_GETTIME, PROCESSOR_TIME, (long)now, 0, 0, 0, 0);
  return (uint64_t)now[0] * 1000000000 + (uint64_t)now[1];
}

void tk_set_timer(int which, long milliseconds) {
  long timer[4] = {0, 0, milliseconds / 1000, milliseconds % 1000 * 1000};
  tk_syscall(SYS_SETITIMER, which, (long)timer, 0, 0, 0, 0);
}

static void tell_watched(void) {
  for (uint32_t i = 0; i < TK_MAX_COVERAGE && watching; i++) {
    if (TK_COVERAGE[i] == EXECUTED) TK_COVERAGE[i] = EXECUTED | TK_COVERAGE_LATE;
    if (TK_COVERAGE[i] == EXECUTED_BEFORE) TK_COVERAGE[i] = EXECUTED;
  }
}

static uint64_t time_before;

void tk_begin_time(void) {
  time_before = tk_processor_time();
  tk_set_timer(TK_TIMER_PROCESSOR, TK_HEADER->time_limit_ms);
  tk_set_timer(TK_TIMER_CLOCK, (long)(TK_HEADER->time_limit_ms * TK_CLOCK_SHARE));
}

/* Whether the run has done next to nothing since the clock was asked last. */
static int is_waiting(void) {
  enum { MILLISECOND = 1000000, BUSY_PART = 32 };
  uint64_t used = tk_processor_time(), since = used - time_before, share = (uint64_t)TK_HEADER->time_limit_ms * MILLISECOND / BUSY_PART;
  time_before = used;
  return since < share;
}

static void on_signal(int number, siginfo_t *info, void *context) {
  if (tk_answer_refusal(info, ((ucontext_t *)context)->uc_mcontext.gregs)) return;
  if (!tk_run_frame) tk_exit_now(128 + number);
  const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  uint64_t stack_pointer = (uint64_t)registers[REG_RSP];
  /* A library function may be waiting for something, and would see the signal. */
  if (number == SIGPROF && !watching && tk_in_executable((uint64_t)registers[REG_RIP])) {
    watch();
    return;
  }
  /* The machine is busy, not the run idle: it gets the time it was promised. */
  if (number == SIGALRM && !is_waiting()) {
    tk_set_timer(TK_TIMER_CLOCK, (long)(TK_HEADER->time_limit_ms * TK_CLOCK_SHARE));
    return;
  }
  tk_backtrace(place_of(number, info, registers), (uint64_t)registers[REG_RBP], stack_pointer);
  if (number == SIGPROF) tell_watched();
  if (number == SIGPROF || number == SIGALRM) tk_end_run(TK_END_TIMEOUT, number == SIGALRM ? TK_TIMEOUT_CLOCK : TK_TIMEOUT_PROCESSOR);
  if (number == SIGABRT) tk_end_run(TK_END_FAULT, TK_FAULT_ABORT);
  int has_address = number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL;
  uint64_t address = has_address ? (uint64_t)info->si_addr : 0;
  /* The kernel gives no address for one that is not canonical; that is not a null pointer. */
  if (number == SIGSEGV && info->si_code == SI_KERNEL) address = UINT64_MAX;
  TK_HEADER->fault_address = address;
  TK_HEADER->stack_overflow = number == SIGSEGV && is_stack_overflow(address, stack_pointer);
  tk_end_run(TK_END_SIGNAL, number);
}

/* Before the first constructor, which may try what is refused. */
void tk_refusals_early(void) {
  kernel_sigaction action = {on_signal, SA_SIGINFO | RESTORER, return_from_signal, ~0ull};
  tk_syscall(SYS_SIGACTION, SIGSYS, (long)&action, 0, 8, 0, 0);
}

/* Handlers and their stack are inherited by every run, so this costs a run nothing. */
void tk_signals_ready(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGPROF, SIGTRAP, SIGSYS, SIGXCPU};
  stack_t stack = {TK_PRIVATE->signal_stack, 0, sizeof TK_PRIVATE->signal_stack};
  tk_syscall(SYS_SIGALTSTACK, (long)&stack, 0, 0, 0, 0, 0);
  kernel_sigaction action = {on_signal, SA_SIGINFO | SA_ONSTACK | RESTORER, return_from_signal, ~0ull};
  for (uint32_t i = 0; i < sizeof signals / sizeof *signals; i++)
    tk_syscall(SYS_SIGACTION, signals[i], (long)&action, 0, 8, 0, 0);
  uint64_t limit[2];
  tk_syscall(SYS_GETRLIMIT, LIMIT_STACK, (long)limit, 0, 0, 0, 0);
  stack_limit = limit[0] < (1ull << 32) ? limit[0] : 1ull << 32;
}
