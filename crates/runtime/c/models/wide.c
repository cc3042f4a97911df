/* <wchar.h>: the functions on wide strings and blocks that need no locale. */
#include "models.h"

/* ---- Length and comparison: glibc says only which is larger ---- */

size_t tkm_wcslen(const wchar_t *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

size_t tkm_wcsnlen(const wchar_t *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n]) n++;
  return n;
}

static int order_of(wchar_t a, wchar_t b) { return (a > b) - (a < b); }

int tkm_wcscmp(const wchar_t *a, const wchar_t *b) {
  while (*a && *a == *b) a++, b++;
  return order_of(*a, *b);
}

int tkm_wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (; n; n--, a++, b++) {
    if (*a != *b) return order_of(*a, *b);
    if (!*a) return 0;
  }
  return 0;
}

int tkm_wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i]) return order_of(a[i], b[i]);
  return 0;
}

/* ---- Copying ---- */

wchar_t *tkm_wcscpy(wchar_t *to, const wchar_t *from) {
  size_t i = 0;
  for (; from[i]; i++) to[i] = from[i];
  to[i] = 0;
  return to;
}

wchar_t *tkm_wcsncpy(wchar_t *to, const wchar_t *from, size_t n) {
  WRITES(to, n * sizeof *to);
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}

wchar_t *tkm_wcscat(wchar_t *to, const wchar_t *from) {
  tkm_wcscpy(to + tkm_wcslen(to), from);
  return to;
}

wchar_t *tkm_wmemcpy(wchar_t *to, const wchar_t *from, size_t n) {
  return __builtin_memcpy(to, from, n * sizeof *to);
}

wchar_t *tkm_wmemmove(wchar_t *to, const wchar_t *from, size_t n) {
  return __builtin_memmove(to, from, n * sizeof *to);
}

wchar_t *tkm_wmemset(wchar_t *to, wchar_t c, size_t n) {
  WRITES(to, n * sizeof *to);
  for (size_t i = 0; i < n; i++) to[i] = c;
  return to;
}

/* ---- Searching ---- */

wchar_t *tkm_wcschr(const wchar_t *s, wchar_t c) {
  for (;; s++) {
    if (*s == c) return (wchar_t *)s;
    if (!*s) return 0;
  }
}

wchar_t *tkm_wcsrchr(const wchar_t *s, wchar_t c) {
  const wchar_t *last = 0;
  for (;; s++) {
    if (*s == c) last = s;
    if (!*s) return (wchar_t *)last;
  }
}

wchar_t *tkm_wmemchr(const wchar_t *block, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (block[i] == c) return (wchar_t *)(block + i);
  return 0;
}
