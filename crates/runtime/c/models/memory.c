/* <string.h>, the functions on blocks of memory. Copies use the intrinsics, whose labels the pass moves as a block. */
#include "models.h"

void *tkm_memcpy(void *to, const void *from, size_t n) {
  __builtin_memcpy(to, from, n);
  return to;
}

void *tkm_memmove(void *to, const void *from, size_t n) {
  __builtin_memmove(to, from, n);
  return to;
}

void *tkm_mempcpy(void *to, const void *from, size_t n) {
  __builtin_memcpy(to, from, n);
  return (char *)to + n;
}

void *tkm_memset(void *to, int byte, size_t n) {
  __builtin_memset(to, byte, n);
  return to;
}

void tkm_bzero(void *to, size_t n) { __builtin_memset(to, 0, n); }

int tkm_memcmp(const void *left, const void *right, size_t n) {
  const unsigned char *a = left, *b = right;
  compares_text(left, right, n);
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i]) return a[i] - b[i];
  return 0;
}

void *tkm_memchr(const void *block, int byte, size_t n) {
  const unsigned char *bytes = block;
  for (size_t i = 0; i < n; i++)
    if (bytes[i] == (unsigned char)byte) return (void *)(bytes + i);
  return 0;
}

void *tkm_memrchr(const void *block, int byte, size_t n) {
  const unsigned char *bytes = block;
  while (n--)
    if (bytes[n] == (unsigned char)byte) return (void *)(bytes + n);
  return 0;
}
