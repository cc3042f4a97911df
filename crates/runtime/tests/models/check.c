/* Compares every library model with the library. Prints the first few differences and how many comparisons it made. */
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

void *tkw_malloc(size_t size) { return malloc(size); }
void tkw_free(void *block) { free(block); }
size_t tk_room(const void *to) { return to ? ~(size_t)0 : 0; }
void tk_wants_text(const void *from, const size_t *length) { (void)from, (void)length; }
void tk_copies_text(const void *to, const void *from, const size_t *most, const size_t *more) {
  (void)to, (void)from, (void)most, (void)more;
}
void tk_compares_text(const void *left, const void *right, const size_t *most) { (void)left, (void)right, (void)most; }
void __tk_fits(_Bool fits) { (void)fits; }
int tkw_sprintf(char *to, size_t size, const char *format, double value) { return snprintf(to, size, format, value); }
int tkw_sprintf_l(char *to, size_t size, const char *format, long double value) {
  return snprintf(to, size, format, value);
}
#include "models.c"

static unsigned long compared, different;

static void same(long ours, long theirs, const char *what, const char *input) {
  compared++;
  if (ours == theirs) return;
  if (different++ < 20) printf("%s on \"%s\": model %ld, library %ld\n", what, input, ours, theirs);
}

static unsigned seed = 12345;
static unsigned below(unsigned limit) {
  seed = seed * 1103515245u + 12345u;
  return (seed >> 16) % limit;
}

/* Few letters, so that matches happen; sometimes any byte. */
static void random_text(char *text, unsigned most) {
  unsigned length = below(most), any = below(8) == 0;
  for (unsigned i = 0; i < length; i++) text[i] = (char)(any ? 1 + below(255) : (unsigned)"abAB ,"[below(6)]);
  text[length] = 0;
}

static long offset(const void *found, const void *base) { return found ? (const char *)found - (const char *)base : -1; }

#define COMPARE(name, base, ...) same(offset(tkm_##name(__VA_ARGS__), base), offset(name(__VA_ARGS__), base), #name, a)
#define VALUE(name, ...) same((long)tkm_##name(__VA_ARGS__), (long)name(__VA_ARGS__), #name, a)

/* Of a comparison C promises the sign only, and the library's variants for different processors differ in the rest. */
static long sign(long value) { return (value > 0) - (value < 0); }
#define ORDER(name, ...) same(sign(tkm_##name(__VA_ARGS__)), sign(name(__VA_ARGS__)), #name, a)

static void check_searching(const char *a, const char *b) {
  int c = below(3) ? b[0] : (int)below(256);
  size_t n = below(12), length = strlen(a) + 1;
  VALUE(strlen, a);
  VALUE(strnlen, a, n);
  ORDER(strcmp, a, b);
  ORDER(strncmp, a, b, n);
  ORDER(strcasecmp, a, b);
  ORDER(strncasecmp, a, b, n);
  ORDER(memcmp, a, b, n < length && n <= strlen(b) ? n : 0);
  VALUE(strspn, a, b);
  VALUE(strcspn, a, b);
  COMPARE(strchr, a, a, c);
  COMPARE(strrchr, a, a, c);
  COMPARE(strchrnul, a, a, c);
  COMPARE(strstr, a, a, b);
  COMPARE(strpbrk, a, a, b);
  COMPARE(memchr, a, a, c, length);
  COMPARE(memrchr, a, a, c, length);
}

#define BUFFERS(call, name)                                     \
  do {                                                          \
    char ours[64], theirs[64], *to = ours;                      \
    memset(ours, '#', 64), memcpy(ours, b, strlen(b) + 1);      \
    memcpy(theirs, ours, 64);                                   \
    long result = offset(tkm_##call, ours);                     \
    to = theirs;                                                \
    same(result, offset(call, theirs), name " result", a);      \
    same(memcmp(ours, theirs, 64), 0, name " buffer", a);       \
  } while (0)

static void check_copying(const char *a, const char *b) {
  size_t n = below(20);
  BUFFERS(strcpy(to, a), "strcpy");
  BUFFERS(stpcpy(to, a), "stpcpy");
  BUFFERS(strncpy(to, a, n), "strncpy");
  BUFFERS(strcat(to, a), "strcat");
  BUFFERS(strncat(to, a, n), "strncat");
  BUFFERS(memset(to, a[0], n), "memset");
  BUFFERS(memcpy(to + 32, to, n), "memcpy");
  BUFFERS(mempcpy(to + 32, to, n), "mempcpy");
  BUFFERS(memmove(to + 3, to, n), "memmove");
  char *ours = tkm_strdup(a), *theirs = tkm_strndup(a, n);
  same(strcmp(ours, a), 0, "strdup", a);
  same(strncmp(theirs, a, n), 0, "strndup", a);
  same((long)strlen(theirs), (long)strnlen(a, n), "strndup length", a);
  free(ours), free(theirs);
}

static void check_tokens(const char *a, const char *b) {
  char ours[64], theirs[64], *our_rest, *their_rest;
  strcpy(ours, a), strcpy(theirs, a);
  char *x = tkm_strtok(ours, b), *y = strtok(theirs, b);
  for (;; x = tkm_strtok(0, b), y = strtok(0, b)) {
    same(offset(x, ours), offset(y, theirs), "strtok", a);
    if (!x || !y) break;
    same(strcmp(x, y), 0, "strtok text", a);
  }
  strcpy(ours, a), strcpy(theirs, a);
  x = tkm_strtok_r(ours, b, &our_rest), y = strtok_r(theirs, b, &their_rest);
  same(offset(x, ours), offset(y, theirs), "strtok_r", a);
  strcpy(our_rest = ours, a), strcpy(their_rest = theirs, a);
  for (int i = 0; i < 20; i++) {
    x = tkm_strsep(&our_rest, b), y = strsep(&their_rest, b);
    same(offset(x, ours), offset(y, theirs), "strsep", a);
    same(offset(our_rest, ours), offset(their_rest, theirs), "strsep rest", a);
  }
}

#define CHARACTER(name) same(tkm_##name(c), name(c), #name, a)

static void check_characters(void) {
  for (int c = -128; c < 256; c++) {
    char a[8];
    snprintf(a, sizeof a, "%d", c);
    CHARACTER(isalnum), CHARACTER(isalpha), CHARACTER(isblank), CHARACTER(iscntrl), CHARACTER(isdigit);
    CHARACTER(isgraph), CHARACTER(islower), CHARACTER(isprint), CHARACTER(ispunct), CHARACTER(isspace);
    CHARACTER(isupper), CHARACTER(isxdigit), CHARACTER(tolower), CHARACTER(toupper), CHARACTER(isascii);
    CHARACTER(toascii);
  }
}

#define NUMBER(name)                                              \
  do {                                                            \
    char *our_end = 0, *their_end = 0;                            \
    errno = 0;                                                    \
    long ours = (long)tkm_##name(a, &our_end, base);              \
    int our_errno = errno;                                        \
    errno = 0;                                                    \
    long theirs = (long)name(a, &their_end, base);                \
    same(ours, theirs, #name, a);                                 \
    same(our_errno, errno, #name " errno", a);                    \
    same(offset(our_end, a), offset(their_end, a), #name " end", a); \
  } while (0)

static void check_numbers(const char *a) {
  static const int bases[] = {0, 10, 16, 8, 2, 36, 7, 1, -3, 37};
  for (unsigned i = 0; i < sizeof bases / sizeof *bases; i++) {
    int base = bases[i];
    NUMBER(strtol);
    NUMBER(strtoul);
    NUMBER(strtoll);
    NUMBER(strtoull);
  }
  VALUE(atoi, a);
  VALUE(atol, a);
  VALUE(atoll, a);
}

static void check_all_numbers(void) {
  static const char *const chosen[] = {
      "", "0", "-0", "+7", "-1", "  \t\n\v\f\r42x", "0x", "0xg", "0x1F", "-0X7f", "08", "077", "--1", "+-1", "z", "Zz9",
      "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
      "18446744073709551615", "18446744073709551616", "-18446744073709551615", "-18446744073709551616",
      "99999999999999999999999", "2147483648", "-2147483649", "0xffffffffffffffff", "0x10000000000000000", "1 2", "x1"};
  for (unsigned i = 0; i < sizeof chosen / sizeof *chosen; i++) check_numbers(chosen[i]);
  for (int round = 0; round < 2000; round++) {
    char text[32];
    unsigned length = below(24);
    for (unsigned i = 0; i < length; i++) text[i] = " -+0x19afzF"[below(11)];
    text[length] = 0;
    check_numbers(text);
  }
  for (int n = -40; n < 40; n++) {
    const char *a = "a small number";
    VALUE(abs, n);
    VALUE(labs, n * 1000003l);
    VALUE(llabs, n * 1000003ll);
    for (int d = -7; d < 8; d++) {
      if (!d) continue;
      same(tkm_div(n, d).quotient, div(n, d).quot, "div", a);
      same(tkm_div(n, d).remainder, div(n, d).rem, "div", a);
      same(tkm_ldiv(n, d).remainder, ldiv(n, d).rem, "ldiv", a);
    }
  }
}

/* Elements that compare equal stay distinguishable by their second half. */
typedef struct {
  short key, mark;
} element;
static int by_key(const void *x, const void *y) { return ((const element *)x)->key - ((const element *)y)->key; }

static void check_sorting(void) {
  element ours[50], theirs[50];
  for (int round = 0; round < 500; round++) {
    unsigned count = below(50);
    for (unsigned i = 0; i < count; i++) ours[i] = theirs[i] = (element){(short)below(20), (short)i};
    tkm_qsort(ours, count, sizeof *ours, by_key);
    qsort(theirs, count, sizeof *theirs, by_key);
    same(memcmp(ours, theirs, count * sizeof *ours), 0, "qsort", "elements");
    element key = {(short)below(20), 0};
    void *our_place = tkm_bsearch(&key, ours, count, sizeof *ours, by_key);
    same(offset(our_place, ours), offset(bsearch(&key, theirs, count, sizeof *ours, by_key), theirs), "bsearch", "elements");
  }
}

/* ---- Wide strings: the same letters, spread over the range of wchar_t ---- */

static void widen(wchar_t *to, const char *from) {
  do *to++ = *from * (*from == 'B' ? -100003 : 1);
  while (*from++);
}

#define WIDE_BUFFERS(call, name)                                \
  do {                                                          \
    wchar_t ours[64], theirs[64], *to = ours;                   \
    wmemset(ours, L'#', 64), wmemcpy(ours, y, wcslen(y) + 1);   \
    wmemcpy(theirs, ours, 64);                                  \
    long result = offset(tkm_##call, ours);                     \
    to = theirs;                                                \
    same(result, offset(call, theirs), name " result", a);      \
    same(memcmp(ours, theirs, sizeof ours), 0, name " buffer", a); \
  } while (0)

static void check_wide(const char *a, const char *b) {
  wchar_t x[32], y[16];
  widen(x, a), widen(y, b);
  size_t n = below(12), both = wcslen(x) < wcslen(y) ? wcslen(x) + 1 : wcslen(y) + 1;
  VALUE(wcslen, x);
  VALUE(wcsnlen, x, n);
  ORDER(wcscmp, x, y);
  ORDER(wcsncmp, x, y, n);
  ORDER(wmemcmp, x, y, n < both ? n : both);
  COMPARE(wcschr, x, x, y[0]);
  COMPARE(wcsrchr, x, x, y[0]);
  COMPARE(wmemchr, x, x, y[0], wcslen(x));
  WIDE_BUFFERS(wcscpy(to, x), "wcscpy");
  WIDE_BUFFERS(wcsncpy(to, x, n), "wcsncpy");
  WIDE_BUFFERS(wcscat(to, x), "wcscat");
  WIDE_BUFFERS(wmemcpy(to + 32, to, n), "wmemcpy");
  WIDE_BUFFERS(wmemmove(to + 3, to, n), "wmemmove");
  WIDE_BUFFERS(wmemset(to, x[0], n), "wmemset");
}

/* ---- Complex numbers: every mixture of ordinary, zero, huge, infinite and not a number ---- */

/* Equal, or both not a number; zeros by their sign as well. */
#define SAME_REAL(ours, theirs, what)                                                                        \
  same(__builtin_isnan(ours) ? 2 : (ours) == (theirs) && !__builtin_signbit(ours) == !__builtin_signbit(theirs),                 \
       __builtin_isnan(theirs) ? 2 : 1, what, "complex")

#define CHECK_COMPLEX(real, suffix, letter)                                                                   \
  real _Complex __mul##letter##c3(real, real, real, real);                                                    \
  static void check_complex##suffix(void) {                                                                   \
    real huge = sizeof(real) == 4 ? 1e38f : sizeof(real) == 8 ? (real)1e308 : __LDBL_MAX__;                  \
    const real values[] = {0, -0.0f, 1.5f, -3, huge, -huge, __builtin_inff(), -__builtin_inff(), __builtin_nanf("")}; \
    for (unsigned i = 0; i < 9 * 9 * 9 * 9; i++) {                                                            \
      real a = values[i % 9], b = values[i / 9 % 9], c = values[i / 81 % 9], d = values[i / 729];             \
      real _Complex ours = tkm_mul##letter##c3(a, b, c, d), theirs = __mul##letter##c3(a, b, c, d);           \
      SAME_REAL(__real__ ours, __real__ theirs, "__mul" #letter "c3, real part");                             \
      SAME_REAL(__imag__ ours, __imag__ theirs, "__mul" #letter "c3, imaginary part");                        \
      real _Complex z;                                                                                        \
      __real__ z = a, __imag__ z = b;                                                                         \
      SAME_REAL(tkm_creal##suffix(z), creal##suffix(z), "creal" #suffix);                                     \
      SAME_REAL(tkm_cimag##suffix(z), cimag##suffix(z), "cimag" #suffix);                                     \
      SAME_REAL(cimag##suffix(tkm_conj##suffix(z)), cimag##suffix(conj##suffix(z)), "conj" #suffix);          \
    }                                                                                                         \
  }
CHECK_COMPLEX(float, f, s)
CHECK_COMPLEX(double, , d)
CHECK_COMPLEX(long double, l, x)

/* Any pattern, small and whole numbers, halves, and the ends of the range. */
static double random_number(void) {
  static const double ends[] = {0.0, -0.0, 1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0x1p-1022, 0x1p-1074, -0x1.8p-1074, 0x1.fffffffffffffp1023,
                                0x1p63, -0x1p63, 0x1p31, 4503599627370495.5, INFINITY, -INFINITY, NAN};
  union bits bits = {0};
  switch (below(4)) {
    case 0: return ends[below(sizeof ends / sizeof *ends)];
    case 1: return (double)below(2000) / 4 - 250;
    default:
      for (int part = 0; part < 4; part++) bits.pattern = bits.pattern << 16 | below(65536);
      return bits.number;
  }
}

/* The library's bits; of what is no number only that. */
#define SAME_BITS(real, word, ours, theirs, what)                                                                         \
  do {                                                                                                                    \
    union { real number; word bits; } x = {ours}, y = {theirs};                                                           \
    same(__builtin_isnan(x.number) ? -1 : (long)x.bits, __builtin_isnan(y.number) ? -1 : (long)y.bits, what, "a number"); \
  } while (0)

#define CHECK_MATH(real, word, suffix)                                                                         \
  static void check_math##suffix(void) {                                                                       \
    for (int round = 0; round < 20000; round++) {                                                              \
      real a = (real)random_number(), b = (real)random_number(), whole, their_whole;                           \
      int n = (int)below(below(4) ? 200 : 5000), exponent, their_exponent;                                     \
      n = below(2) ? n : -n;                                                                                   \
      SAME_BITS(real, word, tkm_fdim##suffix(a, b), fdim##suffix(a, b), "fdim" #suffix);                       \
      SAME_BITS(real, word, tkm_modf##suffix(a, &whole), modf##suffix(a, &their_whole), "modf" #suffix);       \
      SAME_BITS(real, word, whole, their_whole, "whole part, modf" #suffix);                                   \
      SAME_BITS(real, word, tkm_frexp##suffix(a, &exponent), frexp##suffix(a, &their_exponent), "frexp" #suffix); \
      same(exponent, their_exponent, "exponent, frexp" #suffix, "a number");                                   \
      SAME_BITS(real, word, tkm_ldexp##suffix(a, n), ldexp##suffix(a, n), "ldexp" #suffix);                    \
      SAME_BITS(real, word, tkm_ldexp##suffix(a, n), scalbn##suffix(a, n), "scalbn" #suffix);                  \
      SAME_BITS(real, word, tkm_scalbln##suffix(a, n * 40000000000l), scalbln##suffix(a, n * 40000000000l), "scalbln" #suffix); \
      same(tkm_lround##suffix(a), lround##suffix(a), "lround" #suffix, "a number");                            \
      same(tkm_llround##suffix(a), llround##suffix(a), "llround" #suffix, "a number");                         \
      same(tkm_lrint##suffix(a), lrint##suffix(a), "lrint" #suffix, "a number");                               \
      same(tkm_llrint##suffix(a), llrint##suffix(a), "llrint" #suffix, "a number");                            \
    }                                                                                                          \
  }
CHECK_MATH(float, unsigned, f)
CHECK_MATH(double, unsigned long, )

#include "formats.c"
#include "options.c"

int main(void) {
  check_formats();
  check_mathf(), check_math();
  check_characters();
  check_complexf(), check_complex(), check_complexl();
  check_all_numbers();
  check_sorting();
  check_options();
  for (int round = 0; round < 5000; round++) {
    char a[32], b[16];
    random_text(a, 16);
    random_text(b, below(2) ? 4 : 16);
    check_searching(a, b);
    check_copying(a, b);
    check_tokens(a, b);
    check_wide(a, b);
  }
  if (!different) printf("compared %lu\n", compared);
  return different != 0;
}
