/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What elementwise rows are written with, beside libm and builders: short names, and formulas that
 * take more than an expression. Values first, then what kernels compute, then gradients. For
 * rows/elementwise.c alone. */
#ifndef ECHO_DIALECTS_STABLEHLO_ROWS_FORMULAS_T_H
#define ECHO_DIALECTS_STABLEHLO_ROWS_FORMULAS_T_H

#include <math.h>

#include "dialects/arith/arith.h"
#include "dialects/interfaces/gradient.h"
#include "dialects/stablehlo/build.h"

/* ---- values of floats ---- */

static inline double round_half_even(double x)
{
  double down = floor(x), rest = x - down;
  if (rest != 0.5)
    return copysign(rest > 0.5 ? down + 1 : down, x);
  return copysign(fmod(down, 2) == 0 ? down : down + 1, x);
}

/* NaN from either side, and -0 < +0. */
static inline double maximum(double a, double b)
{
  if (isnan(a) || isnan(b))
    return a + b;
  return a > b || (a == b && !signbit(a)) ? a : b;
}

static inline double minimum(double a, double b)
{
  if (isnan(a) || isnan(b))
    return a + b;
  return a < b || (a == b && signbit(a)) ? a : b;
}

/* ---- values of integers ---- */

static inline uint64_t low_bits(uint32_t width)
{
  return UINT64_MAX >> (64 - width);
}

/* Division by zero gives all ones, its remainder the dividend; the lowest number by -1 itself (as
 * XLA does). */
static inline int64_t int_quotient(int64_t a, int64_t b, bool is_unsigned)
{
  if (b == 0)
    return -1;
  if (is_unsigned)
    return (int64_t)((uint64_t)a / (uint64_t)b);
  return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static inline int64_t int_remainder(int64_t a, int64_t b, bool is_unsigned)
{
  if (b == 0)
    return a;
  if (is_unsigned)
    return (int64_t)((uint64_t)a % (uint64_t)b);
  return b == -1 ? 0 : a % b;
}

static inline int64_t int_power(int64_t base, int64_t exponent, bool is_unsigned)
{
  if (!is_unsigned && exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 != 0 ? -1 : 1) : 0;
  uint64_t result = 1, square = (uint64_t)base;
  for (uint64_t rest = (uint64_t)exponent; rest != 0; rest >>= 1, square *= square)
    if (rest & 1)
      result *= square;
  return (int64_t)result;
}

/* Of the low `width` bits, keeping their sign; `amount` is unsigned. */
static inline int64_t int_shift_right(uint64_t bits, uint32_t width, int64_t amount)
{
  bool is_negative = (bits >> (width - 1)) & 1;
  int64_t extended = (int64_t)(is_negative ? bits | ~low_bits(width) : bits);
  return (uint64_t)amount >= width ? -(int64_t)is_negative : extended >> amount;
}

/* ---- scalars of kernels: floats ---- */

static inline EchoValue *float_like(EchoBuilder *b, const EchoValue *like, double value)
{
  return echo_arith_float(b, like->type, value);
}

static inline EchoValue *emit_is_finite(EchoBuilder *b, EchoValue *x)
{
  EchoValue *infinity = float_like(b, x, INFINITY);
  return echo_arith_cmpf(b, ECHO_CMPF_OLT, echo_arith_unary(b, "math.absf", x, NULL), infinity);
}

/* 1 / (1 + e^-x) from e^-|x|, which never overflows: e / (1 + e) on the left, 1 / (1 + e) on the
 * right. */
static inline EchoValue *emit_logistic(EchoBuilder *b, EchoValue *x)
{
  EchoValue *one = float_like(b, x, 1.0);
  EchoValue *minus_abs =
      echo_arith_unary(b, "arith.negf", echo_arith_unary(b, "math.absf", x, NULL), NULL);
  EchoValue *e = echo_arith_unary(b, "math.exp", minus_abs, NULL);
  EchoValue *is_left = echo_arith_cmpf(b, ECHO_CMPF_OLT, x, float_like(b, x, 0.0));
  EchoValue *numerator = echo_arith_select(b, is_left, e, one);
  return echo_arith_quotient(b, numerator, echo_arith_binary(b, "arith.addf", one, e));
}

/* NaN stays NaN, a zero keeps its sign. */
/* Of a zero or a NaN, x + x: the same, but that a denormal that counts as zero becomes it. */
static inline EchoValue *emit_float_sign(EchoBuilder *b, EchoValue *x)
{
  EchoValue *zero = float_like(b, x, 0.0), *one = float_like(b, x, 1.0);
  EchoValue *has_sign = echo_arith_cmpf(b, ECHO_CMPF_ONE, x, zero);
  return echo_arith_select(b, has_sign, echo_arith_binary(b, "math.copysign", one, x),
                           echo_arith_binary(b, "arith.addf", x, x));
}

/* ---- scalars of kernels: integers ---- */

static inline EchoValue *int_like(EchoBuilder *b, const EchoValue *like, int64_t value)
{
  return echo_arith_int(b, like->type, value);
}

static inline EchoValue *emit_int_negate(EchoBuilder *b, EchoValue *x)
{
  return echo_arith_binary(b, "arith.subi", int_like(b, x, 0), x);
}

static inline EchoValue *emit_not(EchoBuilder *b, EchoValue *x)
{
  return echo_arith_binary(b, "arith.xori", x, int_like(b, x, -1));
}

static inline EchoValue *emit_int_sign(EchoBuilder *b, EchoValue *x)
{
  EchoValue *zero = int_like(b, x, 0);
  EchoValue *is_positive = echo_arith_cmpi(b, ECHO_CMPI_SGT, x, zero);
  EchoValue *is_negative = echo_arith_cmpi(b, ECHO_CMPI_SLT, x, zero);
  EchoValue *minus = echo_arith_unary(b, "arith.extui", is_negative, x->type);
  EchoValue *plus = echo_arith_unary(b, "arith.extui", is_positive, x->type);
  return echo_arith_binary(b, "arith.subi", plus, minus);
}

/* x / 0 = -1 (all bits), x % 0 = x, lowest / -1 = lowest, lowest % -1 = 0; the machine's division
 * never sees these. */
static inline EchoValue *int_division(EchoBuilder *b, bool is_remainder, bool is_unsigned,
                                      EchoValue *x, EchoValue *y)
{
  EchoValue *zero = int_like(b, x, 0), *one = int_like(b, x, 1);
  EchoValue *minus_one = int_like(b, x, -1);
  EchoValue *by_zero = echo_arith_cmpi(b, ECHO_CMPI_EQ, y, zero);
  EchoValue *divisor = echo_arith_select(b, by_zero, one, y);
  if (!is_unsigned) {
    uint32_t width = x->type->as.integer.width;
    EchoValue *lowest = int_like(b, x, (int64_t)(UINT64_C(1) << (width - 1)));
    EchoValue *by_minus_one = echo_arith_cmpi(b, ECHO_CMPI_EQ, y, minus_one);
    EchoValue *is_lowest = echo_arith_cmpi(b, ECHO_CMPI_EQ, x, lowest);
    EchoValue *overflows = echo_arith_binary(b, "arith.andi", is_lowest, by_minus_one);
    divisor = echo_arith_select(b, overflows, one, divisor);
  }
  const char *name = is_remainder ? (is_unsigned ? "arith.remui" : "arith.remsi")
                                  : (is_unsigned ? "arith.divui" : "arith.divsi");
  EchoValue *result = echo_arith_binary(b, name, x, divisor); /* lowest / 1, lowest % 1 = 0 */
  return echo_arith_select(b, by_zero, is_remainder ? x : minus_one, result);
}

static inline EchoValue *emit_int_quotient(EchoBuilder *b, EchoValue *x, EchoValue *y,
                                           bool is_unsigned)
{
  return int_division(b, false, is_unsigned, x, y);
}

static inline EchoValue *emit_int_remainder(EchoBuilder *b, EchoValue *x, EchoValue *y,
                                            bool is_unsigned)
{
  return int_division(b, true, is_unsigned, x, y);
}

/* Amounts are unsigned; at the width or above, all bits are shifted out. */
static inline EchoValue *safe_amount(EchoBuilder *b, EchoValue *amount, EchoValue **in_range)
{
  EchoValue *last = int_like(b, amount, (int64_t)amount->type->as.integer.width - 1);
  *in_range = echo_arith_cmpi(b, ECHO_CMPI_ULE, amount, last);
  return echo_arith_select(b, *in_range, amount, last);
}

static inline EchoValue *emit_shift_right_arithmetic(EchoBuilder *b, EchoValue *x,
                                                     EchoValue *amount)
{
  EchoValue *in_range;
  return echo_arith_binary(b, "arith.shrsi", x, safe_amount(b, amount, &in_range));
}

static inline EchoValue *zero_filled_shift(EchoBuilder *b, const char *name, EchoValue *x,
                                           EchoValue *amount)
{
  EchoValue *in_range, *safe = safe_amount(b, amount, &in_range), *zero = int_like(b, x, 0);
  return echo_arith_select(b, in_range, echo_arith_binary(b, name, x, safe), zero);
}

static inline EchoValue *emit_shift_left(EchoBuilder *b, EchoValue *x, EchoValue *amount)
{
  return zero_filled_shift(b, "arith.shli", x, amount);
}

static inline EchoValue *emit_shift_right_logical(EchoBuilder *b, EchoValue *x, EchoValue *amount)
{
  return zero_filled_shift(b, "arith.shrui", x, amount);
}

static inline EchoValue *has_bit(EchoBuilder *b, EchoValue *bits, EchoValue *bit, EchoValue *zero)
{
  return echo_arith_cmpi(b, ECHO_CMPI_NE, echo_arith_binary(b, "arith.andi", bits, bit), zero);
}

/* Squaring, one unrolled step a bit of the exponent. A negative exponent gives 1 / x^|n| truncated:
 * 1 for 1, +-1 for -1, else 0. */
static inline EchoValue *emit_int_power(EchoBuilder *b, EchoValue *x, EchoValue *exponent,
                                        bool is_unsigned)
{
  EchoValue *zero = int_like(b, x, 0), *one = int_like(b, x, 1);
  EchoValue *result = one, *square = x;
  uint32_t width = x->type->as.integer.width;
  for (uint32_t bit = 0; bit < width; ++bit) {
    EchoValue *shifted =
        echo_arith_binary(b, "arith.shrui", exponent, int_like(b, x, (int64_t)bit));
    EchoValue *is_set = has_bit(b, shifted, one, zero);
    EchoValue *factor = echo_arith_select(b, is_set, square, one);
    result = echo_arith_binary(b, "arith.muli", result, factor);
    square = echo_arith_binary(b, "arith.muli", square, square);
  }
  if (is_unsigned)
    return result;
  EchoValue *minus_one = int_like(b, x, -1);
  EchoValue *is_minus_one = echo_arith_cmpi(b, ECHO_CMPI_EQ, x, minus_one);
  EchoValue *is_one = echo_arith_cmpi(b, ECHO_CMPI_EQ, x, one);
  EchoValue *is_unit = echo_arith_binary(b, "arith.ori", is_one, is_minus_one);
  EchoValue *is_negative = echo_arith_cmpi(b, ECHO_CMPI_SLT, exponent, zero);
  /* an odd power of -1 has bit 0 of the exponent set, which two's complement keeps */
  EchoValue *is_odd = has_bit(b, exponent, one, zero);
  EchoValue *unit_power = echo_arith_select(b, is_odd, x, one);
  EchoValue *inverse = echo_arith_select(b, is_unit, unit_power, zero);
  return echo_arith_select(b, is_negative, inverse, result);
}

/* ---- gradients ---- */

static inline EchoValue *mul(EchoBuilder *b, EchoValue *x, EchoValue *y)
{
  return echo_hlo_multiply(b, x, y);
}

static inline EchoValue *divide(EchoBuilder *b, EchoValue *x, EchoValue *y)
{
  return echo_hlo_divide(b, x, y);
}

static inline EchoValue *neg(EchoBuilder *b, EchoValue *x)
{
  return echo_hlo_negate(b, x);
}

static inline EchoValue *square(EchoBuilder *b, EchoValue *x)
{
  return mul(b, x, x);
}

/* c x for a number c */
static inline EchoValue *scale(EchoBuilder *b, EchoValue *x, double c)
{
  return mul(b, x, echo_hlo_constant_like(b, x, c));
}

/* x + c for a number c */
static inline EchoValue *plus(EchoBuilder *b, EchoValue *x, double c)
{
  return echo_hlo_add(b, x, echo_hlo_constant_like(b, x, c));
}

static inline EchoValue *one_minus(EchoBuilder *b, EchoValue *x)
{
  return echo_hlo_subtract(b, echo_hlo_constant_like(b, x, 1), x);
}

/* The share of gy that goes to the larger (GT) or smaller (LT) operand; what cannot be told apart,
 * equal operands and NaN, share it: so that maximum(x, x), which folds to x, has x's gradient at
 * every x. */
static inline EchoValue *extremum_share(EchoBuilder *b, EchoCompareDirection direction,
                                        EchoValue *mine, EchoValue *other, EchoValue *gy)
{
  EchoValue *wins = echo_hlo_compare(b, direction, mine, other);
  EchoValue *loses = echo_hlo_compare(b, direction, other, mine);
  EchoValue *zero = echo_hlo_constant_like(b, gy, 0), *half = scale(b, gy, 0.5);
  return echo_hlo_select(b, wins, gy, echo_hlo_select(b, loses, zero, half));
}

static inline EchoValue *towards_zero(EchoBuilder *b, EchoValue *x)
{
  EchoValue *size = echo_hlo_floor(b, echo_hlo_abs(b, x));
  return mul(b, echo_hlo_sign(b, x), size);
}

/* e x^(e-1), and 0 where e = 0 */
static inline EchoValue *power_by_base(EchoBuilder *b, EchoValue *x, EchoValue *e, EchoValue *gy)
{
  EchoValue *is_zero = echo_hlo_compare(b, ECHO_COMPARE_EQ, e, echo_hlo_constant_like(b, e, 0));
  EchoValue *lower = echo_hlo_subtract(b, e, echo_hlo_constant_like(b, e, 1));
  EchoValue *safe = echo_hlo_select(b, is_zero, echo_hlo_constant_like(b, e, 1), lower);
  return mul(b, gy, mul(b, e, echo_hlo_power(b, x, safe)));
}

/* y log x, and 0 where x = 0 */
static inline EchoValue *power_by_exponent(EchoBuilder *b, EchoValue *x, EchoValue *y,
                                           EchoValue *gy)
{
  EchoValue *is_zero = echo_hlo_compare(b, ECHO_COMPARE_EQ, x, echo_hlo_constant_like(b, x, 0));
  EchoValue *safe = echo_hlo_select(b, is_zero, echo_hlo_constant_like(b, x, 1), x);
  return mul(b, gy, mul(b, y, echo_hlo_log(b, safe)));
}

/* Both read one quotient. */
static inline void divide_gradient(EchoGradient *g, EchoOp *op, EchoValue *gy)
{
  EchoBuilder *b = g->builder;
  EchoValue *quotient = divide(b, gy, echo_op_operand(op, 1));
  echo_gradient_add(g, echo_op_operand(op, 0), quotient);
  if (echo_gradient_needs(g, echo_op_operand(op, 1)))
    echo_gradient_add(g, echo_op_operand(op, 1), neg(b, mul(b, quotient, echo_op_result(op, 0))));
}

static inline void atan2_gradient(EchoGradient *g, EchoOp *op, EchoValue *gy)
{
  EchoBuilder *b = g->builder;
  EchoValue *y = echo_op_operand(op, 0), *x = echo_op_operand(op, 1);
  EchoValue *y_squared = square(b, y), *x_squared = square(b, x);
  EchoValue *scaled = divide(b, gy, echo_hlo_add(b, x_squared, y_squared));
  echo_gradient_add(g, y, mul(b, scaled, x));
  echo_gradient_add(g, x, neg(b, mul(b, scaled, y)));
}

#endif
