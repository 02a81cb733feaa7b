/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sin, cos, tan, atan2. Arguments of any size are reduced exactly: x times 2/pi modulo 4 is summed
 * from pieces of 2/pi whose products with x are exact (f32), or taken from the bits of 2/pi in
 * integers (f64). */
#include "lowering/math/expand_math_t.h"

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* x = quadrant pi/2 + r, |r| <= pi/4; only the quadrant's two low bits mean anything. */
typedef struct Angle {
  EchoValue *r, *quadrant; /* f64, i32 */
} Angle;

/* 2/pi in pieces of 28 bits: the product of each with an f32 is exact in f64. */
static const double TWO_OVER_PI[] = {0x1.45f306cp-1,   0x1.c9c882ap-29,  0x1.4fe13a8p-59,
                                     0x1.f47d4dp-86,   0x1.bb81b6cp-113, 0x1.4acc9ep-143,
                                     0x1.0e4107cp-170, 0x1.ca2c756p-197};

/* `x` is an f32 in f64. */
static Angle reduce_f32(const EchoMath *m, EchoValue *x)
{
  EchoValue *pieces[N_OF(TWO_OVER_PI)], *sum = NULL;
  EchoValue *quarter = echo_math_constant(m, 0.25), *four = echo_math_constant(m, 4.0);
  for (size_t i = 0; i < N_OF(TWO_OVER_PI); ++i) {
    EchoValue *product = echo_math_mul(m, x, echo_math_constant(m, TWO_OVER_PI[i]));
    EchoValue *fours = echo_math_round(m, echo_math_mul(m, product, quarter));
    pieces[i] = echo_math_sub(m, product, echo_math_mul(m, fours, four));
    sum = sum == NULL ? pieces[i] : echo_math_add(m, sum, pieces[i]);
  }
  EchoValue *n = echo_math_round(m, sum);
  EchoValue *fraction = echo_math_sub(m, pieces[0], n);
  for (size_t i = 1; i < N_OF(TWO_OVER_PI); ++i)
    fraction = echo_math_add(m, fraction, pieces[i]);
  /* an infinity has become NaN: its integer is never looked at, but must be one */
  EchoValue *bounded = echo_arith_binary(
      m->builder, "arith.minnumf",
      echo_arith_binary(m->builder, "arith.maxnumf", n, echo_math_constant(m, -64.0)),
      echo_math_constant(m, 64.0));
  return (Angle){
      echo_math_mul(m, fraction, echo_math_constant(m, 0x1.921fb54442d18p+0)),
      echo_arith_unary(m->builder, "arith.fptosi", bounded, echo_type_i32(m->builder->ctx))};
}

/* 64 zeros, then the bits of 2/pi behind the point. */
static const uint64_t TWO_OVER_PI_BITS[] = {0,
                                            0xa2f9836e4e441529,
                                            0xfc2757d1f534ddc0,
                                            0xdb6295993c439041,
                                            0xfe5163abdebbc561,
                                            0xb7246e3a424dd2e0,
                                            0x06492eea09d1921c,
                                            0xfe1deb1cb129a73e,
                                            0xe88235f52ebb4484,
                                            0xe99c7026b45f7e41,
                                            0x3991d639835339f4,
                                            0x9c845f8bbdf9283b,
                                            0x1ff897ffde05980f,
                                            0xef2f118b5a0a6d1f,
                                            0x6d367ecf27cb09b7,
                                            0x4f463f669e5fea2d,
                                            0x7527bac7ebe5f17b,
                                            0x3d0739f78a5292ea,
                                            0x6bfb5fb11f8d5d08,
                                            0x56033046fc7b6bab,
                                            0xf0cfbc209af4361d};

/* Word `index` + offset of the table, for an index from 0 to 16. */
static EchoValue *table_word(const EchoMath *m, EchoValue *index, size_t offset)
{
  EchoValue *word = echo_math_int(m, (int64_t)TWO_OVER_PI_BITS[offset]);
  for (size_t i = 1; i + offset < N_OF(TWO_OVER_PI_BITS) && i <= 16; ++i) {
    EchoValue *reached =
        echo_arith_cmpi(m->builder, ECHO_CMPI_SGE, index, echo_math_int(m, (int64_t)i));
    word = echo_arith_select(m->builder, reached,
                             echo_math_int(m, (int64_t)TWO_OVER_PI_BITS[i + offset]), word);
  }
  return word;
}

/* (high : low) << amount, upper word; 0 <= amount < 64. */
static EchoValue *shift_in(const EchoMath *m, EchoValue *high, EchoValue *low, EchoValue *amount)
{
  EchoValue *up = echo_math_int_op(m, "arith.shli", high, amount);
  EchoValue *rest = echo_math_int_op(m, "arith.subi", echo_math_int(m, 63), amount);
  EchoValue *half = echo_math_int_op(m, "arith.shrui", low, echo_math_int(m, 1));
  return echo_math_int_op(m, "arith.ori", up, echo_math_int_op(m, "arith.shrui", half, rest));
}

static void multiply_wide(const EchoMath *m, EchoValue *a, EchoValue *b, EchoValue **low,
                          EchoValue **high)
{
  EchoValue *operands[] = {a, b};
  const EchoType *types[] = {a->type, a->type};
  EchoOp *op = echo_build_op(m->builder, "arith.mului_extended", operands, 2, types, 2, NULL, 0);
  *low = echo_op_result(op, 0);
  *high = echo_op_result(op, 1);
}

/* Payne and Hanek: |x| = mantissa 2^e; of mantissa times the bits of 2/pi only those of weight 2
 * and below count. */
static Angle reduce_f64(const EchoMath *m, EchoValue *x)
{
  EchoBuilder *builder = m->builder;
  EchoValue *bits = echo_math_bits(m, echo_math_abs(m, x));
  EchoValue *biased = echo_math_int_op(m, "arith.shrui", bits, echo_math_int(m, 52));
  EchoValue *mantissa = echo_math_int_op(
      m, "arith.ori",
      echo_math_int_op(m, "arith.andi", bits, echo_math_int(m, INT64_C(0xfffffffffffff))),
      echo_math_int(m, INT64_C(1) << 52));
  /* first needed bit: e - 2, e = biased - 1075, in a table that starts 64 bits early; arguments
   * below 2^-10 are not reduced */
  EchoValue *zero = echo_math_int(m, 0);
  EchoValue *position = echo_math_int_op(m, "arith.subi", biased, echo_math_int(m, 1077 - 64));
  position = echo_math_int_op(m, "arith.maxsi", position, zero);
  EchoValue *index = echo_math_int_op(m, "arith.shrui", position, echo_math_int(m, 6));
  EchoValue *amount = echo_math_int_op(m, "arith.andi", position, echo_math_int(m, 63));
  EchoValue *words[4], *shifted[3];
  for (size_t i = 0; i < 4; ++i)
    words[i] = table_word(m, index, i);
  for (size_t i = 0; i < 3; ++i)
    shifted[i] = shift_in(m, words[i], words[i + 1], amount);

  /* the product's 192 low bits, of which the lowest 64 are dropped; the point is 2 bits from the
   * top */
  EchoValue *low1, *high1, *low2, *high2;
  EchoValue *top = echo_math_int_op(m, "arith.muli", mantissa, shifted[0]);
  multiply_wide(m, mantissa, shifted[1], &low1, &high1);
  multiply_wide(m, mantissa, shifted[2], &low2, &high2);
  EchoValue *middle = echo_math_int_op(m, "arith.addi", low1, high2);
  EchoValue *carry = echo_arith_unary(
      builder, "arith.extui", echo_arith_cmpi(builder, ECHO_CMPI_ULT, middle, low1), m->int_type);
  top = echo_math_int_op(m, "arith.addi", echo_math_int_op(m, "arith.addi", top, high1), carry);
  /* to the nearest quadrant */
  EchoValue *two = echo_math_int(m, 62);
  EchoValue *fraction_high =
      echo_math_int_op(m, "arith.ori", echo_math_int_op(m, "arith.shli", top, echo_math_int(m, 2)),
                       echo_math_int_op(m, "arith.shrui", middle, two));
  EchoValue *fraction_low = echo_math_int_op(m, "arith.shli", middle, echo_math_int(m, 2));
  EchoValue *quadrant = echo_math_int_op(m, "arith.shrui", top, two);
  EchoValue *rounds_up = echo_math_int_op(m, "arith.shrui", fraction_high, echo_math_int(m, 63));
  quadrant = echo_math_int_op(m, "arith.addi", quadrant, rounds_up);
  EchoValue *high = echo_arith_unary(builder, "arith.sitofp", fraction_high, m->type);
  EchoValue *low = echo_arith_unary(builder, "arith.uitofp", fraction_low, m->type);
  EchoValue *fraction = echo_math_add(m, echo_math_mul(m, high, echo_math_constant(m, 0x1p-64)),
                                      echo_math_mul(m, low, echo_math_constant(m, 0x1p-128)));
  EchoValue *r = echo_math_mul(m, fraction, echo_math_constant(m, 0x1.921fb54442d18p+0));
  /* the sign of x turns both around */
  EchoValue *is_negative = echo_arith_cmpf(builder, ECHO_CMPF_OLT, x, echo_math_constant(m, 0.0));
  r = echo_arith_select(builder, is_negative, echo_math_neg(m, r), r);
  quadrant = echo_arith_select(builder, is_negative,
                               echo_math_int_op(m, "arith.subi", zero, quadrant), quadrant);
  /* infinity and NaN: x - x is NaN */
  EchoValue *infinity = echo_math_constant(m, __builtin_inf());
  r = echo_math_if(m, ECHO_CMPF_OLT, echo_math_abs(m, x), infinity, r, echo_math_sub(m, x, x));
  return (Angle){r,
                 echo_arith_unary(builder, "arith.trunci", quadrant, echo_type_i32(builder->ctx))};
}

static Angle reduce(const EchoMath *m, EchoValue *x, bool from_f32)
{
  Angle angle = from_f32 ? reduce_f32(m, x) : reduce_f64(m, x);
  /* what is small already keeps all its bits */
  EchoValue *is_small =
      echo_arith_cmpf(m->builder, ECHO_CMPF_OLT, echo_math_abs(m, x), echo_math_constant(m, 0.78));
  EchoValue *zero = echo_arith_int(m->builder, angle.quadrant->type, 0);
  return (Angle){echo_arith_select(m->builder, is_small, x, angle.r),
                 echo_arith_select(m->builder, is_small, zero, angle.quadrant)};
}

/* (sin r - r) / r^3 and (cos r - 1 + r^2/2) / r^4 in r^2: Taylor's */
static const double SIN[] = {-1.0 / 6,
                             1.0 / 120,
                             -1.0 / 5040,
                             1.0 / 362880,
                             -1.0 / 39916800,
                             1.0 / 6227020800.0,
                             -1.0 / 1307674368000.0,
                             1.0 / 355687428096000.0};
static const double COS[] = {
    1.0 / 24,          -1.0 / 720,           1.0 / 40320,           -1.0 / 3628800,
    1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0};

static EchoValue *sin_of_reduced(const EchoMath *m, EchoValue *r, bool for_f32)
{
  EchoValue *z = echo_math_mul(m, r, r);
  EchoValue *p = echo_math_polynomial(m, z, SIN, for_f32 ? 5 : N_OF(SIN));
  EchoValue *sum = echo_math_fused(m, echo_math_mul(m, r, z), p, r);
  return echo_math_copysign(m, sum, r); /* of -0 the sum is +0 */
}

static EchoValue *cos_of_reduced(const EchoMath *m, EchoValue *r, bool for_f32)
{
  EchoValue *z = echo_math_mul(m, r, r);
  EchoValue *p = echo_math_polynomial(m, z, COS, for_f32 ? 5 : N_OF(COS));
  EchoValue *half = echo_math_mul(m, z, echo_math_constant(m, 0.5));
  EchoValue *one = echo_math_constant(m, 1.0);
  EchoValue *w = echo_math_sub(m, one, half);
  EchoValue *lost = echo_math_sub(m, echo_math_sub(m, one, w), half);
  return echo_math_add(m, w, echo_math_fused(m, echo_math_mul(m, z, z), p, lost));
}

static EchoValue *has_bit(const EchoMath *m, EchoValue *quadrant, int64_t bit)
{
  const EchoType *type = quadrant->type;
  EchoValue *masked =
      echo_arith_binary(m->builder, "arith.andi", quadrant, echo_arith_int(m->builder, type, bit));
  return echo_arith_cmpi(m->builder, ECHO_CMPI_NE, masked, echo_arith_int(m->builder, type, 0));
}

/* sin(x + turns pi/2) */
static EchoValue *wave(const EchoMath *m, EchoValue *x, int64_t turns, bool for_f32)
{
  Angle angle = reduce(m, x, for_f32);
  EchoValue *quadrant = echo_arith_binary(m->builder, "arith.addi", angle.quadrant,
                                          echo_arith_int(m->builder, angle.quadrant->type, turns));
  EchoValue *value =
      echo_arith_select(m->builder, has_bit(m, quadrant, 1), cos_of_reduced(m, angle.r, for_f32),
                        sin_of_reduced(m, angle.r, for_f32));
  return echo_arith_select(m->builder, has_bit(m, quadrant, 2), echo_math_neg(m, value), value);
}

static EchoValue *tangent(const EchoMath *m, EchoValue *x, bool for_f32)
{
  Angle angle = reduce(m, x, for_f32);
  EchoValue *sine = sin_of_reduced(m, angle.r, for_f32);
  EchoValue *cosine = cos_of_reduced(m, angle.r, for_f32);
  EchoValue *is_odd = has_bit(m, angle.quadrant, 1);
  EchoValue *numerator = echo_arith_select(m->builder, is_odd, echo_math_neg(m, cosine), sine);
  return echo_math_div(m, numerator, echo_arith_select(m->builder, is_odd, sine, cosine));
}

EchoValue *echo_expand_sin(const EchoMath *m, EchoValue *x)
{
  if (m->is_f64)
    return wave(m, x, 0, false);
  EchoMath wide = echo_math_of(m->builder, echo_type_f64(m->builder->ctx));
  return echo_math_narrow(m, wave(&wide, echo_math_widen(m, x), 0, true));
}

EchoValue *echo_expand_cos(const EchoMath *m, EchoValue *x)
{
  if (m->is_f64)
    return wave(m, x, 1, false);
  EchoMath wide = echo_math_of(m->builder, echo_type_f64(m->builder->ctx));
  return echo_math_narrow(m, wave(&wide, echo_math_widen(m, x), 1, true));
}

EchoValue *echo_expand_tan(const EchoMath *m, EchoValue *x)
{
  if (m->is_f64)
    return tangent(m, x, false);
  EchoMath wide = echo_math_of(m->builder, echo_type_f64(m->builder->ctx));
  return echo_math_narrow(m, tangent(&wide, echo_math_widen(m, x), true));
}

/* ---- atan2 ---- */

/* atan(t) for t in [0, 1]: beyond tan(pi/8) it is pi/4 + atan((t - 1) / (t + 1)); then Taylor's
 * series. */
static EchoValue *atan_of_unit(const EchoMath *m, EchoValue *t, bool for_f32)
{
  double coefficients[24];
  size_t n = for_f32 ? 13 : 23;
  for (size_t i = 0; i < n; ++i)
    coefficients[i] = (i % 2 == 0 ? -1.0 : 1.0) / (double)(2 * i + 3);
  EchoValue *one = echo_math_constant(m, 1.0);
  EchoValue *is_large =
      echo_arith_cmpf(m->builder, ECHO_CMPF_OGT, t, echo_math_constant(m, 0.41421356237309504880));
  EchoValue *turned = echo_math_div(m, echo_math_sub(m, t, one), echo_math_add(m, t, one));
  EchoValue *u = echo_arith_select(m->builder, is_large, turned, t);
  EchoValue *z = echo_math_mul(m, u, u);
  EchoValue *p = echo_math_polynomial(m, z, coefficients, n);
  EchoValue *small = echo_math_fused(m, echo_math_mul(m, u, z), p, u);
  /* pi/4 in two parts */
  EchoValue *large =
      echo_math_add(m, echo_math_constant(m, 0x1.921fb54442d18p-1),
                    echo_math_add(m, small, echo_math_constant(m, 0x1.1a62633145c07p-55)));
  return echo_arith_select(m->builder, is_large, large, small);
}

static EchoValue *atan2_wide(const EchoMath *m, EchoValue *y, EchoValue *x, bool for_f32)
{
  EchoBuilder *builder = m->builder;
  EchoValue *ax = echo_math_abs(m, x), *ay = echo_math_abs(m, y);
  EchoValue *zero = echo_math_constant(m, 0.0), *one = echo_math_constant(m, 1.0);
  EchoValue *is_steep = echo_arith_cmpf(builder, ECHO_CMPF_OGT, ay, ax);
  EchoValue *small = echo_arith_select(builder, is_steep, ax, ay);
  EchoValue *large = echo_arith_select(builder, is_steep, ay, ax);
  EchoValue *t = echo_math_div(m, small, large);
  t = echo_math_if(m, ECHO_CMPF_OEQ, small, large, one, t); /* inf / inf */
  t = echo_math_if(m, ECHO_CMPF_OEQ, large, zero, zero, t); /* 0 / 0 */
  EchoValue *a = atan_of_unit(m, t, for_f32);
  EchoValue *half_high = echo_math_constant(m, 0x1.921fb54442d18p+0);
  EchoValue *half_low = echo_math_constant(m, 0x1.1a62633145c07p-54);
  EchoValue *steep = echo_math_sub(m, half_high, echo_math_sub(m, a, half_low));
  a = echo_arith_select(builder, is_steep, steep, a);
  /* left of the axis; -0 counts as left */
  EchoValue *sign = echo_math_copysign(m, one, x);
  EchoValue *pi_high = echo_math_constant(m, 0x1.921fb54442d18p+1);
  EchoValue *pi_low = echo_math_constant(m, 0x1.1a62633145c07p-53);
  EchoValue *left = echo_math_sub(m, pi_high, echo_math_sub(m, a, pi_low));
  a = echo_math_if(m, ECHO_CMPF_OLT, sign, zero, left, a);
  EchoValue *result = echo_math_copysign(m, a, y);
  return echo_math_if(m, ECHO_CMPF_UNO, x, y, echo_math_add(m, x, y), result);
}

EchoValue *echo_expand_atan2(const EchoMath *m, EchoValue *y, EchoValue *x)
{
  if (m->is_f64)
    return atan2_wide(m, y, x, false);
  EchoMath wide = echo_math_of(m->builder, echo_type_f64(m->builder->ctx));
  return echo_math_narrow(m, atan2_wide(&wide, echo_math_widen(m, y), echo_math_widen(m, x), true));
}

EchoValue *echo_expand_atan(const EchoMath *m, EchoValue *x)
{
  return echo_expand_atan2(m, x, echo_math_constant(m, 1.0));
}
