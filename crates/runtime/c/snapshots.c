/* Objects under a symbolic address: a load reads from a snapshot, a store updates every place it may have meant. */
#include "private.h"

#define MAX_ALIGNMENT_DEPTH 6

/* ---- Loads ---- */

static uint8_t *table_bytes(const tk_table *table) { return TK_TABLE_DATA + table->data; }

static uint32_t *table_entries(const tk_table *table) {
  return (uint32_t *)(TK_TABLE_DATA + ((table->data + table->size + 3) & ~3ull));
}

static int unchanged(const tk_table *table, const tk_extent *object) {
  if (table->base != object->base || table->size != object->size) return 0;
  const uint8_t *now = (const uint8_t *)object->base, *then = table_bytes(table);
  const uint32_t *entries_now = tk_shadow(object->base), *entries_then = table_entries(table);
  uint32_t changed = 0;
  for (uint32_t i = 0; i < table->size; i++) changed |= (uint32_t)(now[i] ^ then[i]) | (tk_label_entry(entries_now[i]) ^ entries_then[i]);
  return !changed;
}

static int new_table(const tk_extent *object, uint32_t *index) {
  uint64_t data = (TK_HEADER->table_data_used + 3) & ~3ull, entries = (data + object->size + 3) & ~3ull;
  if (TK_HEADER->table_count >= TK_MAX_TABLES || entries + 4 * object->size > TK_TABLE_DATA_SIZE) return 0;
  *index = TK_HEADER->table_count++;
  TK_TABLES[*index] = (tk_table){object->base, (uint32_t)object->size, 0, data};
  TK_HEADER->table_data_used = entries + 4 * object->size;
  tk_copy_bytes(TK_TABLE_DATA + data, (const void *)object->base, object->size);
  uint32_t *to = (uint32_t *)(TK_TABLE_DATA + entries);
  const uint32_t *from = tk_shadow(object->base);
  for (uint64_t i = 0; i < object->size; i++) to[i] = tk_label_entry(from[i]);
  return 1;
}

/* The snapshot of an object as it is now: the last one if nothing changed since. */
static int snapshot(const tk_extent *object, uint32_t *index) {
  uint32_t hash = (uint32_t)((object->base * 0x9e3779b97f4a7c15ull) >> 49);
  uint32_t *last = &TK_PRIVATE->table_of_base[hash];
  if (*last && unchanged(&TK_TABLES[*last - 1], object)) {
    *index = *last - 1;
    return 1;
  }
  if (!new_table(object, index)) return 0;
  *last = *index + 1;
  return 1;
}

uint32_t tk_read_snapshot(const tk_extent *object, uint32_t laddress, uint32_t size) {
  uint32_t index;
  return snapshot(object, &index) ? tk_node_make(TK_OP_READ, 8 * size, laddress, index, 0) : 0;
}

/* ---- Stores ---- */

/* How many low bits of a value are certainly zero: an element's address is a multiple of its size. */
static uint32_t zero_bits(uint32_t label, uint32_t depth) {
  uint64_t value;
  if (tk_is_const(label, &value)) return value ? (uint32_t)__builtin_ctzll(value) : 64;
  uint32_t offset;
  if (tk_is_input_pointer(label, &offset)) {
    /* Null or the start of its object, which the engine aligns. */
    uint64_t pointer;
    if (!tk_input_pointer_value(offset, &pointer)) return 0;
    return pointer ? (uint32_t)__builtin_ctzll(pointer) : 64;
  }
  const tk_node *node = tk_label_node(label);
  if (!node || depth == 0) return 0;
  uint32_t a, b;
  switch (node->op) {
    case TK_OP_ADD:
    case TK_OP_SUB:
    case TK_OP_MUL:
      a = zero_bits(node->a, depth - 1);
      b = zero_bits(node->b, depth - 1);
      if (node->op == TK_OP_MUL) return a + b;
      return a < b ? a : b;
    case TK_OP_SHL: return tk_is_const(node->b, &value) && value < 64 ? (uint32_t)value : 0;
    case TK_OP_ZEXT:
    case TK_OP_SEXT: return zero_bits(node->a, depth - 1);
    default: return 0;
  }
}

static uint32_t is_at(uint32_t laddress, uint64_t address) {
  uint32_t constant = tk_node_const(64, address);
  return constant ? tk_node_make(TK_OP_EQ, 1, laddress, constant, 0) : 0;
}

/* `address == place ? stored : what is there`, as the new label of that place. */
static void update_place(uint64_t place, uint32_t size, uint32_t condition, uint32_t stored) {
  uint32_t old = tk_label_of_memory(place, size);
  if (!old) {
    tk_u128 value = 0;
    for (uint32_t i = size; i--;) value = value << 8 | ((const uint8_t *)place)[i];
    old = tk_node_const128(8 * size, value);
  }
  uint32_t label = old == stored ? old : condition && old ? tk_node_make(TK_OP_ITE, 8 * size, condition, stored, old) : 0;
  tk_label_to_memory(place, size, label);
}

void tk_store_conditionally(const tk_extent *object, uint64_t address, uint32_t laddress, uint32_t size, uint32_t label,
                            tk_u128 value) {
  if (!label) label = tk_node_const128(8 * size, value);
  else if (tk_label_width(label) < 8 * size) label = tk_node_make(TK_OP_ZEXT, 8 * size, label, 0, 0);
  if (!label) return tk_label_to_memory(address, size, 0);
  uint32_t bits = zero_bits(laddress, MAX_ALIGNMENT_DEPTH);
  uint64_t stride = 1ull << (bits < 8 ? bits : 8);
  /* Only trust an alignment that the concrete address has as well. */
  if (address % stride) stride = 1;
  uint64_t first = (object->base + stride - 1) / stride * stride, end = object->base + object->size;
  if (stride >= size) {
    for (uint64_t place = first; place + size <= end; place += stride)
      update_place(place, size, is_at(laddress, place), label);
    return;
  }
  /* Places overlap: byte by byte, so that every byte knows each place it may have been written from. */
  for (uint64_t place = first; place + size <= end; place += stride) {
    uint32_t condition = is_at(laddress, place);
    for (uint32_t i = 0; i < size; i++) {
      uint32_t byte = tk_node_extract(8 * i, 8, label);
      if (!byte) byte = tk_node_const(8, (uint8_t)(value >> (8 * i)));
      update_place(place + i, 1, condition, byte);
    }
  }
}
