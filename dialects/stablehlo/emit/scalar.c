/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Unary and binary elementwise ops on scalars. */
#include "dialects/stablehlo/emit/scalar_t.h"

const EchoType *echo_scalar_type(EchoContext *ctx, EchoElementKind kind)
{
  switch (kind) {
  case ECHO_ELEMENT_F16:
    return echo_type_float(ctx, ECHO_F16);
  case ECHO_ELEMENT_BF16:
    return echo_type_float(ctx, ECHO_BF16);
  case ECHO_ELEMENT_F32:
    return echo_type_f32(ctx);
  case ECHO_ELEMENT_F64:
    return echo_type_f64(ctx);
  default:
    return echo_type_integer(ctx, echo_kind_width(kind), ECHO_SIGNLESS);
  }
}

EchoValue *echo_scalar_promote(EchoBuilder *builder, EchoElementKind kind, EchoValue *value)
{
  if (!echo_kind_is_half(kind))
    return value;
  return echo_arith_unary(builder, "arith.extf", value, echo_type_f32(builder->ctx));
}

EchoValue *echo_scalar_demote(EchoBuilder *builder, EchoElementKind kind, EchoValue *value)
{
  if (!echo_kind_is_half(kind))
    return value;
  return echo_arith_unary(builder, "arith.truncf", value, echo_scalar_type(builder->ctx, kind));
}

/* ---- unary ---- */

/* Ops that are one op of math, computed in f32 for the halves. */
static const char *math_name_or_null(EchoHloOpcode opcode)
{
  switch (opcode) {
  case ECHO_HLO_ABS:
    return "math.absf";
  case ECHO_HLO_CBRT:
    return "math.cbrt";
  case ECHO_HLO_CEIL:
    return "math.ceil";
  case ECHO_HLO_COSINE:
    return "math.cos";
  case ECHO_HLO_EXPONENTIAL:
    return "math.exp";
  case ECHO_HLO_EXPONENTIAL_MINUS_ONE:
    return "math.expm1";
  case ECHO_HLO_FLOOR:
    return "math.floor";
  case ECHO_HLO_LOG:
    return "math.log";
  case ECHO_HLO_LOG_PLUS_ONE:
    return "math.log1p";
  case ECHO_HLO_ROUND_NEAREST_AFZ:
    return "math.round";
  case ECHO_HLO_ROUND_NEAREST_EVEN:
    return "math.roundeven";
  case ECHO_HLO_RSQRT:
    return "math.rsqrt";
  case ECHO_HLO_SINE:
    return "math.sin";
  case ECHO_HLO_SQRT:
    return "math.sqrt";
  case ECHO_HLO_TAN:
    return "math.tan";
  case ECHO_HLO_TANH:
    return "math.tanh";
  case ECHO_HLO_NEGATE:
    return "arith.negf";
  default:
    return NULL;
  }
}

/* 1 / (1 + e^-x) from e^-|x|, which never overflows: e / (1 + e) on the left, 1 / (1 + e) on the
 * right. */
static EchoValue *logistic(EchoBuilder *builder, EchoValue *x)
{
  EchoValue *one = echo_scalar_float_like(builder, x, 1.0);
  EchoValue *minus_abs = echo_arith_unary(builder, "arith.negf",
                                          echo_arith_unary(builder, "math.absf", x, NULL), NULL);
  EchoValue *e = echo_arith_unary(builder, "math.exp", minus_abs, NULL);
  EchoValue *is_left =
      echo_arith_cmpf(builder, ECHO_CMPF_OLT, x, echo_scalar_float_like(builder, x, 0.0));
  EchoValue *numerator = echo_arith_select(builder, is_left, e, one);
  return echo_arith_binary(builder, "arith.divf", numerator,
                           echo_arith_binary(builder, "arith.addf", one, e));
}

/* NaN stays NaN, a zero keeps its sign. */
static EchoValue *float_sign(EchoBuilder *builder, EchoValue *x)
{
  EchoValue *zero = echo_scalar_float_like(builder, x, 0.0);
  EchoValue *one = echo_scalar_float_like(builder, x, 1.0);
  EchoValue *has_sign = echo_arith_cmpf(builder, ECHO_CMPF_ONE, x, zero);
  return echo_arith_select(builder, has_sign, echo_arith_binary(builder, "math.copysign", one, x),
                           x);
}

static EchoValue *float_unary(EchoBuilder *builder, EchoHloOpcode opcode, EchoElementKind kind,
                              EchoValue *operand)
{
  EchoValue *x = echo_scalar_promote(builder, kind, operand);
  const char *name = math_name_or_null(opcode);
  EchoValue *result = NULL;
  if (name != NULL)
    result = echo_arith_unary(builder, name, x, NULL);
  else if (opcode == ECHO_HLO_LOGISTIC)
    result = logistic(builder, x);
  else if (opcode == ECHO_HLO_SIGN)
    result = float_sign(builder, x);
  else if (opcode == ECHO_HLO_REAL)
    return operand;
  else if (opcode == ECHO_HLO_IMAG)
    return echo_scalar_float_like(builder, operand, 0.0);
  else if (opcode == ECHO_HLO_IS_FINITE)
    return echo_arith_cmpf(builder, ECHO_CMPF_OLT, echo_arith_unary(builder, "math.absf", x, NULL),
                           echo_scalar_float_like(builder, x, __builtin_inf()));
  return result != NULL ? echo_scalar_demote(builder, kind, result) : NULL;
}

static EchoValue *int_sign(EchoBuilder *builder, EchoElementKind kind, EchoValue *x)
{
  EchoValue *zero = echo_scalar_int_like(builder, x, 0);
  EchoCmpiPredicate above = echo_element_is_unsigned(kind) ? ECHO_CMPI_UGT : ECHO_CMPI_SGT;
  EchoValue *is_positive = echo_arith_cmpi(builder, above, x, zero);
  EchoValue *is_negative = echo_arith_cmpi(
      builder, echo_element_is_unsigned(kind) ? ECHO_CMPI_ULT : ECHO_CMPI_SLT, x, zero);
  return echo_arith_binary(builder, "arith.subi",
                           echo_arith_unary(builder, "arith.extui", is_positive, x->type),
                           echo_arith_unary(builder, "arith.extui", is_negative, x->type));
}

static EchoValue *int_unary(EchoBuilder *builder, EchoHloOpcode opcode, EchoElementKind kind,
                            EchoValue *x)
{
  switch (opcode) {
  case ECHO_HLO_ABS:
    if (kind == ECHO_ELEMENT_I1 || echo_element_is_unsigned(kind))
      return x;
    return echo_arith_unary(builder, "math.absi", x, NULL);
  case ECHO_HLO_NEGATE:
    return echo_arith_binary(builder, "arith.subi", echo_scalar_int_like(builder, x, 0), x);
  case ECHO_HLO_NOT:
    return echo_arith_binary(builder, "arith.xori", x, echo_scalar_int_like(builder, x, -1));
  case ECHO_HLO_SIGN:
    return int_sign(builder, kind, x);
  case ECHO_HLO_POPCNT:
    return echo_arith_unary(builder, "math.ctpop", x, NULL);
  case ECHO_HLO_COUNT_LEADING_ZEROS:
    return echo_arith_unary(builder, "math.ctlz", x, NULL);
  default:
    return NULL;
  }
}

EchoValue *echo_scalar_unary(EchoBuilder *builder, EchoHloOpcode opcode, EchoElementKind kind,
                             EchoValue *operand)
{
  if (kind == ECHO_ELEMENT_NONE)
    return NULL;
  return echo_element_is_float(kind) ? float_unary(builder, opcode, kind, operand)
                                     : int_unary(builder, opcode, kind, operand);
}

/* ---- binary ---- */

static const char *float_binary_name_or_null(EchoHloOpcode opcode)
{
  switch (opcode) {
  case ECHO_HLO_ADD:
    return "arith.addf";
  case ECHO_HLO_SUBTRACT:
    return "arith.subf";
  case ECHO_HLO_MULTIPLY:
    return "arith.mulf";
  case ECHO_HLO_DIVIDE:
    return "arith.divf";
  case ECHO_HLO_MAXIMUM:
    return "arith.maximumf";
  case ECHO_HLO_MINIMUM:
    return "arith.minimumf";
  case ECHO_HLO_REMAINDER:
    return "arith.remf";
  case ECHO_HLO_POWER:
    return "math.powf";
  case ECHO_HLO_ATAN2:
    return "math.atan2";
  default:
    return NULL;
  }
}

static EchoValue *float_binary(EchoBuilder *builder, EchoHloOpcode opcode, EchoElementKind kind,
                               EchoValue *lhs, EchoValue *rhs)
{
  const char *name = float_binary_name_or_null(opcode);
  if (name == NULL)
    return NULL;
  EchoValue *result = echo_arith_binary(builder, name, echo_scalar_promote(builder, kind, lhs),
                                        echo_scalar_promote(builder, kind, rhs));
  return echo_scalar_demote(builder, kind, result);
}

static const char *int_binary_name_or_null(EchoHloOpcode opcode, bool is_unsigned, bool is_bool)
{
  switch (opcode) {
  case ECHO_HLO_ADD:
    return is_bool ? "arith.ori" : "arith.addi";
  case ECHO_HLO_SUBTRACT:
    return is_bool ? NULL : "arith.subi";
  case ECHO_HLO_MULTIPLY:
    return is_bool ? "arith.andi" : "arith.muli";
  case ECHO_HLO_MAXIMUM:
    return is_bool ? "arith.ori" : is_unsigned ? "arith.maxui" : "arith.maxsi";
  case ECHO_HLO_MINIMUM:
    return is_bool ? "arith.andi" : is_unsigned ? "arith.minui" : "arith.minsi";
  case ECHO_HLO_AND:
    return "arith.andi";
  case ECHO_HLO_OR:
    return "arith.ori";
  case ECHO_HLO_XOR:
    return "arith.xori";
  default:
    return NULL;
  }
}

/* x / 0 = -1 (all bits), x % 0 = x, lowest / -1 = lowest, lowest % -1 = 0; the machine's division
 * never sees these. */
static EchoValue *int_division(EchoBuilder *builder, bool is_remainder, bool is_unsigned,
                               EchoValue *x, EchoValue *y)
{
  EchoValue *zero = echo_scalar_int_like(builder, x, 0), *one = echo_scalar_int_like(builder, x, 1);
  EchoValue *minus_one = echo_scalar_int_like(builder, x, -1);
  EchoValue *by_zero = echo_arith_cmpi(builder, ECHO_CMPI_EQ, y, zero);
  EchoValue *divisor = echo_arith_select(builder, by_zero, one, y);
  EchoValue *overflows = NULL;
  if (!is_unsigned) {
    uint32_t width = x->type->as.integer.width;
    EchoValue *lowest = echo_scalar_int_like(builder, x, (int64_t)(UINT64_C(1) << (width - 1)));
    overflows =
        echo_arith_binary(builder, "arith.andi", echo_arith_cmpi(builder, ECHO_CMPI_EQ, x, lowest),
                          echo_arith_cmpi(builder, ECHO_CMPI_EQ, y, minus_one));
    divisor = echo_arith_select(builder, overflows, one, divisor);
  }
  const char *name = is_remainder ? (is_unsigned ? "arith.remui" : "arith.remsi")
                                  : (is_unsigned ? "arith.divui" : "arith.divsi");
  EchoValue *result = echo_arith_binary(builder, name, x, divisor); /* lowest / 1, lowest % 1 = 0 */
  return echo_arith_select(builder, by_zero, is_remainder ? x : minus_one, result);
}

/* Amounts are unsigned; at the width or above, all bits are shifted out. */
static EchoValue *int_shift(EchoBuilder *builder, EchoHloOpcode opcode, EchoValue *x,
                            EchoValue *amount)
{
  int64_t width = (int64_t)x->type->as.integer.width;
  EchoValue *last = echo_scalar_int_like(builder, x, width - 1);
  EchoValue *in_range = echo_arith_cmpi(builder, ECHO_CMPI_ULE, amount, last);
  EchoValue *safe = echo_arith_select(builder, in_range, amount, last);
  if (opcode == ECHO_HLO_SHIFT_RIGHT_ARITHMETIC)
    return echo_arith_binary(builder, "arith.shrsi", x, safe);
  const char *name = opcode == ECHO_HLO_SHIFT_LEFT ? "arith.shli" : "arith.shrui";
  return echo_arith_select(builder, in_range, echo_arith_binary(builder, name, x, safe),
                           echo_scalar_int_like(builder, x, 0));
}

/* Squaring, one unrolled step a bit of the exponent. A negative exponent gives 1 / x^|n| truncated:
 * 1 for 1, +-1 for -1, else 0. */
static EchoValue *int_power(EchoBuilder *builder, bool is_unsigned, EchoValue *x,
                            EchoValue *exponent)
{
  EchoValue *zero = echo_scalar_int_like(builder, x, 0), *one = echo_scalar_int_like(builder, x, 1);
  EchoValue *result = one, *square = x;
  uint32_t width = x->type->as.integer.width;
  for (uint32_t bit = 0; bit < width; ++bit) {
    EchoValue *shifted = echo_arith_binary(builder, "arith.shrui", exponent,
                                           echo_scalar_int_like(builder, x, (int64_t)bit));
    EchoValue *is_set = echo_arith_cmpi(
        builder, ECHO_CMPI_NE, echo_arith_binary(builder, "arith.andi", shifted, one), zero);
    EchoValue *factor = echo_arith_select(builder, is_set, square, one);
    result = echo_arith_binary(builder, "arith.muli", result, factor);
    square = echo_arith_binary(builder, "arith.muli", square, square);
  }
  if (is_unsigned)
    return result;
  EchoValue *minus_one = echo_scalar_int_like(builder, x, -1);
  EchoValue *is_unit =
      echo_arith_binary(builder, "arith.ori", echo_arith_cmpi(builder, ECHO_CMPI_EQ, x, one),
                        echo_arith_cmpi(builder, ECHO_CMPI_EQ, x, minus_one));
  EchoValue *is_negative = echo_arith_cmpi(builder, ECHO_CMPI_SLT, exponent, zero);
  /* an odd power of -1 has bit 0 of the exponent set, which two's complement keeps */
  EchoValue *is_odd = echo_arith_cmpi(
      builder, ECHO_CMPI_NE, echo_arith_binary(builder, "arith.andi", exponent, one), zero);
  EchoValue *unit_power = echo_arith_select(builder, is_odd, x, one);
  EchoValue *inverse = echo_arith_select(builder, is_unit, unit_power, zero);
  return echo_arith_select(builder, is_negative, inverse, result);
}

EchoValue *echo_scalar_binary(EchoBuilder *builder, EchoHloOpcode opcode, EchoElementKind kind,
                              EchoValue *lhs, EchoValue *rhs)
{
  if (kind == ECHO_ELEMENT_NONE)
    return NULL;
  if (echo_element_is_float(kind))
    return float_binary(builder, opcode, kind, lhs, rhs);
  bool is_unsigned = echo_element_is_unsigned(kind);
  const char *name = int_binary_name_or_null(opcode, is_unsigned, kind == ECHO_ELEMENT_I1);
  if (name != NULL)
    return echo_arith_binary(builder, name, lhs, rhs);
  switch (opcode) {
  case ECHO_HLO_DIVIDE:
  case ECHO_HLO_REMAINDER:
    return int_division(builder, opcode == ECHO_HLO_REMAINDER, is_unsigned, lhs, rhs);
  case ECHO_HLO_SHIFT_LEFT:
  case ECHO_HLO_SHIFT_RIGHT_LOGICAL:
  case ECHO_HLO_SHIFT_RIGHT_ARITHMETIC:
    return int_shift(builder, opcode, lhs, rhs);
  case ECHO_HLO_POWER:
    return int_power(builder, is_unsigned, lhs, rhs);
  default:
    return NULL;
  }
}

/* ---- neutral elements ---- */

static const EchoAttr *int_neutral_or_null(EchoContext *ctx, EchoHloOpcode opcode,
                                           EchoElementKind kind)
{
  const EchoType *type = echo_scalar_type(ctx, kind);
  uint32_t width = echo_kind_width(kind);
  bool is_unsigned = echo_element_is_unsigned(kind) || kind == ECHO_ELEMENT_I1;
  int64_t highest = (int64_t)(UINT64_MAX >> (is_unsigned ? 64 - width : 65 - width));
  int64_t lowest = is_unsigned ? 0 : -highest - 1;
  switch (opcode) {
  case ECHO_HLO_ADD:
  case ECHO_HLO_OR:
  case ECHO_HLO_XOR:
    return echo_attr_integer(ctx, type, 0);
  case ECHO_HLO_MULTIPLY:
    return echo_attr_integer(ctx, type, 1);
  case ECHO_HLO_AND:
    return echo_attr_integer(ctx, type, -1);
  case ECHO_HLO_MAXIMUM:
    return echo_attr_integer(ctx, type, lowest);
  case ECHO_HLO_MINIMUM:
    return echo_attr_integer(ctx, type, highest);
  default:
    return NULL;
  }
}

const EchoAttr *echo_scalar_neutral_or_null(EchoContext *ctx, EchoHloOpcode opcode,
                                            EchoElementKind kind)
{
  if (kind == ECHO_ELEMENT_NONE)
    return NULL;
  if (!echo_element_is_float(kind))
    return int_neutral_or_null(ctx, opcode, kind);
  const EchoType *type = echo_scalar_type(ctx, kind);
  switch (opcode) {
  case ECHO_HLO_ADD:
    return echo_attr_float(ctx, type, -0.0);
  case ECHO_HLO_MULTIPLY:
    return echo_attr_float(ctx, type, 1.0);
  case ECHO_HLO_MAXIMUM:
    return echo_attr_float(ctx, type, -__builtin_inf());
  case ECHO_HLO_MINIMUM:
    return echo_attr_float(ctx, type, __builtin_inf());
  default:
    return NULL;
  }
}
