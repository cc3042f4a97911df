/* Shadow memory: what a byte's label is, and the slow paths of loads, stores and block operations. */
#include "private.h"

/* From this size on, giving whole pages back to the kernel is cheaper than looking at them. */
#define DROP_PAGES_FROM (1ull << 16)
/* Longer block operations are not followed: they would touch gigabytes of shadow. */
#define MAX_BLOCK (1ull << 26)
#define MAX_READ_OBJECT 4096u
#define MAX_WRITE_OBJECT 256u
#define PAGE 4096ull

enum { SYS_MADVISE = 28, ADVICE_DONTNEED = 4 };

/* ---- Ranges of shadow ---- */

static void fill_entries(uint32_t *entries, uint64_t count, uint32_t entry) {
  for (uint64_t i = 0; i < count; i++)
    if (entries[i] != entry) entries[i] = entry;
}

void tk_shadow_clear(uint64_t address, uint64_t size) {
  if (size > TK_SHADOW_MASK) return; /* a wild length: the operation itself is about to crash */
  uint32_t *first = tk_shadow(address), *end = first + size;
  if (size >= DROP_PAGES_FROM) {
    uint64_t low = ((uint64_t)first + PAGE - 1) & ~(PAGE - 1), high = (uint64_t)end & ~(PAGE - 1);
    fill_entries(first, (low - (uint64_t)first) / 4, 0);
    tk_syscall(SYS_MADVISE, (long)low, (long)(high - low), ADVICE_DONTNEED, 0, 0, 0);
    tk_gave_pages_back = 1;
    first = (uint32_t *)high;
  }
  fill_entries(first, (uint64_t)(end - first), 0);
}

void tk_shadow_move(uint64_t destination, uint64_t source, uint64_t size) {
  uint32_t *to = tk_shadow(destination);
  const uint32_t *from = tk_shadow(source);
  if (to == from) return;
  if (to < from || to >= from + size) {
    for (uint64_t i = 0; i < size; i++)
      if (to[i] != from[i]) to[i] = from[i];
  } else {
    for (uint64_t i = size; i--;)
      if (to[i] != from[i]) to[i] = from[i];
  }
}

/* ---- The arena's flags ---- */

TK_NORETURN void tk_out_of_bounds(uint32_t site, uint64_t address) {
  TK_HEADER->fault_address = address;
  TK_HEADER->fault_site = site + 1;
  tk_tell_block(address);
  TK_FINISH_HERE(TK_END_FAULT, TK_FAULT_OUT_OF_BOUNDS);
}

void tk_arena_touch(uint32_t site, uint64_t address, uint64_t size, uint8_t mark) {
  uint8_t *flags = TK_FLAGS + (address - TK_ARENA_BASE);
  uint64_t room = TK_ARENA_BASE + TK_ARENA_SIZE - address;
  for (uint64_t i = 0; i < size; i++) {
    if (i < room && (flags[i] & (TK_FLAG_VALID | TK_FLAG_FREED)) == TK_FLAG_VALID) {
      if ((flags[i] & mark) != mark) flags[i] |= mark;
      continue;
    }
    if (!(i < room && (flags[i] & TK_FLAG_FREED)) && tk_leaves_exact(address)) tk_out_of_bounds(site, address + i);
    TK_HEADER->fault_address = address + i;
    TK_HEADER->fault_site = site + 1;
    uint64_t frame = (uint64_t)__builtin_frame_address(0);
    uint64_t pc = (uint64_t)__builtin_return_address(0) - 1;
    if (i < room && (flags[i] & TK_FLAG_FREED)) tk_tell_input(address + i);
    if (i < room && (flags[i] & TK_FLAG_FREED)) tk_finish(TK_END_FAULT, TK_FAULT_USE_AFTER_FREE, pc, *(uint64_t *)frame);
    tk_finish(TK_END_INPUT_BOUND, 0, pc, *(uint64_t *)frame);
  }
}

/* ---- Labels of values in memory ---- */

uint32_t tk_label_of_memory(uint64_t address, uint32_t size) {
  const uint32_t *entries = tk_shadow(address);
  const uint8_t *bytes = (const uint8_t *)address;
  uint32_t labels[16], widths[16], starts[16], pieces = 0, symbolic = 0;
  for (uint32_t i = 0; i < size;) {
    uint32_t end = i + 1, entry = tk_label_entry(entries[i]), label = 0;
    if (entry) {
      while (end < size && entries[end] == entry + (end - i) && (entry & 15) + (end - i) < 16) end++;
      label = tk_node_extract(8 * (entry & 15), 8 * (end - i), entry >> 4);
      symbolic |= label;
    } else {
      while (end < size && !tk_label_entry(entries[end])) end++;
    }
    labels[pieces] = label;
    starts[pieces] = i;
    widths[pieces++] = 8 * (end - i);
    i = end;
  }
  if (!symbolic) return 0;
  uint32_t whole = 0;
  for (uint32_t i = 0; i < pieces; i++) {
    uint32_t piece = labels[i];
    if (!piece) {
      tk_u128 value = 0;
      for (uint32_t byte = widths[i] / 8; byte--;) value = value << 8 | bytes[starts[i] + byte];
      piece = tk_node_const128(widths[i], value);
    }
    whole = i ? tk_node_concat(piece, whole) : piece;
    if (!whole) return 0;
  }
  return whole;
}

void tk_label_to_memory(uint64_t address, uint32_t size, uint32_t label) {
  uint32_t width = label ? tk_label_width(label) : 8 * size;
  if (width < 8 * size) label = tk_node_make(TK_OP_ZEXT, 8 * size, label, 0, 0);
  else if (width > 8 * size) label = tk_node_extract(0, 8 * size, label);
  uint32_t *entries = tk_shadow(address);
  for (uint32_t i = 0; i < size; i++) {
    uint32_t entry = label && size <= 16 ? label << 4 | i : 0;
    if (entries[i] != entry) entries[i] = entry;
  }
}

/* ---- Loads and stores ---- */

static int any_label(uint64_t address, uint64_t size) {
  const uint32_t *entries = tk_shadow(address);
  for (uint64_t i = 0; i < size; i++)
    if (tk_label_entry(entries[i])) return 1;
  return 0;
}

TK_SLOW uint32_t tk_load_slow(uint32_t site, uint64_t address, uint32_t laddress, uint32_t how) {
  uint32_t size = how & ~TK_LOAD_NEEDED;
  tk_extent object;
  enum tk_address_kind kind = TK_ADDRESS_FIXED;
  if (laddress) kind = tk_check_address(site, address, laddress, size, &object);
  if (tk_in_arena(address)) tk_arena_touch(site, address, size, TK_FLAG_READ);
  else tk_check_poison(site, address, size, CALLER_PC, CALLER_FRAME);
  if (how != size && !tk_in_arena(address) && tk_is_fresh(address, size))
    tk_read_uninitialised(address, size, CALLER_PC, CALLER_FRAME);
  if (kind == TK_ADDRESS_IN_OBJECT && object.size <= MAX_READ_OBJECT && size <= 16) {
    if (how != size && !object.input) tk_check_uninitialised(site, &object, address, laddress, size);
    uint32_t label = tk_read_snapshot(&object, laddress, size);
    if (label) return label;
  }
  if (kind != TK_ADDRESS_FIXED) tk_count_concretised(site);
  if (!any_label(address, size)) return 0;
  if (size <= 16) return tk_label_of_memory(address, size);
  tk_count_concretised(site);
  return 0;
}

TK_SLOW void tk_store_slow(uint32_t site, uint64_t address, uint32_t laddress, uint32_t size, uint32_t label,
                           uint64_t low, uint64_t high) {
  tk_extent object;
  enum tk_address_kind kind = TK_ADDRESS_FIXED;
  if (laddress) kind = tk_check_address(site, address, laddress, size, &object);
  if (tk_in_arena(address)) tk_arena_touch(site, address, size, TK_FLAG_WRITTEN);
  else tk_check_poison(site, address, size, CALLER_PC, CALLER_FRAME);
  if (kind == TK_ADDRESS_IN_OBJECT && object.size <= MAX_WRITE_OBJECT && size <= 16) {
    tk_store_conditionally(&object, address, laddress, size, label, (tk_u128)high << 64 | low);
    return;
  }
  if (kind != TK_ADDRESS_FIXED) tk_count_concretised(site);
  if (label && size > 16) tk_count_concretised(site);
  tk_label_to_memory(address, size, label);
}

/* ---- Block operations ---- */

/* Checks one side of a block operation; its address, if symbolic, is concretised after its checks. */
static void check_block(uint32_t site, uint64_t address, uint32_t laddress, uint64_t length, uint32_t llength,
                        uint8_t mark) {
  tk_extent object;
  if (llength) tk_check_room(site, address, laddress, length, llength);
  if (!length) return;
  /* No object is that large: a negative length, or one that wrapped around. */
  if (length > INT64_MAX) tk_out_of_bounds(site, address);
  if (laddress && tk_check_address(site, address, laddress, length, &object) != TK_ADDRESS_FIXED)
    tk_count_concretised(site);
  if (tk_in_arena(address)) tk_arena_touch(site, address, length, mark);
  else if (length <= MAX_BLOCK) tk_check_poison(site, address, length, CALLER_PC, CALLER_FRAME);
  else if (tk_object_at(address, &object) && length > object.size - (address - object.base))
    tk_out_of_bounds(site, object.base + object.size);
}

/* True if an address lies in an object whose size no input decides: the program's own, or one that a declaration measures. */
static int is_measured(uint64_t address) {
  tk_extent object;
  if (!tk_in_arena(address)) return 1;
  return tk_object_at(address, &object) && object.sized && !object.sized->length_offset;
}

void tk_memcpy(uint32_t site, const void *destination, uint32_t ld, const void *source, uint32_t ls, uint64_t length,
               uint32_t ll) {
  if (ll) tk_count_concretised(site);
  /* What breaks both sides (a negative length does) is told for the object whose size is known. */
  int is_first = is_measured((uint64_t)destination);
  if (is_first) check_block(site, (uint64_t)destination, ld, length, ll, TK_FLAG_WRITTEN);
  check_block(site, (uint64_t)source, ls, length, ll, TK_FLAG_READ);
  tk_copies_block(site, (uint64_t)destination, (uint64_t)source, length);
  if (!is_first) check_block(site, (uint64_t)destination, ld, length, ll, TK_FLAG_WRITTEN);
  if (length <= MAX_BLOCK) tk_shadow_move((uint64_t)destination, (uint64_t)source, length);
  else tk_count_concretised(site);
}

void tk_memset(uint32_t site, const void *destination, uint32_t ld, uint32_t byte, uint32_t lb, uint64_t length,
               uint32_t ll) {
  (void)byte;
  if (ll) tk_count_concretised(site);
  check_block(site, (uint64_t)destination, ld, length, ll, TK_FLAG_WRITTEN);
  if (lb && tk_label_width(lb) != 8) lb = tk_node_extract(0, 8, lb);
  if (!lb) tk_shadow_clear((uint64_t)destination, length);
  else if (length <= MAX_BLOCK) fill_entries(tk_shadow((uint64_t)destination), length, lb << 4);
  else tk_count_concretised(site);
}
