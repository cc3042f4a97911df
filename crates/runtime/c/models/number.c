/* <stdlib.h>: numbers from text, and absolute values and divisions. */
#include "models.h"

enum { INVALID_ARGUMENT = 22, OUT_OF_RANGE = 34 };

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The digit's value, or something no base reaches. */
static unsigned digit_value(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'z') return (unsigned)(c - 'a') + 10;
  if (c >= 'A' && c <= 'Z') return (unsigned)(c - 'A') + 10;
  return 99;
}

/* Reads sign, prefix and digits. Gives the magnitude; `*overflow` if it does not fit 64 bits. */
static unsigned long parse(const char *text, char **end, int base, int *negative, int *overflow) {
  const char *s = text;
  *negative = *overflow = 0;
  if (base < 0 || base == 1 || base > 36) {
    *__errno_location() = INVALID_ARGUMENT;
    return 0;
  }
  while (is_space(*s)) s++;
  if (*s == '-' || *s == '+') *negative = *s++ == '-';
  if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit_value(s[2]) < 16) {
    s += 2;
    base = 16;
  }
  if (base == 0) base = *s == '0' ? 8 : 10;
  unsigned long value = 0, limit = ~0ul / (unsigned long)base;
  const char *first = s;
  for (unsigned digit; (digit = digit_value(*s)) < (unsigned)base; s++) {
    if (value > limit || value * (unsigned long)base > ~0ul - digit) *overflow = 1;
    value = value * (unsigned long)base + digit;
  }
  if (end) *end = (char *)(s == first ? text : s);
  return value;
}

long tkm_strtol(const char *text, char **end, int base) {
  int negative, overflow;
  unsigned long value = parse(text, end, base, &negative, &overflow);
  unsigned long most = 0x7ffffffffffffffful + (unsigned long)negative;
  if (overflow || value > most) {
    *__errno_location() = OUT_OF_RANGE;
    return (long)most;
  }
  return (long)(negative ? -value : value);
}

unsigned long tkm_strtoul(const char *text, char **end, int base) {
  int negative, overflow;
  unsigned long value = parse(text, end, base, &negative, &overflow);
  if (overflow) {
    *__errno_location() = OUT_OF_RANGE;
    return ~0ul;
  }
  return negative ? -value : value;
}

long long tkm_strtoll(const char *text, char **end, int base) { return tkm_strtol(text, end, base); }
unsigned long long tkm_strtoull(const char *text, char **end, int base) { return tkm_strtoul(text, end, base); }

int tkm_atoi(const char *text) { return (int)tkm_strtol(text, 0, 10); }
long tkm_atol(const char *text) { return tkm_strtol(text, 0, 10); }
long long tkm_atoll(const char *text) { return tkm_strtol(text, 0, 10); }

int tkm_abs(int n) { return n < 0 ? -n : n; }
long tkm_labs(long n) { return n < 0 ? -n : n; }
long long tkm_llabs(long long n) { return n < 0 ? -n : n; }

typedef struct {
  int quotient, remainder;
} int_division;
typedef struct {
  long quotient, remainder;
} long_division;

int_division tkm_div(int a, int b) { return (int_division){a / b, a % b}; }
long_division tkm_ldiv(long a, long b) { return (long_division){a / b, a % b}; }
