/* <stdlib.h>: sorting and searching. Stable, so equal elements keep the order glibc leaves them in. */
#include "models.h"

typedef int (*order)(const void *, const void *);

/* Sorts `n` elements with `spare` room for as many. */
static void sort(char *elements, size_t n, size_t size, order compare, char *spare) {
  if (n < 2) return;
  size_t left_count = n / 2, right_count = n - left_count;
  char *left = elements, *right = elements + left_count * size, *out = spare;
  sort(left, left_count, size, compare, spare);
  sort(right, right_count, size, compare, spare);
  while (left_count && right_count) {
    if (compare(left, right) <= 0) {
      __builtin_memcpy(out, left, size);
      left += size;
      left_count--;
    } else {
      __builtin_memcpy(out, right, size);
      right += size;
      right_count--;
    }
    out += size;
  }
  if (left_count) __builtin_memcpy(out, left, left_count * size);
  __builtin_memcpy(elements, spare, (n - right_count) * size);
}

void tkm_qsort(void *elements, size_t n, size_t size, order compare) {
  if (n < 2 || !size) return;
  char *spare = tkw_malloc(n * size);
  sort(elements, n, size, compare, spare);
  tkw_free(spare);
}

void *tkm_bsearch(const void *key, const void *elements, size_t n, size_t size, order compare) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *element = (const char *)elements + middle * size;
    int way = compare(key, element);
    if (way == 0) return (void *)element;
    if (way < 0) high = middle;
    else low = middle + 1;
  }
  return 0;
}
