/* Corners of C that the families do not show one by one. `corners` adds everything up; its value on an input is that
 * of the plain program. */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf environment;
static _Thread_local int per_thread = 3;
static _Atomic int counter;
static int old_style(a, b) int a; char b; { return a * b; }
static inline int inlined(int x) { return x ^ 21; }

static int variable_length(int n, int x) {
  int sum = 0;
  for (int round = 0; round < 3; round++) {
    int cells[n + round];
    for (int i = 0; i < n + round; i++) cells[i] = x + i;
    sum += cells[n - 1];
  }
  return sum;
}

static int computed_goto(int x) {
  static const void *const steps[] = {&&first, &&second};
  goto *steps[x & 1];
first:
  return x + 1;
second:
  return x - 1;
}

static int jumps(int x) {
  volatile int kept = x;
  if (setjmp(environment) == 0) {
    kept += 2;
    if (x > 1) longjmp(environment, 1);
  }
  return kept;
}

struct tree {
  int value;
  struct tree *left, *right;
};

static struct tree *insert(struct tree *tree, int value) {
  if (!tree) {
    tree = calloc(1, sizeof *tree);
    tree->value = value;
  } else if (value < tree->value) {
    tree->left = insert(tree->left, value);
  } else {
    tree->right = insert(tree->right, value);
  }
  return tree;
}

static int total(const struct tree *tree) { return tree ? total(tree->left) + tree->value + total(tree->right) : 0; }

static void release(struct tree *tree) {
  if (!tree) return;
  release(tree->left);
  release(tree->right);
  free(tree);
}

static int order(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }

static int sorted(int x) {
  int numbers[] = {9, x, 4, x * 2, -1};
  qsort(numbers, 5, sizeof *numbers, order);
  return numbers[1] * 10 + numbers[3];
}

static int format(char *to, const char *how, ...) {
  va_list list;
  va_start(list, how);
  int length = vsnprintf(to, 32, how, list);
  va_end(list);
  return length;
}

struct wide { char name[24]; long double ratio; double complex z; };

static struct wide make(int x, double complex z) {
  struct wide wide = {.ratio = x / 2.0L, .z = z * 2};
  strcpy(wide.name, x > 3 ? "more" : "less");
  return wide;
}

union number { double d; long l; unsigned char bytes[8]; };

int corners(int x, unsigned char small, double d) {
  int sum = old_style(x, 3) + inlined(x) + variable_length(4, x) + computed_goto(x) + jumps(x) + per_thread;
  per_thread = x;
  atomic_fetch_add(&counter, x);
  int expected = x;
  sum += atomic_compare_exchange_strong(&counter, &expected, 7) + counter;
  struct tree *tree = insert(insert(insert(0, x), 5), small);
  sum += total(tree) + sorted(x);
  release(tree);
  char text[32];
  sum += format(text, "%d and %s", x, "more") + text[0];
  struct wide wide = make(x, d + 2 * I);
  sum += wide.name[0] + (int)wide.ratio + (int)creal(wide.z) + (int)cimag(wide.z);
  union number number = {.d = d};
  sum += number.bytes[6] + (int)(number.l >> 52);
  switch (small) {
    case 'a' ... 'z': sum += 1; break;
    case '0': sum += 2;
    default: sum += 3;
  }
  int (*const choice[])(int) = {inlined, computed_goto, jumps};
  sum += choice[small % 3](x) + (int){x} + (small ?: 4) + ({ int y = x; y * y; });
  do { sum ^= x; x /= 2; } while (x);
  return sum + (int)strtol("  42x", 0, 10) + __builtin_expect(small > 3, 1) + (_Bool)d;
}
