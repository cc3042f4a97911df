/* Copies of text into objects of known size.
 *
 * Characters decide one by one where a text ends, so "it is too long" is no condition on one value. The engine is told
 * instead how long a text of the input would have to be; it makes one and looks. Numbers that become text are conditions.
 *
 * The models of copying functions ask here. What they are given by address may depend on the input: it is not lost. */
#include "private.h"

/* The call of the program that copies: its site, where it copies to, and how much lies from there to the end of the record
 * whose member it names; 0 if it names none. */
static struct {
  uint32_t site;
  uint64_t to, room;
} current;

void tk_copy_call(uint32_t site, const void *to, uint64_t room) {
  current.site = site;
  current.to = (uint64_t)to;
  current.room = room;
}

/* A record of the input may be one of many, so its object does not end where it does. */
static int ends_with_record(uint64_t to, const tk_extent *object) {
  return object->input && !object->sized && to - current.to < current.room;
}

uint64_t tk_room(const void *to) {
  tk_extent object;
  uint64_t address = (uint64_t)to;
  if (!tk_object_at(address, &object)) return TK_NO_ROOM_KNOWN;
  if (ends_with_record(address, &object)) return current.room - (address - current.to);
  if (object.input && !object.sized) return TK_NO_ROOM_KNOWN;
  return object.size - (address - object.base);
}

/* ---- Texts ---- */

/* The input byte that a byte of memory comes from. */
static int comes_from(uint64_t address, uint32_t *byte) {
  enum { STEPS = 8 };
  if (tk_in_arena(address)) {
    *byte = (uint32_t)(address - TK_ARENA_BASE);
    return 1;
  }
  uint32_t label = tk_label_entry(*tk_shadow(address)) >> 4;
  for (uint32_t step = 0; label && step < STEPS; step++) {
    const tk_node *node = tk_label_node(label);
    if (!node) {
      *byte = label - 1;
      return 1;
    }
    label = node->a;
  }
  return 0;
}

static void want(uint32_t at, uint64_t length) {
  tk_header *header = TK_HEADER;
  uint32_t count = header->long_text_count, most = sizeof header->long_texts / sizeof *header->long_texts;
  if (length > TK_ARENA_SIZE || count >= most) return;
  for (uint32_t i = 0; i < count; i++)
    if (header->long_texts[i].at == at && header->long_texts[i].length == length) return;
  header->long_texts[count] = (tk_long_text){at, (uint32_t)length};
  header->long_text_count = count + 1;
}

/* Characters before the end of a text, as far as its object is known. */
static uint64_t text_length(uint64_t from) {
  tk_extent object;
  uint64_t length = 0;
  if (!tk_object_at(from, &object)) return 0;
  while (from + length < object.base + object.size && ((const char *)from)[length]) length++;
  return length;
}

void tk_wants_text(const void *from, const uint64_t *length) {
  uint32_t at;
  uint64_t text = (uint64_t)from;
  if (comes_from(text, &at) && text_length(text) < *length) want(at, *length);
}

/* Tells that a text has no end among its first characters, and that this is what goes wrong now. */
static void tell_too_long(uint32_t site, uint64_t from, uint64_t length) {
  enum { LOOKED_AT = 256 };
  uint32_t ends = 0, zero = tk_node_const(8, 0);
  for (uint64_t i = 0; zero && i < length && i < LOOKED_AT; i++) {
    uint32_t character = tk_label_of_memory(from + i, 1);
    uint32_t is_end = character ? tk_node_make(TK_OP_EQ, 1, character, zero, 0) : 0;
    ends = ends && is_end ? tk_node_make(TK_OP_OR, 1, ends, is_end, 0) : is_end ? is_end : ends;
  }
  if (ends) tk_log(site, TK_EVENT_UNDEFINED, 0, ends, 0);
}

void tk_copies_text(const void *to, const void *from, const uint64_t *most, const uint64_t *more) {
  uint64_t room = tk_room(to), length = text_length((uint64_t)from);
  if (room == TK_NO_ROOM_KNOWN) return;
  if (length > *most) length = *most;
  uint64_t needed = room >= *more ? room - *more + 1 : 0;
  if (length < needed) {
    if (needed <= *most) tk_wants_text(from, &needed);
  } else {
    tell_too_long(current.site, (uint64_t)from, needed);
    tk_out_of_bounds(current.site, (uint64_t)to + room);
  }
}

void tk_copies_block(uint32_t site, uint64_t to, uint64_t from, uint64_t length) {
  /* Only what was measured to be the text: as many bytes as it has, with or without its end. */
  if (!length || !tk_in_arena(from) || text_length(from) - (length - 1) > 1) return;
  tk_extent object;
  if (!tk_object_at(to, &object) || (object.input && !object.sized)) return;
  uint64_t room = object.size - (to - object.base), needed = room + 1;
  if (length > room) tell_too_long(site, from, room);
  else tk_wants_text((const void *)from, &needed);
}

/* ---- Numbers ---- */

void tk_fits(uint32_t fits, uint32_t label) {
  if (label && tk_is_worth_telling(current.site, fits)) tk_log(current.site, TK_EVENT_UNDEFINED, fits != 0, label, 0);
  if (!fits) tk_out_of_bounds(current.site, current.to + tk_room((const void *)current.to));
}
