/* Shared by every file of the runtime: where things are, and what the files offer each other.
 *
 * The runtime is linked into the target. It never allocates with malloc on its own behalf, never touches the
 * target's stdio and makes its system calls itself, so that a unit may define functions such as `read` or `write`.
 */
#ifndef TARKA_TK_H
#define TARKA_TK_H
#include <stddef.h>
#include <stdint.h>

#include "tarka_trace.h"

#define TK_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define TK_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define TK_NORETURN __attribute__((noreturn))
/* Slow paths behind inlined fast paths: they keep the caller's registers, so the fast path need not spill them. */
#define TK_SLOW __attribute__((noinline, preserve_most))

typedef unsigned __int128 tk_u128;

/* ---- Fixed addresses -------------------------------------------------------------------------------------------
 * The executable is linked position-dependent, so all of these are constants in the inlined code. */

/* The shared memory file, but for its arena section, which is mapped at TK_ARENA_BASE. All mappings of ours lie close
 * together, so that they share page tables: a run that touches few pages pays for few. */
#define TK_SHARED_BASE 0x1004000000ull
/* Private tables, empty in every run because the server never writes there before it forks. */
#define TK_PRIVATE_BASE 0x1020000000ull
_Static_assert(TK_ARENA_BASE + TK_ARENA_SIZE <= TK_SHARED_BASE && TK_SHARED_BASE + TK_SHARED_SIZE <= TK_PRIVATE_BASE,
               "the mappings do not overlap");

#define TK_SECTION(type, offset) ((type *)(TK_SHARED_BASE + (offset)))
#define TK_HEADER TK_SECTION(tk_header, TK_HEADER_OFF)
#define TK_OBJECTS TK_SECTION(tk_object, TK_OBJECTS_OFF)
#define TK_RESULT TK_SECTION(uint8_t, TK_RESULT_OFF)
#define TK_COVERAGE TK_SECTION(uint8_t, TK_COVERAGE_OFF)
#define TK_CONCRETISED TK_SECTION(uint32_t, TK_CONCRETISED_OFF)
#define TK_EVENTS TK_SECTION(tk_event, TK_EVENTS_OFF)
#define TK_EVALUATIONS TK_SECTION(tk_evaluation, TK_EVALUATIONS_OFF)
#define TK_NODES TK_SECTION(tk_node, TK_NODES_OFF)
#define TK_VALUES TK_SECTION(uint64_t, TK_VALUES_OFF)
#define TK_VALUES_KNOWN TK_SECTION(uint8_t, TK_VALUES_KNOWN_OFF)
#define TK_FAULTS TK_SECTION(tk_fault_record, TK_FAULTS_OFF)
#define TK_TABLES TK_SECTION(tk_table, TK_TABLES_OFF)
#define TK_TABLE_DATA TK_SECTION(uint8_t, TK_TABLE_DATA_OFF)
#define TK_FLAGS TK_SECTION(uint8_t, TK_ARENA_FLAGS_OFF)

/* Room after the last shadow entry, so that a range which starts at the highest address needs no wrap-around. */
#define TK_SHADOW_TAIL (1ull << 29)
#define TK_SHADOW_SIZE ((TK_SHADOW_MASK + 1) * 4 + TK_SHADOW_TAIL)

static inline __attribute__((always_inline)) uint32_t *tk_shadow(uint64_t address) {
  return (uint32_t *)(TK_SHADOW_BASE + (address & TK_SHADOW_MASK) * 4);
}

static inline __attribute__((always_inline)) int tk_in_arena(uint64_t address) {
  return address - TK_ARENA_BASE < TK_ARENA_SIZE;
}

/* ---- State the inlined fast paths use (calls.c, objects.c) ------------------------------------------------------ */

#define TK_MAX_ARGUMENTS 256
#define TK_MAX_RESULTS 64

typedef struct {
  const void *callee;    /* whom the labels in `arguments` are for; 0 once taken */
  uint32_t results_valid; /* 1 after an instrumented callee returned */
  uint32_t stack_depth;  /* registered stack objects */
  uint64_t clean_below;  /* no byte of the stack below this address has a mark of a local object */
  uint32_t results[TK_MAX_RESULTS];
  uint32_t arguments[TK_MAX_ARGUMENTS];
} tk_call_state;
extern tk_call_state tk_calls;

/* ---- Events: log.c ---------------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void tk_log(uint32_t site, uint16_t kind, uint16_t outcome, uint32_t label,
                                                         uint32_t aux) {
  uint32_t index = TK_HEADER->event_count;
  if (TK_LIKELY(index < TK_MAX_EVENTS)) {
    TK_EVENTS[index] = (tk_event){site, kind, outcome, label, aux};
    TK_HEADER->event_count = index + 1;
  } else {
    TK_HEADER->events_dropped = 1;
  }
}

/* Logs a check unless the same label was checked before in this run: its outcome could not differ. */
TK_SLOW void tk_log_check(uint32_t site, uint32_t passes, uint32_t label, uint32_t aux);
/* Counts a concretisation at a site. */
TK_SLOW void tk_count_concretised(uint32_t site);

/* ---- Checks that the compiler made: checks.c -------------------------------------------------------------------- */

TK_SLOW void tk_check_slow(uint32_t site, uint32_t kind, uint32_t passes, uint32_t label);
TK_SLOW void tk_undefined_slow(uint32_t site, uint32_t kind, uint32_t passes, uint32_t label);
/* `what` is the operation and, from bit 8 on, the width; `labels` those of `a` (high half) and `b`. */
TK_SLOW void tk_overflow_slow(uint32_t site, uint32_t kind, uint32_t passes, uint32_t what, uint64_t labels, uint64_t a,
                              uint64_t b);
TK_SLOW void tk_aligned_slow(uint32_t site, uint32_t kind, uint32_t passes, uint32_t laddress, uint64_t bits);
/* `how` is whether it passes and, in bit 1, whether the index is signed. */
TK_SLOW void tk_moved_slow(uint32_t site, uint32_t kind, uint32_t how, uint32_t lindex, uint64_t index, uint64_t size,
                           uint64_t pointer);

/* ---- Evaluations of decisions: evaluations.c -------------------------------------------------------------------- */

/* Twice what can be logged, so that looking one up stays short. */
#define TK_SEEN_EVALUATIONS (2 * (uint32_t)TK_MAX_EVALUATIONS)

typedef struct {
  uint64_t what; /* decision, result + 1; 0 if the entry is free */
  uint64_t bits; /* values, evaluated */
} tk_seen_evaluation;
extern tk_seen_evaluation tk_seen_evaluations[];

/* Logs an evaluation that is not in its first slot, unless it is in another. */
TK_SLOW void tk_evaluation_slow(uint32_t slot, uint64_t what, uint64_t bits);

/* ---- Nodes: nodes.c --------------------------------------------------------------------------------------------- */

uint32_t tk_node_make(uint8_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c);
uint32_t tk_node_const(uint32_t width, uint64_t value);
uint32_t tk_node_const128(uint32_t width, tk_u128 value);
/* 0 if those bits are known to be constant. */
uint32_t tk_node_extract(uint32_t first, uint32_t width, uint32_t label);
uint32_t tk_node_concat(uint32_t high, uint32_t low);
uint32_t tk_label_width(uint32_t label);
/* The node of a label, or 0 for an input byte. */
const tk_node *tk_label_node(uint32_t label);
int tk_is_const(uint32_t label, uint64_t *value);

TK_SLOW uint32_t tk_binary_slow(uint32_t op, uint32_t width, uint32_t operand_width, uint32_t la, uint32_t lb,
                                uint64_t a, uint64_t b);
TK_SLOW uint32_t tk_binary128_slow(uint32_t op, uint32_t width, uint32_t operand_width, uint32_t la, uint32_t lb,
                                   uint64_t a_low, uint64_t a_high, uint64_t b_low, uint64_t b_high);
TK_SLOW uint32_t tk_divide_slow(uint32_t site, uint32_t op, uint32_t width, uint32_t la, uint32_t lb, uint64_t a,
                                uint64_t b);
TK_SLOW uint32_t tk_divide128_slow(uint32_t site, uint32_t op, uint32_t width, uint32_t la, uint32_t lb,
                                   uint64_t a_low, uint64_t a_high, uint64_t b_low, uint64_t b_high);
TK_SLOW uint32_t tk_unary_slow(uint32_t op, uint32_t width, uint32_t la);
TK_SLOW uint32_t tk_extract_slow(uint32_t first, uint32_t width, uint32_t la);
TK_SLOW uint32_t tk_fcmp_slow(uint32_t predicate, uint32_t width, uint32_t la, uint32_t lb, uint64_t a, uint64_t b);
TK_SLOW uint32_t tk_fcmp128_slow(uint32_t predicate, uint32_t width, uint32_t la, uint32_t lb, uint64_t a_low,
                                 uint64_t a_high, uint64_t b_low, uint64_t b_high);
TK_SLOW uint32_t tk_ternary_slow(uint32_t op, uint32_t width, uint32_t la, uint32_t lb, uint32_t lc, uint64_t a,
                                 uint64_t b, uint64_t c);
TK_SLOW uint32_t tk_ternary128_slow(uint32_t op, uint32_t width, uint32_t la, uint32_t lb, uint32_t lc, uint64_t a_low,
                                    uint64_t a_high, uint64_t b_low, uint64_t b_high, uint64_t c_low, uint64_t c_high);
TK_SLOW uint32_t tk_select_slow(uint32_t width, uint32_t lcond, uint32_t lt, uint32_t lf, uint64_t t_low,
                                uint64_t t_high, uint64_t f_low, uint64_t f_high);

/* ---- Objects: objects.c, heap_tree.c ---------------------------------------------------------------------------- */

typedef struct {
  uint64_t base, size;
  uint32_t input;         /* 1 if it lives in the input arena */
  uint32_t edge;          /* bytes behind it that belong to nobody */
  const tk_object *sized; /* if its size depends on the input: its entry in the object table */
} tk_extent;
/* Bytes on both sides of a local object, and behind heap blocks and globals at least, that belong to nobody. */
#define TK_EDGE 32u

/* The registered object that contains the address; 0 if there is none. */
int tk_object_at(uint64_t address, tk_extent *object);
/* Whether leaving an input object is the unit's fault, rather than the end of what the engine tries. */
int tk_leaving_is_fault(const tk_object *object);
/* The same for an access that began at `start` in no object: it left the one next to it. */
int tk_leaves_exact(uint64_t start);
/* Bytes that an input object has at most: whole elements. */
uint64_t tk_most_bytes(const tk_object *object);
void tk_objects_ready(void);
void tk_stack_pop_below(uint64_t stack_pointer);
/* Forgets stack objects down to a depth; who uses one of them from now on uses what is gone. */
TK_SLOW void tk_stack_leave(uint32_t depth);
/* A function was called by code that is not instrumented: what lies between is that code's memory. */
TK_SLOW void tk_enter_from_native(void);
/* True for addresses of the process's own stack that are in use. */
int tk_on_stack(uint64_t address);
struct tk_heap_node *tk_heap_insert(uint64_t base, uint64_t size);
void tk_heap_remove(struct tk_heap_node *node);
/* The block that starts at the address, live or freed; the block that the address lies in or at whose edge. 0 if none. */
struct tk_heap_node *tk_heap_exact(uint64_t base);
struct tk_heap_node *tk_heap_around(uint64_t address);
/* The live block that contains the address. */
int tk_heap_find(uint64_t address, tk_extent *object);
void tk_heap_ready(void);
/* Tells the engine where the block was allocated and freed that the address lies in or at; where an input was freed. */
void tk_tell_block(uint64_t address);
void tk_tell_input(uint64_t address);

/* ---- Poison: poison.c. Shadow entries above every label's. -------------------------------------------------------- */

enum tk_poison {
  TK_POISON_FRESH,         /* uninitialised; the only one that may be touched */
  TK_POISON_HEAP_EDGE,     /* beside a heap block */
  TK_POISON_FREED,         /* a heap block that was freed and is kept from being used again */
  TK_POISON_STACK_EDGE,    /* beside a local object */
  TK_POISON_RETURNED,      /* a local object of a function that returned */
  TK_POISON_GLOBAL_EDGE    /* behind a global object */
};
#define TK_POISON_FIRST 0xfffffff0u
#define TK_POISON_ENTRY(why) (TK_POISON_FIRST | (uint32_t)(why))
_Static_assert(((TK_ARENA_SIZE + TK_MAX_NODES + 1) << 4) < TK_POISON_FIRST, "no label looks like poison");

static inline __attribute__((always_inline)) int tk_is_poison(uint32_t entry) { return entry >= TK_POISON_FIRST; }
/* The entry as a label's: poison is none. */
static inline __attribute__((always_inline)) uint32_t tk_label_entry(uint32_t entry) {
  return tk_is_poison(entry) ? 0 : entry;
}

void tk_poison(uint64_t address, uint64_t size, enum tk_poison why);
/* Takes marks away and leaves labels. */
void tk_unpoison(uint64_t address, uint64_t size);
/* Ends the run if one of the bytes must not be touched. `frame` is where the backtrace starts. */
void tk_check_poison(uint32_t site, uint64_t address, uint64_t size, uint64_t pc, uint64_t frame);
/* True if all of the bytes are uninitialised. */
int tk_is_fresh(uint64_t address, uint64_t size);

/* ---- Uninitialised memory: uninitialised.c ------------------------------------------------------------------------- */

/* In the size that a load gives: something depends on the value. */
#define TK_LOAD_NEEDED 0x100u

/* Such reads are faults from now on; without this nothing is marked. */
void tk_look_for_uninitialised(void);
/* Marks a heap block as far as it is worth it. */
void tk_fresh_block(uint64_t base, uint64_t size);
/* Records the fault. */
void tk_read_uninitialised(uint64_t address, uint64_t size, uint64_t pc, uint64_t frame);
/* Logs that a load at a symbolic address in an object meets no uninitialised byte. Called before the load. */
void tk_check_uninitialised(uint32_t site, const tk_extent *object, uint64_t address, uint32_t laddress, uint32_t size);
/* Code without hooks has the pointer: what it leads to may be written by now. Or nobody knows what it has. */
void tk_written_by_others(uint64_t pointer);
void tk_written_by_anybody(void);

/* ---- Memory: memory.c, address.c, snapshots.c ------------------------------------------------------------------- */

void tk_shadow_clear(uint64_t address, uint64_t size);
void tk_shadow_move(uint64_t destination, uint64_t source, uint64_t size);
/* The label of `size` bytes in memory, from their shadow. */
uint32_t tk_label_of_memory(uint64_t address, uint32_t size);
void tk_label_to_memory(uint64_t address, uint32_t size, uint32_t label);
/* Ends the run: an access left its object. */
TK_NORETURN void tk_out_of_bounds(uint32_t site, uint64_t address);
/* Ends the run unless every byte may be used; sets `mark` on each. Only for arena addresses. */
void tk_arena_touch(uint32_t site, uint64_t address, uint64_t size, uint8_t mark);

TK_SLOW uint32_t tk_load_slow(uint32_t site, uint64_t address, uint32_t laddress, uint32_t size);
TK_SLOW void tk_store_slow(uint32_t site, uint64_t address, uint32_t laddress, uint32_t size, uint32_t label,
                           uint64_t low, uint64_t high);

enum tk_address_kind {
  TK_ADDRESS_FIXED,    /* its checks leave only one possible value: treat it as concrete */
  TK_ADDRESS_IN_OBJECT, /* it may be anywhere in the object that was found */
  TK_ADDRESS_UNKNOWN    /* nothing is known about where else it could be */
};
/* Logs the checks of an access at a symbolic address. */
enum tk_address_kind tk_check_address(uint32_t site, uint64_t address, uint32_t label, uint64_t size,
                                      tk_extent *object);
/* Logs the check of an access to an object against its number of elements, and ends the run if leaving it is a fault.
 * The labels are those of the address and of the size of the access, or 0. */
void tk_check_length(uint32_t site, const tk_extent *object, uint64_t address, uint32_t label, uint64_t access,
                     uint32_t laccess);
/* Logs the check that so many bytes fit between an address and the end of its object. */
void tk_check_room(uint32_t site, uint64_t address, uint32_t laddress, uint64_t length, uint32_t label);
int tk_is_input_pointer(uint32_t label, uint32_t *arena_offset);
/* An input pointer (plus a constant) that has its object. */
int tk_points_to_input(uint32_t label);
int tk_input_pointer_value(uint32_t arena_offset, uint64_t *value);
uint32_t tk_read_snapshot(const tk_extent *object, uint32_t laddress, uint32_t size);
void tk_store_conditionally(const tk_extent *object, uint64_t address, uint32_t laddress, uint32_t size, uint32_t label,
                            tk_u128 value);

/* ---- Copies of text: copies.c ------------------------------------------------------------------------------------ */

/* What the models of copying functions call. Bytes from an address to the end of what a copy may fill. */
#define TK_NO_ROOM_KNOWN UINT64_MAX
uint64_t tk_room(const void *to);
/* A text of so many characters is of interest. */
void tk_wants_text(const void *from, const uint64_t *length);
/* A text is about to be copied, so many characters of it at most, and so many bytes behind it. */
void tk_copies_text(const void *to, const void *from, const uint64_t *most, const uint64_t *more);
/* A block is about to be copied, which may be a text. */
void tk_copies_block(uint32_t site, uint64_t to, uint64_t from, uint64_t length);

/* ---- Words: words.c ------------------------------------------------------------------------------------------------ */

/* What the models of comparing functions call: two texts are about to be compared, so many characters of them at most. */
void tk_compares_text(const void *left, const void *right, const uint64_t *most);

/* ---- Native calls: native.c --------------------------------------------------------------------------------------- */

TK_SLOW void tk_native_argument_slow(uint32_t site, uint32_t label);
void tk_native_reset(void);
void tk_va_reset(void);

/* ---- Process: process.c, signals.c, server.c -------------------------------------------------------------------- */

/* Records how the run ended and ends the process. `frame` is where the backtrace starts. */
TK_NORETURN void tk_finish(uint32_t end, int32_t code, uint64_t pc, uint64_t frame);
/* The same with the caller of the current function as the place. */
#define TK_FINISH_HERE(end, code)                                                                                       \
  tk_finish((end), (code), (uint64_t)__builtin_return_address(0) - 1, *(uint64_t *)__builtin_frame_address(0))
/* Records how the run ended, without a place. */
TK_NORETURN void tk_end_run(uint32_t end, int32_t code);
TK_NORETURN void tk_exit_now(int status);
#define TK_NO_SITE UINT32_MAX
/* Whether a check of a site after which the program goes on is worth logging. */
int tk_is_worth_telling(uint32_t site, uint32_t passes);
/* Records a fault after which the run goes on, once for each site. `frame` is where the backtrace starts. */
void tk_record_fault(uint32_t kind, uint32_t site, uint64_t address, uint64_t pc, uint64_t frame);
/* The same from within a signal: a library function may be what was interrupted. */
void tk_record_signal_fault(uint32_t kind, uint64_t address, uint64_t pc, uint64_t frame, uint64_t stack_pointer);
void tk_signals_ready(void);
/* The password with which calls are made again that were looked at; 0 if nothing is refused: refused.c. */
uint64_t tk_again(void);
/* The timers of a run: its processor time, and the clock. */
enum { TK_TIMEOUT_PROCESSOR = 0, TK_TIMEOUT_CLOCK = 1, TK_TIMEOUT_STUB = 2 };
enum { TK_TIMER_CLOCK = 0, TK_TIMER_PROCESSOR = 2 };
void tk_set_timer(int which, long milliseconds);
/* Nanoseconds of processor time that this process has used. */
uint64_t tk_processor_time(void);
/* A run begins: its limits of time count from here. */
void tk_begin_time(void);
/* Records the code addresses from `pc` outwards. */
void tk_backtrace(uint64_t pc, uint64_t frame, uint64_t stack_pointer);
/* The same for a heap block, cheaper and shorter: as many as fit, 0 behind the last. */
void tk_short_backtrace(uint32_t *places, uint64_t pc, uint64_t frame);
/* A place inside the call whose return address is on top of the stack; `otherwise` if none is there. */
uint64_t tk_return_address(uint64_t stack_pointer, uint64_t otherwise);

int tk_in_executable(uint64_t pc);
int tk_in_runtime(uint64_t pc);

/* The number at the beginning of a text, which goes on behind it: restore.c. */
uint64_t tk_hexadecimal(const char **text);

/* Ends the process of the run, or makes it ready for its next. */
TK_NORETURN void tk_run_over(void);
/* The run did something beside its memory, so its process ends with it. */
extern int tk_is_last_run;
/* The run gave pages of the shadow back to the kernel: no page fault tells of that. */
extern int tk_gave_pages_back;

extern uint64_t tk_stack_top;  /* frame of main: nothing of ours lies above */
extern uint64_t tk_run_frame;  /* frame that called the unit; 0 outside a run */

/* ---- Inputs: inputs.c. What the generated driver calls; it is instrumented code like the unit. ------------------- */

void tk_bind(void *variable, uint64_t size, uint32_t arena_offset);
void tk_adopt(const void *variable, uint64_t size, uint32_t arena_offset);
void tk_unbind(const void *variable, uint64_t size, uint32_t arena_offset);
void tk_result(const void *value, uint64_t size, const void *function);
/* The last function that fell off its end. */
extern const void *tk_without_result_of;
/* How often the unit is called in this run. */
uint32_t tk_call_count(void);
/* Where the values of stubs lie, and how many calls have some: those of call `k` begin at `base + k * stride`. */
void tk_stub_values(uint32_t base, uint32_t stride, uint32_t calls);
/* Takes the value at `part` of a call's values, or an element of it. Numbers that vary are given by address, because
 * labels of numbers would be counted as lost at this call. */
uint32_t tk_stub_value(void *to, uint64_t size, uint32_t part, const uint32_t *call, const uint64_t *element, uint32_t stub);
/* Tells the engine that there were not enough input values. */
uint64_t tk_stub_cut(uint32_t stub, const uint64_t *amount);
TK_NORETURN void tk_stub_exit(void);
/* Heap blocks that are no longer the unit's own: those an argument of a stub leads to, and what a call
 * returned. Without an argument: nobody knows which. */
void tk_keeps(const void *argument, uint64_t size);
void tk_keeps_result(void);
/* Records the blocks that nothing points to any more; the unit has returned. */
void tk_leaks(void);
/* A crash while a precondition is evaluated means that it does not hold. */
void tk_assume_begin(uint32_t number);
void tk_assume_end(void);
TK_NORETURN void tk_assume_failed(uint32_t number);
/* Ends the run: the input makes a library function answer what it never answers. */
TK_NORETURN void tk_answer_impossible(void);
extern uint32_t tk_assuming; /* number of the precondition plus 1, or 0 */
void __tk_drive(unsigned unit);

/* ---- Labels at their beginning: labels.c -------------------------------------------------------------------------- */

/* When the process starts, and when a run does. */
void tk_labels_ready(void);
void tk_labels_begin(void);
/* Gives the symbolic bytes at `offset` of the arena their labels, at `address`. */
void tk_label_input(uint64_t address, uint32_t offset, uint64_t size);

/* ---- Small things used everywhere ------------------------------------------------------------------------------- */

static inline long tk_syscall(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

static inline void tk_copy_bytes(void *destination, const void *source, uint64_t size) {
  void *d = destination;
  __asm__ volatile("rep movsb" : "+D"(d), "+S"(source), "+c"(size) : : "memory");
}

#endif
