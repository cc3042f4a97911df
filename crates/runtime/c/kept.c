/* The process that the server keeps for more than one run, as long as that changes no run.
 *
 * Takes the request in the header; gives the run, and whether the process may make another. It may not if the run ended it, made a
 * system call that may change something beside its memory, or left memory that cannot be given back. Then the next runs are
 * forked, the more of them the more often this happened in a row. Never gives back anything itself: stay.c does. */
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "stay.h"

/* Runs after which a process was worth making, and the most that are forked before another is made. */
enum { WORTH_KEEPING = 16, MOST_LOSSES = 8 };
enum { CALL_INTERRUPTED = -4, END_AT_ONCE = 9 };

static int process;         /* 0 if there is none */
static int notices, ending; /* descriptors: of its system calls, and of its end */
static uint64_t kept_request, kept_limit;
static int kept_runs, losses, forks_left, cannot_keep, is_known;

/* ---- Descriptors ---- */

typedef struct {
  struct msghdr header;
  struct iovec part;
  char text;
  union { struct cmsghdr head; char room[CMSG_SPACE(sizeof(int))]; } control;
} message;

static void write_message(message *to) {
  *to = (message){.header = {.msg_iovlen = 1}};
  to->part = (struct iovec){&to->text, 1};
  to->header.msg_iov = &to->part;
  to->header.msg_control = &to->control;
  to->header.msg_controllen = sizeof to->control;
}

static void send_descriptor(int socket, int descriptor) {
  message sent;
  write_message(&sent);
  sent.control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  *(int *)CMSG_DATA(&sent.control.head) = descriptor;
  tk_syscall(SYS_sendmsg, socket, (long)&sent.header, 0, 0, 0, 0);
}

/* Negative if none came. */
static int receive_descriptor(int socket) {
  message got;
  write_message(&got);
  long length = tk_syscall(SYS_recvmsg, socket, (long)&got.header, MSG_CMSG_CLOEXEC, 0, 0, 0);
  int has_one = length == 1 && got.header.msg_controllen >= CMSG_LEN(sizeof(int)) && got.control.head.cmsg_type == SCM_RIGHTS;
  return has_one ? *(int *)CMSG_DATA(&got.control.head) : -1;
}

static void close_one(int descriptor) { tk_syscall(SYS_close, descriptor, 0, 0, 0, 0, 0); }

/* ---- Its beginning ---- */

/* What a run reads and writes there is nobody's. */
static int lead_nowhere(void) {
  enum { NULL_DEVICE = 0x103, KIND_MASK = 0170000, CHARACTER_DEVICE = 0020000 };
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    uint64_t about[18] = {0};
    if (tk_syscall(SYS_fstat, descriptor, (long)about, 0, 0, 0, 0) < 0) return 0;
    uint32_t mode = (uint32_t)about[3];
    if ((mode & KIND_MASK) != CHARACTER_DEVICE || about[5] != NULL_DEVICE) return 0;
  }
  return 1;
}

static int can_keep(void) {
  if (!is_known) {
    is_known = 1;
    tk_stay_open(1);
    cannot_keep = !tk_again() || !lead_nowhere() || !tk_memory_ready();
    tk_stay_open(0);
  }
  return !cannot_keep;
}

TK_NORETURN static void become_kept(int to_close, int socket) {
  tk_begin_process();
  tk_limit_memory();
  long listener = tk_notices_begin();
  if (listener < 0) tk_exit_now(0);
  send_descriptor(socket, (int)listener);
  close_one((int)listener);
  close_one(socket);
  close_one(to_close);
  tk_stay_runs();
}

static void let_go(void) {
  process = 0;
  close_one(notices);
  close_one(ending);
}

static void lose(void) {
  losses = kept_runs >= WORTH_KEEPING ? 1 : losses + (losses < MOST_LOSSES);
  forks_left = 1 << losses;
}

static void end_kept(void) {
  tk_syscall(SYS_kill, process, END_AT_ONCE, 0, 0, 0, (long)tk_again());
  int status = 0;
  while (tk_syscall(SYS_wait4, process, (long)&status, 0, 0, 0, 0) == CALL_INTERRUPTED) {}
}

/* Waits for what it does next: 1 if that is a system call, 0 if it has ended. */
static int hear(tk_notice *notice) {
  for (;;) {
    struct pollfd from[2] = {{notices, POLLIN, 0}, {ending, POLLIN, 0}};
    long got = tk_syscall(SYS_poll, (long)from, 2, -1, 0, 0, 0);
    if (got == CALL_INTERRUPTED) continue;
    if ((from[0].revents & POLLIN) && tk_notice_take(notices, process, notice)) return 1;
    if (got < 0 || from[1].revents) return 0;
  }
}

static int start_kept(void) {
  int sockets[2];
  if (tk_syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, (long)sockets, 0, 0) < 0) return 0;
  process = tk_fork_run();
  if (process == 0) become_kept(sockets[0], sockets[1]);
  close_one(sockets[1]);
  notices = process > 0 ? receive_descriptor(sockets[0]) : -1;
  close_one(sockets[0]);
  ending = notices < 0 ? -1 : (int)tk_syscall(SYS_pidfd_open, process, 0, 0, 0, 0, (long)tk_again());
  tk_notice first = {0};
  if (ending >= 0 && hear(&first) && first.is_waiting) {
    kept_request = first.id;
    kept_limit = TK_HEADER->memory_limit;
    kept_runs = 0;
    return 1;
  }
  /* Where the kernel has no such means, it has none the next time. */
  cannot_keep = 1;
  if (process > 0) end_kept();
  if (notices >= 0) close_one(notices);
  if (ending >= 0) close_one(ending);
  process = 0;
  return 0;
}

/* ---- A run in it ---- */

/* Nanoseconds of processor time that it has used. */
static uint64_t time_of_kept(void) {
  enum { OF_PROCESS = 2 };
  long now[2] = {0, 0};
  tk_syscall(SYS_clock_gettime, (long)~(uint64_t)process << 3 | OF_PROCESS, (long)now, 0, 0, 0, 0);
  return (uint64_t)now[0] * 1000000000 + (uint64_t)now[1];
}

/* Ends with the next request; 0 if the process can make no other run. */
static int run_in_kept(void) {
  tk_notice notice;
  int is_last = 0;
  tk_notice_answer(notices, kept_request, 0);
  while (hear(&notice)) {
    if (notice.is_waiting) {
      kept_request = notice.id;
      return !is_last;
    }
    is_last = 1;
    tk_notice_answer(notices, notice.id, 1);
  }
  return 0;
}

/* 0 if the run has to be forked. */
int tk_run_kept(void) {
  int is_wanted = TK_HEADER->keeps && !(forks_left && forks_left--) && can_keep();
  if (process && (!is_wanted || kept_limit != TK_HEADER->memory_limit)) {
    end_kept();
    let_go();
  }
  if (!is_wanted || (!process && !start_kept())) return 0;
  TK_HEADER->kept = kept_runs > 0;
  uint64_t before = kept_runs ? time_of_kept() : 0;
  int goes_on = run_in_kept();
  if (goes_on) {
    TK_HEADER->used_ns += time_of_kept() - before;
    if (kept_runs < WORTH_KEEPING) kept_runs++;
    return 1;
  }
  lose();
  tk_syscall(SYS_kill, process, END_AT_ONCE, 0, 0, 0, (long)tk_again());
  TK_HEADER->wait_status = tk_wait_for(process);
  TK_HEADER->used_ns -= TK_HEADER->used_ns < before ? TK_HEADER->used_ns : before;
  tk_end_all(process);
  TK_HEADER->scratch_used = (uint32_t)tk_folder_used();
  let_go();
  return 1;
}
