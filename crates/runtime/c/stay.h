/* What a process that makes one run after another keeps for itself: no run sees it, and none is given back with it.
 *
 * All of it lies in one mapping that nobody may touch while a unit runs, in a process that stays or not. */
#ifndef TARKA_STAY_H
#define TARKA_STAY_H
#include "private.h"

#define TK_STAY_BASE 0x1038000000ull
_Static_assert(TK_PRIVATE_BASE + sizeof(tk_private) <= TK_STAY_BASE, "the mappings do not overlap");

#define TK_PAGE 4096ull
#define TK_MAX_SPANS 64u
#define TK_MAX_LOOKED (1u << 16) /* pages that are looked at after a run */
#define TK_MAX_COPIES (1u << 12) /* pages of which there is a copy */
#define TK_MAX_TOUCHED (1u << 11) /* pages that runs have written: with more, to give them back is no gain */

typedef struct {
  uint64_t start, end;
  uint32_t kind;  /* tk_span_kind */
  uint32_t first; /* index of its first page */
} tk_span;
/* A mapping, a part of one, or one of a file: there a page that nobody wrote has the file's content, not zeros. */
enum tk_span_kind { TK_SPAN_WHOLE, TK_SPAN_PART, TK_SPAN_FILE };

typedef struct {
  uint64_t page;
  uint32_t copy; /* index plus 1; 0 if the page was zeros */
} tk_touched;

typedef struct {
  tk_span looked[TK_MAX_SPANS], dropped[TK_MAX_SPANS];
  uint32_t looked_count, dropped_count, looked_pages, copy_count, touched_count;
  uint64_t heap_end;   /* the break */
  uint64_t stack_low;  /* where the mapping of the stack begins */
  uint64_t faults;     /* page faults of this process when the run began */
  uint64_t signals;    /* the signals that were blocked */
  uint32_t environment[7], vector_state; /* of the floating-point units */
  uint32_t copy_of[TK_MAX_LOOKED];       /* index plus 1 of a page's copy; 0 if there is none */
  uint8_t is_touched[TK_MAX_LOOKED];
  tk_touched touched[TK_MAX_TOUCHED];
  uint64_t entries[1 << 12]; /* of /proc/self/pagemap */
  char text[1 << 18];
  uint8_t copies[TK_MAX_COPIES][TK_PAGE] __attribute__((aligned(4096)));
  uint8_t stack[1 << 15] __attribute__((aligned(4096)));
} tk_stay;
#define TK_STAY ((tk_stay *)TK_STAY_BASE)
#define TK_STAY_SIZE ((sizeof(tk_stay) + TK_PAGE - 1) & ~(TK_PAGE - 1))

/* ---- Memory: restore.c ---- */

/* In the server: finds out what there is to give back. 0 if that cannot be known. */
int tk_memory_ready(void);
/* In the process that stays, before its first run. 0 if there is too much. */
int tk_memory_keep(void);
/* After a run in which there was a page fault: what was written is found. 0 if it cannot be given back. */
int tk_memory_find(void);
/* Everything that was ever written becomes what it was. */
void tk_memory_restore(void);

/* ---- What a run does beside its memory: notices.c ---- */

/* A process has its system calls told; the result is the descriptor that tells them, or negative. */
long tk_notices_begin(void);
/* Waits here until the server lets it go on. */
void tk_notices_wait(void);
/* In the server. */
typedef struct {
  uint64_t id;
  int is_waiting; /* the process asks for its next run, rather than for a call that changes something outside its memory */
} tk_notice;
int tk_notice_take(int notices, int pid, tk_notice *notice);
void tk_notice_answer(int notices, uint64_t id, int goes_on);

/* ---- Runs: stay.c ---- */

/* Calls the unit on the stack that every run has. */
TK_NORETURN void tk_begin_run(void);
/* Makes runs until it cannot be as before. */
TK_NORETURN void tk_stay_runs(void);
/* The mapping may be touched, or not. */
void tk_stay_open(int is_open);

/* ---- The process that is kept: kept.c ---- */

/* Runs the unit in it; 0 if the run has to be forked. */
int tk_run_kept(void);

/* ---- Processes: server.c ---- */

/* Calls the unit: from here on, both kinds of run are the same. */
TK_NORETURN void tk_run_unit(void);
int tk_fork_run(void);
/* What a process that was forked gives up before its run, and the limit of its address space. */
void tk_begin_process(void);
void tk_limit_memory(void);
/* Its status. Its processor time is added to `used_ns`. */
int tk_wait_for(int child);
/* Whatever the unit started itself ends with it: the first process of a namespace ends all that is left there. */
void tk_end_all(int child);
/* True if the run left anything in the folder. */
int tk_folder_used(void);
#endif
