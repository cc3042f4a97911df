/* System calls that are refused: each arrives here as a signal, is noted with what it names, and answered with an error.
 *
 * Takes SIGSYS from the filters that the engine has put before the process. Calls that change what a path names are made
 * here, with a password that lets them through: the kernel knows which paths may be changed. Never ends a run: the unit
 * sees an error, as it would on a machine where it may not do this.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "private.h"

enum { SECCOMP = 1, MOST_ATTEMPTS = 8, LONGEST_PATH = 4095, CHANGE_MODE_2 = 452 };

static uint64_t again;
static int guards_files, guards_truncation;
/* The run's own folder, with its length; unknown if that is 0. */
static char folder[512];
static uint64_t folder_length;

void tk_refusals_ready(void) {
  again = TK_HEADER->again;
  guards_files = (int)TK_HEADER->guards_files;
  guards_truncation = (int)TK_HEADER->guards_truncation;
  if (folder_length) return;
  long length = tk_syscall(SYS_getcwd, (long)folder, sizeof folder, 0, 0, 0, 0);
  folder_length = length > 1 ? (uint64_t)length - 1 : 0;
}

uint64_t tk_again(void) { return again; }

static int is_open(long call) { return call == SYS_open || call == SYS_openat || call == SYS_openat2 || call == SYS_creat; }

static int is_change(long call) {
  switch (call) {
  case SYS_unlink: case SYS_unlinkat: case SYS_rename: case SYS_renameat: case SYS_renameat2: case SYS_mkdir:
  case SYS_mkdirat: case SYS_rmdir: case SYS_link: case SYS_linkat: case SYS_symlink: case SYS_symlinkat: case SYS_mknod:
  case SYS_mknodat: case SYS_truncate: return 1;
  default: return 0;
  }
}

static int is_signal(long call) {
  return call == SYS_kill || call == SYS_tkill || call == SYS_tgkill || call == SYS_rt_sigqueueinfo || call == SYS_rt_tgsigqueueinfo;
}

/* The path that a call names, or 0. */
static const char *path_given(long call, const long *arguments) {
  switch (call) {
  case SYS_openat: case SYS_openat2: case SYS_unlinkat: case SYS_renameat: case SYS_renameat2: case SYS_mkdirat: case SYS_linkat:
  case SYS_mknodat: case SYS_fchmodat: case CHANGE_MODE_2: case SYS_fchownat: case SYS_utimensat: case SYS_futimesat: case SYS_execveat:
    return (const char *)arguments[1];
  case SYS_inotify_add_watch: return (const char *)arguments[1];
  /* Of a symbolic link what it is called is what changes. */
  case SYS_symlink: return (const char *)arguments[1];
  case SYS_symlinkat: return (const char *)arguments[2];
  case SYS_open: case SYS_creat: case SYS_unlink: case SYS_rename: case SYS_mkdir: case SYS_rmdir: case SYS_link: case SYS_mknod:
  case SYS_truncate: case SYS_chmod: case SYS_chown: case SYS_lchown: case SYS_utime: case SYS_utimes: case SYS_setxattr:
  case SYS_lsetxattr: case SYS_removexattr: case SYS_lremovexattr: case SYS_execve: case SYS_chroot:
    return (const char *)arguments[0];
  default: return 0;
  }
}

/* The kernel knows whether there is a path at all. */
static const char *readable(const char *path) {
  return path && tk_syscall(SYS_access, (long)path, 0, 0, 0, 0, 0) != -EFAULT ? path : 0;
}

static const char *path_of(long call, const long *arguments) { return readable(path_given(call, arguments)); }

static int opens_to_write(long call, const long *arguments) {
  long flags = call == SYS_open ? arguments[1] : arguments[2];
  return call == SYS_creat || call == SYS_openat2 || (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
}

/* Whether it may empty a file without a right to write it, as far as an older kernel guards that. */
static int cuts_unasked(long call, const long *arguments) {
  long flags = call == SYS_open ? arguments[1] : arguments[2];
  int is_flagged = (call == SYS_open || call == SYS_openat) && (flags & O_TRUNC) && (flags & O_ACCMODE) == O_RDONLY;
  return call == SYS_truncate || call == SYS_openat2 || is_flagged;
}

/* Whether a path leads out of the run's folder, as far as it tells. */
static int leads_out(const char *path) {
  if (path[0] == '/') {
    uint64_t same = 0;
    while (same < folder_length && path[same] == folder[same]) same++;
    if (!folder_length || same < folder_length || (path[same] && path[same] != '/')) return 1;
  }
  for (uint32_t i = 0; i < LONGEST_PATH && *path; i++, path++)
    if (path[0] == '.' && path[1] == '.' && (path[2] == '/' || !path[2])) return 1;
  return 0;
}

/* Of two paths the one that leads out. */
static const char *path_told(long call, const long *arguments) {
  const char *path = path_of(call, arguments);
  if (!path || leads_out(path)) return path;
  switch (call) {
  case SYS_rename: case SYS_link: return readable((const char *)arguments[1]);
  case SYS_renameat: case SYS_renameat2: case SYS_linkat: return readable((const char *)arguments[3]);
  default: return path;
  }
}

/* ---- What is answered ---- */

static long own(void) { return tk_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0); }

/* Whether a signal is for the run itself, its own group, or a process that it has started: others it does not see. */
static int is_for_its_own(long call, const long *arguments) {
  long target = arguments[0], self = own();
  if (call == SYS_tkill) return target == tk_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
  if (target == self || target == 0) return 1;
  if (target < 0) return target == -self;
  int is_alone = tk_syscall(SYS_getppid, 0, 0, 0, 0, 0, 0) == 1;
  return is_alone && target > 1 && tk_syscall(SYS_kill, target, 0, 0, 0, 0, (long)again) == 0;
}

/* Whether the kernel may be asked: it knows what of this is allowed, or it is about the run itself. */
static int may_be_made(long call, const long *arguments) {
  if (is_signal(call)) return is_for_its_own(call, arguments);
  if (cuts_unasked(call, arguments)) return guards_truncation;
  if (is_open(call)) return guards_files || !opens_to_write(call, arguments);
  if (is_change(call)) return guards_files;
  switch (call) {
  case SYS_setrlimit: return 1;
  case SYS_prlimit64: return arguments[0] == 0 || arguments[0] == own();
  case SYS_setpriority: return arguments[1] == 0 || arguments[1] == own();
  case SYS_pidfd_open: return arguments[0] == own();
  default: return 0;
  }
}

static long answer(long call, const long *a) {
  if (again && may_be_made(call, a)) return tk_syscall(call, a[0], a[1], a[2], a[3], a[4], (long)again);
  switch (call) {
  case SYS_fork: case SYS_vfork: case SYS_clone: return -EAGAIN;
  case SYS_execve: case SYS_execveat: case SYS_socket: return -EACCES;
  default: return is_change(call) || is_open(call) ? -EACCES : -EPERM;
  }
}

/* Whether an answer says that the call was refused, rather than that it cannot be done: what would change something outside
 * fails in many ways. */
static int is_refusal(long call, const long *arguments, long result) {
  if (result == -EACCES || result == -EPERM || result == -EROFS || result == -EAGAIN) return 1;
  const char *path = path_told(call, arguments);
  int changes = is_change(call) || (is_open(call) && opens_to_write(call, arguments));
  return result < 0 && result != -EFAULT && changes && path && leads_out(path);
}

/* ---- What is noted ---- */

static void note(long call, const long *arguments, long result, uint64_t pc, uint64_t frame, uint64_t stack_pointer) {
  uint32_t count = TK_HEADER->attempt_count;
  if (count >= MOST_ATTEMPTS) return;
  tk_attempt *attempt = &TK_HEADER->attempts[count];
  const char *path = path_told(call, arguments);
  uint32_t length = 0;
  if (path)
    for (; length < sizeof attempt->text - 1 && path[length]; length++) attempt->text[length] = path[length];
  attempt->text[length] = 0;
  attempt->call = (uint32_t)call;
  attempt->error = (uint32_t)-result;
  for (uint32_t i = 0; i < 3; i++) attempt->arguments[i] = (uint64_t)arguments[i];
  for (uint32_t i = 0; i < count; i++) {
    const tk_attempt *known = &TK_HEADER->attempts[i];
    uint32_t same = 0;
    while (same <= length && known->text[same] == attempt->text[same]) same++;
    if (known->call == attempt->call && same > length) return;
  }
  TK_HEADER->attempt_count = count + 1;
  tk_record_signal_fault(TK_FAULT_OUTSIDE_EFFECT, count, pc, frame, stack_pointer);
}

static int is_refused_by_filter(const siginfo_t *info) { return info->si_signo == SIGSYS && info->si_code == SECCOMP; }

/* Answers a call that was refused; 0 if the signal is about something else. */
static int tk_answer_refusal(const siginfo_t *info, greg_t *registers) {
  if (!is_refused_by_filter(info)) return 0;
  long call = info->si_syscall;
  long arguments[5] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10], registers[REG_R8]};
  if (!tk_in_runtime((uint64_t)registers[REG_RIP])) tk_is_last_run = 1;
  long result = answer(call, arguments);
  /* Before the unit runs, the C library finds out what it can do here. */
  if (tk_run_frame && is_refusal(call, arguments, result))
    note(call, arguments, result, (uint64_t)registers[REG_RIP], (uint64_t)registers[REG_RBP], (uint64_t)registers[REG_RSP]);
  registers[REG_RAX] = result;
  return 1;
}
