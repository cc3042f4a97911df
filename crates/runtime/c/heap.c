/* The heap: wrappers around malloc and its family that keep the registry of blocks, and what `free` means for input
 * objects. Labels of freed memory are cleared, so memory fresh from malloc has none. */
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

static uint64_t *recently_freed(uint64_t base) { return &TK_PRIVATE->recently_freed[(base >> 4) % TK_RECENTLY_FREED]; }

/* Registers a fresh block. Failing to get memory that any machine could give is the limit of the run; a request for
 * more than the address space fails everywhere, and the unit shall see that. */
static void *fresh(void *block, uint64_t size, uint64_t pc, uint64_t frame) {
  if (!block) {
    if (size <= INT64_MAX) tk_finish(TK_END_MEMORY, 0, pc, frame);
    return 0;
  }
  tk_heap_insert((uint64_t)block, size);
  tk_heap_node *node = tk_heap_block((uint64_t)block);
  if (node) tk_code_addresses(node->allocated_at, TK_ALLOCATION_FRAMES, pc, frame);
  if (*recently_freed((uint64_t)block) == (uint64_t)block) *recently_freed((uint64_t)block) = 0;
  return block;
}

void *tkw_malloc(size_t size) { return fresh(malloc(size), size, CALLER_PC, CALLER_FRAME); }

void *tkw_calloc(size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) total = SIZE_MAX;
  return fresh(calloc(count, size), total, CALLER_PC, CALLER_FRAME);
}

void *tkw_aligned_alloc(size_t alignment, size_t size) {
  void *block = aligned_alloc(alignment, size);
  if (!block && *__errno_location() != NO_MEMORY) return 0;
  return fresh(block, size, CALLER_PC, CALLER_FRAME);
}

int tkw_posix_memalign(void **result, size_t alignment, size_t size) {
  int failed = posix_memalign(result, alignment, size);
  if (failed && failed != NO_MEMORY) return failed;
  tk_shadow_clear((uint64_t)result, sizeof *result);
  return fresh(failed ? 0 : *result, size, CALLER_PC, CALLER_FRAME) ? 0 : failed;
}

TK_NORETURN static void bad_free(int32_t kind, uint64_t address, uint64_t pc, uint64_t frame) {
  TK_HEADER->fault_address = address;
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
  return object.size;
}

/* Ends the run if the block cannot be freed; otherwise forgets it and gives the size it had. */
static uint64_t release(uint64_t address, uint64_t pc, uint64_t frame) {
  uint64_t size;
  tk_extent object;
  if (tk_heap_remove(address, &size)) {
    *recently_freed(address) = address;
    return size;
  }
  if (*recently_freed(address) == address) bad_free(TK_FAULT_DOUBLE_FREE, address, pc, frame);
  if (tk_object_at(address, &object)) bad_free(TK_FAULT_INVALID_FREE, address, pc, frame);
  /* Allocated by code that is not instrumented. */
  return malloc_usable_size((void *)address);
}

void tkw_free(void *block) {
  if (!block) return;
  if (tk_in_arena((uint64_t)block)) {
    free_input((uint64_t)block, CALLER_PC, CALLER_FRAME);
    return;
  }
  uint64_t size = release((uint64_t)block, CALLER_PC, CALLER_FRAME);
  free(block);
  tk_shadow_clear((uint64_t)block, size);
}

static void *reallocate(void *block, size_t size, uint64_t pc, uint64_t frame) {
  if (!block) return fresh(malloc(size), size, pc, frame);
  uint64_t from = (uint64_t)block, old_size;
  void *moved;
  if (tk_in_arena(from)) {
    old_size = free_input(from, pc, frame);
    if (!size) return 0;
    moved = fresh(malloc(size), size, pc, frame);
    uint64_t kept = old_size < size ? old_size : size;
    for (uint64_t i = 0; i < kept; i++) TK_FLAGS[from - TK_ARENA_BASE + i] |= TK_FLAG_READ;
    if (moved) tk_copy_bytes(moved, block, kept);
  } else {
    old_size = release(from, pc, frame);
    moved = realloc(block, size);
    if (!size) {
      tk_shadow_clear(from, old_size);
      return moved;
    }
    moved = fresh(moved, size, pc, frame);
    if (!moved) tk_heap_insert(from, old_size);
  }
  if (!moved) return 0;
  if (moved != block) {
    tk_shadow_move((uint64_t)moved, from, old_size < size ? old_size : size);
    tk_shadow_clear(from, old_size);
  } else if (old_size > size) {
    tk_shadow_clear(from + size, old_size - size);
  }
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
