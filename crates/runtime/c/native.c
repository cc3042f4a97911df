/* Calls into code that is not instrumented: it sees concrete values only, and what it writes is concrete. */
#include "private.h"

int snprintf(char *to, size_t size, const char *format, ...);

/* How far from a pointer labels are looked for when its object is not known, and in large objects. */
#define UNKNOWN_REACH 256u
#define LARGE_REACH 65536u

static uint32_t range_count, bytes_used, edge_count;

void tk_native_reset(void) { range_count = bytes_used = edge_count = 0; }

TK_SLOW void tk_native_argument_slow(uint32_t site, uint32_t label) {
  /* An input pointer can be nothing but the object it has, or null: nothing is lost. */
  if (!tk_points_to_input(label)) tk_count_concretised(site);
}

static tk_extent reachable(uint64_t address) {
  tk_extent object;
  if (!tk_object_at(address, &object)) return (tk_extent){.base = address, .size = UNKNOWN_REACH};
  if (object.size <= LARGE_REACH || address - object.base >= object.size) return object;
  uint64_t left = object.base + object.size - address;
  return (tk_extent){address, left < LARGE_REACH ? left : LARGE_REACH, object.input, 0, 0};
}

static void mark_read(uint64_t address, uint64_t size) {
  uint8_t *flags = TK_FLAGS + (address - TK_ARENA_BASE);
  for (uint64_t i = 0; i < size; i++) flags[i] |= TK_FLAG_READ;
}

static int already_kept(uint32_t site, uint64_t address) {
  for (uint32_t i = range_count; i-- && TK_PRIVATE->native[i].site == site;)
    if (TK_PRIVATE->native[i].address == address) return 1;
  return 0;
}

/* ---- Edges: what the callee wrote behind an object ---- */

#define UNTOUCHED 0xa5

/* Puts a pattern behind the object that the callee is given. */
static void prepare_edge(uint32_t site, uint64_t address) {
  tk_extent object;
  if (edge_count >= TK_MAX_NATIVE || !tk_object_at(address, &object) || object.edge < TK_EDGE) return;
  uint64_t edge = object.base + object.size;
  TK_PRIVATE->native_edges[edge_count++] = (tk_native_edge){site, object.base, edge};
  for (uint32_t i = 0; i < TK_EDGE; i++) ((uint8_t *)edge)[i] = UNTOUCHED;
}

/* Ends the run if the pattern is no longer there. An object that is gone has no edge either. */
static void check_edge(const tk_native_edge *edge, uint64_t pc, uint64_t frame) {
  tk_extent object;
  if (!tk_object_at(edge->object, &object) || object.base + object.size != edge->edge) return;
  for (uint32_t i = 0; i < TK_EDGE; i++) {
    if (((const uint8_t *)edge->edge)[i] == UNTOUCHED) continue;
    TK_HEADER->fault_address = edge->edge + i;
    TK_HEADER->fault_site = edge->site + 1;
    tk_tell_block(edge->edge);
    tk_finish(TK_END_FAULT, TK_FAULT_OUT_OF_BOUNDS, pc, frame);
  }
}

/* ---- Floating-point numbers as text: for the models, which hand over one number at a time ---- */

int tkw_sprintf(char *to, uint64_t size, const char *format, double value) {
  int length = snprintf(to, size, format, value);
  tk_shadow_clear((uint64_t)to, length >= 0 && (uint64_t)length < size ? (uint64_t)length + 1 : size);
  return length;
}

int tkw_sprintf_l(char *to, uint64_t size, const char *format, long double value) {
  int length = snprintf(to, size, format, value);
  tk_shadow_clear((uint64_t)to, length >= 0 && (uint64_t)length < size ? (uint64_t)length + 1 : size);
  return length;
}

/* ---- Labels ---- */

void tk_native_pointer(uint32_t site, const void *pointer) {
  prepare_edge(site, (uint64_t)pointer);
  tk_written_by_others((uint64_t)pointer);
  tk_extent range = reachable((uint64_t)pointer);
  const uint32_t *entries = tk_shadow(range.base);
  uint32_t labelled = 0;
  for (uint64_t i = 0; i < range.size && !labelled; i++) labelled = tk_label_entry(entries[i]) != 0;
  if (range.input) mark_read(range.base, range.size);
  if (!labelled && !range.input) return;
  if (range_count >= TK_MAX_NATIVE || bytes_used + range.size > TK_NATIVE_BYTES || already_kept(site, range.base)) return;
  TK_PRIVATE->native[range_count++] = (tk_native_range){site, labelled, range.base, (uint32_t)range.size, bytes_used};
  uint8_t *copy = TK_PRIVATE->native_bytes + bytes_used;
  bytes_used += (uint32_t)range.size;
  /* Only labelled bytes are certain to be readable when the object is not known. */
  for (uint64_t i = 0; i < range.size; i++)
    if (range.input || tk_label_entry(entries[i])) copy[i] = ((const uint8_t *)range.base)[i];
}

static void forget_changed(const tk_native_range *range) {
  uint32_t *entries = tk_shadow(range->address);
  const uint8_t *copy = TK_PRIVATE->native_bytes + range->copy, *now = (const uint8_t *)range->address;
  int input = tk_in_arena(range->address);
  for (uint32_t i = 0; i < range->size; i++) {
    if ((!input && !tk_label_entry(entries[i])) || now[i] == copy[i]) continue;
    if (entries[i]) entries[i] = 0;
    if (input) TK_FLAGS[range->address - TK_ARENA_BASE + i] |= TK_FLAG_WRITTEN;
  }
}

void tk_native_return(uint32_t site) {
  uint32_t labelled = 0;
  while (range_count && TK_PRIVATE->native[range_count - 1].site == site) {
    const tk_native_range *range = &TK_PRIVATE->native[--range_count];
    forget_changed(range);
    labelled |= range->labelled;
    bytes_used = range->copy;
  }
  while (edge_count && TK_PRIVATE->native_edges[edge_count - 1].site == site)
    check_edge(&TK_PRIVATE->native_edges[--edge_count], CALLER_PC, CALLER_FRAME);
  if (labelled) tk_count_concretised(site);
  /* A callback may have left result labels behind; they are not the native function's. */
  tk_calls.results_valid = 0;
}
