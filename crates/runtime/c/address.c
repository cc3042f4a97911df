/* Symbolic addresses: which object is meant, and the checks that an access implies.
 *
 * An address is usually a sum with one term that names the object: a constant (a global, stack or heap address) or an
 * input pointer. The checks speak about that object, so an index that leaves it is a failed check rather than a
 * surprise elsewhere. Only when no such term is found, the object is the one the concrete address lies in.
 */
#include "private.h"


#define MAX_SUM_DEPTH 6
#define MAX_TERMS 16

/* Eight consecutive input bytes joined in order: a pointer as the engine made it. */
int tk_is_input_pointer(uint32_t label, uint32_t *arena_offset) {
  uint32_t expected = 0;
  for (uint32_t byte = 7; byte; byte--) {
    const tk_node *node = tk_label_node(label);
    if (!node || node->op != TK_OP_CONCAT || node->width != 8 * (byte + 1)) return 0;
    if (byte == 7) expected = node->a;
    if (node->a != expected || tk_label_node(node->a)) return 0;
    expected--;
    label = node->b;
  }
  if (label != expected || label == 0 || tk_label_node(label)) return 0;
  *arena_offset = label - 1;
  return 1;
}

/* Takes constant terms off a sum and adds them up. */
static uint32_t without_constants(uint32_t label, uint64_t *sum) {
  uint64_t term;
  for (*sum = 0;;) {
    const tk_node *node = tk_label_node(label);
    if (!node || (node->op != TK_OP_ADD && node->op != TK_OP_SUB)) return label;
    if (tk_is_const(node->b, &term)) {
      *sum += node->op == TK_OP_ADD ? term : -term;
      label = node->a;
    } else if (node->op == TK_OP_ADD && tk_is_const(node->a, &term)) {
      *sum += term;
      label = node->b;
    } else {
      return label;
    }
  }
}

/* The value the engine gave to eight input bytes, unless the unit has overwritten them since. */
int tk_input_pointer_value(uint32_t offset, uint64_t *value) {
  for (uint32_t i = 0; i < 8; i++)
    if (TK_FLAGS[offset + i] & TK_FLAG_WRITTEN) return 0;
  tk_copy_bytes(value, (const void *)(TK_ARENA_BASE + offset), 8);
  return 1;
}

/* A 64-bit integer input looks like a pointer; but a pointer's value is null or the address of an object. */
static int is_object_address(uint64_t value) {
  tk_extent object;
  return tk_in_arena(value) || tk_object_at(value, &object);
}

int tk_points_to_input(uint32_t label) {
  uint64_t sum, value;
  uint32_t offset;
  return tk_is_input_pointer(without_constants(label, &sum), &offset) && tk_input_pointer_value(offset, &value) &&
         is_object_address(value);
}

/* A term of the sum that an address is. */
typedef struct {
  uint32_t label;    /* 0 if it is a constant */
  uint32_t negative; /* it is taken away */
  uint64_t value;    /* of a constant or of an input pointer */
} term;

typedef struct {
  term terms[MAX_TERMS];
  uint32_t count;
} sum_terms;

static void gather_terms(uint32_t label, uint32_t depth, uint32_t negative, sum_terms *sum) {
  uint32_t offset;
  uint64_t value;
  if (sum->count == MAX_TERMS) return;
  if (tk_is_const(label, &value)) {
    sum->terms[sum->count++] = (term){0, negative, value};
  } else if (tk_is_input_pointer(label, &offset)) {
    if (tk_input_pointer_value(offset, &value)) sum->terms[sum->count++] = (term){label, negative, value};
  } else {
    const tk_node *node = tk_label_node(label);
    if (!node || depth == 0 || (node->op != TK_OP_ADD && node->op != TK_OP_SUB)) return;
    gather_terms(node->a, depth - 1, negative, sum);
    gather_terms(node->b, depth - 1, node->op == TK_OP_SUB ? !negative : negative, sum);
  }
}

/* Which terms of a sum may name the object, the surest first. */
enum origin_kind { ORIGIN_CONSTANT, ORIGIN_POINTER, ORIGIN_NULL, ORIGIN_KINDS };

static int may_name(const term *candidate, enum origin_kind kind) {
  tk_extent object;
  switch (kind) {
    case ORIGIN_CONSTANT: return !candidate->label && tk_object_at(candidate->value, &object);
    case ORIGIN_POINTER: return candidate->label && is_object_address(candidate->value);
    default: return candidate->label && candidate->value == 0;
  }
}

/* True if another term takes an address of the same object away: what is left is a distance, as in `to + (p - from)`. */
static int is_cancelled(const sum_terms *sum, uint32_t index) {
  tk_extent object;
  const term *candidate = &sum->terms[index];
  int known = tk_object_at(candidate->value, &object);
  for (uint32_t i = 0; i < sum->count; i++) {
    const term *other = &sum->terms[i];
    if (!other->negative) continue;
    /* One past its end is still an address of the object. */
    if (other->value == candidate->value || (known && other->value - object.base <= object.size)) return 1;
  }
  return 0;
}

/* The term that names the object, and whether no other could. */
static int find_origin(uint32_t label, term *found, int *sure) {
  sum_terms sum = {.count = 0};
  gather_terms(label, MAX_SUM_DEPTH, 0, &sum);
  for (enum origin_kind kind = 0; kind < ORIGIN_KINDS; kind++) {
    uint32_t names = 0;
    for (uint32_t i = 0; i < sum.count; i++) {
      if (sum.terms[i].negative || !may_name(&sum.terms[i], kind) || is_cancelled(&sum, i)) continue;
      if (!names++) *found = sum.terms[i];
    }
    *sure = names == 1 && sum.count < MAX_TERMS;
    if (names) return 1;
  }
  return 0;
}

/* True if the address is an input pointer plus a constant, so that after its null check it can be nothing else. */
static int is_fixed(uint64_t address, uint32_t bare, uint64_t sum) {
  uint32_t offset;
  tk_extent object;
  uint64_t pointer = address - sum;
  return tk_is_input_pointer(bare, &offset) && (pointer == 0 || is_object_address(pointer)) && !tk_object_at(sum, &object);
}

static void check_not_null(uint32_t site, uint32_t label, uint64_t value) {
  uint32_t limit = tk_node_const(64, TK_NULL_PAGE);
  uint32_t check = limit ? tk_node_make(TK_OP_ULE, 1, limit, label, 0) : 0;
  if (check) tk_log_check(site, value >= TK_NULL_PAGE, check, TK_CHECK_OF_NULL);
}

static void log_order(uint32_t site, uint32_t low, uint32_t high, int holds, uint32_t guess) {
  uint32_t check = low && high ? tk_node_make(TK_OP_SLE, 1, low, high, 0) : 0;
  if (check) tk_log_check(site, (uint32_t)holds, check, guess);
}

/* Not below the first byte, and not beyond the last: two conditions on the distance from the first byte, because leaving
 * an object at either end is a find of its own. Says whether both hold. */
static int check_inside(uint32_t site, const tk_extent *object, uint64_t address, uint32_t label, uint64_t access) {
  /* A guessed size, and the most that elements are made of, are bounds of the engine: not worth breaking. */
  int counted = object->sized && object->sized->length_offset, guessed = object->input && !object->sized;
  uint64_t most = counted ? tk_most_bytes(object->sized) : object->size;
  if (access > most) return 0;
  int64_t distance = (int64_t)(address - object->base), last = (int64_t)(most - access);
  uint32_t base = tk_node_const(64, object->base);
  uint32_t offset = base ? tk_node_make(TK_OP_SUB, 64, label, base, 0) : 0;
  log_order(site, tk_node_const(64, 0), offset, distance >= 0, (uint32_t)guessed);
  log_order(site, offset, tk_node_const(64, (uint64_t)last), distance <= last, (uint32_t)(counted || guessed));
  return distance >= 0 && distance <= last;
}

enum tk_address_kind tk_check_address(uint32_t site, uint64_t address, uint32_t label, uint64_t size,
                                      tk_extent *object) {
  uint64_t sum;
  uint32_t bare = without_constants(label, &sum);
  if (is_fixed(address, bare, sum)) {
    check_not_null(site, bare, address - sum);
    if (tk_object_at(address - sum, object) && object->sized) tk_check_length(site, object, address, 0, size, 0);
    return TK_ADDRESS_FIXED;
  }
  term from;
  int sure = 0, known = find_origin(label, &from, &sure);
  if (!known) from = (term){label, 0, address};
  if (from.label) check_not_null(site, from.label, from.value);
  if (from.value < TK_NULL_PAGE) return TK_ADDRESS_FIXED;
  if (!tk_object_at(from.value, object)) return TK_ADDRESS_UNKNOWN;
  int inside = check_inside(site, object, address, label, size);
  if (object->sized) tk_check_length(site, object, address, label, size, 0);
  if (inside) return TK_ADDRESS_IN_OBJECT;
  if (object->sized) {
    /* The input asked for more than the engine makes: where the access would go then, nobody knows. */
    TK_HEADER->fault_address = object->base + object->size;
    TK_HEADER->fault_site = site + 1;
    TK_FINISH_HERE(TK_END_INPUT_BOUND, 0);
  }
  if (sure && !object->input) tk_out_of_bounds(site, address);
  if (!tk_object_at(address, object)) return TK_ADDRESS_UNKNOWN;
  return check_inside(site, object, address, label, size) ? TK_ADDRESS_IN_OBJECT : TK_ADDRESS_UNKNOWN;
}
