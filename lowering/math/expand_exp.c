/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* exp, exp2, expm1, log, log1p, tanh. Range reduction by ln 2 in two parts (the first has so few
 * bits that its multiples are exact), then a polynomial. Polynomials of f32 are minimax fits, those
 * of f64 are Taylor's. */
#include "lowering/math/expand_math_t.h"

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- exp and expm1 ---- */

/* (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2, relative to e^r within 3.1e-9 (0.05 units of f32). */
static const double EXP_F32[] = {0.49999993452, 0.1666652069, 0.041668387365, 0.0083687098594,
                                 0.0013814613188};
/* The same, relative to e^r - 1 within 2.4e-10: one term less is 1.4e-8, and tanh's largest error
 * over all of f32 then 2.01 units. */
static const double EXPM1_F32[] = {0.50000000441,   0.16666666371,   0.041666361036,
                                   0.0083333893443, 0.0013940616976, 0.00019845878132};
static const double EXP_F64[] = {
    1.0 / 2,     1.0 / 6,      1.0 / 24,      1.0 / 120,      1.0 / 720,       1.0 / 5040,
    1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800.0};

/* x raised to low, lowered to high; NaN stays. Where the type has no such instruction, by select.
 */
static EchoValue *at_least(const EchoMath *m, EchoValue *x, double low)
{
  EchoValue *bound = echo_math_constant(m, low);
  return m->is_f64 ? echo_math_if(m, ECHO_CMPF_OLT, x, bound, bound, x)
                   : echo_arith_binary(m->builder, "arith.maximumf", x, bound);
}

static EchoValue *at_most(const EchoMath *m, EchoValue *x, double high)
{
  EchoValue *bound = echo_math_constant(m, high);
  return m->is_f64 ? echo_math_if(m, ECHO_CMPF_OGT, x, bound, bound, x)
                   : echo_arith_binary(m->builder, "arith.minimumf", x, bound);
}

/* x = n + rest: n as a float, and an integer whose low bits are n + bias. Added to 1.5 2^(digits -
 * 1), n is what the rounding leaves there: neither conversion nor rounding is an instruction. */
typedef struct Multiple {
  EchoValue *n, *bits;
} Multiple;

static double magic_of(const EchoMath *m, int bias)
{
  return (m->is_f64 ? 0x1.8p52 : 0x1.8p23) + bias;
}

static Multiple multiple_of(const EchoMath *m, EchoValue *sum, int bias)
{
  return (Multiple){echo_math_sub(m, sum, echo_math_constant(m, magic_of(m, bias))),
                    echo_math_bits(m, sum)};
}

typedef struct Reduced {
  EchoValue *r;    /* x - n ln 2 */
  EchoValue *bits; /* its low bits are n + bias */
} Reduced;

static const double LOG2_E = 1.44269504088896340736;

/* Parts of ln 2: multiples of the first up to 2^11 are exact. */
static double ln2_high(const EchoMath *m)
{
  return m->is_f64 ? 0x1.62e42feep-1 : 355.0 / 512;
}

static double ln2_low(const EchoMath *m)
{
  return m->is_f64 ? 0x1.a39ef35793c76p-33 : -0x1.bd0105c610ca8p-13;
}

static Reduced reduce(const EchoMath *m, EchoValue *x, int bias)
{
  EchoValue *sum = echo_math_fused(m, x, echo_math_constant(m, LOG2_E),
                                   echo_math_constant(m, magic_of(m, bias)));
  Multiple multiple = multiple_of(m, sum, bias);
  EchoValue *r = echo_math_fused(m, multiple.n, echo_math_constant(m, -ln2_high(m)), x);
  r = echo_math_fused(m, multiple.n, echo_math_constant(m, -ln2_low(m)), r);
  return (Reduced){r, multiple.bits};
}

/* The float whose exponent field, sign and all, is the low bits. */
static EchoValue *power_of_two(const EchoMath *m, EchoValue *bits)
{
  EchoValue *shift = echo_math_int(m, m->is_f64 ? 52 : 23);
  return echo_math_from_bits(m, echo_math_int_op(m, "arith.shli", bits, shift));
}

/* r + r^2 P(r) = e^r - 1 */
static EchoValue *expm1_of_reduced(const EchoMath *m, EchoValue *r)
{
  EchoValue *p = m->is_f64 ? echo_math_polynomial(m, r, EXP_F64, N_OF(EXP_F64))
                           : echo_math_polynomial(m, r, EXPM1_F32, N_OF(EXPM1_F32));
  return echo_math_fused(m, echo_math_mul(m, r, r), p, r);
}

/* Of f64 1 + r is rounded, and what it lost goes to the rest, which is small beside it. */
static EchoValue *exp_near_zero(const EchoMath *m, EchoValue *r)
{
  EchoValue *one = echo_math_constant(m, 1.0);
  if (!m->is_f64) {
    EchoValue *p = echo_math_polynomial(m, r, EXP_F32, N_OF(EXP_F32));
    return echo_math_fused(m, echo_math_fused(m, p, r, one), r, one);
  }
  EchoValue *sum = echo_math_add(m, one, r);
  EchoValue *lost = echo_math_sub(m, r, echo_math_sub(m, sum, one));
  EchoValue *p = echo_math_polynomial(m, r, EXP_F64, N_OF(EXP_F64));
  return echo_math_add(m, sum, echo_math_fused(m, echo_math_mul(m, r, r), p, lost));
}

static int exp_bias(const EchoMath *m)
{
  return m->is_f64 ? 2 * 1023 : 2 * 127;
}

/* 2^n e^r, of bits with exp_bias. The scale is applied in two halves, so that it reaches into the
 * subnormals with one rounding and up to infinity. */
static EchoValue *exp_of_reduced(const EchoMath *m, Reduced reduced)
{
  EchoValue *half = echo_math_int_op(m, "arith.shrui", reduced.bits, echo_math_int(m, 1));
  EchoValue *rest = echo_math_int_op(m, "arith.subi", reduced.bits, half);
  EchoValue *e = echo_math_mul(m, exp_near_zero(m, reduced.r), power_of_two(m, half));
  return echo_math_mul(m, e, power_of_two(m, rest));
}

EchoValue *echo_expand_exp(const EchoMath *m, EchoValue *x)
{
  EchoValue *bounded = at_most(m, at_least(m, x, m->is_f64 ? -746 : -104), m->is_f64 ? 710 : 89);
  return exp_of_reduced(m, reduce(m, bounded, exp_bias(m)));
}

/* x - n is exact, and its product with ln 2 small. */
EchoValue *echo_expand_exp2(const EchoMath *m, EchoValue *x)
{
  EchoValue *bounded = at_most(m, at_least(m, x, m->is_f64 ? -1080 : -155), m->is_f64 ? 1025 : 129);
  EchoValue *magic = echo_math_constant(m, magic_of(m, exp_bias(m)));
  Multiple multiple = multiple_of(m, echo_math_add(m, bounded, magic), exp_bias(m));
  EchoValue *r = echo_math_mul(m, echo_math_sub(m, bounded, multiple.n),
                               echo_math_constant(m, 0.69314718055994530942));
  return exp_of_reduced(m, (Reduced){r, multiple.bits});
}

/* 2 (t q + (t - 1/2)) with t = 2^(n-1), q = e^r - 1: t stays finite up to the largest result. */
EchoValue *echo_expand_expm1(const EchoMath *m, EchoValue *x)
{
  EchoValue *bounded = at_most(m, at_least(m, x, m->is_f64 ? -40 : -20), m->is_f64 ? 710 : 89);
  Reduced reduced = reduce(m, bounded, m->is_f64 ? 1022 : 126);
  EchoValue *t = power_of_two(m, reduced.bits);
  EchoValue *sum = echo_math_fused(m, t, expm1_of_reduced(m, reduced.r),
                                   echo_math_sub(m, t, echo_math_constant(m, 0.5)));
  EchoValue *result = echo_math_mul(m, sum, echo_math_constant(m, 2.0));
  /* tiny x is its own value, with its sign; a NaN is not above the bound either */
  EchoValue *tiny = echo_math_constant(m, m->is_f64 ? 0x1p-54 : 0x1p-25);
  return echo_math_if(m, ECHO_CMPF_OGT, echo_math_abs(m, x), tiny, result, x);
}

/* ---- tanh ---- */

/* (1 - z) / (1 + z) with z = e^(-2|x|) = t (q + 1), t = 2^n: of both only q is rounded before, so
 * that small x keeps its digits. From -19 on it is 1, and n is small enough for one part of ln 2.
 */
static EchoValue *tanh_f32(const EchoMath *m, EchoValue *x)
{
  EchoValue *one = echo_math_constant(m, 1.0);
  EchoValue *doubled = echo_math_mul(m, echo_math_abs(m, x), echo_math_constant(m, -2.0));
  EchoValue *bounded = at_least(m, doubled, -19.0);
  Multiple multiple = multiple_of(m,
                                  echo_math_fused(m, bounded, echo_math_constant(m, LOG2_E),
                                                  echo_math_constant(m, magic_of(m, 127))),
                                  127);
  EchoValue *r =
      echo_math_fused(m, multiple.n, echo_math_constant(m, -0.69314718055994530942), bounded);
  EchoValue *q = expm1_of_reduced(m, r), *t = power_of_two(m, multiple.bits);
  EchoValue *below = echo_math_fused(m, t, q, echo_math_sub(m, t, one));
  EchoValue *above = echo_math_fused(m, t, q, echo_math_add(m, t, one));
  EchoValue *quotient = echo_arith_quotient(m->builder, below, above);
  return echo_math_copysign(m, quotient, x);
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

/* (log(1 + f) - f + f^2 / 2) / f^3 on [sqrt(1/2) - 1, sqrt(2) - 1], within 6e-9 of the
 * logarithm (0.1 units of f32). */
static const double LOG_F32[] = {0.33333331708, -0.25000821029, 0.20001226873, -0.16623357535,
                                 0.14201757998, -0.13160180466, 0.12761577348, -0.076345029097};
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

/* log(1 + f) + e ln 2 + more_or_null, which is below an ULP, smallest terms first. */
static EchoValue *log_of_split(const EchoMath *m, Split split_x, EchoValue *more_or_null)
{
  EchoValue *f = split_x.f, *e = split_x.e, *half = echo_math_constant(m, 0.5);
  EchoValue *square = echo_math_mul(m, f, f);
  EchoValue *low = echo_math_mul(m, e, echo_math_constant(m, ln2_low(m)));
  EchoValue *rest; /* what is missing of f and e times the high part */
  if (m->is_f64) { /* (s (f^2/2 + R) + low) - f^2/2 */
    EchoValue *s = echo_math_div(m, f, echo_math_add(m, f, echo_math_constant(m, 2.0)));
    EchoValue *z = echo_math_mul(m, s, s), *half_square = echo_math_mul(m, square, half);
    EchoValue *p = echo_math_polynomial(m, z, LOG_F64, N_OF(LOG_F64));
    rest = echo_math_sub(m, echo_math_fused(m, s, echo_math_fused(m, z, p, half_square), low),
                         half_square);
  } else { /* f^2 (f P - 1/2) + low */
    EchoValue *p = echo_math_polynomial(m, f, LOG_F32, N_OF(LOG_F32));
    rest = echo_math_fused(m, square, echo_math_fused(m, f, p, echo_math_constant(m, -0.5)), low);
  }
  if (more_or_null != NULL)
    rest = echo_math_add(m, rest, more_or_null);
  return echo_math_fused(m, e, echo_math_constant(m, ln2_high(m)), echo_math_add(m, f, rest));
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
  return echo_math_log_specials(m, x, log_of_split(m, split_any(m, x), NULL));
}

/* log(u) + (x - (u - 1)) / u with u = 1 + x rounded: the second term is what the rounding lost. */
EchoValue *echo_expand_log1p(const EchoMath *m, EchoValue *x)
{
  EchoValue *one = echo_math_constant(m, 1.0);
  EchoValue *u = echo_math_add(m, one, x);
  EchoValue *lost = echo_math_sub(m, x, echo_math_sub(m, u, one));
  /* of a large x, u - 1 loses what the 1 added: it is below the result's last place */
  EchoValue *correction = echo_math_div(m, lost, u);
  EchoValue *result = log_of_split(m, split(m, u), correction);
  result = echo_math_log_specials(m, u, result);
  EchoValue *tiny = echo_math_constant(m, m->is_f64 ? 0x1p-54 : 0x1p-25);
  return echo_math_if(m, ECHO_CMPF_OLT, echo_math_abs(m, x), tiny, x, result);
}
