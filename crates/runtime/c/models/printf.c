/* <stdio.h>: text made of numbers and other texts, in the "C" locale. Conversions that are not written out here (wide
 * characters, positions, errors) are left to the library as a whole. */
#include <stdarg.h>

#include "format.h"

enum { MOST_INT = 0x7fffffff, TOO_LONG = 75 };

/* The library's own, which is not instrumented, under a name that no program uses. */
int __vsnprintf(char *to, size_t size, const char *format, va_list arguments);
/* Floating-point numbers are the library's, one at a time. */
int tkw_sprintf(char *to, size_t size, const char *format, double value);
int tkw_sprintf_l(char *to, size_t size, const char *format, long double value);

/* Where the text goes. */
typedef struct {
  char *to;
  size_t size;  /* room as the caller says it, the end of the text included */
  size_t count; /* characters so far, written or not */
} output;

/* A conversion as the format says it. */
typedef struct {
  int left, plus, space, alternate, zero;
  int width, precision; /* -1: none */
  enum number_size size;
  char letter;
} conversion;

/* ---- Reading the format ---- */

static const char *read_conversion(const char *f, conversion *found) {
  *found = (conversion){.width = -1, .precision = -1};
  for (;; f++) {
    if (*f == '-') found->left = 1;
    else if (*f == '+') found->plus = 1;
    else if (*f == ' ') found->space = 1;
    else if (*f == '#') found->alternate = 1;
    else if (*f == '0') found->zero = 1;
    else break;
  }
  return f;
}

static int is_one_of(char c, const char *set) {
  for (; *set; set++)
    if (*set == c) return 1;
  return 0;
}

/* Behind flags, width and precision: digits or a star. */
static const char *after_number(const char *f) {
  if (*f == '*') return f + 1;
  while (is_decimal(*f)) f++;
  return f;
}

/* True if every conversion is one that this file writes out. */
static int is_known(const char *f) {
  conversion ignored;
  while (*f) {
    if (*f++ != '%') continue;
    f = after_number(read_conversion(f, &ignored));
    if (*f == '.') f = after_number(f + 1);
    enum number_size size = read_size(&f);
    if (!is_one_of(*f, "diuoxXcspn%fFeEgGaA")) return 0;
    if (size == OF_LONG && is_one_of(*f, "cs")) return 0;
    f++;
  }
  return 1;
}

/* The least number of characters that the rest of a format makes. */
static size_t least_rest(const char *f) {
  conversion ignored;
  size_t count = 0;
  while (*f) {
    if (*f++ != '%') {
      count++;
      continue;
    }
    f = read_conversion(f, &ignored);
    int width = is_decimal(*f) ? read_number(&f) : 0;
    f = after_number(f);
    if (*f == '.') f = after_number(f + 1);
    read_size(&f);
    int least = is_one_of(*f, "sn") ? 0 : 1;
    count += (size_t)(width > least ? width : least);
    if (*f) f++;
  }
  return count;
}

/* ---- Writing ---- */

static void put(output *out, char c) {
  if (out->count + 1 < out->size) out->to[out->count] = c;
  out->count++;
}

static void pad(output *out, char c, size_t times) {
  while (times--) put(out, c);
}

/* Characters of the piece that comes next which fit, if `rest` characters and the end follow it; NO_ROOM_KNOWN if nothing
 * can go wrong, because the caller's size says less. */
static size_t fitting(const output *out, size_t rest) {
  if (out->size && out->count >= out->size - 1) return NO_ROOM_KNOWN;
  size_t room = out->size ? tk_room(out->to + out->count) : NO_ROOM_KNOWN;
  if (room == NO_ROOM_KNOWN || out->size - out->count <= room) return NO_ROOM_KNOWN;
  return room > rest + 1 ? room - rest - 1 : 0;
}

/* ---- Conversions ---- */

static const unsigned long POWERS_OF_TEN[] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
    10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000,
    10000000000000000000ul};

/* The largest number of so many digits. */
static unsigned long largest(size_t digits, unsigned bits) {
  if (bits) return digits * bits >= 64 ? ~0ul : (1ul << digits * bits) - 1;
  return digits >= 20 ? ~0ul : POWERS_OF_TEN[digits] - 1;
}

static int count_digits(unsigned long value, unsigned bits) {
  int count = 1;
  while (value > largest((size_t)count, bits)) count++;
  return count;
}

/* `bits` of a digit: 0 for decimal numbers. */
static void put_number(output *out, const conversion *how, const char *sign, unsigned long value, unsigned bits) {
  char digits[72];
  int count = value || how->precision ? count_digits(value, bits) : 0, length = 0;
  for (unsigned long rest = value; length < count; length++) {
    unsigned digit = bits ? (unsigned)(rest & ((1u << bits) - 1)) : (unsigned)(rest % 10);
    digits[length] = (char)('0' + digit + (digit > 9) * (how->letter == 'X' ? 7u : 39u));
    rest = bits ? rest >> bits : rest / 10;
  }
  size_t zeros = how->precision > count ? (size_t)(how->precision - count) : 0;
  if (bits == 3 && how->alternate && !zeros && (!count || digits[count - 1] != '0')) zeros = 1;
  size_t signs = 0;
  while (sign[signs]) signs++;
  size_t whole = signs + zeros + (size_t)count, width = how->width > 0 ? (size_t)how->width : 0;
  size_t padding = width > whole ? width - whole : 0;
  if (how->zero && !how->left && how->precision < 0) zeros += padding, padding = 0;
  if (!how->left) pad(out, ' ', padding);
  while (*sign) put(out, *sign++);
  pad(out, '0', zeros);
  while (count--) put(out, digits[count]);
  if (how->left) pad(out, ' ', padding);
}

static void put_signed(output *out, const conversion *how, long value, size_t rest) {
  size_t most = fitting(out, rest);
  if (most != NO_ROOM_KNOWN) {
    size_t positive = how->plus || how->space ? most - (most > 0) : most, negative = most - (most > 0);
    unsigned long high = largest(positive, 0), low = largest(negative, 0);
    long highest = high > 0x7ffffffffffffffful ? 0x7fffffffffffffffl : (long)high;
    long lowest = low > 0x7ffffffffffffffful ? -0x7fffffffffffffffl - 1 : -(long)low;
    __tk_fits((value <= highest) & (value >= lowest));
  }
  const char *sign = how->plus ? "+" : how->space ? " " : "";
  if (value < 0) put_number(out, how, "-", -(unsigned long)value, 0);
  else put_number(out, how, sign, (unsigned long)value, 0);
}

static void put_unsigned(output *out, const conversion *how, unsigned long value, size_t rest) {
  unsigned bits = how->letter == 'o' ? 3 : how->letter == 'u' ? 0 : 4;
  const char *prefix = bits != 4 || !how->alternate ? "" : how->letter == 'X' ? "0X" : "0x";
  size_t most = fitting(out, rest), taken = *prefix ? 2 : 0;
  if (most != NO_ROOM_KNOWN) __tk_fits(value <= largest(most > taken ? most - taken : 0, bits));
  put_number(out, how, *prefix && value ? prefix : "", value, bits);
}

static void put_text(output *out, const conversion *how, const char *text, size_t rest) {
  if (!text) text = how->precision < 0 || how->precision >= 6 ? "(null)" : "";
  size_t most = how->precision < 0 ? NO_ROOM_KNOWN : (size_t)how->precision, length = 0;
  size_t left = out->size > out->count ? out->size - out->count : 0;
  if (fitting(out, rest) != NO_ROOM_KNOWN) copies_text(out->to + out->count, text, most < left ? most : left - 1, rest + 1);
  else if (left && left <= MOST_INT && left <= most) wants_text(text, left);
  while (length < most && text[length]) length++;
  size_t padding = how->width > 0 && (size_t)how->width > length ? (size_t)how->width - length : 0;
  if (!how->left) pad(out, ' ', padding);
  for (size_t i = 0; i < length; i++) put(out, text[i]);
  if (how->left) pad(out, ' ', padding);
}

static void put_character(output *out, const conversion *how, char c) {
  size_t padding = how->width > 1 ? (size_t)how->width - 1 : 0;
  if (!how->left) pad(out, ' ', padding);
  put(out, c);
  if (how->left) pad(out, ' ', padding);
}

static void put_pointer(output *out, const conversion *how, const void *pointer) {
  conversion as_number = *how;
  as_number.letter = 'x';
  as_number.size = OF_LONG;
  as_number.zero = 0;
  if (pointer) put_number(out, &as_number, "0x", (unsigned long)pointer, 4);
  else put_text(out, &(conversion){.width = how->width, .precision = -1, .left = how->left}, "(nil)", 0);
}

/* The conversion on its own, as text: `%`, flags, `*.*`, size, letter. */
static void write_format(char *format, const conversion *how) {
  *format++ = '%';
  if (how->left) *format++ = '-';
  if (how->plus) *format++ = '+';
  if (how->space) *format++ = ' ';
  if (how->alternate) *format++ = '#';
  if (how->zero) *format++ = '0';
  const int numbers[2] = {how->width, how->precision};
  for (int which = 0; which < 2; which++) {
    if (numbers[which] < 0) continue;
    if (which) *format++ = '.';
    int digits = count_digits((unsigned long)numbers[which], 0);
    for (int i = digits; i--;) *format++ = (char)('0' + (unsigned long)numbers[which] / POWERS_OF_TEN[i] % 10);
  }
  if (how->size == OF_LONG_DOUBLE) *format++ = 'L';
  *format++ = how->letter;
  *format = 0;
}

static void put_float(output *out, const conversion *how, double value, long double longer) {
  char format[48], first[64];
  write_format(format, how);
  int is_long = how->size == OF_LONG_DOUBLE;
  int length = is_long ? tkw_sprintf_l(first, sizeof first, format, longer)
                       : tkw_sprintf(first, sizeof first, format, value);
  size_t size = length < 0 ? 0 : (size_t)length;
  char *text = first;
  if (size >= sizeof first) {
    text = tkw_malloc(size + 1);
    if (!text) return;
    if (is_long) tkw_sprintf_l(text, size + 1, format, longer);
    else tkw_sprintf(text, size + 1, format, value);
  }
  for (size_t i = 0; i < size; i++) put(out, text[i]);
  if (text != first) tkw_free(text);
}

/* ---- The whole ---- */

static long next_signed(enum number_size size, va_list arguments) {
  if (size == OF_LONG || size == OF_LONG_DOUBLE) return va_arg(arguments, long);
  int value = va_arg(arguments, int);
  return size == OF_CHAR ? (signed char)value : size == OF_SHORT ? (short)value : value;
}

static unsigned long next_unsigned(enum number_size size, va_list arguments) {
  if (size == OF_LONG || size == OF_LONG_DOUBLE) return va_arg(arguments, unsigned long);
  unsigned value = va_arg(arguments, unsigned);
  return size == OF_CHAR ? (unsigned char)value : size == OF_SHORT ? (unsigned short)value : value;
}

static void store_count(enum number_size size, void *to, size_t count) {
  if (size == OF_LONG) *(long *)to = (long)count;
  else if (size == OF_SHORT) *(short *)to = (short)count;
  else if (size == OF_CHAR) *(signed char *)to = (signed char)count;
  else *(int *)to = (int)count;
}

static void convert(output *out, conversion *how, size_t rest, va_list arguments) {
  switch (how->letter) {
    case 'd':
    case 'i': put_signed(out, how, next_signed(how->size, arguments), rest); break;
    case 'u':
    case 'o':
    case 'x':
    case 'X': put_unsigned(out, how, next_unsigned(how->size, arguments), rest); break;
    case 's': put_text(out, how, va_arg(arguments, const char *), rest); break;
    case 'c': put_character(out, how, (char)va_arg(arguments, int)); break;
    case 'p': put_pointer(out, how, va_arg(arguments, const void *)); break;
    case 'n': store_count(how->size, va_arg(arguments, void *), out->count); break;
    case '%': put(out, '%'); break;
    default:
      if (how->size == OF_LONG_DOUBLE) put_float(out, how, 0, va_arg(arguments, long double));
      else put_float(out, how, va_arg(arguments, double), 0);
  }
}

static int print(char *to, size_t size, const char *format, va_list arguments) {
  if (!is_known(format)) return __vsnprintf(to, size > MOST_INT ? MOST_INT : size, format, arguments);
  output out = {to, size, 0};
  while (*format) {
    if (*format != '%') {
      put(&out, *format++);
      continue;
    }
    conversion how;
    format = read_conversion(format + 1, &how);
    if (*format == '*') {
      how.width = va_arg(arguments, int);
      if (how.width < 0) how.left = 1, how.width = -how.width;
      format++;
    } else if (is_decimal(*format)) {
      how.width = read_number(&format);
    }
    if (*format == '.') {
      format++;
      if (*format == '*') how.precision = va_arg(arguments, int), format++;
      else how.precision = read_number(&format);
      if (how.precision < 0) how.precision = -1;
    }
    how.size = read_size(&format);
    how.letter = *format++;
    convert(&out, &how, least_rest(format), arguments);
  }
  if (size) out.to[out.count < size ? out.count : size - 1] = 0;
  if (out.count > MOST_INT) {
    *__errno_location() = TOO_LONG;
    return -1;
  }
  return (int)out.count;
}

int tkm_vsnprintf(char *to, size_t size, const char *format, va_list arguments) {
  return print(to, size, format, arguments);
}

int tkm_vsprintf(char *to, const char *format, va_list arguments) { return print(to, ~(size_t)0, format, arguments); }

int tkm_snprintf(char *to, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = print(to, size, format, arguments);
  va_end(arguments);
  return count;
}

int tkm_sprintf(char *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = print(to, ~(size_t)0, format, arguments);
  va_end(arguments);
  return count;
}
