/* <math.h>: functions that take numbers apart and put them together, exact in terms of plain arithmetic. Those that are
 * one operation of the node table are none of these (see the instrumenter). None of them sets errno. */
#include "models.h"

/* The value a number has as an integer after rounding; out of range whatever the processor's conversion gives. */
#define TO_INTEGER(integer, prefix, real, suffix)                                                                       \
  integer tkm_##prefix##round##suffix(real x) { return (integer)__builtin_round##suffix(x); }                           \
  integer tkm_##prefix##rint##suffix(real x) { return (integer)__builtin_rint##suffix(x); }

TO_INTEGER(long, l, float, f)
TO_INTEGER(long, l, double, )
TO_INTEGER(long long, ll, float, f)
TO_INTEGER(long long, ll, double, )

#define PARTS(real, suffix)                                                                                             \
  real tkm_fdim##suffix(real x, real y) { return x <= y ? 0 : x - y; }                                                  \
  real tkm_modf##suffix(real x, real *whole) {                                                                          \
    *whole = __builtin_trunc##suffix(x);                                                                                \
    return __builtin_copysign##suffix(__builtin_isinf(x) ? 0 : x - *whole, x);                                          \
  }

PARTS(float, f)
PARTS(double, )

union bits {
  double number;
  unsigned long pattern;
};

#define EXPONENT_AT 52
#define EXPONENT_ONES 0x7ffl
#define BIAS 1023l
#define DIGITS 53

static long exponent_of(double x) {
  union bits bits = {x};
  return (long)(bits.pattern >> EXPONENT_AT) & EXPONENT_ONES;
}

/* The number with another exponent field. */
static double with_exponent(double x, long exponent) {
  union bits bits = {x};
  bits.pattern = (bits.pattern & ~((unsigned long)EXPONENT_ONES << EXPONENT_AT)) | (unsigned long)exponent << EXPONENT_AT;
  return bits.number;
}

double tkm_frexp(double x, int *exponent) {
  long field = exponent_of(x), below = 0;
  *exponent = 0;
  if (field == EXPONENT_ONES || x == 0) return x + x;
  if (field == 0) {
    below = DIGITS;
    x *= (double)(1ul << DIGITS);
    field = exponent_of(x);
  }
  *exponent = (int)(field - (BIAS - 1) - below);
  return with_exponent(x, BIAS - 1);
}

/* A power of two that is a normal number. */
static double power(long exponent) { return with_exponent(1, exponent + BIAS); }

/* One product may not reach, so part of the way is gone first: upwards that is exact; downwards the part leaves room for
 * all digits, unless nothing but 0 can come of it. Only the last product rounds. */
double tkm_scalbln(double x, long n) {
  const long up = BIAS, down = 1 - BIAS + DIGITS;
  for (int turn = 0; turn < 2; turn++) {
    if (n > up) {
      x *= power(up);
      n -= up;
    } else if (n < 1 - BIAS) {
      x *= power(down);
      n -= down;
    }
  }
  if (n > up) n = up;
  if (n < 1 - BIAS) n = 1 - BIAS;
  return x * power(n);
}

double tkm_ldexp(double x, int n) { return tkm_scalbln(x, n); }

/* A float has so few digits that the double is exact, or so small that no float is left of it. */
float tkm_frexpf(float x, int *exponent) { return (float)tkm_frexp(x, exponent); }
float tkm_scalblnf(float x, long n) { return (float)tkm_scalbln(x, n); }
float tkm_ldexpf(float x, int n) { return (float)tkm_scalbln(x, n); }
