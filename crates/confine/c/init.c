/* The first process of a namespace of its own: starts the program, reaps whatever it leaves, and tells how it ended.
 *
 * Takes the program on descriptor 998 and its arguments and environment as its own; writes the program's wait status to
 * descriptor 999 and ends, and with it everything that is left. A program cannot be the first process itself: signals that
 * one sends to itself, `abort` among them, do nothing. Freestanding: no library, no allocation.
 */

enum { SYS_WRITE = 1, SYS_CLONE = 56, SYS_WAIT4 = 61, SYS_FCNTL = 72, SYS_EXIT_GROUP = 231, SYS_EXECVEAT = 322 };
enum { PROGRAM = 998, REPORT = 999, SET_FLAGS = 2, CLOSE_ON_EXEC = 1, SIGNAL_CHILD = 17, EMPTY_PATH = 0x1000 };
enum { CANNOT_EXECUTE = 126, INTERRUPTED = -4 };

static long call(long number, long a, long b, long c, long d, long e) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = 0;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
}

__attribute__((noreturn, used)) static void begin(long *stack) {
  long count = stack[0];
  long arguments = (long)(stack + 1), environment = (long)(stack + 1 + count + 1);
  long child = call(SYS_CLONE, SIGNAL_CHILD, 0, 0, 0, 0);
  if (child == 0) {
    call(SYS_FCNTL, PROGRAM, SET_FLAGS, CLOSE_ON_EXEC, 0, 0);
    call(SYS_FCNTL, REPORT, SET_FLAGS, CLOSE_ON_EXEC, 0, 0);
    call(SYS_EXECVEAT, PROGRAM, (long)"", arguments, environment, EMPTY_PATH);
    call(SYS_EXIT_GROUP, CANNOT_EXECUTE, 0, 0, 0, 0);
  }
  for (;;) {
    int status = 0;
    long ended = call(SYS_WAIT4, -1, (long)&status, 0, 0, 0);
    if (ended == child) {
      call(SYS_WRITE, REPORT, (long)&status, sizeof status, 0, 0);
      break;
    }
    if (ended < 0 && ended != INTERRUPTED) break;
  }
  for (;;) call(SYS_EXIT_GROUP, 0, 0, 0, 0, 0);
}

__attribute__((naked, noreturn)) void _start(void) { __asm__("movq %rsp, %rdi\n\tandq $-16, %rsp\n\tcall begin"); }
