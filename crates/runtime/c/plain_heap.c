/* The heap of the plain program: the C library's, but for objects of the input, which it has never seen.
 *
 * What these do wrong is for the instrumented target to tell; here a run only has to get on. */
#include "private.h"

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void *reallocarray(void *block, size_t count, size_t size);
void free(void *block);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **result, size_t alignment, size_t size);
size_t malloc_usable_size(void *block);

/* The object of the input that begins at an address; 0 if none does. */
static const tk_object *input_at(const void *block) {
  for (uint32_t i = 0; i < TK_HEADER->object_count; i++)
    if (!TK_OBJECTS[i].root && TK_ARENA_BASE + TK_OBJECTS[i].offset == (uint64_t)block) return &TK_OBJECTS[i];
  return 0;
}

void *tkw_malloc(size_t size) { return malloc(size); }

void *tkw_calloc(size_t count, size_t size) { return calloc(count, size); }

void *tkw_aligned_alloc(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

int tkw_posix_memalign(void **result, size_t alignment, size_t size) { return posix_memalign(result, alignment, size); }

void tkw_free(void *block) {
  if (!tk_in_arena((uint64_t)block)) free(block);
}

size_t tkw_malloc_usable_size(void *block) {
  const tk_object *input = input_at(block);
  return input ? input->size : malloc_usable_size(block);
}

void *tkw_realloc(void *block, size_t size) {
  if (!tk_in_arena((uint64_t)block)) return realloc(block, size);
  const tk_object *input = input_at(block);
  void *moved = malloc(size);
  if (moved && input) tk_copy_bytes(moved, block, input->size < size ? input->size : size);
  return moved;
}

void *tkw_reallocarray(void *block, size_t count, size_t size) {
  if (!tk_in_arena((uint64_t)block)) return reallocarray(block, count, size);
  size_t bytes;
  return __builtin_mul_overflow(count, size, &bytes) ? 0 : tkw_realloc(block, bytes);
}
