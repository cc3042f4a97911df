/* Compares the models of printf, scanf and strtod with the library; part of check.c. */
#include <limits.h>

/* ---- printf ---- */

static char our_text[512], their_text[512], a_format[64];

static void same_text(int ours, int theirs) {
  same(ours, theirs, "printf, result", a_format);
  same(memcmp(our_text, their_text, sizeof our_text), 0, "printf, text", a_format);
}

static void fresh_buffers(void) {
  memset(our_text, 'x', sizeof our_text);
  memset(their_text, 'x', sizeof their_text);
}

#define PRINTED(size, ...)                                                                                            \
  do {                                                                                                                \
    fresh_buffers();                                                                                                  \
    same_text(tkm_snprintf(our_text, size, a_format, __VA_ARGS__), snprintf(their_text, size, a_format, __VA_ARGS__)); \
    fresh_buffers();                                                                                                  \
    same_text(tkm_sprintf(our_text, a_format, __VA_ARGS__), sprintf(their_text, a_format, __VA_ARGS__));              \
  } while (0)

/* `%`, some flags, sometimes a width and a precision, a size, a letter; with text around it. */
static void random_format(const char *size, char letter) {
  char *f = a_format;
  const char *flags = "-+ #0";
  for (unsigned i = below(3); i; i--) *f++ = "ab:"[below(3)];
  *f++ = '%';
  for (unsigned i = below(3); i; i--) *f++ = flags[below(5)];
  if (below(2)) f += sprintf(f, "%u", 1 + below(12));
  if (below(2)) f += sprintf(f, ".%u", below(12));
  f += sprintf(f, "%s%c", size, letter);
  if (below(2)) f += sprintf(f, "%%|");
  *f = 0;
}

static long random_whole(void) {
  static const long ends[] = {0, 1, -1, 9, 10, -10, INT_MAX, INT_MIN, LONG_MAX, LONG_MIN, 255, 256, 65535, -32768};
  unsigned bits = below(64);
  long value = 0;
  if (below(3) == 0) return ends[below(sizeof ends / sizeof *ends)];
  for (int part = 0; part < 4; part++) value = value << 16 | (long)below(65536);
  return (long)((unsigned long)value >> bits);
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat"
static void check_printing(void) {
  for (int round = 0; round < 20000; round++) {
    const char *letters = "diuoxX";
    char text[24];
    size_t size = below(24);
    long value = random_whole();
    int character = (int)below(256);
    double number = random_number() / 1e290;
    random_format("", letters[below(6)]);
    PRINTED(size, (int)value);
    random_format("l", letters[below(6)]);
    PRINTED(size, value);
    random_format("hh", letters[below(6)]);
    PRINTED(size, (int)value);
    random_format("h", letters[below(6)]);
    PRINTED(size, (int)value);
    random_text(text, 20);
    random_format("", 's');
    PRINTED(size, text);
    random_format("", 'c');
    PRINTED(size, character);
    random_format("", "fFeEgGaA"[below(8)]);
    PRINTED(size, number);
    random_format("L", "fFeEgGaA"[below(8)]);
    PRINTED(size, (long double)number);
  }
  strcpy(a_format, "[%*d|%-*.*s|%p|%p|%%]");
  PRINTED(40, -6, 42, 7, 3, "texts", (void *)0, (void *)0x1234);
  PRINTED(9, 6, 42, -7, -3, "texts", (void *)our_text, (void *)0x1234);
  strcpy(a_format, "%2$s %1$d");
  PRINTED(20, 7, "seven");
  strcpy(a_format, "%.3s|%s");
  PRINTED(20, (char *)0, (char *)0);
  int ours = 0, theirs = 0;
  tkm_sprintf(our_text, "abc%n%d", &ours, 4);
  sprintf(their_text, "abc%n%d", &theirs, 4);
  same(ours, theirs, "printf, %n", "abc");
}

/* ---- scanf ---- */

static void check_one_scan(const char *text, const char *format) {
  struct {
    char words[3][64];
    long numbers[3];
    int count;
  } ours, theirs;
  memset(&ours, 1, sizeof ours);
  memset(&theirs, 1, sizeof theirs);
#define INTO(x) x.words[0], x.numbers, x.words[1], x.numbers + 1, &x.count
  same(tkm_sscanf(text, format, INTO(ours)), sscanf(text, format, INTO(theirs)), format, text);
#undef INTO
  same(memcmp(&ours, &theirs, sizeof ours), 0, format, text);
}

static void check_scanning(void) {
  static const char *formats[] = {
      "%s %ld %s %ld%n", "%s%ld%s%ld", "%3s%li %[a-c]%lx", "%[^,],%ld,%[^ ] %lo", "%1[ab]%2ld%2s%3ld%n", "%s%%%ld",
      "%5c%lu%s", "%*d%[]a-z]%ld", "%63s:%ld", "%[^-b] - %lx", "%s %hd %s %hhd %n", "%*s%*c%4s%i",
  };
  for (int round = 0; round < 40000; round++) {
    char text[40];
    unsigned length = below(24);
    for (unsigned i = 0; i < length; i++) text[i] = "ab1209-+ ,:%xX0f\t]"[below(18)];
    text[length] = 0;
    check_one_scan(text, formats[below(sizeof formats / sizeof *formats)]);
  }
}
#pragma clang diagnostic pop

/* ---- strtod ---- */

static void check_decimals(void) {
  for (int round = 0; round < 40000; round++) {
    char text[40], *our_end, *their_end;
    if (below(3) == 0) {
      unsigned length = below(12);
      for (unsigned i = 0; i < length; i++) text[i] = "0123456789.eE+- xinfa"[below(21)];
      text[length] = 0;
    } else {
      sprintf(text, "%s%lu.%0*uE%d", below(2) ? "" : " -", (unsigned long)random_whole() % 100000000, (int)below(7), below(100000),
              (int)below(60) - 30);
      if (below(2)) *strchr(text, 'E') = 0;
    }
    errno = 0;
    union bits ours = {.number = tkm_strtod(text, &our_end)};
    int our_errno = errno;
    errno = 0;
    union bits theirs = {.number = strtod(text, &their_end)};
    same((long)ours.pattern, (long)theirs.pattern, "strtod", text);
    same(our_end - text, their_end - text, "strtod, end", text);
    same(our_errno, errno, "strtod, errno", text);
    ours.number = tkm_atof(text), theirs.number = atof(text);
    same((long)ours.pattern, (long)theirs.pattern, "atof", text);
  }
}

static void check_formats(void) {
  check_printing();
  check_scanning();
  check_decimals();
}
