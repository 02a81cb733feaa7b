/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The meanings, from the rows: each form makes a function around its row's expression. */
#include "dialects/interfaces/scalar.h"

#include <math.h>

#include "dialects/interfaces/denormals.h"

/* ---- integers ---- */

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

static uint32_t width_of(const EchoType *type)
{
  return type->kind == ECHO_TYPE_INDEX ? 64 : echo_type_bit_width(type);
}

static uint64_t zero_extend(uint64_t value, uint32_t width)
{
  return width >= 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

static int64_t sign_extend(uint64_t value, uint32_t width)
{
  uint64_t sign = UINT64_C(1) << (width - 1);
  return (int64_t)((zero_extend(value, width) ^ sign) - sign);
}

static bool divides(int64_t a, int64_t b, uint32_t width)
{
  return b != 0 && !(b == -1 && a == sign_extend(UINT64_C(1) << (width - 1), width));
}

static UnsignedWide unsigned_product(uint64_t a, uint64_t b)
{
  return (UnsignedWide)a * b;
}

static Wide signed_product(int64_t a, int64_t b)
{
  return (Wide)a * b;
}

static uint64_t leading_zeros(uint64_t value, uint32_t width)
{
  return value == 0 ? width : (uint64_t)__builtin_clzll(value) - (64 - width);
}

static uint64_t trailing_zeros(uint64_t value, uint32_t width)
{
  return value == 0 ? width : (uint64_t)__builtin_ctzll(value);
}

static uint64_t one_bits(uint64_t value)
{
  return (uint64_t)__builtin_popcountll(value);
}

/* base^exponent modulo 2^64; 1 / base^|exponent| towards zero where the exponent is negative. */
static uint64_t power(int64_t base, int64_t exponent)
{
  uint64_t result = 1, square = (uint64_t)base;
  if (exponent < 0 && base != 1 && base != -1)
    return 0;
  for (uint64_t bits = (uint64_t)exponent; bits != 0; bits >>= 1, square *= square)
    if ((bits & 1) != 0)
      result *= square;
  return result; /* of 1 and -1 the last bit decides, which two's complement keeps */
}

/* ---- floats ----
 * In f64, then rounded to the type. That is the exact result rounded once: for + - * / and sqrt of
 * formats with at most 24 digits, because 53 digits are more than twice as many and two; for the
 * others because the f64 is exact, or rounded to odd (the last bit says that something is missing).
 */

static double to_f64(const EchoType *type, uint64_t bits)
{
  return echo_denormal_flushed(type->as.float_kind, echo_float_to_f64(type->as.float_kind, bits));
}

static uint64_t from_f64(const EchoType *type, double value)
{
  return echo_float_from_f64(type->as.float_kind,
                             echo_denormal_flushed(type->as.float_kind, value));
}

/* bf16 is half of an f32's bits, and converting between them no arithmetic. */
static bool is_same_range(const EchoType *a, const EchoType *b)
{
  EchoFloatKind kinds[] = {a->as.float_kind, b->as.float_kind};
  return (kinds[0] == ECHO_BF16 && kinds[1] == ECHO_F32) ||
         (kinds[0] == ECHO_F32 && kinds[1] == ECHO_BF16);
}

static EchoScalarOutcome convert(const EchoScalarCase *at, uint64_t bits, uint64_t *out)
{
  double value = echo_float_to_f64(at->from->as.float_kind, bits);
  if (!is_same_range(at->from, at->to))
    value = echo_denormal_flushed(at->to->as.float_kind,
                                  echo_denormal_flushed(at->from->as.float_kind, value));
  *out = echo_float_from_f64(at->to->as.float_kind, value);
  return isnan(value) ? ECHO_SCALAR_LOOSE : ECHO_SCALAR_DEFINED;
}

static EchoScalarOutcome float_result(const EchoType *type, double value, bool is_one_for_all,
                                      uint64_t *out)
{
  *out = from_f64(type, value);
  return isnan(value) || !is_one_for_all ? ECHO_SCALAR_LOOSE : ECHO_SCALAR_DEFINED;
}

static double minimum(double a, double b)
{
  if (isnan(a) || isnan(b))
    return NAN;
  if (a == 0 && b == 0)
    return signbit(a) ? a : b;
  return a < b ? a : b;
}

static bool are_opposite_zeros(double a, double b)
{
  return a == 0 && b == 0 && signbit(a) != signbit(b);
}

static double next_f64(double value, bool is_away_from_zero)
{
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  bits = is_away_from_zero ? bits + 1 : bits - 1;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

/* a + b rounded to odd; a and b have at most 53 digits, and the sum does not overflow. */
static double sum_to_odd(double a, double b)
{
  double sum = a + b, b_part = sum - a, error = (a - (sum - b_part)) + (b - b_part);
  uint64_t bits = 0;
  memcpy(&bits, &sum, sizeof bits);
  if (!isfinite(sum) || error == 0 || (bits & 1) != 0)
    return sum;
  return next_f64(sum, (error > 0) == (sum > 0));
}

static double multiply_add(const EchoType *type, double a, double b, double c)
{
  return type->as.float_kind == ECHO_F64 ? fma(a, b, c) : sum_to_odd(a * b, c);
}

/* In f64 to nearest, for other types to odd with at least 53 - 11 digits. */
static double int_to_f64(const EchoType *type, uint64_t magnitude)
{
  uint64_t low = magnitude & 0x7ff;
  if (type->as.float_kind != ECHO_F64 && magnitude >> 53 != 0)
    magnitude = (magnitude ^ low) | (low != 0 ? 0x800 : 0);
  return (double)magnitude;
}

/* ---- a function a row ---- */

#define NONE ECHO_SCALAR_NONE
#define PROPERTIES(function, identity, absorbing, expanded, f32, f64)                              \
  enum {                                                                                           \
    function##_identity = identity,                                                                \
    function##_absorbing = absorbing,                                                              \
    function##_is_expanded = expanded,                                                             \
    function##_f32_error = f32,                                                                    \
    function##_f64_error = f64                                                                     \
  };
#define NO_PROPERTIES(function) PROPERTIES(function, NONE, NONE, false, 0, 0)
#define FUNCTION(function)                                                                         \
  static EchoScalarOutcome function(const EchoScalarCase *at, const uint64_t *in, uint64_t *out)
#define MEANING(function) NO_PROPERTIES(function) FUNCTION(function)
#define INT_OPERANDS(type)                                                                         \
  uint32_t width = width_of(type);                                                                 \
  uint64_t ua = in[0];                                                                             \
  int64_t a = sign_extend(ua, width);                                                              \
  (void)ua, (void)a
#define INT_OPERANDS_2(type)                                                                       \
  INT_OPERANDS(type);                                                                              \
  uint64_t ub = in[1];                                                                             \
  int64_t b = sign_extend(ub, width);                                                              \
  (void)ub, (void)b

#define MEANING_CONSTANT(function, nothing) NO_PROPERTIES(function)
#define INT_MEANING(function, is_defined, value)                                                   \
  FUNCTION(function)                                                                               \
  {                                                                                                \
    INT_OPERANDS_2(at->to);                                                                        \
    if (!(is_defined))                                                                             \
      return ECHO_SCALAR_POISON;                                                                   \
    *out = zero_extend((uint64_t)(value), width);                                                  \
    return ECHO_SCALAR_DEFINED;                                                                    \
  }
#define MEANING_INT(function, identity, absorbing, is_defined, value)                              \
  PROPERTIES(function, identity, absorbing, false, 0, 0)                                           \
  INT_MEANING(function, is_defined, value)
#define MEANING_INT_FLAGS MEANING_INT
#define MEANING_POWER(function, is_defined, value)                                                 \
  PROPERTIES(function, NONE, NONE, true, 0, 0)                                                     \
  INT_MEANING(function, is_defined, value)
#define MEANING_INT_CAST(function, verify, value)                                                  \
  MEANING(function)                                                                                \
  {                                                                                                \
    INT_OPERANDS(at->from);                                                                        \
    *out = zero_extend((uint64_t)(value), width_of(at->to));                                       \
    return ECHO_SCALAR_DEFINED;                                                                    \
  }
#define MEANING_INDEX_CAST MEANING_INT_CAST
#define MEANING_INT1(function, value) MEANING_INT_CAST(function, NULL, value)
#define MEANING_INT_PAIR(function, first, second)                                                  \
  MEANING(function)                                                                                \
  {                                                                                                \
    INT_OPERANDS_2(at->to);                                                                        \
    out[0] = zero_extend(first, width);                                                            \
    out[1] = zero_extend((uint64_t)(second), width);                                               \
    return ECHO_SCALAR_DEFINED;                                                                    \
  }
#define MEANING_INT_CARRY MEANING_INT_PAIR

#define FLOAT1_MEANING(function, is_one_for_all, value)                                            \
  FUNCTION(function)                                                                               \
  {                                                                                                \
    double a = to_f64(at->to, in[0]);                                                              \
    return float_result(at->to, value, is_one_for_all, out);                                       \
  }
#define FLOAT2_MEANING(function, is_one_for_all, value)                                            \
  FUNCTION(function)                                                                               \
  {                                                                                                \
    double a = to_f64(at->to, in[0]), b = to_f64(at->to, in[1]);                                   \
    return float_result(at->to, value, is_one_for_all, out);                                       \
  }
#define MEANING_FLOAT1(function, value)                                                            \
  NO_PROPERTIES(function) FLOAT1_MEANING(function, true, value)
#define MEANING_FLOAT(function, is_one_for_all, value)                                             \
  NO_PROPERTIES(function) FLOAT2_MEANING(function, is_one_for_all, value)
#define MEANING_ELEMENTARY1(function, value, f32, f64)                                             \
  PROPERTIES(function, NONE, NONE, true, f32, f64)                                                 \
  FLOAT1_MEANING(function, (f32) == 0 && (f64) == 0, value)
#define MEANING_ELEMENTARY2(function, value, f32, f64)                                             \
  PROPERTIES(function, NONE, NONE, true, f32, f64)                                                 \
  FLOAT2_MEANING(function, (f32) == 0 && (f64) == 0, value)
#define MEANING_FMA(function, nothing)                                                             \
  MEANING(function)                                                                                \
  {                                                                                                \
    double a = to_f64(at->to, in[0]), b = to_f64(at->to, in[1]), c = to_f64(at->to, in[2]);        \
    return float_result(at->to, multiply_add(at->to, a, b, c), true, out);                         \
  }
#define MEANING_SIGN1(function, value)                                                             \
  MEANING(function)                                                                                \
  {                                                                                                \
    uint64_t bits = in[0], sign = UINT64_C(1) << (width_of(at->to) - 1);                           \
    *out = value;                                                                                  \
    return ECHO_SCALAR_DEFINED;                                                                    \
  }
#define MEANING_SIGN MEANING_SIGN1
#define MEANING_SIGN2(function, value)                                                             \
  MEANING(function)                                                                                \
  {                                                                                                \
    uint64_t bits = in[0], other_bits = in[1], sign = UINT64_C(1) << (width_of(at->to) - 1);       \
    *out = value;                                                                                  \
    return ECHO_SCALAR_DEFINED;                                                                    \
  }

#define MEANING_CMPI(function, nothing)                                                            \
  MEANING(function)                                                                                \
  {                                                                                                \
    INT_OPERANDS_2(at->from);                                                                      \
    switch ((EchoCmpiPredicate)at->predicate) {                                                    \
      ECHO_CMPI_PREDICATES(CASE_OF_CMPI)                                                           \
    case ECHO_N_CMPI_PREDICATES:                                                                   \
      return ECHO_SCALAR_POISON;                                                                   \
    }                                                                                              \
    return ECHO_SCALAR_DEFINED;                                                                    \
  }
#define CASE_OF_CMPI(id, word, holds)                                                              \
  case ECHO_CMPI_##id:                                                                             \
    *out = (uint64_t)(holds);                                                                      \
    break;
#define MEANING_CMPF(function, nothing)                                                            \
  MEANING(function)                                                                                \
  {                                                                                                \
    double a = to_f64(at->from, in[0]), b = to_f64(at->from, in[1]);                               \
    switch ((EchoCmpfPredicate)at->predicate) {                                                    \
      ECHO_CMPF_PREDICATES(CASE_OF_CMPF)                                                           \
    case ECHO_N_CMPF_PREDICATES:                                                                   \
      return ECHO_SCALAR_POISON;                                                                   \
    }                                                                                              \
    return ECHO_SCALAR_DEFINED;                                                                    \
  }
#define CASE_OF_CMPF(id, word, holds)                                                              \
  case ECHO_CMPF_##id:                                                                             \
    *out = (uint64_t)(holds);                                                                      \
    break;
#define MEANING_SELECT(function, nothing)                                                          \
  MEANING(function)                                                                                \
  {                                                                                                \
    (void)at;                                                                                      \
    *out = (in[0] & 1) != 0 ? in[1] : in[2];                                                       \
    return ECHO_SCALAR_DEFINED;                                                                    \
  }

#define MEANING_BITCAST(function, nothing)                                                         \
  MEANING(function)                                                                                \
  {                                                                                                \
    (void)at;                                                                                      \
    *out = in[0];                                                                                  \
    return ECHO_SCALAR_DEFINED;                                                                    \
  }
#define MEANING_INT_TO_FLOAT(function, is_signed)                                                  \
  MEANING(function)                                                                                \
  {                                                                                                \
    INT_OPERANDS(at->from);                                                                        \
    bool is_negative = is_signed && a < 0;                                                         \
    double magnitude = int_to_f64(at->to, is_negative ? 0 - (uint64_t)a : ua);                     \
    return float_result(at->to, is_negative ? -magnitude : magnitude, true, out);                  \
  }
#define MEANING_FLOAT_TO_INT(function, is_signed)                                                  \
  MEANING(function)                                                                                \
  {                                                                                                \
    double whole = trunc(to_f64(at->from, in[0]));                                                 \
    uint32_t width = width_of(at->to);                                                             \
    double limit = ldexp(1.0, (int)width - is_signed);                                             \
    if (!(whole < limit && whole >= (is_signed ? -limit : 0)))                                     \
      return ECHO_SCALAR_POISON;                                                                   \
    *out = zero_extend(is_signed ? (uint64_t)(int64_t)whole : (uint64_t)whole, width);             \
    return ECHO_SCALAR_DEFINED;                                                                    \
  }
#define MEANING_EXTF(function, nothing)                                                            \
  MEANING(function)                                                                                \
  {                                                                                                \
    return convert(at, in[0], out);                                                                \
  }
#define MEANING_TRUNCF MEANING_EXTF

#define ARITH_MEANING(form, opcode, name, traits, summary, ...)                                    \
  MEANING_##form(arith_##name, __VA_ARGS__)
#define MATH_MEANING(form, opcode, name, traits, summary, ...)                                     \
  MEANING_##form(math_##name, __VA_ARGS__)
ECHO_ARITH_ROWS(ARITH_MEANING)
ECHO_MATH_ROWS(MATH_MEANING)

/* ---- the table ---- */

#define arith_constant NULL
#define ENTRY(function, row)                                                                       \
  {                                                                                                \
    .info = row, .evaluate = function, .is_expanded = function##_is_expanded,                      \
    .f32_error = function##_f32_error, .f64_error = function##_f64_error,                          \
    .right_identity = function##_identity, .right_absorbing = function##_absorbing                 \
  }
#define ARITH_ENTRY(form, opcode, name, ...)                                                       \
  [ECHO_ARITH_##opcode] = ENTRY(arith_##name, &ECHO_ARITH_OPS[ECHO_ARITH_##opcode]),
#define MATH_ENTRY(form, opcode, name, ...)                                                        \
  [ECHO_MATH_##opcode] = ENTRY(math_##name, &ECHO_MATH_OPS[ECHO_MATH_##opcode - ECHO_N_ARITH_OPS]),
const EchoScalar ECHO_SCALARS[ECHO_N_SCALAR_OPCODES] = {ECHO_ARITH_ROWS(ARITH_ENTRY)
                                                            ECHO_MATH_ROWS(MATH_ENTRY)};

/* ---- which one ---- */

static bool is_evaluated(const EchoType *type)
{
  bool is_number = type->kind == ECHO_TYPE_INDEX || type->kind == ECHO_TYPE_INTEGER ||
                   type->kind == ECHO_TYPE_FLOAT;
  return is_number && width_of(type) - 1 < 64;
}

const EchoScalar *echo_scalar_or_null(const EchoOp *op, EchoScalarCase *at)
{
  if (op == NULL || at == NULL)
    return NULL;
  EchoScalarOpcode opcode = echo_scalar_opcode(op->info);
  if (opcode == ECHO_N_SCALAR_OPCODES || ECHO_SCALARS[opcode].evaluate == NULL)
    return NULL;
  *at = (EchoScalarCase){echo_type_element(echo_op_operand_type(op, op->n_operands - 1)),
                         echo_type_element(echo_op_result_type(op, 0)),
                         echo_op_attr_i64(op, "predicate", 0)};
  bool rounds_otherwise = echo_op_attr_i64(op, "roundingmode", 0) != 0;
  return is_evaluated(at->from) && is_evaluated(at->to) && !rounds_otherwise ? &ECHO_SCALARS[opcode]
                                                                             : NULL;
}
