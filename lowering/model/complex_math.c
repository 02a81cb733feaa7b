/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Formulas of a + bi, in real arithmetic; inverse functions stand in complex_inverse.c. */
#include "lowering/model/complex_terms_t.h"

#include <math.h>

EchoValue *echo_complex_with_sign(EchoBuilder *b, EchoValue *x, EchoValue *y)
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

/* x^2 = *high + *low: Dekker's product of x by itself, with no fused operation. */
static void square_exactly(EchoBuilder *b, EchoValue *x, EchoValue **high, EchoValue **low)
{
  EchoValue *upper = scaled(b, x, 0x1p27 + 1);
  upper = sub(b, upper, sub(b, upper, x));
  EchoValue *lower = sub(b, x, upper);
  *high = mul(b, x, x);
  EchoValue *rest = sub(b, mul(b, upper, upper), *high);
  rest = add(b, rest, scaled(b, mul(b, upper, lower), 2));
  *low = add(b, rest, mul(b, lower, lower));
}

/* x + y = *high + *low: Knuth's. */
static void add_exactly(EchoBuilder *b, EchoValue *x, EchoValue *y, EchoValue **high,
                        EchoValue **low)
{
  EchoValue *sum = add(b, x, y), *of_y = sub(b, sum, x);
  *low = add(b, sub(b, x, sub(b, sum, of_y)), sub(b, y, of_y));
  *high = sum;
}

/* |1 + z|^2 - 1 = 2a + a^2 + b^2, with the digits that are left where the three cancel. */
static EchoValue *square_beyond_one(EchoBuilder *b, EchoComplex z)
{
  EchoValue *x, *x_rest, *y, *y_rest, *sum, *sum_rest, *rest;
  square_exactly(b, z.re, &x, &x_rest);
  square_exactly(b, z.im, &y, &y_rest);
  add_exactly(b, scaled(b, z.re, 2), x, &sum, &sum_rest);
  add_exactly(b, sum, y, &sum, &rest);
  return add(b, sum, add(b, add(b, sum_rest, rest), add(b, x_rest, y_rest)));
}

/* log |1 + z| = log1p(|1 + z|^2 - 1) / 2 where that is near 0 */
static EchoComplex complex_log1p(EchoBuilder *b, EchoComplex z)
{
  EchoComplex far = complex_log(b, (EchoComplex){add(b, z.re, number(b, z.re, 1)), z.im});
  EchoValue *square = square_beyond_one(b, z);
  EchoValue *near = scaled(b, echo_hlo_log_plus_one(b, square), 0.5);
  EchoValue *is_near =
      echo_hlo_and(b, is(b, ECHO_COMPARE_GT, square, -0.5), is(b, ECHO_COMPARE_LT, square, 1));
  return (EchoComplex){echo_hlo_select(b, is_near, near, far.re), far.im};
}

static EchoComplex complex_logistic(EchoBuilder *b, EchoComplex z)
{
  EchoComplex one = {number(b, z.re, 1), number(b, z.re, 0)};
  return complex_divide(b, one, complex_add(b, one, complex_exponential(b, complex_negate(b, z))));
}

/* ---- roots and powers ---- */

/* t = sqrt((|a| + |z|) / 2): t + b / 2t i, or |b| / 2t + sign(b) t i on the left; of z 2^54 where
 * no part is 1, so that none is a denormal, which has fewer digits, and of z 2^-4 where |z| may be
 * too large. */
static EchoComplex complex_sqrt(EchoBuilder *b, EchoComplex z)
{
  EchoValue *most = echo_hlo_maximum(b, echo_hlo_abs(b, z.re), echo_hlo_abs(b, z.im));
  EchoValue *one = number(b, most, 1), *small = is(b, ECHO_COMPARE_LT, most, 1);
  EchoValue *large = is(b, ECHO_COMPARE_GT, most, 0x1p1000);
  EchoValue *factor = echo_hlo_select(b, large, number(b, most, 0x1p-4), one);
  EchoValue *back = echo_hlo_select(b, large, number(b, most, 0x1p2), one);
  factor = echo_hlo_select(b, small, number(b, most, 0x1p54), factor);
  back = echo_hlo_select(b, small, number(b, most, 0x1p-27), back);
  EchoComplex w = {mul(b, z.re, factor), mul(b, z.im, factor)};
  EchoValue *sum = add(b, echo_hlo_abs(b, w.re), echo_complex_length(b, w));
  EchoValue *t = echo_hlo_sqrt(b, scaled(b, sum, 0.5));
  EchoValue *other = mul(b, scaled(b, quotient(b, w.im, t), 0.5), back);
  t = mul(b, t, back);
  EchoValue *right = is(b, ECHO_COMPARE_GE, z.re, 0), *zero = is(b, ECHO_COMPARE_EQ, t, 0);
  EchoValue *re = echo_hlo_select(b, right, t, echo_hlo_abs(b, other));
  EchoValue *im = echo_hlo_select(b, right, other, echo_complex_with_sign(b, t, z.im));
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
  return echo_complex_with_sign(b, y, x);
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

static EchoComplex times_i(EchoBuilder *b, EchoComplex z)
{
  return (EchoComplex){echo_hlo_negate(b, z.im), z.re};
}

static EchoComplex over_i(EchoBuilder *b, EchoComplex z)
{
  return (EchoComplex){z.im, echo_hlo_negate(b, z.re)};
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
    {"chlo.acos", false, echo_complex_acos, NULL},
    {"chlo.acosh", false, echo_complex_acosh, NULL},
    {"chlo.asin", false, echo_complex_asin, NULL},
    {"chlo.asinh", false, echo_complex_asinh, NULL},
    {"chlo.atan", false, echo_complex_atan, NULL},
    {"chlo.atanh", false, echo_complex_atanh, NULL},
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
