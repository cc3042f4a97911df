/* The registry of objects: globals, stack, heap (heap_tree.c) and the input arena. */
#include "private.h"

tk_call_state tk_calls;
TK_HOT_TABLE static tk_range stack_objects[TK_MAX_STACK_OBJECTS];
static uint32_t global_count;
static int globals_sorted;

/* ---- Globals ---- */

static void register_global(uint64_t address, uint64_t size, uint32_t edge, uint32_t constant) {
  if (!size || global_count >= TK_MAX_GLOBALS) return;
  TK_PRIVATE->globals[global_count++] = (tk_range){address, size, edge, constant};
  globals_sorted = 0;
}

void tk_global_object(const void *address, uint64_t size) { register_global((uint64_t)address, size, 0, 0); }

/* In the server, before it forks: a run pays nothing for the marks. */
void tk_padded_global(const void *address, uint64_t size, uint32_t constant) {
  register_global((uint64_t)address, size, TK_EDGE, constant);
  tk_poison((uint64_t)address + size, TK_EDGE, TK_POISON_GLOBAL_EDGE);
}

/* Registered in constructors, in nearly ascending order: shell sort keeps this short and free of recursion. */
static void sort_globals(void) {
  tk_range *globals = TK_PRIVATE->globals;
  for (uint32_t gap = global_count / 2; gap; gap /= 2)
    for (uint32_t i = gap; i < global_count; i++) {
      tk_range moving = globals[i];
      uint32_t to = i;
      for (; to >= gap && globals[to - gap].base > moving.base; to -= gap) globals[to] = globals[to - gap];
      globals[to] = moving;
    }
  globals_sorted = 1;
}

/* The lookup tables behind glibc's <ctype.h>: macros index them directly with a (symbolic) character. */
static void register_ctype_tables(void) {
  extern const unsigned short **__ctype_b_loc(void);
  extern const int32_t **__ctype_tolower_loc(void);
  extern const int32_t **__ctype_toupper_loc(void);
  enum { LOWEST = 128, ENTRIES = 384 };
  tk_global_object(*__ctype_b_loc() - LOWEST, ENTRIES * sizeof(unsigned short));
  tk_global_object(*__ctype_tolower_loc() - LOWEST, ENTRIES * sizeof(int32_t));
  tk_global_object(*__ctype_toupper_loc() - LOWEST, ENTRIES * sizeof(int32_t));
}

void tk_objects_ready(void) {
  register_ctype_tables();
  sort_globals();
}

/* ---- Stack ---- */

/* The kernel keeps at least this much below the top of the stack free of anything else. */
#define OWN_STACK (128ull << 20)
/* Bytes of a large local object that are marked when it is gone: a function with a large buffer must stay cheap. */
#define MOST_RETURNED_BYTES 4096u

/* True on the process's own stack; a program may switch to others, about which nothing is known. */
static int is_own_stack(uint64_t address) { return tk_stack_top - address < OWN_STACK; }

int tk_on_stack(uint64_t address) {
  return is_own_stack(address) && address >= (uint64_t)__builtin_frame_address(0);
}

static void push(uint64_t address, uint64_t size, uint32_t edge) {
  uint32_t depth = tk_calls.stack_depth++;
  if (depth < TK_MAX_STACK_OBJECTS) stack_objects[depth] = (tk_range){address, size, edge, 0};
  tk_shadow_clear(address, size);
}

void tk_stack_object(const void *address, uint64_t size) { push((uint64_t)address, size, 0); }

/* A local object with TK_EDGE bytes on both sides that are its own. */
void tk_local_object(const void *address, uint64_t size) {
  uint64_t base = (uint64_t)address;
  if (!is_own_stack(base)) return push(base, size, 0);
  push(base, size, TK_EDGE);
  tk_poison(base - TK_EDGE, TK_EDGE, TK_POISON_STACK_EDGE);
  tk_poison(base + size, TK_EDGE, TK_POISON_STACK_EDGE);
  if (base - TK_EDGE < tk_calls.clean_below) tk_calls.clean_below = base - TK_EDGE;
}

/* Its edges stay as they are until the memory is used again. */
static void retire(const tk_range *object) {
  tk_poison(object->base, object->size < MOST_RETURNED_BYTES ? object->size : MOST_RETURNED_BYTES, TK_POISON_RETURNED);
}

static uint32_t recorded_depth(void) {
  return tk_calls.stack_depth < TK_MAX_STACK_OBJECTS ? tk_calls.stack_depth : TK_MAX_STACK_OBJECTS;
}

/* On another stack, the objects on top may belong to functions of the process's own stack that are still active. */
TK_SLOW void tk_stack_leave(uint32_t depth) {
  uint64_t here = (uint64_t)__builtin_frame_address(0);
  for (uint32_t top = recorded_depth(); is_own_stack(here) && top > depth; top--) {
    const tk_range *object = &stack_objects[top - 1];
    if (object->edge && object->base > here) retire(object);
  }
  tk_calls.stack_depth = depth;
}

/* After a jump out of functions: their objects lie below the stack pointer and are gone. */
void tk_stack_pop_below(uint64_t stack_pointer) {
  uint32_t depth = recorded_depth();
  for (; depth && stack_objects[depth - 1].base < stack_pointer; depth--)
    if (stack_objects[depth - 1].edge) retire(&stack_objects[depth - 1]);
  tk_calls.stack_depth = depth;
}

/* Code that is not instrumented uses the memory of functions that returned, and may hand out pointers to it. It lies
 * between here and the objects of the functions that are active. */
TK_SLOW void tk_enter_from_native(void) {
  enum { LOOK_AT = 64 };
  uint64_t here = (uint64_t)__builtin_frame_address(0) + 16, end = tk_run_frame;
  if (tk_calls.clean_below == UINT64_MAX || !is_own_stack(here)) return;
  tk_stack_pop_below(here);
  uint32_t depth = recorded_depth();
  for (uint32_t i = depth; i && depth - i < LOOK_AT; i--)
    if (stack_objects[i - 1].base - stack_objects[i - 1].edge < end)
      end = stack_objects[i - 1].base - stack_objects[i - 1].edge;
  uint64_t start = tk_calls.clean_below > here ? tk_calls.clean_below : here;
  if (start >= end) return;
  tk_unpoison(start, end - start);
  if (start == tk_calls.clean_below) tk_calls.clean_below = end;
}

static int contains(const tk_range *range, uint64_t address) { return address - range->base < range->size; }

static int find_stack(uint64_t address, tk_extent *object) {
  uint32_t depth = tk_calls.stack_depth;
  if (depth > TK_MAX_STACK_OBJECTS) depth = TK_MAX_STACK_OBJECTS;
  while (depth--) {
    const tk_range *range = &stack_objects[depth];
    if (!contains(range, address)) continue;
    *object = (tk_extent){.base = range->base, .size = range->size, .edge = range->edge};
    return 1;
  }
  return 0;
}

static int find_global(uint64_t address, tk_extent *object) {
  if (!globals_sorted) sort_globals();
  uint32_t low = 0, high = global_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (TK_PRIVATE->globals[middle].base <= address) low = middle + 1;
    else high = middle;
  }
  const tk_range *range = low ? &TK_PRIVATE->globals[low - 1] : 0;
  if (!range || !contains(range, address)) return 0;
  *object = (tk_extent){.base = range->base, .size = range->size, .edge = range->constant ? 0 : range->edge};
  return 1;
}

/* ---- Input objects ---- */

/* How many input objects start at or before the offset: the engine writes their table in ascending order. */
static uint32_t inputs_up_to(uint32_t offset) {
  uint32_t low = 0, high = TK_HEADER->object_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (TK_OBJECTS[middle].offset <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

uint64_t tk_most_bytes(const tk_object *object) {
  uint32_t most = object->capacity > object->size ? object->capacity : object->size;
  return object->element ? most - most % object->element : most;
}

static int is_sized(const tk_object *object) { return object->exact || object->length_offset; }

/* The bytes from an object's start that are its own: one whose size is an input can be empty and still be pointed to, so
 * what it may grow to belongs to it. */
static uint64_t own_bytes(const tk_object *object) {
  if (!is_sized(object)) return object->size;
  uint64_t most = tk_most_bytes(object);
  return most ? most : 1;
}

static int find_input(uint64_t address, tk_extent *object) {
  uint32_t offset = (uint32_t)(address - TK_ARENA_BASE), count = inputs_up_to(offset);
  if (!count) return 0;
  const tk_object *found = &TK_OBJECTS[count - 1];
  if (found->root || offset - found->offset >= own_bytes(found)) return 0;
  *object = (tk_extent){TK_ARENA_BASE + found->offset, found->size, 1, 0, is_sized(found) ? found : 0};
  return 1;
}

/* The number of elements that the input asks for, unless the unit has overwritten it since. */
static int wanted_elements(const tk_object *object, int64_t *count) {
  uint32_t first = object->length_offset - 1, bytes = object->length_bits / 8;
  if (!object->length_offset || !bytes || bytes > 8) return 0;
  uint64_t value = 0;
  for (uint32_t i = bytes; i--;) {
    if (TK_FLAGS[first + i] & TK_FLAG_WRITTEN) return 0;
    value = value << 8 | *(const uint8_t *)(TK_ARENA_BASE + first + i);
  }
  uint32_t unused = 64 - 8 * bytes;
  if (object->length_signed) *count = (int64_t)(value << unused) >> unused;
  else *count = value > INT64_MAX ? INT64_MAX : (int64_t)value;
  return 1;
}

int tk_leaving_is_fault(const tk_object *object) {
  int64_t count;
  if (!object->exact) return 0;
  if (!object->length_offset || object->size < tk_most_bytes(object)) return 1;
  /* As large as it gets: a fault only if the input did not ask for more. */
  return object->element && wanted_elements(object, &count) && count <= object->size / object->element;
}

int tk_leaves_exact(uint64_t start) {
  uint32_t offset = (uint32_t)(start - TK_ARENA_BASE), count = inputs_up_to(offset);
  const tk_object *before = count ? &TK_OBJECTS[count - 1] : 0;
  const tk_object *after = count < TK_HEADER->object_count ? &TK_OBJECTS[count] : 0;
  /* The element before the first. */
  if (after && !after->root && after->exact && after->offset - offset <= after->element &&
      !(before && offset - before->offset < own_bytes(before)))
    return 1;
  return before && !before->root && tk_leaving_is_fault(before);
}

/* ---- All objects ---- */

int tk_object_at(uint64_t address, tk_extent *object) {
  if (tk_in_arena(address)) return find_input(address, object);
  if (tk_on_stack(address)) return find_stack(address, object);
  return find_global(address, object) || tk_heap_find(address, object);
}
