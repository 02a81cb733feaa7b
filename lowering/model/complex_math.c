/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Formulas of a + bi, in real arithmetic. */
#include "lowering/model/complex_math_t.h"

#include <math.h>

static EchoValue *number(EchoBuilder *b, EchoValue *like, double value)
{
  return echo_hlo_constant_like(b, like, value);
}
static EchoValue *add(EchoBuilder *b, EchoValue *x, EchoValue *y)
{
  return echo_hlo_add(b, x, y);
}
static EchoValue *sub(EchoBuilder *b, EchoValue *x, EchoValue *y)
{
  return echo_hlo_subtract(b, x, y);
}
static EchoValue *mul(EchoBuilder *b, EchoValue *x, EchoValue *y)
{
  return echo_hlo_multiply(b, x, y);
}
static EchoValue *quotient(EchoBuilder *b, EchoValue *x, EchoValue *y)
{
  return echo_hlo_divide(b, x, y);
}
static EchoValue *scaled(EchoBuilder *b, EchoValue *x, double factor)
{
  return mul(b, x, number(b, x, factor));
}
static EchoValue *is(EchoBuilder *b, EchoCompareDirection direction, EchoValue *x, double value)
{
  return echo_hlo_compare(b, direction, x, number(b, x, value));
}
/* |x| with the sign of y, zeros too */
static EchoValue *with_sign(EchoBuilder *b, EchoValue *x, EchoValue *y)
{
  EchoValue *size = echo_hlo_abs(b, x);
  /* 1 / y tells the zeros apart, y itself the rest (1 / inf is a zero) */
  EchoValue *one_over = quotient(b, number(b, y, 1), y);
  EchoValue *negative = echo_hlo_or(
      b, is(b, ECHO_COMPARE_LT, y, 0),
      echo_hlo_and(b, is(b, ECHO_COMPARE_EQ, y, 0), is(b, ECHO_COMPARE_LT, one_over, 0)));
  return echo_hlo_select(b, negative, echo_hlo_negate(b, size), size);
}
static EchoValue *is_infinite(EchoBuilder *b, EchoValue *x)
{
  return is(b, ECHO_COMPARE_EQ, echo_hlo_abs(b, x), HUGE_VAL);
}

/* ---- lengths ---- */

/* max sqrt(1 + (min / max)^2): nothing overflows that the result does not. */
EchoValue *echo_complex_length(EchoBuilder *b, EchoComplex z)
{
  EchoValue *x = echo_hlo_abs(b, z.re), *y = echo_hlo_abs(b, z.im);
  EchoValue *most = echo_hlo_maximum(b, x, y), *least = echo_hlo_minimum(b, x, y);
  EchoValue *ratio = quotient(b, least, most);
  EchoValue *root = echo_hlo_sqrt(b, add(b, number(b, ratio, 1), mul(b, ratio, ratio)));
  EchoValue *zero = is(b, ECHO_COMPARE_EQ, most, 0);
  EchoValue *length = echo_hlo_select(b, zero, most, mul(b, most, root));
  EchoValue *infinite = echo_hlo_or(b, is_infinite(b, x), is_infinite(b, y));
  return echo_hlo_select(b, infinite, number(b, length, HUGE_VAL), length);
}

/* ---- arithmetic ---- */

static EchoComplex complex_add(EchoBuilder *b, EchoComplex z, EchoComplex w)
{
  return (EchoComplex){add(b, z.re, w.re), add(b, z.im, w.im)};
}

static EchoComplex complex_subtract(EchoBuilder *b, EchoComplex z, EchoComplex w)
{
  return (EchoComplex){sub(b, z.re, w.re), sub(b, z.im, w.im)};
}

static EchoComplex complex_multiply(EchoBuilder *b, EchoComplex z, EchoComplex w)
{
  return (EchoComplex){sub(b, mul(b, z.re, w.re), mul(b, z.im, w.im)),
                       add(b, mul(b, z.re, w.im), mul(b, z.im, w.re))};
}

static EchoComplex complex_negate(EchoBuilder *b, EchoComplex z)
{
  return (EchoComplex){echo_hlo_negate(b, z.re), echo_hlo_negate(b, z.im)};
}

/* Smith's: by the larger part of w. */
static EchoComplex complex_divide(EchoBuilder *b, EchoComplex z, EchoComplex w)
{
  EchoValue *by_re =
      echo_hlo_compare(b, ECHO_COMPARE_GE, echo_hlo_abs(b, w.re), echo_hlo_abs(b, w.im));
  EchoValue *most = echo_hlo_select(b, by_re, w.re, w.im);
  EchoValue *least = echo_hlo_select(b, by_re, w.im, w.re);
  EchoValue *ratio = quotient(b, least, most);
  EchoValue *below = add(b, most, mul(b, least, ratio));
  EchoValue *re = echo_hlo_select(b, by_re, add(b, z.re, mul(b, z.im, ratio)),
                                  add(b, mul(b, z.re, ratio), z.im));
  EchoValue *im = echo_hlo_select(b, by_re, sub(b, z.im, mul(b, z.re, ratio)),
                                  sub(b, mul(b, z.im, ratio), z.re));
  return (EchoComplex){quotient(b, re, below), quotient(b, im, below)};
}

/* ---- exponentials ---- */

static EchoComplex polar(EchoBuilder *b, EchoValue *length, EchoValue *angle)
{
  return (EchoComplex){mul(b, length, echo_hlo_cosine(b, angle)),
                       mul(b, length, echo_hlo_sine(b, angle))};
}

static EchoComplex complex_exponential(EchoBuilder *b, EchoComplex z)
{
  EchoComplex y = polar(b, echo_hlo_exponential(b, z.re), z.im);
  EchoValue *real = is(b, ECHO_COMPARE_EQ, z.im, 0); /* exp(inf + 0i) has no NaN in it */
  y.im = echo_hlo_select(b, real, z.im, y.im);
  return y;
}

/* e^a cos b - 1 = expm1(a) cos b - 2 sin^2(b / 2) */
static EchoComplex complex_expm1(EchoBuilder *b, EchoComplex z)
{
  EchoValue *half = echo_hlo_sine(b, scaled(b, z.im, 0.5));
  EchoValue *re = sub(b, mul(b, echo_hlo_exponential_minus_one(b, z.re), echo_hlo_cosine(b, z.im)),
                      scaled(b, mul(b, half, half), 2));
  return (EchoComplex){re, mul(b, echo_hlo_exponential(b, z.re), echo_hlo_sine(b, z.im))};
}

/* log |z| = log max + log1p((min / max)^2) / 2: |z| itself may be too large. */
static EchoComplex complex_log(EchoBuilder *b, EchoComplex z)
{
  EchoValue *x = echo_hlo_abs(b, z.re), *y = echo_hlo_abs(b, z.im);
  EchoValue *most = echo_hlo_maximum(b, x, y);
  EchoValue *ratio = quotient(b, echo_hlo_minimum(b, x, y), most);
  EchoValue *rest = scaled(b, echo_hlo_log_plus_one(b, mul(b, ratio, ratio)), 0.5);
  EchoValue *alone = echo_hlo_or(b, is(b, ECHO_COMPARE_EQ, most, 0), is_infinite(b, most));
  EchoValue *large = echo_hlo_log(b, most);
  return (EchoComplex){echo_hlo_select(b, alone, large, add(b, large, rest)),
                       echo_hlo_atan2(b, z.im, z.re)};
}

/* log |1 + z| = log1p(a (2 + a) + b^2) / 2 */
static EchoComplex complex_log1p(EchoBuilder *b, EchoComplex z)
{
  EchoValue *square = add(b, mul(b, z.re, add(b, z.re, number(b, z.re, 2))), mul(b, z.im, z.im));
  return (EchoComplex){scaled(b, echo_hlo_log_plus_one(b, square), 0.5),
                       echo_hlo_atan2(b, z.im, add(b, z.re, number(b, z.re, 1)))};
}

static EchoComplex complex_logistic(EchoBuilder *b, EchoComplex z)
{
  EchoComplex one = {number(b, z.re, 1), number(b, z.re, 0)};
  return complex_divide(b, one, complex_add(b, one, complex_exponential(b, complex_negate(b, z))));
}

/* ---- roots and powers ---- */

/* t = sqrt((|a| + |z|) / 2): t + b / 2t i, or |b| / 2t + sign(b) t i on the left; of halves, and
 * twice that, where |z| may be too large. */
static EchoComplex complex_sqrt(EchoBuilder *b, EchoComplex z)
{
  EchoComplex eighth = {scaled(b, z.re, 0.125), scaled(b, z.im, 0.125)};
  EchoValue *t = scaled(
      b, echo_hlo_sqrt(b, add(b, echo_hlo_abs(b, eighth.re), echo_complex_length(b, eighth))), 2);
  EchoValue *other = scaled(b, quotient(b, z.im, t), 0.5);
  EchoValue *right = is(b, ECHO_COMPARE_GE, z.re, 0), *zero = is(b, ECHO_COMPARE_EQ, t, 0);
  EchoValue *re = echo_hlo_select(b, right, t, echo_hlo_abs(b, other));
  EchoValue *im = echo_hlo_select(b, right, other, with_sign(b, t, z.im));
  EchoValue *up = is_infinite(b, z.im); /* whatever the other part is */
  re = echo_hlo_select(b, up, number(b, re, HUGE_VAL), echo_hlo_select(b, zero, t, re));
  im = echo_hlo_select(b, echo_hlo_or(b, up, zero), z.im, im);
  return (EchoComplex){re, im};
}

static EchoComplex complex_rsqrt(EchoBuilder *b, EchoComplex z)
{
  EchoComplex one = {number(b, z.re, 1), number(b, z.re, 0)};
  return complex_divide(b, one, complex_sqrt(b, z));
}

static EchoComplex complex_cbrt(EchoBuilder *b, EchoComplex z)
{
  return polar(b, echo_hlo_cbrt(b, echo_complex_length(b, z)),
               scaled(b, echo_hlo_atan2(b, z.im, z.re), 1.0 / 3));
}

/* e^(w log z); 0^0 = 1, 0^w = 0 */
static EchoComplex complex_power(EchoBuilder *b, EchoComplex z, EchoComplex w)
{
  EchoComplex y = complex_exponential(b, complex_multiply(b, w, complex_log(b, z)));
  EchoValue *base =
      echo_hlo_and(b, is(b, ECHO_COMPARE_EQ, z.re, 0), is(b, ECHO_COMPARE_EQ, z.im, 0));
  EchoValue *exponent =
      echo_hlo_and(b, is(b, ECHO_COMPARE_EQ, w.re, 0), is(b, ECHO_COMPARE_EQ, w.im, 0));
  EchoValue *of_zero = echo_hlo_select(b, exponent, number(b, z.re, 1), number(b, z.re, 0));
  return (EchoComplex){echo_hlo_select(b, base, of_zero, y.re),
                       echo_hlo_select(b, base, number(b, z.re, 0), y.im)};
}

/* z / |z|, 0 of 0 */
static EchoComplex complex_sign(EchoBuilder *b, EchoComplex z)
{
  EchoValue *length = echo_complex_length(b, z), *zero = is(b, ECHO_COMPARE_EQ, length, 0);
  return (EchoComplex){echo_hlo_select(b, zero, z.re, quotient(b, z.re, length)),
                       echo_hlo_select(b, zero, z.im, quotient(b, z.im, length))};
}

/* ---- trigonometric and hyperbolic functions ---- */

/* (e + e / (e + 1)) / 2, e = expm1(x): exact near 0 */
static EchoValue *sinh_of(EchoBuilder *b, EchoValue *x)
{
  EchoValue *size = echo_hlo_abs(b, x), *e = echo_hlo_exponential_minus_one(b, size);
  EchoValue *rest = quotient(b, e, add(b, e, number(b, e, 1)));
  EchoValue *infinite = is_infinite(b, e);
  EchoValue *y = scaled(b, add(b, e, echo_hlo_select(b, infinite, number(b, e, 1), rest)), 0.5);
  return with_sign(b, y, x);
}

static EchoValue *cosh_of(EchoBuilder *b, EchoValue *x)
{
  EchoValue *e = scaled(b, echo_hlo_exponential(b, x), 0.5);
  return add(b, e, scaled(b, echo_hlo_exponential(b, echo_hlo_negate(b, x)), 0.5));
}

static EchoComplex complex_sine(EchoBuilder *b, EchoComplex z)
{
  return (EchoComplex){mul(b, echo_hlo_sine(b, z.re), cosh_of(b, z.im)),
                       mul(b, echo_hlo_cosine(b, z.re), sinh_of(b, z.im))};
}

static EchoComplex complex_cosine(EchoBuilder *b, EchoComplex z)
{
  return (EchoComplex){mul(b, echo_hlo_cosine(b, z.re), cosh_of(b, z.im)),
                       echo_hlo_negate(b, mul(b, echo_hlo_sine(b, z.re), sinh_of(b, z.im)))};
}

static EchoComplex complex_sinh(EchoBuilder *b, EchoComplex z)
{
  return (EchoComplex){mul(b, sinh_of(b, z.re), echo_hlo_cosine(b, z.im)),
                       mul(b, cosh_of(b, z.re), echo_hlo_sine(b, z.im))};
}

static EchoComplex complex_cosh(EchoBuilder *b, EchoComplex z)
{
  return (EchoComplex){mul(b, cosh_of(b, z.re), echo_hlo_cosine(b, z.im)),
                       mul(b, sinh_of(b, z.re), echo_hlo_sine(b, z.im))};
}

/* With T = tanh a, n = sin b, c = cos b, s = 1 / cosh^2 a: (T + i s n c) / (c^2 + T^2 n^2), which
 * divides by nothing that vanishes but at the poles. */
static EchoComplex complex_tanh(EchoBuilder *b, EchoComplex z)
{
  EchoValue *t = echo_hlo_tanh(b, z.re), *n = echo_hlo_sine(b, z.im), *c = echo_hlo_cosine(b, z.im);
  EchoValue *cosh = cosh_of(b, z.re);
  EchoValue *s = quotient(b, quotient(b, number(b, cosh, 1), cosh), cosh);
  EchoValue *tn = mul(b, t, n);
  EchoValue *below = add(b, mul(b, c, c), mul(b, tn, tn));
  return (EchoComplex){quotient(b, t, below), quotient(b, mul(b, s, mul(b, n, c)), below)};
}

/* tan z = -i tanh(iz) */
static EchoComplex complex_tan(EchoBuilder *b, EchoComplex z)
{
  EchoComplex y = complex_tanh(b, (EchoComplex){echo_hlo_negate(b, z.im), z.re});
  return (EchoComplex){y.im, echo_hlo_negate(b, y.re)};
}

static EchoComplex complex_square(EchoBuilder *b, EchoComplex z)
{
  EchoValue *same =
      echo_hlo_compare(b, ECHO_COMPARE_EQ, echo_hlo_abs(b, z.re), echo_hlo_abs(b, z.im));
  EchoValue *re = mul(b, sub(b, z.re, z.im), add(b, z.re, z.im));
  same = echo_hlo_and(b, same, echo_hlo_is_finite(b, z.re)); /* though their sum may overflow */
  return (EchoComplex){echo_hlo_select(b, same, number(b, re, 0), re),
                       scaled(b, mul(b, z.re, z.im), 2)};
}

/* ---- inverse functions, by logarithms ---- */

static EchoComplex plus_one(EchoBuilder *b, EchoComplex z, double one)
{
  return (EchoComplex){add(b, z.re, number(b, z.re, one)), z.im};
}

static EchoComplex times_i(EchoBuilder *b, EchoComplex z)
{
  return (EchoComplex){echo_hlo_negate(b, z.im), z.re};
}

static EchoComplex over_i(EchoBuilder *b, EchoComplex z)
{
  return (EchoComplex){z.im, echo_hlo_negate(b, z.re)};
}

/* log(z + sqrt(z^2 + 1)) on the right, where nothing cancels; odd */
static EchoComplex complex_asinh(EchoBuilder *b, EchoComplex z)
{
  EchoComplex w = {echo_hlo_abs(b, z.re), z.im};
  EchoComplex root = complex_sqrt(b, plus_one(b, complex_square(b, w), 1));
  EchoComplex y = complex_log(b, complex_add(b, w, root));
  return (EchoComplex){with_sign(b, y.re, z.re), with_sign(b, y.im, z.im)};
}

static EchoComplex complex_asin(EchoBuilder *b, EchoComplex z)
{
  return over_i(b, complex_asinh(b, times_i(b, z)));
}

/* pi / 2 - asin z */
static EchoComplex complex_acos(EchoBuilder *b, EchoComplex z)
{
  EchoComplex y = complex_asin(b, z);
  return (EchoComplex){sub(b, number(b, y.re, 1.57079632679489661923), y.re),
                       echo_hlo_negate(b, y.im)};
}

/* log(z + sqrt(z + 1) sqrt(z - 1)) */
static EchoComplex complex_acosh(EchoBuilder *b, EchoComplex z)
{
  EchoComplex root =
      complex_multiply(b, complex_sqrt(b, plus_one(b, z, 1)), complex_sqrt(b, plus_one(b, z, -1)));
  return complex_log(b, complex_add(b, z, root));
}

/* (log(1 + z) - log(1 - z)) / 2 */
static EchoComplex complex_atanh(EchoBuilder *b, EchoComplex z)
{
  EchoComplex y = complex_subtract(b, complex_log1p(b, z), complex_log1p(b, complex_negate(b, z)));
  return (EchoComplex){scaled(b, y.re, 0.5), scaled(b, y.im, 0.5)};
}

static EchoComplex complex_atan(EchoBuilder *b, EchoComplex z)
{
  return over_i(b, complex_atanh(b, times_i(b, z)));
}

/* log((x + iy) / sqrt(x^2 + y^2)) / i */
static EchoComplex complex_atan2(EchoBuilder *b, EchoComplex y, EchoComplex x)
{
  EchoComplex length = complex_sqrt(b, complex_add(b, complex_square(b, x), complex_square(b, y)));
  return over_i(b, complex_log(b, complex_divide(b, complex_add(b, x, times_i(b, y)), length)));
}

static EchoComplex complex_conjugate(EchoBuilder *b, EchoComplex z)
{
  return (EchoComplex){z.re, echo_hlo_negate(b, z.im)};
}

/* ---- the table ---- */

static const EchoComplexFunction FUNCTIONS[] = {
    {"stablehlo.add", true, NULL, complex_add},
    {"stablehlo.subtract", true, NULL, complex_subtract},
    {"stablehlo.multiply", true, NULL, complex_multiply},
    {"stablehlo.negate", true, complex_negate, NULL},
    {"stablehlo.divide", false, NULL, complex_divide},
    {"stablehlo.exponential", false, complex_exponential, NULL},
    {"stablehlo.exponential_minus_one", false, complex_expm1, NULL},
    {"stablehlo.log", false, complex_log, NULL},
    {"stablehlo.log_plus_one", false, complex_log1p, NULL},
    {"stablehlo.logistic", false, complex_logistic, NULL},
    {"stablehlo.sqrt", false, complex_sqrt, NULL},
    {"stablehlo.rsqrt", false, complex_rsqrt, NULL},
    {"stablehlo.cbrt", false, complex_cbrt, NULL},
    {"stablehlo.power", false, NULL, complex_power},
    {"stablehlo.atan2", false, NULL, complex_atan2},
    {"stablehlo.sign", false, complex_sign, NULL},
    {"stablehlo.sine", false, complex_sine, NULL},
    {"stablehlo.cosine", false, complex_cosine, NULL},
    {"stablehlo.tan", false, complex_tan, NULL},
    {"stablehlo.tanh", false, complex_tanh, NULL},
    {"chlo.acos", false, complex_acos, NULL},
    {"chlo.acosh", false, complex_acosh, NULL},
    {"chlo.asin", false, complex_asin, NULL},
    {"chlo.asinh", false, complex_asinh, NULL},
    {"chlo.atan", false, complex_atan, NULL},
    {"chlo.atanh", false, complex_atanh, NULL},
    {"chlo.sinh", false, complex_sinh, NULL},
    {"chlo.cosh", false, complex_cosh, NULL},
    {"chlo.tan", false, complex_tan, NULL},
    {"chlo.square", true, complex_square, NULL},
    {"chlo.conj", true, complex_conjugate, NULL},
};

const EchoComplexFunction *echo_complex_function_or_null(const EchoOp *op)
{
  for (size_t i = 0; i < sizeof FUNCTIONS / sizeof FUNCTIONS[0]; i++)
    if (echo_op_is(op, FUNCTIONS[i].op))
      return &FUNCTIONS[i];
  return NULL;
}
