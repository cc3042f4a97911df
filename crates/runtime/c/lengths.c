/* Input objects whose number of elements is itself an input: an access is a condition on that number.
 *
 * The engine gives such an object `n * element` bytes, n being the value in the input cut to 0 .. most. So the condition
 * "the access ends within n elements", together with the check against the most there can be, is what decides whether
 * the access is a fault.
 */
#include "private.h"

/* The label of the number of elements, as 64 bits; 0 if it is not symbolic. */
static uint32_t number_label(const tk_object *object) {
  /* Loops ask about one object again and again. */
  static const tk_object *last;
  static uint32_t last_label;
  if (object == last) return last_label;
  last = object;
  last_label = 0;
  uint32_t first = object->length_offset - 1, bytes = object->length_bits / 8, number = 0, symbolic = 0;
  if (!object->length_offset || !bytes || bytes > 8 || object->length_bits % 8) return 0;
  for (uint32_t i = 0; i < bytes; i++) {
    uint32_t is_symbolic = TK_FLAGS[first + i] & TK_FLAG_SYMBOLIC;
    uint32_t byte = is_symbolic ? first + i + 1 : tk_node_const(8, *(const uint8_t *)(TK_ARENA_BASE + first + i));
    symbolic |= is_symbolic;
    number = i ? tk_node_concat(byte, number) : byte;
  }
  if (symbolic && number)
    last_label = bytes == 8 ? number
                            : tk_node_make(object->length_signed ? TK_OP_SEXT : TK_OP_ZEXT, 64, number, 0, 0);
  return last_label;
}

/* `low <= high`, signed if the number is: a negative number then counts as no elements at all. */
static uint32_t at_most(const tk_object *object, uint32_t low, uint32_t high) {
  return low && high ? tk_node_make(object->length_signed ? TK_OP_SLE : TK_OP_ULE, 1, low, high, 0) : 0;
}

/* `number * element`, which must not wrap: a number of 64 bits is cut to the most there can be (and to 0) first. */
static uint32_t bytes_label(const tk_object *object, uint32_t number) {
  if (object->element == 1) return number;
  if (object->length_bits == 64) {
    uint32_t most = tk_node_const(64, tk_most_bytes(object) / object->element), zero = tk_node_const(64, 0);
    uint32_t fits = at_most(object, number, most);
    number = fits ? tk_node_make(TK_OP_ITE, 64, fits, number, most) : 0;
    uint32_t positive = object->length_signed && number ? at_most(object, zero, number) : 0;
    if (object->length_signed) number = positive ? tk_node_make(TK_OP_ITE, 64, positive, number, zero) : 0;
  }
  uint32_t element = tk_node_const(64, object->element);
  return number && element ? tk_node_make(TK_OP_MUL, 64, number, element, 0) : 0;
}

/* "The access ends within the elements", for an access that begins within the most there can be. */
static uint32_t length_check(const tk_extent *object, uint64_t offset, uint32_t label, uint64_t access,
                             uint32_t laccess) {
  const tk_object *sized = object->sized;
  uint32_t number = sized->element ? number_label(sized) : 0;
  if (!number) return 0;
  if (!label && !laccess) {
    /* Without a multiplication: how many elements it takes. */
    uint64_t needed = (offset + access + sized->element - 1) / sized->element;
    return at_most(sized, tk_node_const(64, needed), number);
  }
  uint32_t base = tk_node_const(64, object->base), length = laccess ? laccess : tk_node_const(64, access);
  uint32_t start = !label ? tk_node_const(64, offset) : base ? tk_node_make(TK_OP_SUB, 64, label, base, 0) : 0;
  uint32_t end = start && length ? tk_node_make(TK_OP_ADD, 64, start, length, 0) : 0;
  return at_most(sized, end, bytes_label(sized, number));
}

void tk_check_length(uint32_t site, const tk_extent *object, uint64_t address, uint32_t label, uint64_t access,
                     uint32_t laccess) {
  uint64_t offset = address - object->base, most = tk_most_bytes(object->sized);
  int inside = access <= object->size && offset <= object->size - access;
  if (access <= most && offset <= most - access) {
    uint32_t check = length_check(object, offset, label, access, laccess);
    if (check) tk_log_check(site, (uint32_t)inside, check, 0);
  }
  if (inside || !tk_leaving_is_fault(object->sized)) return;
  tk_out_of_bounds(site, offset < object->size ? object->base + object->size : address);
}

/* ---- Lengths of block operations ---- */

/* The label of what is left of a block of the heap behind an address; 0 if no input decides how large it is. */
static uint32_t left_of_block(const tk_extent *object, uint64_t address) {
  const tk_heap_node *node = object->input ? 0 : tk_heap_block(address);
  uint32_t size = node ? node->size_label : 0, before = size ? tk_node_const(64, address - node->base) : 0;
  return before ? tk_node_make(TK_OP_SUB, 64, size, before, 0) : 0;
}

void tk_check_room(uint32_t site, uint64_t address, uint32_t laddress, uint64_t length, uint32_t label) {
  tk_extent object;
  uint32_t width = tk_label_width(label);
  if (width < 64) label = tk_node_make(TK_OP_ZEXT, 64, label, 0, 0);
  if (!label || width > 64) return;
  if (address < TK_NULL_PAGE) {
    /* Nothing may be at null, so that nothing happens is for the length to decide. */
    uint32_t nothing = length ? 0 : tk_node_make(TK_OP_ULE, 1, label, tk_node_const(64, 0), 0);
    if (nothing) tk_log_check(site, 1, nothing, 0);
    return;
  }
  if (!tk_object_at(address, &object)) return;
  int counted = object.sized && object.sized->length_offset, guessed = object.input && !object.sized;
  uint64_t most = counted ? tk_most_bytes(object.sized) : object.size, offset = address - object.base;
  uint64_t room = offset < most ? most - offset : 0;
  uint32_t left = laddress ? 0 : left_of_block(&object, address);
  uint32_t limit = left ? left : tk_node_const(64, laddress ? object.base + most : room);
  /* The room shrinks where the address grows; the checks of the address hold it inside. */
  if (laddress && limit) limit = tk_node_make(TK_OP_SUB, 64, limit, laddress, 0);
  uint32_t check = limit ? tk_node_make(TK_OP_ULE, 1, label, limit, 0) : 0;
  if (check) tk_log_check(site, length <= room, check, counted || guessed);
  if (object.sized && offset <= object.size) tk_check_length(site, &object, address, 0, length, label);
}
