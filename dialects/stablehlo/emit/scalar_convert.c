/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions and comparisons of scalars. */
#include "dialects/stablehlo/emit/scalar_t.h"

/* f64 to f32 rounded to odd: a later rounding to a much narrower format then equals one rounding.
 */
static EchoValue *round_f64_to_odd_f32(EchoBuilder *builder, EchoValue *x)
{
  const EchoType *f32 = echo_type_f32(builder->ctx), *i32 = echo_type_i32(builder->ctx);
  EchoValue *near = echo_arith_unary(builder, "arith.truncf", x, f32);
  EchoValue *back = echo_arith_unary(builder, "arith.extf", near, x->type);
  EchoValue *bits = echo_arith_unary(builder, "arith.bitcast", near, i32);
  EchoValue *one = echo_arith_int(builder, i32, 1);
  EchoValue *is_inexact = echo_arith_cmpf(builder, ECHO_CMPF_ONE, back, x);
  EchoValue *is_above =
      echo_arith_cmpf(builder, ECHO_CMPF_OGT, echo_arith_unary(builder, "math.absf", back, NULL),
                      echo_arith_unary(builder, "math.absf", x, NULL));
  /* towards zero, then the last bit set */
  EchoValue *down = echo_arith_select(builder, is_above,
                                      echo_arith_binary(builder, "arith.subi", bits, one), bits);
  EchoValue *odd = echo_arith_binary(builder, "arith.ori", down, one);
  return echo_arith_unary(builder, "arith.bitcast",
                          echo_arith_select(builder, is_inexact, odd, bits), f32);
}

static EchoValue *float_to_float(EchoBuilder *builder, EchoElementKind from, EchoElementKind to,
                                 EchoValue *x)
{
  const EchoType *type = echo_scalar_type(builder->ctx, to);
  if (from == to)
    return x;
  if (from == ECHO_ELEMENT_F64 && echo_kind_is_half(to))
    return echo_scalar_demote(builder, to, round_f64_to_odd_f32(builder, x));
  if (echo_kind_is_half(from) && echo_kind_is_half(to))
    return echo_scalar_demote(builder, to, echo_scalar_promote(builder, from, x));
  bool widens = echo_element_bits(to) > echo_element_bits(from);
  return echo_arith_unary(builder, widens ? "arith.extf" : "arith.truncf", x, type);
}

static EchoValue *int_to_float(EchoBuilder *builder, EchoElementKind from, EchoElementKind to,
                               EchoValue *x)
{
  bool is_unsigned = echo_element_is_unsigned(from) || from == ECHO_ELEMENT_I1;
  const char *name = is_unsigned ? "arith.uitofp" : "arith.sitofp";
  if (!echo_kind_is_half(to))
    return echo_arith_unary(builder, name, x, echo_scalar_type(builder->ctx, to));
  if (echo_element_bits(from) <= 16) /* exact in f32 */
    return echo_scalar_demote(builder, to,
                              echo_arith_unary(builder, name, x, echo_type_f32(builder->ctx)));
  /* exact in f64, or (64 bits) within a rounding that sets nothing the halves keep: an integer
   * beyond 2^53 whose f64 rounding lands on a tie of bf16 is moved off it by rounding to odd first
   */
  if (echo_element_bits(from) == 64) {
    const EchoType *type = x->type;
    EchoValue *low =
        echo_arith_binary(builder, "arith.andi", x, echo_arith_int(builder, type, 2047));
    EchoValue *is_inexact =
        echo_arith_cmpi(builder, ECHO_CMPI_NE, low, echo_arith_int(builder, type, 0));
    EchoValue *cleared =
        echo_arith_binary(builder, "arith.andi", x, echo_arith_int(builder, type, -2048));
    EchoValue *sticky =
        echo_arith_binary(builder, "arith.ori", cleared, echo_arith_int(builder, type, 2048));
    EchoValue *magnitude = is_unsigned ? x : echo_arith_unary(builder, "math.absi", x, NULL);
    EchoValue *is_large = echo_arith_cmpi(builder, ECHO_CMPI_UGE, magnitude,
                                          echo_arith_int(builder, type, INT64_C(1) << 53));
    EchoValue *adjusts = echo_arith_binary(builder, "arith.andi", is_inexact, is_large);
    x = echo_arith_select(builder, adjusts, sticky, x);
  }
  EchoValue *wide = echo_arith_unary(builder, name, x, echo_type_f64(builder->ctx));
  return echo_scalar_demote(builder, to, round_f64_to_odd_f32(builder, wide));
}

/* Towards zero; saturates; NaN gives 0. */
static EchoValue *float_to_int(EchoBuilder *builder, EchoElementKind from, EchoElementKind to,
                               EchoValue *operand)
{
  EchoValue *x = echo_scalar_promote(builder, from, operand);
  EchoElementKind in = echo_kind_is_half(from) ? ECHO_ELEMENT_F32 : from;
  const EchoType *type = echo_scalar_type(builder->ctx, to);
  uint32_t width = echo_element_bits(to);
  bool is_unsigned = echo_element_is_unsigned(to);
  uint32_t value_bits = is_unsigned ? width : width - 1;
  double limit = (double)(UINT64_C(1) << (value_bits - 1)) * 2.0; /* first value too large */
  double lowest = is_unsigned ? 0.0 : -limit;
  /* the largest float below the limit */
  int precision = in == ECHO_ELEMENT_F32 ? 24 : 53;
  double below = (int)value_bits <= precision
                     ? limit - 1.0
                     : limit - (double)(UINT64_C(1) << (value_bits - (uint32_t)precision));
  EchoValue *clamped = echo_arith_binary(
      builder, "arith.maxnumf",
      echo_arith_binary(builder, "arith.minnumf", x, echo_scalar_float_like(builder, x, below)),
      echo_scalar_float_like(builder, x, lowest));
  const char *name = is_unsigned ? "arith.fptoui" : "arith.fptosi";
  EchoValue *converted = echo_arith_unary(builder, name, clamped, type);
  EchoValue *too_large =
      echo_arith_cmpf(builder, ECHO_CMPF_OGE, x, echo_scalar_float_like(builder, x, limit));
  EchoValue *is_nan = echo_arith_cmpf(builder, ECHO_CMPF_UNO, x, x);
  int64_t highest = (int64_t)(UINT64_MAX >> (64 - value_bits));
  converted =
      echo_arith_select(builder, too_large, echo_arith_int(builder, type, highest), converted);
  return echo_arith_select(builder, is_nan, echo_arith_int(builder, type, 0), converted);
}

static EchoValue *int_to_int(EchoBuilder *builder, EchoElementKind from, EchoElementKind to,
                             EchoValue *x)
{
  uint32_t from_width = echo_element_bits(from), to_width = echo_element_bits(to);
  const EchoType *type = echo_scalar_type(builder->ctx, to);
  if (from_width == to_width)
    return x;
  if (to_width < from_width)
    return echo_arith_unary(builder, "arith.trunci", x, type);
  bool is_unsigned = echo_element_is_unsigned(from) || from == ECHO_ELEMENT_I1;
  return echo_arith_unary(builder, is_unsigned ? "arith.extui" : "arith.extsi", x, type);
}

static EchoValue *to_bool(EchoBuilder *builder, EchoElementKind from, EchoValue *x)
{
  if (from == ECHO_ELEMENT_I1)
    return x;
  if (!echo_element_is_float(from))
    return echo_arith_cmpi(builder, ECHO_CMPI_NE, x, echo_scalar_int_like(builder, x, 0));
  EchoValue *wide = echo_scalar_promote(builder, from, x);
  return echo_arith_cmpf(builder, ECHO_CMPF_UNE, wide, echo_scalar_float_like(builder, wide, 0.0));
}

EchoValue *echo_scalar_convert(EchoBuilder *builder, EchoElementKind from, EchoElementKind to,
                               EchoValue *operand)
{
  if (from == ECHO_ELEMENT_NONE || to == ECHO_ELEMENT_NONE)
    return NULL;
  if (to == ECHO_ELEMENT_I1)
    return to_bool(builder, from, operand);
  if (echo_element_is_float(from))
    return echo_element_is_float(to) ? float_to_float(builder, from, to, operand)
                                     : float_to_int(builder, from, to, operand);
  return echo_element_is_float(to) ? int_to_float(builder, from, to, operand)
                                   : int_to_int(builder, from, to, operand);
}

/* ---- comparison ---- */

/* Bits as an integer whose signed order is the total order: -NaN < -inf … -0 < +0 … < +NaN. */
static EchoValue *total_order_key(EchoBuilder *builder, EchoElementKind kind, EchoValue *x)
{
  uint32_t width = echo_element_bits(kind);
  const EchoType *type = echo_type_integer(builder->ctx, width, ECHO_SIGNLESS);
  EchoValue *bits = echo_arith_unary(builder, "arith.bitcast", x, type);
  EchoValue *sign = echo_arith_binary(builder, "arith.shrsi", bits,
                                      echo_arith_int(builder, type, (int64_t)width - 1));
  EchoValue *mask = echo_arith_int(builder, type, (int64_t)(UINT64_MAX >> (65 - width)));
  return echo_arith_binary(builder, "arith.xori", bits,
                           echo_arith_binary(builder, "arith.andi", sign, mask));
}

EchoValue *echo_scalar_compare(EchoBuilder *builder, EchoCompareDirection direction,
                               EchoCompareType type, EchoElementKind kind, EchoValue *lhs,
                               EchoValue *rhs)
{
  static const EchoCmpfPredicate FLOATS[] = {
      [ECHO_COMPARE_EQ] = ECHO_CMPF_OEQ, [ECHO_COMPARE_NE] = ECHO_CMPF_UNE,
      [ECHO_COMPARE_GE] = ECHO_CMPF_OGE, [ECHO_COMPARE_GT] = ECHO_CMPF_OGT,
      [ECHO_COMPARE_LE] = ECHO_CMPF_OLE, [ECHO_COMPARE_LT] = ECHO_CMPF_OLT};
  static const EchoCmpiPredicate SIGNED[] = {
      [ECHO_COMPARE_EQ] = ECHO_CMPI_EQ,  [ECHO_COMPARE_NE] = ECHO_CMPI_NE,
      [ECHO_COMPARE_GE] = ECHO_CMPI_SGE, [ECHO_COMPARE_GT] = ECHO_CMPI_SGT,
      [ECHO_COMPARE_LE] = ECHO_CMPI_SLE, [ECHO_COMPARE_LT] = ECHO_CMPI_SLT};
  static const EchoCmpiPredicate UNSIGNED[] = {
      [ECHO_COMPARE_EQ] = ECHO_CMPI_EQ,  [ECHO_COMPARE_NE] = ECHO_CMPI_NE,
      [ECHO_COMPARE_GE] = ECHO_CMPI_UGE, [ECHO_COMPARE_GT] = ECHO_CMPI_UGT,
      [ECHO_COMPARE_LE] = ECHO_CMPI_ULE, [ECHO_COMPARE_LT] = ECHO_CMPI_ULT};
  if (kind == ECHO_ELEMENT_NONE)
    return NULL;
  if (echo_element_is_float(kind) && type == ECHO_COMPARE_TOTALORDER)
    return echo_arith_cmpi(builder, SIGNED[direction], total_order_key(builder, kind, lhs),
                           total_order_key(builder, kind, rhs));
  if (echo_element_is_float(kind))
    return echo_arith_cmpf(builder, FLOATS[direction], echo_scalar_promote(builder, kind, lhs),
                           echo_scalar_promote(builder, kind, rhs));
  bool is_unsigned = echo_element_is_unsigned(kind) || kind == ECHO_ELEMENT_I1;
  return echo_arith_cmpi(builder, (is_unsigned ? UNSIGNED : SIGNED)[direction], lhs, rhs);
}

/* ---- reduce_precision ---- */

/* Rounds the mantissa to nearest even by adding half of the last kept bit to the bits, then gives
 * infinity above the reduced exponent range and zero below it; all in the operand's own format. NaN
 * is kept as it is; without a mantissa it becomes an infinity. */
EchoValue *echo_scalar_reduce_precision(EchoBuilder *builder, EchoElementKind kind,
                                        int32_t exponent_bits, int32_t mantissa_bits,
                                        EchoValue *operand)
{
  int width = (int)echo_element_bits(kind);
  int own_exponent = kind == ECHO_ELEMENT_F64 ? 11 : kind == ECHO_ELEMENT_F16 ? 5 : 8;
  int own_mantissa = width - 1 - own_exponent;
  const EchoType *type = echo_type_integer(builder->ctx, (uint32_t)width, ECHO_SIGNLESS);
  EchoValue *bits = echo_arith_unary(builder, "arith.bitcast", operand, type);
  EchoValue *sign_mask = echo_arith_int(builder, type, (int64_t)(UINT64_C(1) << (width - 1)));
  EchoValue *sign = echo_arith_binary(builder, "arith.andi", bits, sign_mask);
  EchoValue *magnitude = echo_arith_binary(builder, "arith.xori", bits, sign);
  EchoValue *rounded = magnitude;
  if (mantissa_bits < own_mantissa) {
    int dropped = own_mantissa - mantissa_bits;
    int64_t last = INT64_C(1) << dropped;
    EchoValue *kept_bit = echo_arith_binary(
        builder, "arith.shrui",
        echo_arith_binary(builder, "arith.andi", magnitude, echo_arith_int(builder, type, last)),
        echo_arith_int(builder, type, dropped));
    EchoValue *bias = echo_arith_binary(builder, "arith.addi", kept_bit,
                                        echo_arith_int(builder, type, (last >> 1) - 1));
    rounded = echo_arith_binary(builder, "arith.andi",
                                echo_arith_binary(builder, "arith.addi", magnitude, bias),
                                echo_arith_int(builder, type, -last));
  }
  int64_t exponent_mask = ((INT64_C(1) << own_exponent) - 1) << own_mantissa;
  EchoValue *infinity = echo_arith_int(builder, type, exponent_mask);
  if (exponent_bits < own_exponent) {
    int64_t reduced_bias = (INT64_C(1) << (exponent_bits - 1)) - 1;
    int64_t bias = (INT64_C(1) << (own_exponent - 1)) - 1;
    EchoValue *exponent = echo_arith_binary(builder, "arith.andi", rounded, infinity);
    EchoValue *overflows =
        echo_arith_cmpi(builder, ECHO_CMPI_UGT, exponent,
                        echo_arith_int(builder, type, (bias + reduced_bias) << own_mantissa));
    EchoValue *underflows =
        echo_arith_cmpi(builder, ECHO_CMPI_ULE, exponent,
                        echo_arith_int(builder, type, (bias - reduced_bias) << own_mantissa));
    rounded = echo_arith_select(builder, overflows, infinity, rounded);
    rounded = echo_arith_select(builder, underflows, echo_arith_int(builder, type, 0), rounded);
  }
  EchoValue *is_nan = echo_arith_cmpi(builder, ECHO_CMPI_UGT, magnitude, infinity);
  EchoValue *nan =
      mantissa_bits > 0 ? bits : echo_arith_binary(builder, "arith.ori", infinity, sign);
  EchoValue *result = echo_arith_select(builder, is_nan, nan,
                                        echo_arith_binary(builder, "arith.ori", rounded, sign));
  return echo_arith_unary(builder, "arith.bitcast", result, operand->type);
}
