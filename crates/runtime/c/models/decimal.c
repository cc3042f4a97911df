/* <stdlib.h>: floating-point numbers from text. Short decimal numbers are computed here, exactly as the library does: a whole
 * number below 2^53 times or divided by a power of ten that a double holds is rounded once. Everything else is the library's. */
#include "format.h"

double __strtod_internal(const char *text, char **end, int group);

static const double TENS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

enum { MOST_DIGITS = 15, MOST_TENS = 22 };

double tkm_strtod(const char *text, char **end) {
  const char *s = text;
  while (is_space(*s)) s++;
  int negative = *s == '-';
  if (*s == '-' || *s == '+') s++;
  unsigned long digits = 0;
  int count = 0, tens = 0;
  int is_hexadecimal = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
  for (; is_decimal(*s); s++, count++) digits = digits * 10 + (unsigned)(*s - '0');
  if (*s == '.')
    for (s++; is_decimal(*s); s++, count++, tens--) digits = digits * 10 + (unsigned)(*s - '0');
  if (count && (*s == 'e' || *s == 'E')) {
    const char *power = s + 1;
    int is_small = *power == '-', exponent = 0;
    if (*power == '-' || *power == '+') power++;
    if (is_decimal(*power)) {
      for (; is_decimal(*power); power++)
        if (exponent < 1000) exponent = exponent * 10 + (*power - '0');
      s = power;
      tens += is_small ? -exponent : exponent;
    }
  }
  /* No digits: "inf", "nan" or no number at all. */
  if (!count || count > MOST_DIGITS || is_hexadecimal || tens > MOST_TENS || tens < -MOST_TENS)
    return __strtod_internal(text, end, 0);
  if (end) *end = (char *)s;
  double value = (double)digits;
  value = tens < 0 ? value / TENS[-tens] : value * TENS[tens];
  return negative ? -value : value;
}

double tkm_atof(const char *text) { return tkm_strtod(text, 0); }
