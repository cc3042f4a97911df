/* The ways a unit can leave: exit, abort, a failed assertion. Each ends the run, never the server. */
#include "private.h"

extern char __executable_start[], __etext[];

enum { SYS_EXIT_GROUP = 231 };
enum { MAX_BACKTRACE = 32, MAX_CALLER_SCAN = 256 };

TK_NORETURN void tk_exit_now(int status) {
  for (;;) tk_syscall(SYS_EXIT_GROUP, status, 0, 0, 0, 0, 0);
}

int tk_in_runtime(uint64_t pc) {
  return pc >= (uint64_t)__start_tarka_text && pc < (uint64_t)__stop_tarka_text;
}

int tk_in_executable(uint64_t pc) { return pc >= (uint64_t)__executable_start && pc < (uint64_t)__etext; }

static void add_place(uint64_t pc) {
  uint32_t count = TK_HEADER->backtrace_len;
  /* Frames of the runtime itself on top say nothing about the unit. */
  if (count < MAX_BACKTRACE && !(count == 0 && tk_in_runtime(pc))) {
    TK_HEADER->backtrace[count] = pc;
    TK_HEADER->backtrace_len = count + 1;
  }
}

static int readable_frame(uint64_t frame, uint64_t low) {
  return frame % 8 == 0 && frame >= low && frame + 16 <= tk_stack_top;
}

uint64_t tk_return_address(uint64_t stack_pointer, uint64_t otherwise) {
  if (!readable_frame(stack_pointer, 4096)) return otherwise;
  uint64_t return_address = *(uint64_t *)stack_pointer;
  return tk_in_executable(return_address) ? return_address - 1 : otherwise;
}

void tk_backtrace(uint64_t pc, uint64_t frame, uint64_t stack_pointer) {
  TK_HEADER->backtrace_len = 0;
  add_place(pc);
  /* Inside a library function, which has no frame of its own: its caller is the first return address into the
   * executable that lies on the stack. */
  uint64_t caller = 0;
  if (!tk_in_executable(pc) && stack_pointer) {
    uint64_t end = stack_pointer + MAX_CALLER_SCAN * 8;
    for (uint64_t at = stack_pointer & ~7ull; at < end && !caller && readable_frame(at, 4096); at += 8)
      if (tk_in_executable(*(uint64_t *)at)) caller = *(uint64_t *)at;
    if (caller) add_place(caller);
  }
  for (uint64_t low = stack_pointer; readable_frame(frame, low ? low : 4096);) {
    uint64_t return_address = ((uint64_t *)frame)[1], next = ((uint64_t *)frame)[0];
    if (!tk_in_executable(return_address)) {
      if (TK_HEADER->backtrace_len) break;
    } else if (TK_HEADER->backtrace_len == 0) {
      /* The first place is where it happened: inside the call, not after it. */
      add_place(return_address - 1);
    } else if (return_address != caller) {
      add_place(return_address);
    } else {
      caller = 0; /* the chain has it as well: once is enough */
    }
    if (next <= frame) break;
    low = frame;
    frame = next;
  }
}

void tk_short_backtrace(uint32_t *places, uint64_t pc, uint64_t frame) {
  uint32_t count = 0;
  if (tk_in_executable(pc) && !tk_in_runtime(pc)) places[count++] = (uint32_t)pc;
  for (uint64_t low = 4096; count < TK_PLACES && readable_frame(frame, low);) {
    uint64_t return_address = ((uint64_t *)frame)[1], next = ((uint64_t *)frame)[0];
    if (!tk_in_executable(return_address)) break;
    if (!tk_in_runtime(return_address)) {
      places[count] = (uint32_t)(return_address - (count == 0));
      count++;
    }
    low = frame + 1;
    frame = next;
  }
  while (count < TK_PLACES) places[count++] = 0;
}

/* A crash while a precondition is evaluated means that it does not hold. */
TK_NORETURN void tk_end_run(uint32_t end, int32_t code) {
  int is_crash = end == TK_END_SIGNAL || end == TK_END_FAULT || end == TK_END_EXITED;
  if (tk_assuming && is_crash) {
    end = TK_END_ASSUMPTION;
    code = (int32_t)tk_assuming - 1;
  }
  TK_HEADER->end_code = code;
  TK_HEADER->end = end;
  /* After a time limit nobody knows which signals are still to come. */
  if (end == TK_END_TIMEOUT) tk_exit_now(0);
  tk_run_over();
}

TK_NORETURN void tk_finish(uint32_t end, int32_t code, uint64_t pc, uint64_t frame) {
  tk_backtrace(pc, frame, 0);
  tk_end_run(end, code);
}

static void record_fault(uint32_t kind, uint32_t site, uint64_t address, uint64_t pc, uint64_t frame, uint64_t stack_pointer) {
  uint32_t count = TK_HEADER->fault_count;
  if (tk_assuming || count >= TK_MAX_FAULTS) return;
  tk_fault_record *record = &TK_FAULTS[count];
  enum { FRAMES = sizeof record->backtrace / sizeof *record->backtrace };
  for (uint32_t i = 0; i < count; i++)
    if (site != TK_NO_SITE && TK_FAULTS[i].site == site + 1 && TK_FAULTS[i].kind == kind) return;
  tk_backtrace(pc, frame, stack_pointer);
  uint32_t frames = TK_HEADER->backtrace_len < FRAMES ? TK_HEADER->backtrace_len : FRAMES;
  record->kind = kind;
  record->site = site + 1;
  record->events = TK_HEADER->event_count;
  record->backtrace_len = frames;
  record->address = address;
  for (uint32_t i = 0; i < frames; i++) record->backtrace[i] = TK_HEADER->backtrace[i];
  TK_HEADER->backtrace_len = 0;
  TK_HEADER->fault_count = count + 1;
}

void tk_record_fault(uint32_t kind, uint32_t site, uint64_t address, uint64_t pc, uint64_t frame) {
  record_fault(kind, site, address, pc, frame, 0);
}

void tk_record_signal_fault(uint32_t kind, uint64_t address, uint64_t pc, uint64_t frame, uint64_t stack_pointer) {
  record_fault(kind, TK_NO_SITE, address, pc, frame, stack_pointer);
}

void tk_check_failed(uint32_t site, uint32_t kind) {
  TK_HEADER->fault_site = site + 1;
  TK_FINISH_HERE(TK_END_FAULT, (int32_t)kind);
}

TK_NORETURN void tkw_exit(int status) { TK_FINISH_HERE(TK_END_EXITED, status & 0xff); }

TK_NORETURN void tkw_abort(void) { TK_FINISH_HERE(TK_END_FAULT, TK_FAULT_ABORT); }

TK_NORETURN void tkw_assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  (void)text, (void)file, (void)line, (void)function;
  TK_FINISH_HERE(TK_END_FAULT, TK_FAULT_ASSERTION);
}
