/* Heap blocks by address: a treap, so that the block around an interior pointer is found in logarithmic time. */
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
  *at(index) = (tk_heap_node){base, size, 0, 0, next_priority(), 0, {0}};
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

/* The last block that starts at or before the address. */
static uint32_t floor_node(uint64_t address) {
  uint32_t best = 0;
  for (uint32_t tree = root; tree;) {
    if (at(tree)->base > address) {
      tree = at(tree)->left;
    } else {
      best = tree;
      tree = at(tree)->right;
    }
  }
  return best;
}

void tk_heap_insert(uint64_t base, uint64_t size) {
  uint64_t ignored;
  tk_heap_remove(base, &ignored);
  uint32_t node = new_node(base, size), left, right;
  if (!node) return;
  split(root, base, &left, &right);
  root = join(join(left, node), right);
  live++;
}

int tk_heap_remove(uint64_t base, uint64_t *size) {
  uint32_t node = floor_node(base), left, middle, right;
  if (!node || at(node)->base != base) return 0;
  *size = at(node)->size;
  split(root, base, &left, &middle);
  split(middle, base + 1, &middle, &right);
  root = join(left, right);
  live--;
  at(middle)->left = free_list;
  free_list = middle;
  return 1;
}

int tk_heap_find(uint64_t address, tk_extent *object) {
  uint32_t node = floor_node(address);
  if (!node || address - at(node)->base >= at(node)->size) return 0;
  *object = (tk_extent){at(node)->base, at(node)->size, 0, 0};
  return 1;
}

tk_heap_node *tk_heap_block(uint64_t address) {
  uint32_t node = floor_node(address);
  return node && address - at(node)->base <= at(node)->size ? at(node) : 0;
}

tk_heap_node *tk_heap_from(uint64_t address) {
  uint32_t best = 0;
  for (uint32_t tree = root; tree;) {
    if (at(tree)->base >= address) {
      best = tree;
      tree = at(tree)->left;
    } else {
      tree = at(tree)->right;
    }
  }
  return best ? at(best) : 0;
}

uint32_t tk_heap_live(void) { return live; }
