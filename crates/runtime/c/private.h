/* The private tables, of which only the touched pages exist, fresh in every run.
 *
 * A first page in a part of the address space nobody touched yet costs a run several others (its page tables), so what
 * nearly every run needs lies in the executable's own .bss, behind the runtime's small variables. The rest is one
 * sparse mapping. */
#ifndef TARKA_PRIVATE_H
#define TARKA_PRIVATE_H
#include "tk.h"

/* 1 in the runtime of the plain program (plain.c), which has no labels. */
#ifndef TK_PLAIN
#define TK_PLAIN 0
#endif

#define TK_LABEL_NUMBERS (2 * TK_ARENA_SIZE) /* more than there are labels, and a power of two */
#define TK_MAX_STACK_OBJECTS (1u << 20)
#define TK_MAX_GLOBALS (1u << 17)
#define TK_MAX_HEAP (1u << 21)
#define TK_MAX_NATIVE 64
#define TK_NATIVE_BYTES (1u << 20)
#define TK_MAX_VA_CALLS 256
#define TK_VA_REGISTERS 176u
#define TK_VA_BYTES (TK_VA_REGISTERS + 1024u)
#define TK_MAX_KEPT (1u << 16) /* freed blocks that are kept */
#define TK_PLACES 8
#define TK_HEAP_HEAD 8u /* the word before a block, which is the allocator's */
#define TK_BY_VALUE_BYTES (1u << 20)

typedef struct {
  uint64_t base, size;
  uint32_t edge;     /* bytes behind it that belong to nobody */
  uint32_t constant; /* cannot be written */
} tk_range;

typedef struct tk_heap_node {
  uint64_t base, size;
  uint32_t left, right, priority;
  uint32_t next;  /* in a list of leaks.c; 0 outside */
  uint32_t edge;  /* bytes behind it that belong to nobody */
  uint32_t freed; /* it is only kept to find who still uses it */
  uint32_t size_label; /* of the size that was asked for; 0 if no input decides it */
  /* Code addresses, innermost first, 0 behind the last. */
  uint32_t allocated_at[TK_PLACES], freed_at[TK_PLACES];
} tk_heap_node;

typedef struct {
  uint32_t site, labelled;
  uint64_t address;
  uint32_t size, copy; /* `size` bytes at `copy` of native_bytes */
} tk_native_range;

typedef struct {
  uint32_t site;
  uint64_t object, edge; /* where the object and its edge start */
} tk_native_edge;

typedef struct {
  uint64_t stack_pointer; /* of the caller */
  uint32_t overflow, labelled;
  uint32_t entries[TK_VA_BYTES];
} tk_va_call;

typedef struct {
  /* Hash table of nodes: a table of 2^k slots lies at slot 2^k, so growing never moves memory. */
  uint32_t slots[4 * TK_MAX_NODES];
  uint32_t table_of_base[1u << 15]; /* last snapshot of an object, by a hash of its base */
  tk_range globals[TK_MAX_GLOBALS];
  tk_heap_node heap[TK_MAX_HEAP];
  uint64_t kept[TK_MAX_KEPT];                        /* blocks that were freed, the oldest first, in a ring */
  uint32_t input_freed_at[TK_MAX_OBJECTS][TK_PLACES]; /* where each input object was freed */
  tk_native_range native[TK_MAX_NATIVE];
  uint8_t native_bytes[TK_NATIVE_BYTES];
  tk_native_edge native_edges[TK_MAX_NATIVE];
  tk_va_call va[TK_MAX_VA_CALLS];
  uint32_t va_staged[TK_VA_BYTES];
  uint8_t signal_stack[1 << 15] __attribute__((aligned(16)));
  uint32_t by_value[TK_BY_VALUE_BYTES]; /* shadow of structs that are being passed by value */
} tk_private;
#define TK_PRIVATE ((tk_private *)TK_PRIVATE_BASE)

/* The live block that an address lies in or just behind; the first one, live or freed, at or after an address; how many
 * are live. */
tk_heap_node *tk_heap_block(uint64_t address);
tk_heap_node *tk_heap_from(uint64_t address);
uint32_t tk_heap_live(void);
/* From now on it is only kept to find who still uses it. */
void tk_heap_retire(tk_heap_node *node);

/* Where the caller of the current function is, for a backtrace. */
#define CALLER_PC ((uint64_t)__builtin_return_address(0) - 1)
#define CALLER_FRAME (*(uint64_t *)__builtin_frame_address(0))

/* The runtime's own code. */
extern char __start_tarka_text[], __stop_tarka_text[];

/* System calls of more than one file. */
enum { SYS_READ = 0, SYS_OPEN = 2, SYS_CLOSE = 3, SYS_SETITIMER = 38 };

/* Where nothing can be. */
#define TK_NULL_PAGE 4096u

/* For large arrays that most runs touch at their beginning. */
#define TK_HOT_TABLE __attribute__((section(".bss.tarka_tables"), aligned(4096)))

#endif
