/* The heap: wrappers around malloc and its family that keep the registry of blocks, and what `free` means for input
 * objects.
 *
 * A block is followed by an edge of its own and has the allocator's own word before it; neither may be touched. A freed
 * block is kept from being used again for a while, so that whoever still uses it is found. Every block is a genuine block
 * of the allocator: code that is not instrumented may free it, and is noticed when it does. */
#include <dlfcn.h>

#include "private.h"

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
int posix_memalign(void **result, size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
size_t malloc_usable_size(void *block);
int *__errno_location(void);

enum { NO_MEMORY = 12 };
/* Bytes of a freed block that are marked: more would cost a run more than it finds. */
#define MOST_FREED_BYTES (1ull << 18)
/* Bytes that are kept after `free` at most, and never more than this part of the run's memory. */
#define MOST_KEPT_BYTES (4ull << 20)
#define KEPT_PART 8

/* True if the word before a block belongs to the block, as in glibc. */
static int has_head;

/* A block that the allocator does not keep for the next of its size: then its first memory is there, and no run asks for it. */
enum { FIRST_BLOCK = 4096 };

void tk_heap_ready(void) {
  const void *own = dlsym(RTLD_DEFAULT, "malloc");
  has_head = own && own == dlsym(RTLD_DEFAULT, "__libc_malloc");
  if (has_head) free(malloc(FIRST_BLOCK));
}

/* ---- Where a block came from ---- */

static void tell_places(uint64_t *to, uint32_t *count, const uint32_t *places) {
  for (*count = 0; *count < TK_PLACES && places[*count]; ++*count) to[*count] = places[*count];
}

void tk_tell_block(uint64_t address) {
  const tk_heap_node *node = tk_heap_around(address);
  if (node) tell_places(TK_HEADER->allocated_at, &TK_HEADER->allocated_len, node->allocated_at);
  if (node && node->freed) tell_places(TK_HEADER->freed_at, &TK_HEADER->freed_len, node->freed_at);
}

static uint32_t *input_freed_at(uint64_t address) {
  for (uint32_t i = 0; i < TK_HEADER->object_count && i < TK_MAX_OBJECTS; i++) {
    uint64_t base = TK_ARENA_BASE + TK_OBJECTS[i].offset;
    if (!TK_OBJECTS[i].root && address - base < TK_OBJECTS[i].size) return TK_PRIVATE->input_freed_at[i];
  }
  return 0;
}

void tk_tell_input(uint64_t address) {
  const uint32_t *places = input_freed_at(address);
  if (places) tell_places(TK_HEADER->freed_at, &TK_HEADER->freed_len, places);
}

/* ---- Blocks that were freed ---- */

static uint32_t first_kept, kept_count;
static uint64_t kept_bytes;

static uint64_t held_bytes(const tk_heap_node *node) { return node->size + node->edge + 2 * TK_HEAP_HEAD; }

/* The marks of a block go with it. */
static void forget(tk_heap_node *node) {
  uint64_t head = has_head ? TK_HEAP_HEAD : 0;
  tk_shadow_clear(node->base - head, head + node->size + node->edge);
  tk_heap_remove(node);
}

static void release_oldest(void) {
  uint64_t base = TK_PRIVATE->kept[first_kept++ % TK_MAX_KEPT];
  kept_count--;
  tk_heap_node *node = tk_heap_exact(base);
  if (!node) return;
  kept_bytes -= held_bytes(node);
  forget(node);
  free((void *)base);
}

static void release_all(void) {
  while (kept_count) release_oldest();
}

static void keep(tk_heap_node *node, uint64_t pc, uint64_t frame) {
  uint64_t most = TK_HEADER->memory_limit ? TK_HEADER->memory_limit / KEPT_PART : MOST_KEPT_BYTES;
  uint64_t base = node->base;
  if (held_bytes(node) > most) {
    forget(node);
    free((void *)base);
    return;
  }
  if (most > MOST_KEPT_BYTES) most = MOST_KEPT_BYTES;
  tk_heap_retire(node);
  tk_short_backtrace(node->freed_at, pc, frame);
  uint64_t marked = node->size < MOST_FREED_BYTES ? node->size : MOST_FREED_BYTES;
  tk_poison(base, marked, TK_POISON_FREED);
  if (marked < node->size) tk_shadow_clear(base + marked, node->size - marked);
  /* Whoever goes behind it now uses it after it was freed in the first place. */
  else tk_poison(base + node->size, node->edge, TK_POISON_FREED);
  TK_PRIVATE->kept[(first_kept + kept_count++) % TK_MAX_KEPT] = base;
  kept_bytes += held_bytes(node);
  /* The youngest stays, however large it is. */
  while (kept_count > 1 && (kept_bytes > most || kept_count == TK_MAX_KEPT)) release_oldest();
}

/* ---- Fresh blocks ---- */

/* The label of the size that the next block is asked for with. */
static uint32_t next_size_label;

void tk_block_size(uint32_t label) {
  uint32_t width = label ? tk_label_width(label) : 64;
  next_size_label = width < 64 ? tk_node_make(TK_OP_ZEXT, 64, label, 0, 0) : width == 64 ? label : 0;
}

/* What to ask the allocator for. */
static uint64_t with_edge(uint64_t size) { return size > SIZE_MAX - TK_EDGE ? SIZE_MAX : size + TK_EDGE; }

/* Registers a fresh block. Failing to get memory that any machine could give is the limit of the run; a request for
 * more than the address space fails everywhere, and the unit shall see that. */
static void *fresh(void *block, uint64_t size, uint64_t pc, uint64_t frame) {
  uint32_t size_label = next_size_label;
  next_size_label = 0;
  if (!block) {
    if (size <= INT64_MAX) tk_finish(TK_END_MEMORY, 0, pc, frame);
    return 0;
  }
  /* Of a block of no bytes the first is let pass, as the sanitizers do: what no plain program shows is no find. */
  if (!size) size = 1;
  uint64_t base = (uint64_t)block, room = malloc_usable_size(block);
  tk_heap_node *node = room >= size + TK_EDGE ? tk_heap_insert(base, size) : 0;
  if (!node) return block; /* too many to follow */
  node->size_label = size_label;
  /* What the allocator rounds up belongs to the edge, up to the next word or two. */
  node->edge = room - size < 2 * TK_EDGE ? (uint32_t)(room - size) : 2 * TK_EDGE;
  tk_short_backtrace(node->allocated_at, pc, frame);
  /* Here the content of the block, `size` bytes from `base`, is as the allocator gave it: without labels or marks. */
  if (has_head) tk_poison(base - TK_HEAP_HEAD, TK_HEAP_HEAD, TK_POISON_HEAP_EDGE);
  tk_poison(base + size, node->edge, TK_POISON_HEAP_EDGE);
  return block;
}

/* A fresh block is uninitialised. */
static void *uninitialised(void *block, uint64_t size) {
  if (block && tk_heap_exact((uint64_t)block)) tk_fresh_block((uint64_t)block, size);
  return block;
}

static void *allocate(uint64_t size) {
  void *block = malloc(with_edge(size));
  if (block || !kept_count) return block;
  release_all();
  return malloc(with_edge(size));
}

void *tkw_malloc(size_t size) { return uninitialised(fresh(allocate(size), size, CALLER_PC, CALLER_FRAME), size); }

void *tkw_calloc(size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) total = SIZE_MAX;
  void *block = calloc(1, with_edge(total));
  if (!block && kept_count) {
    release_all();
    block = calloc(1, with_edge(total));
  }
  return fresh(block, total, CALLER_PC, CALLER_FRAME);
}

/* Room for the edge that keeps the size a multiple of the alignment. */
static uint64_t with_aligned_edge(uint64_t size, uint64_t alignment) {
  uint64_t edge = alignment > TK_EDGE ? alignment : TK_EDGE;
  return size > SIZE_MAX - edge ? SIZE_MAX : size + edge;
}

void *tkw_aligned_alloc(size_t alignment, size_t size) {
  void *block = aligned_alloc(alignment, with_aligned_edge(size, alignment));
  if (!block && *__errno_location() != NO_MEMORY) return 0;
  if (!block && kept_count) {
    release_all();
    block = aligned_alloc(alignment, with_aligned_edge(size, alignment));
  }
  return uninitialised(fresh(block, size, CALLER_PC, CALLER_FRAME), size);
}

int tkw_posix_memalign(void **result, size_t alignment, size_t size) {
  void *block = 0;
  int failed = posix_memalign(&block, alignment, with_aligned_edge(size, alignment));
  if (failed == NO_MEMORY && kept_count) {
    release_all();
    failed = posix_memalign(&block, alignment, with_aligned_edge(size, alignment));
  }
  if (failed && failed != NO_MEMORY) return failed;
  block = uninitialised(fresh(failed ? 0 : block, size, CALLER_PC, CALLER_FRAME), size);
  if (!block) return failed;
  tk_shadow_clear((uint64_t)result, sizeof *result);
  *result = block;
  return 0;
}

size_t tkw_malloc_usable_size(void *block) {
  const tk_heap_node *node = tk_heap_exact((uint64_t)block);
  return node ? node->size : malloc_usable_size(block);
}

/* ---- Free ---- */

TK_NORETURN static void bad_free(int32_t kind, uint64_t address, uint64_t pc, uint64_t frame) {
  TK_HEADER->fault_address = address;
  if (tk_in_arena(address)) tk_tell_input(address);
  else tk_tell_block(address);
  tk_finish(TK_END_FAULT, kind, pc, frame);
}

/* An input object may be freed once, by its first byte, as if it had come from malloc. */
static uint64_t free_input(uint64_t address, uint64_t pc, uint64_t frame) {
  tk_extent object;
  if (!tk_object_at(address, &object) || object.base != address)
    bad_free(TK_FAULT_INVALID_FREE, address, pc, frame);
  uint8_t *flags = TK_FLAGS + (address - TK_ARENA_BASE);
  if (flags[0] & TK_FLAG_FREED) bad_free(TK_FAULT_DOUBLE_FREE, address, pc, frame);
  for (uint64_t i = 0; i < object.size; i++) flags[i] |= TK_FLAG_FREED;
  uint32_t *places = input_freed_at(address);
  if (places) tk_short_backtrace(places, pc, frame);
  return object.size;
}

static int is_static_or_local(uint64_t address) {
  extern char __executable_start[], _end[];
  return (address >= (uint64_t)__executable_start && address < (uint64_t)_end) || tk_on_stack(address);
}

/* The block that may be freed; 0 if it was allocated by code that is not instrumented. Anything else ends the run. */
static tk_heap_node *to_free(uint64_t address, uint64_t pc, uint64_t frame) {
  tk_heap_node *node = tk_heap_exact(address);
  if (node && node->freed) bad_free(TK_FAULT_DOUBLE_FREE, address, pc, frame);
  if (!node && (tk_heap_around(address) || is_static_or_local(address)))
    bad_free(TK_FAULT_INVALID_FREE, address, pc, frame);
  return node;
}

static void free_foreign(void *block) {
  uint64_t size = malloc_usable_size(block);
  free(block);
  tk_shadow_clear((uint64_t)block, size);
}

void tkw_free(void *block) {
  if (!block) return;
  if (tk_in_arena((uint64_t)block)) {
    free_input((uint64_t)block, CALLER_PC, CALLER_FRAME);
    return;
  }
  tk_heap_node *node = to_free((uint64_t)block, CALLER_PC, CALLER_FRAME);
  if (node) keep(node, CALLER_PC, CALLER_FRAME);
  else free_foreign(block);
}

/* A block always moves, so that whoever still uses the old one is found. */
static void *reallocate(void *block, size_t size, uint64_t pc, uint64_t frame) {
  uint64_t from = (uint64_t)block, old_size;
  if (!block) return uninitialised(fresh(allocate(size), size, pc, frame), size);
  tk_heap_node *node = 0;
  if (tk_in_arena(from)) {
    old_size = free_input(from, pc, frame);
  } else {
    node = to_free(from, pc, frame);
    old_size = node ? node->size : malloc_usable_size(block);
  }
  void *moved = size ? uninitialised(fresh(allocate(size), size, pc, frame), size) : 0;
  if (size && !moved) return 0;
  uint64_t kept = old_size < size ? old_size : size;
  if (moved) {
    if (tk_in_arena(from))
      for (uint64_t i = 0; i < kept; i++) TK_FLAGS[from - TK_ARENA_BASE + i] |= TK_FLAG_READ;
    tk_copy_bytes(moved, block, kept);
    tk_shadow_move((uint64_t)moved, from, kept);
  }
  if (tk_in_arena(from)) tk_shadow_clear(from, old_size);
  else if (node) keep(tk_heap_exact(from), pc, frame);
  else free_foreign(block);
  return moved;
}

void *tkw_realloc(void *block, size_t size) { return reallocate(block, size, CALLER_PC, CALLER_FRAME); }

void *tkw_reallocarray(void *block, size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) {
    *__errno_location() = NO_MEMORY;
    return 0;
  }
  return reallocate(block, total, CALLER_PC, CALLER_FRAME);
}

/* ---- What code that is not instrumented calls ----
 * A block of ours that it frees or moves must lose its marks: the allocator hands its memory out again. Weak, because the
 * program may bring an allocator of its own. */

static void taken_by_foreign(void *block, uint64_t pc, uint64_t frame) {
  tk_heap_node *node = tk_heap_exact((uint64_t)block);
  if (!node) return;
  if (node->freed) bad_free(TK_FAULT_DOUBLE_FREE, (uint64_t)block, pc, frame);
  forget(node);
}

__attribute__((weak)) void free(void *block) {
  static void (*next)(void *);
  if (!next) next = (void (*)(void *))dlsym(RTLD_NEXT, "free");
  if (block) taken_by_foreign(block, CALLER_PC, CALLER_FRAME);
  next(block);
}

__attribute__((weak)) void *realloc(void *block, size_t size) {
  static void *(*next)(void *, size_t);
  if (!next) next = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
  if (block) taken_by_foreign(block, CALLER_PC, CALLER_FRAME);
  return next(block, size);
}
