/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* exp, exp2, expm1, log, log1p, tanh. Range reduction by ln 2 in two parts (the first has so few
 * bits that its multiples are exact), then a polynomial. Polynomials of f32 are minimax fits, those
 * of f64 are Taylor's. */
#include "lowering/math/expand_math_t.h"

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- exp and expm1 ---- */

/* (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2, relative to e^r within 5e-11. */
static const double EXP_F32[] = {0.5000000068,   0.1666666586,  0.04166629218,
                                 0.008333498405, 0.00139448683, 0.0001979011083};
static const double EXP_F64[] = {
    1.0 / 2,     1.0 / 6,      1.0 / 24,      1.0 / 120,      1.0 / 720,       1.0 / 5040,
    1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800.0};

typedef struct Reduced {
  EchoValue *r; /* x - n ln 2 */
  EchoValue *n; /* an integer of int_type */
} Reduced;

/* A NaN becomes a bound, which the caller makes good. */
static EchoValue *clamp(const EchoMath *m, EchoValue *x, double low, double high)
{
  EchoValue *raised = echo_arith_binary(m->builder, "arith.maxnumf", x, echo_math_constant(m, low));
  return echo_arith_binary(m->builder, "arith.minnumf", raised, echo_math_constant(m, high));
}

/* 32 bits convert in vectors everywhere. */
static EchoValue *int_of(const EchoMath *m, EchoValue *multiple)
{
  EchoValue *n =
      echo_arith_unary(m->builder, "arith.fptosi", multiple, echo_type_i32(m->builder->ctx));
  return m->is_f64 ? echo_arith_unary(m->builder, "arith.extsi", n, m->int_type) : n;
}

/* low and high bound the multiples. */
static Reduced reduce(const EchoMath *m, EchoValue *x, double low, double high)
{
  EchoValue *clamped = clamp(m, x, low, high);
  EchoValue *multiple =
      echo_math_round(m, echo_math_mul(m, clamped, echo_math_constant(m, 1.44269504088896340736)));
  double ln2_high = m->is_f64 ? 0x1.62e42feep-1 : 355.0 / 512;
  double ln2_low = m->is_f64 ? 0x1.a39ef35793c76p-33 : -0x1.bd0105c610ca8p-13;
  EchoValue *r =
      echo_math_sub(m, clamped, echo_math_mul(m, multiple, echo_math_constant(m, ln2_high)));
  r = echo_math_sub(m, r, echo_math_mul(m, multiple, echo_math_constant(m, ln2_low)));
  return (Reduced){r, int_of(m, multiple)};
}

/* 2^n for n within the normal exponents. */
static EchoValue *power_of_two(const EchoMath *m, EchoValue *n)
{
  EchoValue *biased =
      echo_math_int_op(m, "arith.addi", n, echo_math_int(m, m->is_f64 ? 1023 : 127));
  return echo_math_from_bits(
      m, echo_math_int_op(m, "arith.shli", biased, echo_math_int(m, m->is_f64 ? 52 : 23)));
}

/* r + r^2 P(r) = e^r - 1 */
static EchoValue *expm1_of_reduced(const EchoMath *m, EchoValue *r)
{
  EchoValue *p = m->is_f64 ? echo_math_polynomial(m, r, EXP_F64, N_OF(EXP_F64))
                           : echo_math_polynomial(m, r, EXP_F32, N_OF(EXP_F32));
  return echo_math_add(m, r, echo_math_mul(m, echo_math_mul(m, r, r), p));
}

/* 2^n e^r; NaN where x is. The scale is applied in two halves, so that it reaches into the
 * subnormals with one rounding and up to infinity. */
static EchoValue *exp_of_reduced(const EchoMath *m, EchoValue *x, Reduced reduced)
{
  EchoValue *e = echo_math_add(m, echo_math_constant(m, 1.0), expm1_of_reduced(m, reduced.r));
  EchoValue *half = echo_math_int_op(m, "arith.shrsi", reduced.n, echo_math_int(m, 1));
  EchoValue *rest = echo_math_int_op(m, "arith.subi", reduced.n, half);
  e = echo_math_mul(m, echo_math_mul(m, e, power_of_two(m, half)), power_of_two(m, rest));
  return echo_math_if(m, ECHO_CMPF_UNO, x, x, x, e);
}

EchoValue *echo_expand_exp(const EchoMath *m, EchoValue *x)
{
  return exp_of_reduced(m, x, m->is_f64 ? reduce(m, x, -746.0, 710.0) : reduce(m, x, -104.0, 89.0));
}

/* x - n is exact, and its product with ln 2 small. */
EchoValue *echo_expand_exp2(const EchoMath *m, EchoValue *x)
{
  double low = m->is_f64 ? -1080.0 : -155.0, high = m->is_f64 ? 1025.0 : 129.0;
  EchoValue *clamped = clamp(m, x, low, high), *multiple = echo_math_round(m, clamped);
  EchoValue *r = echo_math_mul(m, echo_math_sub(m, clamped, multiple),
                               echo_math_constant(m, 0.69314718055994530942));
  return exp_of_reduced(m, x, (Reduced){r, int_of(m, multiple)});
}

/* 2 (t q + (t - 1/2)) with t = 2^(n-1), q = e^r - 1: t stays finite up to the largest result. */
EchoValue *echo_expand_expm1(const EchoMath *m, EchoValue *x)
{
  Reduced reduced = m->is_f64 ? reduce(m, x, -40.0, 710.0) : reduce(m, x, -20.0, 89.0);
  EchoValue *q = expm1_of_reduced(m, reduced.r);
  EchoValue *t = power_of_two(m, echo_math_int_op(m, "arith.subi", reduced.n, echo_math_int(m, 1)));
  EchoValue *sum =
      echo_math_add(m, echo_math_mul(m, t, q), echo_math_sub(m, t, echo_math_constant(m, 0.5)));
  EchoValue *result = echo_math_mul(m, sum, echo_math_constant(m, 2.0));
  /* tiny x is its own value, with its sign; a NaN is not above the bound either */
  EchoValue *tiny = echo_math_constant(m, m->is_f64 ? 0x1p-54 : 0x1p-25);
  return echo_math_if(m, ECHO_CMPF_OGT, echo_math_abs(m, x), tiny, result, x);
}

/* ---- tanh ---- */

/* (tanh(x) / x - 1) / x^2 in x^2 for |x| <= 0.625, within 7e-10 of tanh(x) / x. */
static const double TANH_F32[] = {-0.3333333317, 0.1333330356,    -0.05395925958,
                                  0.02176891865, -0.008343945516, 0.002292744816};

/* Beyond 0.625 it is 1 - 2 / (e^(2|x|) + 1), whose error grows smaller with x; from 9.01 on it
 * is 1.
 */
static EchoValue *tanh_f32(const EchoMath *m, EchoValue *x)
{
  EchoValue *one = echo_math_constant(m, 1.0), *two = echo_math_constant(m, 2.0);
  EchoValue *a = echo_math_abs(m, x), *y = echo_math_mul(m, x, x);
  EchoValue *p = echo_math_polynomial(m, y, TANH_F32, N_OF(TANH_F32));
  EchoValue *near = echo_math_add(m, x, echo_math_mul(m, echo_math_mul(m, x, y), p));
  Reduced reduced = reduce(m, echo_math_add(m, a, a), 0.0, 18.5);
  EchoValue *e = echo_math_mul(m, echo_math_add(m, one, expm1_of_reduced(m, reduced.r)),
                               power_of_two(m, reduced.n));
  EchoValue *far = echo_math_sub(m, one, echo_math_div(m, two, echo_math_add(m, e, one)));
  EchoValue *limit = echo_math_constant(m, 0.625); /* NaN is not beyond it */
  EchoValue *value = echo_math_if(m, ECHO_CMPF_OGT, a, limit, far, near);
  return echo_math_copysign(m, value, x); /* near -0 the sum is +0 */
}

/* -t / (t + 2), t = expm1(-2|x|) */
static EchoValue *tanh_f64(const EchoMath *m, EchoValue *x)
{
  EchoValue *t =
      echo_expand_expm1(m, echo_math_mul(m, echo_math_abs(m, x), echo_math_constant(m, -2.0)));
  EchoValue *ratio = echo_math_div(m, t, echo_math_add(m, t, echo_math_constant(m, 2.0)));
  return echo_math_copysign(m, ratio, x);
}

EchoValue *echo_expand_tanh(const EchoMath *m, EchoValue *x)
{
  return m->is_f64 ? tanh_f64(m, x) : tanh_f32(m, x);
}

/* ---- log and log1p ---- */

/* (log(1 + f) - f + f^2 / 2) / f^3 on [sqrt(1/2) - 1, sqrt(2) - 1], within 7.5e-10 of the
 * logarithm. */
static const double LOG_F32[] = {0.333333126,   -0.2500000959, 0.2000211859,
                                 -0.1666799605, 0.1421955402,  -0.1240558984,
                                 0.1188815317,  -0.1167563159, 0.06746625544};
/* log((1 + s) / (1 - s)) = 2 s + s^3 (2/3 + 2/5 s^2 + …), |s| < 0.172 */
static const double LOG_F64[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11,
                                 2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21};

/* x = 2^e (1 + f), f in [sqrt(1/2) - 1, sqrt(2) - 1); x is positive and normal. */
typedef struct Split {
  EchoValue *f, *e;
} Split;

static Split split(const EchoMath *m, EchoValue *x)
{
  int64_t mantissa_bits = m->is_f64 ? 52 : 23;
  int64_t root_half = m->is_f64 ? INT64_C(0x3fe6a09e667f3bcd) : INT64_C(0x3f3504f3);
  EchoValue *bits = echo_math_bits(m, x);
  EchoValue *shift = echo_math_int(m, mantissa_bits);
  EchoValue *e =
      echo_math_int_op(m, "arith.shrsi",
                       echo_math_int_op(m, "arith.subi", bits, echo_math_int(m, root_half)), shift);
  EchoValue *mantissa = echo_math_from_bits(
      m, echo_math_int_op(m, "arith.subi", bits, echo_math_int_op(m, "arith.shli", e, shift)));
  if (m->is_f64) /* 32 bits convert in vectors everywhere */
    e = echo_arith_unary(m->builder, "arith.trunci", e, echo_type_i32(m->builder->ctx));
  return (Split){echo_math_sub(m, mantissa, echo_math_constant(m, 1.0)),
                 echo_arith_unary(m->builder, "arith.sitofp", e, m->type)};
}

/* log(1 + f) + e ln 2, smallest terms first. */
static EchoValue *log_of_split(const EchoMath *m, Split split_x)
{
  EchoValue *f = split_x.f, *e = split_x.e;
  EchoValue *half_square = echo_math_mul(m, echo_math_mul(m, f, f), echo_math_constant(m, 0.5));
  double ln2_high = m->is_f64 ? 0x1.62e42feep-1 : 355.0 / 512;
  double ln2_low = m->is_f64 ? 0x1.a39ef35793c76p-33 : -0x1.bd0105c610ca8p-13;
  EchoValue *low = echo_math_mul(m, e, echo_math_constant(m, ln2_low));
  EchoValue *rest;
  if (m->is_f64) { /* f - (f^2/2 - s (f^2/2 + R)) */
    EchoValue *s = echo_math_div(m, f, echo_math_add(m, f, echo_math_constant(m, 2.0)));
    EchoValue *z = echo_math_mul(m, s, s);
    EchoValue *big_r = echo_math_mul(m, z, echo_math_polynomial(m, z, LOG_F64, N_OF(LOG_F64)));
    EchoValue *product = echo_math_mul(m, s, echo_math_add(m, half_square, big_r));
    rest = echo_math_sub(m, half_square, echo_math_add(m, product, low));
  } else {
    EchoValue *cube = echo_math_mul(m, echo_math_mul(m, f, f), f);
    EchoValue *p = echo_math_mul(m, cube, echo_math_polynomial(m, f, LOG_F32, N_OF(LOG_F32)));
    rest = echo_math_sub(m, half_square, echo_math_add(m, p, low));
  }
  return echo_math_add(m, echo_math_mul(m, e, echo_math_constant(m, ln2_high)),
                       echo_math_sub(m, f, rest));
}

/* Subnormals are scaled up first, and the exponent corrected. */
static Split split_any(const EchoMath *m, EchoValue *x)
{
  double smallest = m->is_f64 ? 0x1p-1022 : 0x1p-126;
  double scale = m->is_f64 ? 0x1p54 : 0x1p25, shift = m->is_f64 ? 54.0 : 25.0;
  EchoValue *is_small =
      echo_arith_cmpf(m->builder, ECHO_CMPF_OLT, x, echo_math_constant(m, smallest));
  EchoValue *scaled = echo_math_mul(m, x, echo_math_constant(m, scale));
  Split result = split(m, echo_arith_select(m->builder, is_small, scaled, x));
  EchoValue *lower = echo_math_sub(m, result.e, echo_math_constant(m, shift));
  result.e = echo_arith_select(m->builder, is_small, lower, result.e);
  return result;
}

EchoValue *echo_math_log_specials(const EchoMath *m, EchoValue *x, EchoValue *result)
{
  EchoValue *zero = echo_math_constant(m, 0.0);
  EchoValue *infinity = echo_math_constant(m, __builtin_inf());
  EchoValue *nan = echo_math_constant(m, __builtin_nan(""));
  result = echo_math_if(m, ECHO_CMPF_OEQ, x, infinity, x, result);
  result = echo_math_if(m, ECHO_CMPF_OEQ, x, zero, echo_math_constant(m, -__builtin_inf()), result);
  return echo_math_if(m, ECHO_CMPF_OGE, x, zero, result, nan);
}

EchoValue *echo_expand_log(const EchoMath *m, EchoValue *x)
{
  return echo_math_log_specials(m, x, log_of_split(m, split_any(m, x)));
}

/* log(u) + (x - (u - 1)) / u with u = 1 + x rounded: the second term is what the rounding lost. */
EchoValue *echo_expand_log1p(const EchoMath *m, EchoValue *x)
{
  EchoValue *one = echo_math_constant(m, 1.0);
  EchoValue *u = echo_math_add(m, one, x);
  EchoValue *lost = echo_math_sub(m, x, echo_math_sub(m, u, one));
  /* of a large x, u - 1 loses what the 1 added: it is below the result's last place */
  EchoValue *correction = echo_math_div(m, lost, u);
  EchoValue *result = echo_math_add(m, log_of_split(m, split(m, u)), correction);
  result = echo_math_log_specials(m, u, result);
  EchoValue *tiny = echo_math_constant(m, m->is_f64 ? 0x1p-54 : 0x1p-25);
  return echo_math_if(m, ECHO_CMPF_OLT, echo_math_abs(m, x), tiny, x, result);
}
