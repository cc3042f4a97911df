/* The fork server: prepares the process before any constructor, then makes one child per run.
 *
 * The child is kept cheap: everything a fork can inherit (mappings, handlers, limits) is set up once in the server.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include "stay.h"

enum {
  SYS_WRITE = 1,
  SYS_MMAP = 9,
  SYS_DUP2 = 33,
  SYS_GETPID = 39,
  SYS_CLONE = 56,
  SYS_WAIT4 = 61,
  SYS_KILL = 62,
  SYS_SETPGID = 109,
  SYS_PRCTL = 157,
  SYS_SETRLIMIT = 160,
  SYS_GETDENTS64 = 217,
  SYS_CLOSE_RANGE = 436
};
enum { LIMIT_AS = 9, KILL_WITH_PARENT = 1, NO_HUGE_PAGES = 41, INTERRUPTED = -4, SIGNAL_KILL = 9 };
enum { SIGNAL_CHILD = 17, NO_WAITING = 1, NO_CHILD = -10 };

int _Fork(void);
void tk_refusals_early(void);
void tk_refusals_ready(void);

static uint64_t memory_at_start;
static uint64_t fork_password;
static int is_first;

/* ---- Before the constructors ---- */

TK_NORETURN static void give_up(const char *message) {
  uint64_t length = 0;
  while (message[length]) length++;
  tk_syscall(SYS_WRITE, 2, (long)message, (long)length, 0, 0, 0);
  tk_exit_now(71);
}

static void map(uint64_t address, uint64_t size, int flags, int descriptor, uint64_t offset, const char *what) {
  long result = tk_syscall(SYS_MMAP, (long)address, (long)size, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE,
                           descriptor, (long)offset);
  if (result != (long)address) give_up(what);
}

static void start(void) {
  /* Fresh pages of sparse tables must stay small. */
  tk_syscall(SYS_PRCTL, NO_HUGE_PAGES, 1, 0, 0, 0, 0);
  map(TK_SHARED_BASE, TK_ARENA_OFF, MAP_SHARED, TK_SHARED_FD, 0,
      "tarka: this program is a test target; `tarka gen` starts it with shared memory that is missing here\n");
  map(TK_SHARED_BASE + TK_ARENA_FLAGS_OFF, TK_ARENA_SIZE, MAP_SHARED, TK_SHARED_FD, TK_ARENA_FLAGS_OFF,
      "tarka: the flags of the input arena could not be mapped\n");
  /* Code without checks may write beside its objects: the next run must not find that. */
  map(TK_ARENA_BASE, TK_ARENA_SIZE, TK_PLAIN ? MAP_PRIVATE : MAP_SHARED, TK_SHARED_FD, TK_ARENA_OFF,
      "tarka: the input arena could not be mapped\n");
  int sparse = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (!TK_PLAIN)
    map(TK_SHADOW_BASE, TK_SHADOW_SIZE, sparse, -1, 0,
        "tarka: no room for shadow memory (16 TiB of address space, not of memory): is `ulimit -v` set, or "
        "vm.overcommit_memory 2?\n");
  map(TK_PRIVATE_BASE, (sizeof(tk_private) + 4095) & ~4095ull, sparse, -1, 0, "tarka: no room for private tables\n");
  map(TK_STAY_BASE, TK_STAY_SIZE, sparse, -1, 0, "tarka: no room for the copies of memory\n");
  tk_stay_open(0);
  /* The unit shall find no descriptor of ours, an empty input to read, as where tests are replayed, and nowhere to print. */
  tk_syscall(SYS_CLOSE_RANGE, 3, TK_COMMAND_FD - 1, 0, 0, 0, 0);
  tk_syscall(SYS_CLOSE_RANGE, TK_STATUS_FD + 1, ~0u, 0, 0, 0, 0);
  tk_syscall(SYS_DUP2, 1, 2, 0, 0, 0, 0);
  tk_refusals_early();
}

/* Before every constructor, also those of shared libraries. */
__attribute__((section(".preinit_array"), used)) static void (*const start_first)(void) = start;

/* ---- A run ---- */

static void reset_outputs(void) {
  tk_header *header = TK_HEADER;
  header->end_code = 0;
  header->fault_address = 0;
  header->fault_site = header->backtrace_len = header->fault_count = 0;
  header->allocated_len = header->freed_len = 0;
  header->event_count = header->events_dropped = 0;
  header->node_count = header->nodes_dropped = 0;
  header->table_count = header->result_size = 0;
  header->table_data_used = header->used_ns = 0;
  header->self_check_clash = header->scratch_used = 0;
  header->wait_status = 0;
  header->stack_overflow = header->stub_exhausted = header->stub_exhausted_events = 0;
  header->stub_cut = header->stub_cut_events = 0;
  header->evaluation_count = header->evaluations_dropped = 0;
  header->long_text_count = header->met_word_count = header->attempt_count = header->kept = 0;
  header->end = TK_END_BEFORE_UNIT;
}

void tk_limit_memory(void) {
  if (!TK_HEADER->memory_limit) return;
  uint64_t limit = memory_at_start + TK_HEADER->memory_limit, limits[2] = {limit, limit};
  tk_syscall(SYS_SETRLIMIT, LIMIT_AS, (long)limits, 0, 0, 0, (long)tk_again());
}

/* From here on, what happens is the unit's doing. */
static void unit_begin(void) {
  tk_run_frame = (uint64_t)__builtin_frame_address(0);
  TK_HEADER->end = 0;
}

TK_NORETURN void tk_run_unit(void) {
  tk_begin_time();
  /* Nearly every run logs; reading first maps a window of pages where writing maps one. */
  (void)*(const volatile uint32_t *)TK_EVENTS;
  tk_labels_begin();
  unit_begin();
  __tk_drive(TK_HEADER->unit);
  TK_HEADER->end = TK_END_RETURNED;
  tk_run_over();
}

void tk_begin_process(void) {
  tk_syscall(SYS_PRCTL, KILL_WITH_PARENT, SIGNAL_KILL, 0, 0, 0, 0);
  tk_syscall(SYS_SETPGID, 0, 0, 0, 0, 0, (long)fork_password);
  fork_password = 0;
  tk_syscall(SYS_CLOSE_RANGE, TK_COMMAND_FD, TK_STATUS_FD, 0, 0, 0, 0);
}

TK_NORETURN static void run_child(void) {
  tk_begin_process();
  tk_limit_memory();
  tk_begin_run();
}

/* ---- The server's loop ---- */

int tk_folder_used(void) {
  long folder = tk_syscall(SYS_OPEN, (long)".", O_RDONLY | O_DIRECTORY, 0, 0, 0, (long)tk_again());
  if (folder < 0) return 1;
  char entries[512] __attribute__((aligned(8)));
  long length = tk_syscall(SYS_GETDENTS64, folder, (long)entries, sizeof entries, 0, 0, 0);
  tk_syscall(SYS_CLOSE, folder, 0, 0, 0, 0, 0);
  int count = 0;
  for (long at = 0; at < length; at += *(uint16_t *)(entries + at + 16)) count++;
  return count > 2;
}

int tk_wait_for(int child) {
  int status = 0;
  struct { long user[2], system[2], others[14]; } used = {0};
  while (tk_syscall(SYS_WAIT4, child, (long)&status, 0, (long)&used, 0, 0) == INTERRUPTED) {}
  long microseconds = (used.user[0] + used.system[0]) * 1000000 + used.user[1] + used.system[1];
  TK_HEADER->used_ns += (uint64_t)microseconds * 1000;
  return status;
}

/* Where any process may fork, the library's way; else with the password, which the run does not keep. */
int tk_fork_run(void) {
  if (!fork_password) return _Fork();
  return (int)tk_syscall(SYS_CLONE, SIGNAL_CHILD, 0, 0, 0, 0, (long)fork_password);
}

void tk_end_all(int child) {
  if (!is_first) {
    tk_syscall(SYS_KILL, -child, SIGNAL_KILL, 0, 0, 0, (long)tk_again());
    return;
  }
  long left = tk_syscall(SYS_WAIT4, -1, 0, NO_WAITING, 0, 0, 0);
  if (left == NO_CHILD) return;
  tk_syscall(SYS_KILL, -1, SIGNAL_KILL, 0, 0, 0, (long)tk_again());
  while (left != NO_CHILD) left = tk_syscall(SYS_WAIT4, -1, 0, 0, 0, 0, 0);
}

/* The passwords are the engine's to give; that of the fork is not for the run to find. */
static void take_passwords(void) {
  if (TK_HEADER->fork) fork_password = TK_HEADER->fork;
  TK_HEADER->fork = 0;
  tk_refusals_ready();
}

static void run_forked(void) {
  int child = tk_fork_run();
  if (child == 0) run_child();
  if (child < 0) return;
  TK_HEADER->wait_status = tk_wait_for(child);
  tk_end_all(child);
  TK_HEADER->scratch_used = (uint32_t)tk_folder_used();
}

static void run(void) {
  uint64_t before = tk_processor_time();
  reset_outputs();
  if (!tk_run_kept()) run_forked();
  TK_HEADER->used_ns += tk_processor_time() - before;
}

static void bare_fork(void) {
  int child = tk_fork_run();
  if (child == 0) tk_exit_now(0);
  if (child > 0) tk_wait_for(child);
}

static void say(char status) {
  if (tk_syscall(SYS_WRITE, TK_STATUS_FD, (long)&status, 1, 0, 0, 0) != 1) tk_exit_now(0);
}

/* Pages of address space in use: the first number of /proc/self/statm. */
static uint64_t memory_in_use(void) {
  char text[64];
  long file = tk_syscall(SYS_OPEN, (long)"/proc/self/statm", O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
  long length = file < 0 ? 0 : tk_syscall(SYS_READ, file, (long)text, sizeof text, 0, 0, 0);
  if (file >= 0) tk_syscall(SYS_CLOSE, file, 0, 0, 0, 0, 0);
  uint64_t pages = 0;
  for (long i = 0; i < length && text[i] >= '0' && text[i] <= '9'; i++) pages = pages * 10 + (uint64_t)(text[i] - '0');
  return pages ? pages * 4096 : TK_SHADOW_SIZE + TK_SHARED_SIZE + sizeof(tk_private) + (1ull << 28);
}

int main(void) {
  tk_stack_top = (uint64_t)__builtin_frame_address(0);
  tk_labels_ready();
  tk_signals_ready();
  memory_at_start = memory_in_use();
  is_first = tk_syscall(SYS_GETPID, 0, 0, 0, 0, 0, 0) == 1;
  TK_HEADER->version = TK_VERSION;
  for (say('h');;) {
    char command = 'q';
    long got = tk_syscall(SYS_READ, TK_COMMAND_FD, (long)&command, 1, 0, 0, 0);
    if (got == INTERRUPTED) continue;
    if (got != 1 || command == 'q') tk_exit_now(0);
    take_passwords();
    if (command == 'r') run();
    else bare_fork();
    say('d');
  }
}
