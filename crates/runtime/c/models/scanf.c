/* <stdio.h>: numbers and words out of a text, in the "C" locale. Conversions that are not written out here (wide
 * characters, positions, memory of the library's) are left to the library as a whole. */
#include <stdarg.h>

#include "format.h"

/* The library's own, which are not instrumented, under names that no program uses. */
int __vsscanf(const char *text, const char *format, va_list arguments);
double tkm_strtod(const char *text, char **end);
long double __strtold_internal(const char *text, char **end, int group);

/* What is left of the text, and what became of it. */
typedef struct {
  const char *start, *at;
  int assigned;
} reading;

/* A conversion as the format says it. */
typedef struct {
  int skips; /* what is read goes nowhere */
  int width; /* 0: none */
  enum number_size size;
  char letter;
  const char *set, *set_end; /* of `%[` */
} scanned;

/* ---- Reading the format ---- */

static const char *read_scanned(const char *f, scanned *found) {
  *found = (scanned){0};
  if (*f == '*') found->skips = 1, f++;
  found->width = read_number(&f);
  found->size = read_size(&f);
  found->letter = *f;
  if (*f != '[') return *f ? f + 1 : f;
  found->set = ++f;
  if (*f == '^') f++;
  if (*f == ']') f++;
  while (*f && *f != ']') f++;
  found->set_end = f;
  return *f ? f + 1 : f;
}

static int is_scannable(const char *f) {
  while (*f) {
    if (*f++ != '%') continue;
    scanned how;
    if (*f == '%') {
      f++;
      continue;
    }
    f = read_scanned(f, &how);
    if (!is_one_of(how.letter, "diuoxXcs[neEfFgGaAp")) return 0;
    if (how.size == OF_LONG && is_one_of(how.letter, "cs[")) return 0;
    if (how.width && is_one_of(how.letter, "eEfFgGaA")) return 0;
  }
  return 1;
}

/* Whether `%[` takes a character. */
static int is_in_set(const scanned *how, char c) {
  const char *at = how->set;
  int excludes = *at == '^', found = 0;
  if (excludes) at++;
  for (const char *first = at; at < how->set_end; at++) {
    int is_range = at > first && *at == '-' && at + 1 < how->set_end;
    if (is_range) {
      found |= (unsigned char)c >= (unsigned char)at[-1] && (unsigned char)c <= (unsigned char)at[1];
      at++;
    } else {
      found |= *at == c;
    }
  }
  return found != excludes;
}

/* ---- Conversions: each says whether the text matches ---- */

static void skip_spaces(reading *in) {
  while (is_space(*in->at)) in->at++;
}

/* As many characters of the text as belong to a number, for a base of 0 with its prefix. */
static const char *end_of_number(const char *s, unsigned width, unsigned *base) {
  const char *last = width ? s + width : 0;
#define MORE (*s && s != last)
  if (MORE && (*s == '-' || *s == '+')) s++;
  if (MORE && *s == '0' && (*base == 0 || *base == 16)) {
    s++;
    if (MORE && (*s == 'x' || *s == 'X')) s++, *base = 16;
    else if (*base == 0) *base = 8;
  } else if (*base == 0) {
    *base = 10;
  }
  while (MORE && digit_value(*s) < *base) s++;
#undef MORE
  return s;
}

static void store_number(enum number_size size, void *to, unsigned long value) {
  if (size == OF_LONG || size == OF_LONG_DOUBLE) *(unsigned long *)to = value;
  else if (size == OF_SHORT) *(unsigned short *)to = (unsigned short)value;
  else if (size == OF_CHAR) *(unsigned char *)to = (unsigned char)value;
  else *(unsigned *)to = (unsigned)value;
}

static int scan_number(reading *in, const scanned *how, void *to) {
  char digits[80];
  skip_spaces(in);
  char letter = how->letter;
  unsigned base = letter == 'i' ? 0 : letter == 'o' ? 8 : letter == 'd' || letter == 'u' ? 10 : 16;
  const char *end = end_of_number(in->at, (unsigned)how->width, &base), *read = in->at;
  size_t length = (size_t)(end - read);
  char *after;
  if (!length || length >= sizeof digits) return 0;
  for (size_t i = 0; i < length; i++) digits[i] = read[i];
  digits[length] = 0;
  int is_signed = letter == 'd' || letter == 'i';
  unsigned long value = is_signed ? (unsigned long)tkm_strtol(digits, &after, (int)base)
                                  : tkm_strtoul(digits, &after, (int)base);
  /* A sign alone is no number. A prefix alone is one for the library: 0. */
  if (after == digits) return 0;
  in->at = end;
  if (to) store_number(letter == 'p' ? OF_LONG : how->size, to, value);
  return 1;
}

static int scan_float(reading *in, const scanned *how, void *to) {
  char *end;
  skip_spaces(in);
  if (how->size == OF_LONG_DOUBLE) {
    long double value = __strtold_internal(in->at, &end, 0);
    if (end == in->at) return 0;
    if (to) *(long double *)to = value;
  } else {
    double value = tkm_strtod(in->at, &end);
    if (end == in->at) return 0;
    if (to && how->size == OF_LONG) *(double *)to = value;
    else if (to) *(float *)to = (float)value;
  }
  in->at = end;
  return 1;
}

/* `%s` and `%[`: as many characters as belong there, and an end. */
static int scan_text(reading *in, const scanned *how, char *to) {
  if (how->letter == 's') skip_spaces(in);
  size_t most = how->width ? (size_t)how->width : NO_ROOM_KNOWN, count = 0;
  /* A word ends before the text does, so only a word that long shows whether it fits. */
  size_t room = to ? tk_room(to) : NO_ROOM_KNOWN;
  if (room <= most && room != NO_ROOM_KNOWN) wants_text(in->at, room);
  while (count < most && in->at[count]) {
    char c = in->at[count];
    if (how->letter == 's' ? is_space(c) : !is_in_set(how, c)) break;
    if (to) to[count] = c;
    count++;
  }
  if (!count) return 0;
  if (to) to[count] = 0;
  in->at += count;
  return 1;
}

static int scan_characters(reading *in, const scanned *how, char *to) {
  int count = how->width ? how->width : 1;
  for (int i = 0; i < count; i++) {
    if (!*in->at) return i > 0;
    if (to) to[i] = *in->at;
    in->at++;
  }
  return 1;
}

static int scan_one(reading *in, const scanned *how, void *to) {
  switch (how->letter) {
    case 'c': return scan_characters(in, how, to);
    case 's':
    case '[': return scan_text(in, how, to);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return scan_float(in, how, to);
    default: return scan_number(in, how, to);
  }
}

/* ---- The whole ---- */

static int scan(const char *text, const char *format, va_list arguments) {
  if (!is_scannable(format)) return __vsscanf(text, format, arguments);
  reading in = {text, text, 0};
  while (*format) {
    if (is_space(*format)) {
      skip_spaces(&in);
      format++;
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      if (*format == '%') skip_spaces(&in), format++;
      if (*in.at != *format) return *in.at || in.assigned ? in.assigned : -1;
      in.at++;
      format++;
      continue;
    }
    scanned how;
    format = read_scanned(format + 1, &how);
    void *to = how.skips ? 0 : va_arg(arguments, void *);
    if (how.letter == 'n') {
      if (to) store_number(how.size, to, (unsigned long)(in.at - in.start));
      continue;
    }
    const char *first = in.at;
    if (!is_one_of(how.letter, "c["))
      while (is_space(*first)) first++;
    int is_end = !*first;
    if (!scan_one(&in, &how, to)) return is_end && !in.assigned ? -1 : in.assigned;
    in.assigned += !how.skips;
  }
  return in.assigned;
}

int tkm_vsscanf(const char *text, const char *format, va_list arguments) { return scan(text, format, arguments); }

int tkm_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int assigned = scan(text, format, arguments);
  va_end(arguments);
  return assigned;
}
