/* Heap blocks by address, live ones and those kept after `free`: a treap, so that the block around an interior pointer is
 * found in logarithmic time. */
#include "private.h"

static uint32_t root, used, free_list, live;
static uint32_t random_state = 2463534242u;

static tk_heap_node *at(uint32_t index) { return &TK_PRIVATE->heap[index]; }

static uint32_t next_priority(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state;
}

/* Index 0 is "none". */
static uint32_t new_node(uint64_t base, uint64_t size) {
  uint32_t index = free_list;
  if (index) free_list = at(index)->left;
  else if (used + 1 < TK_MAX_HEAP) index = ++used;
  else return 0;
  *at(index) = (tk_heap_node){.base = base, .size = size, .priority = next_priority()};
  return index;
}

/* Everything below `base` to the left, the rest to the right. */
static void split(uint32_t tree, uint64_t base, uint32_t *left, uint32_t *right) {
  if (!tree) {
    *left = *right = 0;
  } else if (at(tree)->base < base) {
    split(at(tree)->right, base, &at(tree)->right, right);
    *left = tree;
  } else {
    split(at(tree)->left, base, left, &at(tree)->left);
    *right = tree;
  }
}

static uint32_t join(uint32_t left, uint32_t right) {
  if (!left || !right) return left ? left : right;
  if (at(left)->priority > at(right)->priority) {
    at(left)->right = join(at(left)->right, right);
    return left;
  }
  at(right)->left = join(left, at(right)->left);
  return right;
}

/* The last block that starts at or before the address; 0 if there is none. */
static tk_heap_node *floor_node(uint64_t address) {
  tk_heap_node *best = 0;
  for (uint32_t tree = root; tree;) {
    if (at(tree)->base > address) {
      tree = at(tree)->left;
    } else {
      best = at(tree);
      tree = at(tree)->right;
    }
  }
  return best;
}

tk_heap_node *tk_heap_insert(uint64_t base, uint64_t size) {
  tk_heap_node *before = tk_heap_exact(base);
  if (before) tk_heap_remove(before);
  uint32_t node = new_node(base, size), left, right;
  if (!node) return 0;
  split(root, base, &left, &right);
  root = join(join(left, node), right);
  live++;
  return at(node);
}

void tk_heap_remove(tk_heap_node *node) {
  uint32_t left, middle, right;
  split(root, node->base, &left, &middle);
  split(middle, node->base + 1, &middle, &right);
  root = join(left, right);
  live -= !node->freed;
  node->left = free_list;
  free_list = middle;
}

tk_heap_node *tk_heap_exact(uint64_t base) {
  tk_heap_node *node = root ? floor_node(base) : 0;
  return node && node->base == base ? node : 0;
}

tk_heap_node *tk_heap_around(uint64_t address) {
  tk_heap_node *node = root ? floor_node(address + TK_HEAP_HEAD) : 0;
  /* The head of a block lies behind the edge of the one before. */
  if (node && node->base > address && node->base - address > TK_HEAP_HEAD) node = 0;
  return node && (address < node->base || address - node->base < node->size + node->edge) ? node : 0;
}

int tk_heap_find(uint64_t address, tk_extent *object) {
  const tk_heap_node *node = root ? floor_node(address) : 0;
  if (!node || node->freed || address - node->base >= node->size) return 0;
  *object = (tk_extent){.base = node->base, .size = node->size, .edge = node->edge};
  return 1;
}

tk_heap_node *tk_heap_block(uint64_t address) {
  tk_heap_node *node = root ? floor_node(address) : 0;
  return node && !node->freed && address - node->base <= node->size ? node : 0;
}

tk_heap_node *tk_heap_from(uint64_t address) {
  tk_heap_node *best = 0;
  for (uint32_t tree = root; tree;) {
    if (at(tree)->base >= address) {
      best = at(tree);
      tree = at(tree)->left;
    } else {
      tree = at(tree)->right;
    }
  }
  return best;
}

void tk_heap_retire(tk_heap_node *node) {
  node->freed = 1;
  live--;
}

uint32_t tk_heap_live(void) { return live; }
