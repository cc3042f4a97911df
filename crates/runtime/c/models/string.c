/* <string.h> and <strings.h>: the functions on strings, in the "C" locale. */
#include "models.h"

/* ---- Length ---- */

size_t tkm_strlen(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

size_t tkm_strnlen(const char *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n]) n++;
  return n;
}

/* ---- Comparison: the difference of the first bytes that differ, as glibc gives it ---- */

int tkm_strcmp(const char *a, const char *b) {
  compares_text(a, b, NO_ROOM_KNOWN);
  while (*a && *a == *b) a++, b++;
  return (unsigned char)*a - (unsigned char)*b;
}

int tkm_strncmp(const char *a, const char *b, size_t n) {
  compares_text(a, b, n);
  for (; n; n--, a++, b++) {
    if (*a != *b) return (unsigned char)*a - (unsigned char)*b;
    if (!*a) return 0;
  }
  return 0;
}

static int lower(char c) {
  unsigned char byte = (unsigned char)c;
  return byte + ((unsigned)(byte - 'A') < 26) * 32;
}

int tkm_strcasecmp(const char *a, const char *b) {
  compares_text(a, b, NO_ROOM_KNOWN);
  for (;; a++, b++) {
    int difference = lower(*a) - lower(*b);
    if (difference || !*a) return difference;
  }
}

int tkm_strncasecmp(const char *a, const char *b, size_t n) {
  compares_text(a, b, n);
  for (; n; n--, a++, b++) {
    int difference = lower(*a) - lower(*b);
    if (difference || !*a) return difference;
  }
  return 0;
}

/* ---- Copying ---- */

/* The end is copied like the rest: who copies the copy is then known to read the same text. */
char *tkm_stpcpy(char *to, const char *from) {
  copies_text(to, from, NO_ROOM_KNOWN, 1);
  for (; *from; from++) *to++ = *from;
  *to = *from;
  return to;
}

char *tkm_strcpy(char *to, const char *from) {
  tkm_stpcpy(to, from);
  return to;
}

char *tkm_strncpy(char *to, const char *from, size_t n) {
  WRITES(to, n);
  wants_text(from, n);
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}

char *tkm_strcat(char *to, const char *from) {
  tkm_stpcpy(to + tkm_strlen(to), from);
  return to;
}

char *tkm_strncat(char *to, const char *from, size_t n) {
  char *end = to + tkm_strlen(to);
  copies_text(end, from, n, 1);
  for (; n && *from; n--) *end++ = *from++;
  *end = 0;
  return to;
}

char *tkm_strndup(const char *s, size_t most) {
  size_t n = tkm_strnlen(s, most);
  char *copy = tkw_malloc(n + 1);
  if (!copy) return 0;
  __builtin_memcpy(copy, s, n);
  copy[n] = 0;
  return copy;
}

char *tkm_strdup(const char *s) {
  size_t size = tkm_strlen(s) + 1;
  char *copy = tkw_malloc(size);
  return copy ? __builtin_memcpy(copy, s, size) : 0;
}

/* ---- Searching ---- */

char *tkm_strchrnul(const char *s, int c) {
  while (*s && *s != (char)c) s++;
  return (char *)s;
}

char *tkm_strchr(const char *s, int c) {
  for (;; s++) {
    if (*s == (char)c) return (char *)s;
    if (!*s) return 0;
  }
}

char *tkm_strrchr(const char *s, int c) {
  const char *last = 0;
  for (;; s++) {
    if (*s == (char)c) last = s;
    if (!*s) return (char *)last;
  }
}

static int is_among(char c, const char *set) {
  for (; *set; set++)
    if (*set == c) return 1;
  return 0;
}

size_t tkm_strspn(const char *s, const char *accept) {
  size_t n = 0;
  while (s[n] && is_among(s[n], accept)) n++;
  return n;
}

size_t tkm_strcspn(const char *s, const char *reject) {
  size_t n = 0;
  while (s[n] && !is_among(s[n], reject)) n++;
  return n;
}

char *tkm_strpbrk(const char *s, const char *accept) {
  s += tkm_strcspn(s, accept);
  return *s ? (char *)s : 0;
}

char *tkm_strstr(const char *s, const char *part) {
  for (;; s++) {
    size_t i = 0;
    while (part[i] && s[i] == part[i]) i++;
    if (!part[i]) return (char *)s;
    if (!*s) return 0;
  }
}

/* ---- Tokens ---- */

char *tkm_strtok_r(char *s, const char *separators, char **rest) {
  if (!s) s = *rest;
  s += tkm_strspn(s, separators);
  if (!*s) {
    *rest = s;
    return 0;
  }
  char *end = s + tkm_strcspn(s, separators);
  if (*end) *end++ = 0;
  *rest = end;
  return s;
}

char *tkm_strtok(char *s, const char *separators) {
  static char *rest;
  if (!s && !rest) return 0;
  return tkm_strtok_r(s, separators, &rest);
}

char *tkm_strsep(char **rest, const char *separators) {
  char *s = *rest;
  if (!s) return 0;
  char *end = s + tkm_strcspn(s, separators);
  if (*end) {
    *end = 0;
    *rest = end + 1;
  } else {
    *rest = 0;
  }
  return s;
}
