/* Words that the program compares texts of the input with.
 *
 * A text that a loop copied out of the input has the length that the loop gave it: where it is compared with a word of
 * another length, no other characters on the same way make the two equal. The engine is told the word, and from which bytes
 * of the input the text was copied; it puts the word there and looks. A text that is compared where it stands in the input
 * needs none of this: its end is a byte like the others.
 *
 * The models of comparing functions ask here. */
#include "private.h"

/* The input byte that a byte of memory is an unchanged copy of. */
static int is_copy(uint64_t address, uint32_t *byte) {
  uint32_t entry = tk_label_entry(*tk_shadow(address)), label = entry >> 4;
  if (!label || entry & 15 || tk_label_node(label)) return 0;
  *byte = label - 1;
  return TK_ARENA_BASE + *byte != address;
}

/* Bytes from an address to the end of its object, at most so many. */
static uint64_t bytes_at(uint64_t address, uint64_t most) {
  tk_extent object;
  if (!tk_object_at(address, &object)) return 0;
  uint64_t size = object.base + object.size - address;
  return size < most ? size : most;
}

static int is_same(const tk_met_word *one, const tk_met_word *other) {
  if (one->at != other->at || one->taken != other->taken || one->length != other->length) return 0;
  for (uint32_t i = 0; i < one->length; i++)
    if (one->word[i] != other->word[i]) return 0;
  return 1;
}

static void meets(uint64_t text, uint64_t word, uint64_t most) {
  enum { LONGEST_TEXT = 256 };
  tk_header *header = TK_HEADER;
  tk_met_word met = {0};
  uint32_t count = header->met_word_count, from;
  if (count >= sizeof header->compared_words / sizeof *header->compared_words || !is_copy(text, &met.at)) return;
  const uint8_t *characters = (const uint8_t *)text, *letters = (const uint8_t *)word;
  uint64_t size = bytes_at(text, most < LONGEST_TEXT ? most : LONGEST_TEXT);
  while (met.taken < size && characters[met.taken] && is_copy(text + met.taken, &from) && from == met.at + met.taken)
    met.taken++;
  size = bytes_at(word, most);
  uint32_t equal = 1;
  for (; met.length < size && letters[met.length]; met.length++) {
    if (met.length == sizeof met.word || tk_label_entry(*tk_shadow(word + met.length))) return;
    met.word[met.length] = letters[met.length];
    equal &= met.length < met.taken && letters[met.length] == characters[met.length];
  }
  if (!met.taken || !met.length || (equal && met.length == met.taken)) return;
  for (uint32_t i = 0; i < count; i++)
    if (is_same(&header->compared_words[i], &met)) return;
  header->compared_words[count] = met;
  header->met_word_count = count + 1;
}

void tk_compares_text(const void *left, const void *right, const uint64_t *most) {
  meets((uint64_t)left, (uint64_t)right, *most);
  meets((uint64_t)right, (uint64_t)left, *most);
}
