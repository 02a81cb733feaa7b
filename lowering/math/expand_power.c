/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cbrt, log2, log10, pow, and the power of integers. For f32 they are computed in f64 and rounded
 * once. */
#include "lowering/math/expand_math_t.h"

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- cbrt ---- */

/* Halley's iteration y (y^3 + 2 a) / (2 y^3 + a), which triples the correct digits, from a third of
 * the exponent (5 bits). a is normal and positive. */
static EchoValue *cbrt_normal(const EchoMath *m, EchoValue *a)
{
  EchoValue *bits = echo_math_bits(m, a);
  EchoValue *third = echo_math_int_op(m, "arith.divui", bits, echo_math_int(m, 3));
  EchoValue *y = echo_math_from_bits(
      m, echo_math_int_op(m, "arith.addi", third, echo_math_int(m, INT64_C(0x2a9f7893782da1ce))));
  for (int i = 0; i < 3; ++i) {
    EchoValue *cube = echo_math_mul(m, echo_math_mul(m, y, y), y);
    EchoValue *twice_cube = echo_math_add(m, cube, cube);
    EchoValue *change =
        echo_math_div(m, echo_math_sub(m, a, cube), echo_math_add(m, twice_cube, a));
    y = echo_math_add(m, y, echo_math_mul(m, y, change));
  }
  return y;
}

static EchoValue *cbrt_f64(const EchoMath *m, EchoValue *x)
{
  EchoValue *a = echo_math_abs(m, x);
  /* powers of 2^3 keep the iteration away from subnormals and overflow */
  EchoValue *one = echo_math_constant(m, 1.0);
  EchoValue *tiny = echo_math_constant(m, 0x1p-900), *huge = echo_math_constant(m, 0x1p900);
  EchoValue *scale = echo_math_if(m, ECHO_CMPF_OLT, a, tiny, echo_math_constant(m, 0x1p216), one);
  scale = echo_math_if(m, ECHO_CMPF_OGT, a, huge, echo_math_constant(m, 0x1p-216), scale);
  EchoValue *unscale = echo_math_if(m, ECHO_CMPF_OLT, a, tiny, echo_math_constant(m, 0x1p-72), one);
  unscale = echo_math_if(m, ECHO_CMPF_OGT, a, huge, echo_math_constant(m, 0x1p72), unscale);
  EchoValue *root = echo_math_mul(m, cbrt_normal(m, echo_math_mul(m, a, scale)), unscale);
  /* 0, infinity and NaN are their own roots: x + x keeps them */
  EchoValue *infinity = echo_math_constant(m, __builtin_inf());
  EchoValue *is_plain = echo_arith_cmpf(m->builder, ECHO_CMPF_OLT, a, infinity);
  EchoValue *is_nonzero = echo_arith_cmpf(m->builder, ECHO_CMPF_OGT, a, echo_math_constant(m, 0.0));
  is_plain = echo_arith_binary(m->builder, "arith.andi", is_plain, is_nonzero);
  return echo_arith_select(m->builder, is_plain, echo_math_copysign(m, root, x),
                           echo_math_add(m, x, x));
}

EchoValue *echo_expand_cbrt(const EchoMath *m, EchoValue *x)
{
  return echo_math_in_f64(m, x, cbrt_f64);
}

/* ---- logarithms with more digits than the type ---- */

/* An unevaluated sum: |low| is below half a unit in high's last place. */
typedef struct Pair {
  EchoValue *high, *low;
} Pair;

static Pair fast_two_sum(const EchoMath *m, EchoValue *a, EchoValue *b)
{
  EchoValue *high = echo_math_add(m, a, b);
  return (Pair){high, echo_math_sub(m, b, echo_math_sub(m, high, a))};
}

static Pair two_sum(const EchoMath *m, EchoValue *a, EchoValue *b)
{
  EchoValue *high = echo_math_add(m, a, b), *part = echo_math_sub(m, high, a);
  EchoValue *low = echo_math_add(m, echo_math_sub(m, a, echo_math_sub(m, high, part)),
                                 echo_math_sub(m, b, part));
  return (Pair){high, low};
}

/* a b exactly: what rounding took from the product is what fma leaves of it. */
static Pair two_product(const EchoMath *m, EchoValue *a, EchoValue *b)
{
  EchoValue *high = echo_math_mul(m, a, b);
  return (Pair){high, echo_math_fused(m, a, b, echo_math_neg(m, high))};
}

/* 2/5 s^2 + 2/7 s^4 + … without the leading 2/3. */
static const double LOG_TAIL[] = {2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                                  2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21};

/* log(x) to about 62 bits for x positive, finite and not 0. */
static Pair log_pair(const EchoMath *m, EchoValue *x)
{
  EchoBuilder *builder = m->builder;
  EchoValue *is_small =
      echo_arith_cmpf(builder, ECHO_CMPF_OLT, x, echo_math_constant(m, 0x1p-1022));
  EchoValue *normal =
      echo_arith_select(builder, is_small, echo_math_mul(m, x, echo_math_constant(m, 0x1p54)), x);
  EchoValue *bits = echo_math_bits(m, normal), *shift = echo_math_int(m, 52);
  EchoValue *root_half = echo_math_int(m, INT64_C(0x3fe6a09e667f3bcd));
  EchoValue *exponent =
      echo_math_int_op(m, "arith.shrsi", echo_math_int_op(m, "arith.subi", bits, root_half), shift);
  EchoValue *mantissa =
      echo_math_from_bits(m, echo_math_int_op(m, "arith.subi", bits,
                                              echo_math_int_op(m, "arith.shli", exponent, shift)));
  EchoValue *lower = echo_math_int_op(m, "arith.subi", exponent, echo_math_int(m, 54));
  exponent = echo_arith_select(builder, is_small, lower, exponent);
  EchoValue *e = echo_arith_unary(
      builder, "arith.sitofp",
      echo_arith_unary(builder, "arith.trunci", exponent, echo_type_i32(builder->ctx)), m->type);

  /* s = f / (2 + f) as a pair */
  EchoValue *f = echo_math_sub(m, mantissa, echo_math_constant(m, 1.0));
  Pair d = fast_two_sum(m, echo_math_constant(m, 2.0), f);
  EchoValue *s = echo_math_div(m, f, d.high);
  Pair back = two_product(m, s, d.high);
  EchoValue *rest = echo_math_sub(m, echo_math_sub(m, f, back.high), back.low);
  rest = echo_math_sub(m, rest, echo_math_mul(m, s, d.low));
  EchoValue *s_low = echo_math_div(m, rest, d.high);

  /* 2 s + s^3 (2/3 + …): s^2 as a pair for the leading term */
  Pair z = two_product(m, s, s);
  EchoValue *tail =
      echo_math_mul(m, z.high, echo_math_polynomial(m, z.high, LOG_TAIL, N_OF(LOG_TAIL)));
  Pair factor = fast_two_sum(m, echo_math_constant(m, 2.0 / 3), tail);
  EchoValue *factor_low =
      echo_math_add(m, factor.low, echo_math_constant(m, 0x1.5555555555555p-55));
  Pair cube = two_product(m, z.high, s);
  EchoValue *cube_low = echo_math_add(
      m, cube.low,
      echo_math_add(m, echo_math_mul(m, z.low, s),
                    echo_math_mul(m, echo_math_mul(m, z.high, s_low), echo_math_constant(m, 3.0))));
  Pair p = two_product(m, cube.high, factor.high);
  EchoValue *p_low = echo_math_add(m, p.low,
                                   echo_math_add(m, echo_math_mul(m, cube_low, factor.high),
                                                 echo_math_mul(m, cube.high, factor_low)));
  EchoValue *two_s = echo_math_add(m, s, s), *two_s_low = echo_math_add(m, s_low, s_low);
  Pair sum = two_sum(m, two_s, p.high);
  EchoValue *low = echo_math_add(m, sum.low, echo_math_add(m, p_low, two_s_low));

  EchoValue *e_high = echo_math_mul(m, e, echo_math_constant(m, 0x1.62e42feep-1)); /* exact */
  EchoValue *e_low = echo_math_mul(m, e, echo_math_constant(m, 0x1.a39ef35793c76p-33));
  Pair total = two_sum(m, e_high, sum.high);
  Pair with_low = two_sum(m, total.high, e_low);
  low = echo_math_add(m, low, echo_math_add(m, total.low, with_low.low));
  return fast_two_sum(m, with_low.high, low);
}

/* log(x) / log(base) for a factor 1 / log(base) in two parts. */
static EchoValue *log_to_base(const EchoMath *m, EchoValue *x, double high, double low)
{
  EchoValue *one = echo_math_constant(m, 1.0), *infinity = echo_math_constant(m, __builtin_inf());
  EchoBuilder *builder = m->builder;
  EchoValue *is_plain = echo_arith_binary(
      builder, "arith.andi", echo_arith_cmpf(builder, ECHO_CMPF_OGT, x, echo_math_constant(m, 0.0)),
      echo_arith_cmpf(builder, ECHO_CMPF_OLT, x, infinity));
  Pair log = log_pair(m, echo_arith_select(builder, is_plain, x, one));
  Pair product = two_product(m, log.high, echo_math_constant(m, high));
  EchoValue *rest = echo_math_add(m, echo_math_mul(m, log.high, echo_math_constant(m, low)),
                                  echo_math_mul(m, log.low, echo_math_constant(m, high)));
  EchoValue *result = echo_math_add(m, product.high, echo_math_add(m, product.low, rest));
  return echo_math_log_specials(m, x, result);
}

static EchoValue *log2_f64(const EchoMath *m, EchoValue *x)
{
  return log_to_base(m, x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56);
}

EchoValue *echo_expand_log2(const EchoMath *m, EchoValue *x)
{
  return echo_math_in_f64(m, x, log2_f64);
}

static EchoValue *log10_f64(const EchoMath *m, EchoValue *x)
{
  return log_to_base(m, x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57);
}

EchoValue *echo_expand_log10(const EchoMath *m, EchoValue *x)
{
  return echo_math_in_f64(m, x, log10_f64);
}

/* ---- pow ---- */

/* |x|^y for finite positive |x|. */
static EchoValue *power_magnitude(const EchoMath *m, EchoValue *a, EchoValue *y)
{
  EchoBuilder *builder = m->builder;
  Pair log = log_pair(m, a);
  /* beyond this the result is 0 or infinite (or 1 for a = 1) whatever y is */
  EchoValue *bound = echo_math_constant(m, 0x1p70);
  EchoValue *small_y = echo_arith_binary(
      builder, "arith.minnumf",
      echo_arith_binary(builder, "arith.maxnumf", y, echo_math_neg(m, bound)), bound);
  Pair product = two_product(m, log.high, small_y);
  EchoValue *low = echo_math_add(m, product.low, echo_math_mul(m, log.low, small_y));
  Pair sum = fast_two_sum(m, product.high, low);
  EchoValue *e = echo_expand_exp(m, sum.high);
  EchoValue *corrected = echo_math_add(m, e, echo_math_mul(m, e, sum.low));
  /* where e is 0 or infinite it is the result; the correction may be NaN there */
  EchoValue *infinity = echo_math_constant(m, __builtin_inf());
  return echo_math_if(m, ECHO_CMPF_OLT, e, infinity, corrected, e);
}

/* IEEE 754's pow. */
static EchoValue *pow_f64(const EchoMath *m, EchoValue *x, EchoValue *y)
{
  EchoBuilder *builder = m->builder;
  EchoValue *zero = echo_math_constant(m, 0.0), *one = echo_math_constant(m, 1.0);
  EchoValue *infinity = echo_math_constant(m, __builtin_inf());
  EchoValue *nan = echo_math_constant(m, __builtin_nan(""));
  EchoValue *a = echo_math_abs(m, x);
  EchoValue *is_zero = echo_arith_cmpf(builder, ECHO_CMPF_OEQ, a, zero);
  EchoValue *is_infinite = echo_arith_cmpf(builder, ECHO_CMPF_OEQ, a, infinity);
  EchoValue *is_extreme = echo_arith_binary(builder, "arith.ori", is_zero, is_infinite);
  EchoValue *magnitude = power_magnitude(m, echo_arith_select(builder, is_extreme, one, a), y);
  /* 0^y and inf^y are 0 or infinite by the sign of y */
  EchoValue *grows = echo_arith_binary(builder, "arith.xori", is_zero,
                                       echo_arith_cmpf(builder, ECHO_CMPF_OGT, y, zero));
  magnitude = echo_arith_select(builder, is_extreme,
                                echo_arith_select(builder, grows, infinity, zero), magnitude);

  EchoValue *whole = echo_arith_unary(builder, "math.floor", y, NULL);
  EchoValue *is_whole = echo_arith_cmpf(builder, ECHO_CMPF_OEQ, whole, y);
  EchoValue *half = echo_math_mul(m, y, echo_math_constant(m, 0.5));
  EchoValue *half_whole = echo_arith_unary(builder, "math.floor", half, NULL);
  EchoValue *is_odd = echo_arith_binary(builder, "arith.andi", is_whole,
                                        echo_arith_cmpf(builder, ECHO_CMPF_ONE, half, half_whole));
  EchoValue *sign = echo_arith_select(builder, is_odd, x, one);
  EchoValue *result = echo_math_copysign(m, magnitude, sign);
  /* a negative finite base needs a whole exponent */
  EchoValue *is_negative = echo_arith_cmpf(builder, ECHO_CMPF_OLT, x, zero);
  EchoValue *is_bad =
      echo_arith_binary(builder, "arith.andi", is_negative,
                        echo_arith_binary(builder, "arith.xori", is_whole,
                                          echo_arith_int(builder, is_whole->type, -1)));
  is_bad = echo_arith_binary(builder, "arith.andi", is_bad,
                             echo_arith_cmpf(builder, ECHO_CMPF_ONE, a, infinity));
  result = echo_arith_select(builder, is_bad, nan, result);
  /* NaN goes through but for 1^y and x^0; (-1)^(+-inf) is 1 */
  EchoValue *is_nan = echo_arith_cmpf(builder, ECHO_CMPF_UNO, x, y);
  result = echo_arith_select(builder, is_nan, nan, result);
  EchoValue *is_unit =
      echo_arith_binary(builder, "arith.andi",
                        echo_arith_cmpf(builder, ECHO_CMPF_OEQ, x, echo_math_constant(m, -1.0)),
                        echo_arith_cmpf(builder, ECHO_CMPF_OEQ, echo_math_abs(m, y), infinity));
  is_unit = echo_arith_binary(builder, "arith.ori", is_unit,
                              echo_arith_cmpf(builder, ECHO_CMPF_OEQ, x, one));
  is_unit = echo_arith_binary(builder, "arith.ori", is_unit,
                              echo_arith_cmpf(builder, ECHO_CMPF_OEQ, y, zero));
  return echo_arith_select(builder, is_unit, one, result);
}

EchoValue *echo_expand_powf(const EchoMath *m, EchoValue *x, EchoValue *y)
{
  if (m->is_f64)
    return pow_f64(m, x, y);
  EchoMath wide = echo_math_of(m->builder, echo_type_f64(m->builder->ctx));
  return echo_math_narrow(m, pow_f64(&wide, echo_math_widen(m, x), echo_math_widen(m, y)));
}

/* ---- integers ---- */

/* Squaring, a step a bit of the exponent. A negative exponent gives 1 / x^|n| towards zero: 1 for
 * 1, +-1 for -1, else 0. */
EchoValue *echo_expand_ipowi(const EchoMath *m, EchoValue *x, EchoValue *y)
{
  EchoBuilder *builder = m->builder;
  EchoValue *zero = echo_math_int(m, 0), *one = echo_math_int(m, 1);
  EchoValue *result = one, *square = x, *is_odd = NULL;
  uint32_t width = m->type->kind == ECHO_TYPE_INDEX ? 64 : echo_type_bit_width(m->type);
  for (uint32_t bit = 0; bit < width; ++bit) {
    EchoValue *shifted = echo_math_int_op(m, "arith.shrui", y, echo_math_int(m, (int64_t)bit));
    EchoValue *is_set = echo_arith_cmpi(builder, ECHO_CMPI_NE,
                                        echo_math_int_op(m, "arith.andi", shifted, one), zero);
    is_odd = bit == 0 ? is_set : is_odd;
    result =
        echo_math_int_op(m, "arith.muli", result, echo_arith_select(builder, is_set, square, one));
    square = echo_math_int_op(m, "arith.muli", square, square);
  }
  EchoValue *is_minus_one = echo_arith_cmpi(builder, ECHO_CMPI_EQ, x, echo_math_int(m, -1));
  EchoValue *is_one = echo_arith_cmpi(builder, ECHO_CMPI_EQ, x, one);
  EchoValue *is_unit = echo_arith_binary(builder, "arith.ori", is_one, is_minus_one);
  EchoValue *unit = echo_arith_select(builder, is_odd, x, one);
  EchoValue *inverse = echo_arith_select(builder, is_unit, unit, zero);
  EchoValue *is_negative = echo_arith_cmpi(builder, ECHO_CMPI_SLT, y, zero);
  return echo_arith_select(builder, is_negative, inverse, result);
}
