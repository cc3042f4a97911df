/* System calls of a process that stays: the kernel tells the server of each that could change anything beside the
 * process's memory.
 *
 * A filter lets through what the runtime calls itself and what leaves nothing behind; of the rest the server hears before it is
 * carried out, and lets it go on as it is. So a run is never changed by this, and nothing has to be known about what
 * library functions do. The process asks for its next run in the same way. */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "stay.h"

/* The call by which the process asks for its next run, of which only the argument means anything. */
enum { CALL_OF_OURS = SYS_sched_yield, NEXT_RUN = 0x7461726b, HIGHEST_STANDARD = 2, ASK_TERMINAL = 0x5401 };

/* Calls that only ask, or change what is given back: the break and which signals are blocked. */
static const uint16_t harmless[] = {
    SYS_brk,      SYS_rt_sigprocmask, SYS_rt_sigreturn,  SYS_exit_group,   SYS_clock_gettime, SYS_gettimeofday, SYS_time,
    SYS_getpid,   SYS_gettid,         SYS_getppid,       SYS_getuid,       SYS_geteuid,       SYS_getgid,       SYS_getegid,
    SYS_newfstatat, SYS_stat,         SYS_lstat,         SYS_access,       SYS_readlink,      SYS_getcwd,       SYS_uname,
    SYS_sysinfo,  SYS_times,          SYS_getrusage,     SYS_clock_getres, SYS_getrandom,     SYS_nanosleep,    SYS_clock_nanosleep,
    SYS_getrlimit, SYS_getcpu};
/* Harmless with the standard descriptors, which lead nowhere. */
static const uint16_t harmless_there[] = {SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_fstat};

enum { MOST_STEPS = 112 };

typedef struct {
  struct sock_filter steps[MOST_STEPS];
  uint32_t count;
} filter_program;

static void step(filter_program *to, uint16_t code, uint8_t if_so, uint8_t if_not, uint32_t value) {
  to->steps[to->count++] = (struct sock_filter){code, if_so, if_not, value};
}

static void step_load(filter_program *to, uint32_t offset) { step(to, BPF_LD | BPF_W | BPF_ABS, 0, 0, offset); }
/* Goes on with the step behind the next if the value is this one. */
static void skip_unless(filter_program *to, uint32_t value) { step(to, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value); }
static void step_answer(filter_program *to, uint32_t action) { step(to, BPF_RET | BPF_K, 0, 0, action); }

enum { NUMBER = 0, KIND = 4, PLACE = 8, FIRST_ARGUMENT = 16, SECOND_ARGUMENT = 24 };

static void write_program(filter_program *to) {
  step_load(to, KIND);
  step(to, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, AUDIT_ARCH_X86_64);
  step_answer(to, SECCOMP_RET_USER_NOTIF);
  /* Calls of the runtime itself, by where they are made. */
  step_load(to, PLACE + 4);
  step(to, BPF_JMP | BPF_JEQ | BPF_K, 0, 9, 0);
  step_load(to, PLACE);
  step(to, BPF_JMP | BPF_JGE | BPF_K, 0, 7, (uint32_t)(uint64_t)__start_tarka_text);
  step(to, BPF_JMP | BPF_JGT | BPF_K, 6, 0, (uint32_t)(uint64_t)__stop_tarka_text);
  step_load(to, NUMBER);
  step(to, BPF_JMP | BPF_JEQ | BPF_K, 0, 3, CALL_OF_OURS);
  step_load(to, FIRST_ARGUMENT);
  skip_unless(to, NEXT_RUN);
  step_answer(to, SECCOMP_RET_USER_NOTIF);
  step_answer(to, SECCOMP_RET_ALLOW);
  step_load(to, NUMBER);
  for (uint32_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
    skip_unless(to, harmless[i]);
    step_answer(to, SECCOMP_RET_ALLOW);
  }
  uint32_t there = sizeof harmless_there / sizeof *harmless_there;
  for (uint32_t i = 0; i < there; i++) step(to, BPF_JMP | BPF_JEQ | BPF_K, (uint8_t)(there - i + 3), 0, harmless_there[i]);
  /* Whether the standard output is a terminal. */
  step(to, BPF_JMP | BPF_JEQ | BPF_K, 0, 2, SYS_ioctl);
  step_load(to, SECOND_ARGUMENT);
  step(to, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ASK_TERMINAL);
  step_answer(to, SECCOMP_RET_USER_NOTIF);
  step_load(to, FIRST_ARGUMENT);
  step(to, BPF_JMP | BPF_JGT | BPF_K, 0, 1, HIGHEST_STANDARD);
  step_answer(to, SECCOMP_RET_USER_NOTIF);
  step_answer(to, SECCOMP_RET_ALLOW);
}

long tk_notices_begin(void) {
  filter_program made = {.count = 0};
  write_program(&made);
  struct sock_fprog filter = {(unsigned short)made.count, made.steps};
  long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
  return tk_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, (long)&filter, 0, 0, 0);
}

void tk_notices_wait(void) { tk_syscall(CALL_OF_OURS, NEXT_RUN, 0, 0, 0, 0, 0); }

int tk_notice_take(int notices, int pid, tk_notice *notice) {
  struct seccomp_notif taken = {0};
  if (tk_syscall(SYS_ioctl, notices, (long)SECCOMP_IOCTL_NOTIF_RECV, (long)&taken, 0, 0, 0) < 0) return 0;
  notice->id = taken.id;
  uint64_t place = taken.data.instruction_pointer;
  int is_ours = place >= (uint64_t)__start_tarka_text && place <= (uint64_t)__stop_tarka_text;
  notice->is_waiting = is_ours && taken.data.nr == CALL_OF_OURS && (int)taken.pid == pid;
  return 1;
}

void tk_notice_answer(int notices, uint64_t id, int goes_on) {
  struct seccomp_notif_resp given = {.id = id, .flags = goes_on ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0};
  tk_syscall(SYS_ioctl, notices, (long)SECCOMP_IOCTL_NOTIF_SEND, (long)&given, 0, 0, 0);
}
