/* What conversions of printf and scanf have in common: `%`, flags, width, precision, size, letter. */
#ifndef TARKA_FORMAT_H
#define TARKA_FORMAT_H
#include "models.h"

/* The size of a number, by the letters before the conversion's. */
enum number_size { OF_INT, OF_CHAR, OF_SHORT, OF_LONG, OF_LONG_DOUBLE };

/* Reads `hh h l ll q j z t L` and moves on; all numbers of 64 bits are one size. */
static enum number_size read_size(const char **format) {
  const char *f = *format;
  enum number_size size = OF_INT;
  if (*f == 'h') {
    size = f[1] == 'h' ? OF_CHAR : OF_SHORT;
    f += f[1] == 'h' ? 2 : 1;
  } else if (*f == 'l') {
    size = OF_LONG;
    f += f[1] == 'l' ? 2 : 1;
  } else if (*f == 'q' || *f == 'j' || *f == 'z' || *f == 't') {
    size = OF_LONG;
    f++;
  } else if (*f == 'L') {
    size = OF_LONG_DOUBLE;
    f++;
  }
  *format = f;
  return size;
}

static int is_decimal(char c) { return c >= '0' && c <= '9'; }

static int read_number(const char **format) {
  int number = 0;
  for (; is_decimal(**format); ++*format) number = number * 10 + (**format - '0');
  return number;
}

#endif
