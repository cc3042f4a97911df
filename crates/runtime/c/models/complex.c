/* <complex.h>: the parts of a complex number; and the products that compilers leave to their library, which are those
 * whose plain formula gave no number at all. */
#include "models.h"

/* In such a product an infinite factor counts by its direction alone, and a part that is no number by its sign. */
#define COMPLEX(real, suffix, letter)                                                                                   \
  real tkm_creal##suffix(real _Complex z) { return __real__ z; }                                                       \
  real tkm_cimag##suffix(real _Complex z) { return __imag__ z; }                                                       \
  real _Complex tkm_conj##suffix(real _Complex z) { return ~z; }                                                       \
                                                                                                                        \
  static int infinite##suffix(real x, real y) { return __builtin_isinf(x) || __builtin_isinf(y); }                     \
  static real direction##suffix(real x) { return __builtin_copysign##suffix(__builtin_isinf(x) ? 1 : 0, x); }          \
  static real or_zero##suffix(real x) { return __builtin_isnan(x) ? __builtin_copysign##suffix(0, x) : x; }            \
                                                                                                                        \
  real _Complex tkm_mul##letter##c3(real a, real b, real c, real d) {                                                  \
    real _Complex product;                                                                                              \
    __real__ product = a * c - b * d;                                                                                   \
    __imag__ product = a * d + b * c;                                                                                   \
    if (!__builtin_isnan(__real__ product) || !__builtin_isnan(__imag__ product)) return product;                       \
    int left = infinite##suffix(a, b), overflow = infinite##suffix(a * c, b * d) || infinite##suffix(a * d, b * c);     \
    if (left) a = direction##suffix(a), b = direction##suffix(b), c = or_zero##suffix(c), d = or_zero##suffix(d);       \
    int right = infinite##suffix(c, d);                                                                                 \
    if (right) c = direction##suffix(c), d = direction##suffix(d), a = or_zero##suffix(a), b = or_zero##suffix(b);      \
    if (!left && !right) {                                                                                              \
      if (!overflow) return product;                                                                                    \
      a = or_zero##suffix(a), b = or_zero##suffix(b), c = or_zero##suffix(c), d = or_zero##suffix(d);                   \
    }                                                                                                                   \
    __real__ product = (real)__builtin_inf() * (a * c - b * d);                                                         \
    __imag__ product = (real)__builtin_inf() * (a * d + b * c);                                                         \
    return product;                                                                                                     \
  }

COMPLEX(float, f, s)
COMPLEX(double, , d)
COMPLEX(long double, l, x)
