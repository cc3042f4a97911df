/* The node table: hash-consed, append-only, in shared memory; its hash table is private to the run.
 *
 * A label of 0 where a node was asked for means "concrete": the table is full, or the bits are constant.
 */
#include "private.h"

#define FIRST_NODE_LABEL (1 + (uint32_t)TK_ARENA_SIZE)
#define FIRST_TABLE_BITS 10u
#define WINDOW (65536u / sizeof(tk_node))

TK_HOT_TABLE static uint32_t first_slots[1u << FIRST_TABLE_BITS];
static uint32_t grown; /* how often the hash table was doubled */

const tk_node *tk_label_node(uint32_t label) {
  return label >= FIRST_NODE_LABEL ? &TK_NODES[label - FIRST_NODE_LABEL] : 0;
}

uint32_t tk_label_width(uint32_t label) {
  const tk_node *node = tk_label_node(label);
  return node ? node->width : 8;
}

int tk_is_const(uint32_t label, uint64_t *value) {
  const tk_node *node = tk_label_node(label);
  if (!node || node->op != TK_OP_CONST) return 0;
  *value = (uint64_t)node->c << 32 | node->b;
  return 1;
}

/* ---- Hash-consing ---- */

static uint32_t hash_node(const tk_node *node) {
  uint64_t head = (uint64_t)node->a << 32 | (uint64_t)node->width << 8 | node->op;
  uint64_t tail = (uint64_t)node->c << 32 | node->b;
  uint64_t hash = (head ^ 0x9e3779b97f4a7c15ull) * 0xd6e8feb86659fd93ull;
  hash = (hash ^ (hash >> 32) ^ tail) * 0xff51afd7ed558ccdull;
  return (uint32_t)(hash ^ (hash >> 32));
}

static int same_node(const tk_node *x, const tk_node *y) {
  return x->op == y->op && x->width == y->width && x->a == y->a && x->b == y->b && x->c == y->c;
}

/* The slot that holds the node, or the empty one where it belongs. */
static uint32_t *find_slot(const tk_node *node) {
  uint32_t slots = 1u << (FIRST_TABLE_BITS + grown), mask = slots - 1;
  uint32_t *table = grown ? TK_PRIVATE->slots + slots : first_slots;
  uint32_t at = hash_node(node) & mask;
  while (table[at] && !same_node(&TK_NODES[table[at] - 1], node)) at = (at + 1) & mask;
  return &table[at];
}

static void grow_table(uint32_t count) {
  grown++;
  for (uint32_t index = 0; index < count; index++) *find_slot(&TK_NODES[index]) = index + 1;
}

uint32_t tk_node_make(uint8_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c) {
  tk_node node = {op, 0, (uint16_t)width, a, b, c};
  uint32_t *slot = find_slot(&node);
  if (*slot) return *slot - 1 + FIRST_NODE_LABEL;
  uint32_t count = TK_HEADER->node_count;
  if (count >= TK_MAX_NODES) {
    TK_HEADER->nodes_dropped = 1;
    return 0;
  }
  /* Reading first lets the kernel map a whole window of pages, where each write would map one. */
  if (count % WINDOW == 0) (void)*(const volatile uint32_t *)&TK_NODES[count];
  TK_NODES[count] = node;
  TK_HEADER->node_count = count + 1;
  *slot = count + 1;
  if ((count + 1) * 2 > 1u << (FIRST_TABLE_BITS + grown)) grow_table(count + 1);
  return count + FIRST_NODE_LABEL;
}

/* ---- Constants, parts and joins ---- */

uint32_t tk_node_const(uint32_t width, uint64_t value) {
  if (width < 64) value &= (1ull << width) - 1;
  return tk_node_make(TK_OP_CONST, width, 0, (uint32_t)value, (uint32_t)(value >> 32));
}

uint32_t tk_node_const128(uint32_t width, tk_u128 value) {
  if (width <= 64) return tk_node_const(width, (uint64_t)value);
  uint32_t high = tk_node_const(width - 64, (uint64_t)(value >> 64));
  uint32_t low = tk_node_const(64, (uint64_t)value);
  return high && low ? tk_node_make(TK_OP_CONCAT, width, high, low, 0) : 0;
}

uint32_t tk_node_extract(uint32_t first, uint32_t width, uint32_t label) {
  for (;;) {
    if (first == 0 && width == tk_label_width(label)) return label;
    const tk_node *node = tk_label_node(label);
    if (!node) break;
    if (node->op == TK_OP_EXTRACT) {
      first += node->b;
      label = node->a;
    } else if (node->op == TK_OP_CONCAT) {
      uint32_t low_width = tk_label_width(node->b);
      if (first >= low_width) {
        first -= low_width;
        label = node->a;
      } else if (first + width <= low_width) {
        label = node->b;
      } else {
        break;
      }
    } else if (node->op == TK_OP_ZEXT) {
      uint32_t inner = tk_label_width(node->a);
      if (first >= inner) return 0;
      if (first + width > inner) break;
      label = node->a;
    } else if (node->op == TK_OP_SEXT && first + width <= tk_label_width(node->a)) {
      label = node->a;
    } else if (node->op == TK_OP_CONST) {
      return 0;
    } else {
      break;
    }
  }
  return tk_node_make(TK_OP_EXTRACT, width, label, first, 0);
}

uint32_t tk_node_concat(uint32_t high, uint32_t low) {
  if (!high || !low) return 0;
  uint32_t width = tk_label_width(high) + tk_label_width(low);
  const tk_node *h = tk_label_node(high), *l = tk_label_node(low);
  if (h && l && h->op == TK_OP_EXTRACT && l->op == TK_OP_EXTRACT && h->a == l->a && h->b == l->b + l->width)
    return tk_node_extract(l->b, width, l->a);
  return tk_node_make(TK_OP_CONCAT, width, high, low, 0);
}

uint32_t tk_constant(uint32_t width, uint64_t value) { return tk_node_const(width, value); }

/* ---- Operations ---- */

static uint32_t binary(uint32_t op, uint32_t width, uint32_t operand_width, uint32_t la, uint32_t lb, tk_u128 a,
                       tk_u128 b) {
  if (!la) la = tk_node_const128(operand_width, a);
  if (!lb) lb = tk_node_const128(operand_width, b);
  if (!la || !lb) return 0;
  return op == TK_OP_CONCAT ? tk_node_concat(la, lb) : tk_node_make((uint8_t)op, width, la, lb, 0);
}

#define WIDE(low, high) ((tk_u128)(high) << 64 | (low))

TK_SLOW uint32_t tk_binary_slow(uint32_t op, uint32_t width, uint32_t operand_width, uint32_t la, uint32_t lb,
                                uint64_t a, uint64_t b) {
  return binary(op, width, operand_width, la, lb, a, b);
}

TK_SLOW uint32_t tk_binary128_slow(uint32_t op, uint32_t width, uint32_t operand_width, uint32_t la, uint32_t lb,
                                   uint64_t a_low, uint64_t a_high, uint64_t b_low, uint64_t b_high) {
  return binary(op, width, operand_width, la, lb, WIDE(a_low, a_high), WIDE(b_low, b_high));
}

static uint32_t divide(uint32_t site, uint32_t op, uint32_t width, uint32_t la, uint32_t lb, tk_u128 a, tk_u128 b) {
  if (width < 128) b &= ((tk_u128)1 << width) - 1;
  if (lb) {
    uint32_t zero = tk_node_const128(width, 0);
    uint32_t check = zero ? tk_node_make(TK_OP_NE, 1, lb, zero, 0) : 0;
    if (check) tk_log_check(site, b != 0, check, 0);
  }
  /* The division itself is about to trap. */
  if (b == 0) return 0;
  return binary(op, width, width, la, lb, a, b);
}

TK_SLOW uint32_t tk_divide_slow(uint32_t site, uint32_t op, uint32_t width, uint32_t la, uint32_t lb, uint64_t a,
                                uint64_t b) {
  return divide(site, op, width, la, lb, a, b);
}

TK_SLOW uint32_t tk_divide128_slow(uint32_t site, uint32_t op, uint32_t width, uint32_t la, uint32_t lb,
                                   uint64_t a_low, uint64_t a_high, uint64_t b_low, uint64_t b_high) {
  return divide(site, op, width, la, lb, WIDE(a_low, a_high), WIDE(b_low, b_high));
}

TK_SLOW uint32_t tk_unary_slow(uint32_t op, uint32_t width, uint32_t la) {
  int extends = op == TK_OP_ZEXT || op == TK_OP_SEXT || op == TK_OP_FTOF;
  if (extends && tk_label_width(la) == width) return la;
  return tk_node_make((uint8_t)op, width, la, 0, 0);
}

TK_SLOW uint32_t tk_extract_slow(uint32_t first, uint32_t width, uint32_t la) {
  return tk_node_extract(first, width, la);
}

static uint32_t compare_floats(uint32_t predicate, uint32_t width, uint32_t la, uint32_t lb, tk_u128 a, tk_u128 b) {
  if (!la) la = tk_node_const128(width, a);
  if (!lb) lb = tk_node_const128(width, b);
  return la && lb ? tk_node_make(TK_OP_FCMP, 1, la, lb, predicate) : 0;
}

TK_SLOW uint32_t tk_fcmp_slow(uint32_t predicate, uint32_t width, uint32_t la, uint32_t lb, uint64_t a, uint64_t b) {
  return compare_floats(predicate, width, la, lb, a, b);
}

TK_SLOW uint32_t tk_fcmp128_slow(uint32_t predicate, uint32_t width, uint32_t la, uint32_t lb, uint64_t a_low,
                                 uint64_t a_high, uint64_t b_low, uint64_t b_high) {
  return compare_floats(predicate, width, la, lb, WIDE(a_low, a_high), WIDE(b_low, b_high));
}

static uint32_t ternary(uint32_t op, uint32_t width, uint32_t la, uint32_t lb, uint32_t lc, tk_u128 a, tk_u128 b,
                        tk_u128 c) {
  if (!la) la = tk_node_const128(width, a);
  if (!lb) lb = tk_node_const128(width, b);
  if (!lc) lc = tk_node_const128(width, c);
  return la && lb && lc ? tk_node_make((uint8_t)op, width, la, lb, lc) : 0;
}

TK_SLOW uint32_t tk_ternary_slow(uint32_t op, uint32_t width, uint32_t la, uint32_t lb, uint32_t lc, uint64_t a,
                                 uint64_t b, uint64_t c) {
  return ternary(op, width, la, lb, lc, a, b, c);
}

TK_SLOW uint32_t tk_ternary128_slow(uint32_t op, uint32_t width, uint32_t la, uint32_t lb, uint32_t lc, uint64_t a_low,
                                    uint64_t a_high, uint64_t b_low, uint64_t b_high, uint64_t c_low, uint64_t c_high) {
  return ternary(op, width, la, lb, lc, WIDE(a_low, a_high), WIDE(b_low, b_high), WIDE(c_low, c_high));
}

TK_SLOW uint32_t tk_select_slow(uint32_t width, uint32_t lcond, uint32_t lt, uint32_t lf, uint64_t t_low,
                                uint64_t t_high, uint64_t f_low, uint64_t f_high) {
  if (lt == lf && (lt || (t_low == f_low && t_high == f_high))) return lt;
  if (!lt) lt = tk_node_const128(width, WIDE(t_low, t_high));
  if (!lf) lf = tk_node_const128(width, WIDE(f_low, f_high));
  return lt && lf ? tk_node_make(TK_OP_ITE, width, lcond, lt, lf) : 0;
}

/* ---- Self-check ---- */

/* Which of two NaNs an operation hands on, and with what sign, depends on the order the compiler put its operands in. */
static int both_nan(const tk_node *node, uint64_t a, uint64_t b) {
  uint64_t infinity = node->width == 32 ? 0x7f800000ull : 0x7ff0000000000000ull;
  uint64_t size = node->width == 32 ? 0x7fffffffull : 0x7fffffffffffffffull;
  int is_float = node->op >= TK_OP_FADD && node->op <= TK_OP_FREMAINDER && (node->width == 32 || node->width == 64);
  return is_float && (a & size) > infinity && (b & size) > infinity;
}

void tk_self_check(uint32_t label, uint64_t value) {
  const tk_node *node = label && TK_HEADER->self_check ? tk_label_node(label) : 0;
  if (!node) return;
  if (node->width < 64) value &= (1ull << node->width) - 1;
  uint32_t index = label - FIRST_NODE_LABEL;
  if (!TK_VALUES_KNOWN[index]) {
    TK_VALUES_KNOWN[index] = 1;
    TK_VALUES[index] = value;
  } else if (TK_VALUES[index] != value && !both_nan(node, TK_VALUES[index], value) && !TK_HEADER->self_check_clash) {
    TK_HEADER->self_check_clash = label;
  }
}
