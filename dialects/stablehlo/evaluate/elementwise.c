/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reference evaluation of elementwise ops: on scalars as their rows say
 * (rows/elementwise.def), or here where there is more to it than the elements. Floats of up to 32
 * bits are computed in double and rounded once: exact operations come out correctly rounded,
 * transcendentals within 1 ULP. f64 transcendentals are computed in long double where libm's double
 * versions promise less than 1 ULP only. Rounding in f64 itself is the machine's. */
#include <math.h>

#include "dialects/stablehlo/evaluate/evaluate_t.h"
#include "dialects/stablehlo/rows/elementwise_t.h"
#include "ir/diagnostics.h"

/* ---- rows of one and two operands ---- */

bool echo_hlo_evaluate_unary(EchoEvaluator *evaluator, const EchoOp *op,
                             const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  const EchoHloElementwise *row = echo_hlo_elementwise(op);
  const EchoTensor *x = operands[0];
  EchoTensor *y = results[0] = echo_hlo_new_result(op, 0);
  for (int64_t i = 0; i < x->n_elements; i++) {
    if (!echo_element_is_float(x->kind)) {
      echo_tensor_set_i64(y, i, row->evaluate_int(x->kind, echo_tensor_get_i64(x, i), 0));
      continue;
    }
    double in = row->moves_bits ? echo_tensor_get_f64(x, i) : echo_hlo_get_number(x, i);
    double value = row->evaluate_float(in, 0);
    if (row->gives_predicate)
      echo_tensor_set_i64(y, i, value != 0);
    else if (row->moves_bits)
      echo_tensor_set_f64(y, i, value);
    else
      echo_hlo_set_number(y, i, value);
  }
  return true;
}

void echo_hlo_binary_element(EchoHloOpcode opcode, EchoTensor *target, int64_t i,
                             const EchoTensor *a, int64_t j, const EchoTensor *b, int64_t k)
{
  const EchoHloElementwise *row = &ECHO_HLO_ELEMENTWISE[opcode];
  if (echo_element_is_float(a->kind))
    echo_hlo_set_number(target, i,
                        row->evaluate_float(echo_hlo_get_number(a, j), echo_hlo_get_number(b, k)));
  else
    echo_tensor_set_i64(
        target, i,
        row->evaluate_int(a->kind, echo_tensor_get_i64(a, j), echo_tensor_get_i64(b, k)));
}

bool echo_hlo_evaluate_binary(EchoEvaluator *evaluator, const EchoOp *op,
                              const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  results[0] = echo_hlo_new_result(op, 0);
  for (int64_t i = 0; i < results[0]->n_elements; i++)
    echo_hlo_binary_element(opcode, results[0], i, operands[0], i, operands[1], i);
  return true;
}

bool echo_hlo_evaluate_complex(EchoEvaluator *evaluator, const EchoOp *op,
                               const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator, (void)operands, (void)results;
  return echo_op_error(op, "cannot be interpreted: complex numbers are not computed");
}

/* ---- compare, select, clamp ---- */

/* The key of IEEE 754 totalOrder: negative numbers reversed. */
static int64_t total_order_key(double x)
{
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits < 0 ? (int64_t)((uint64_t)bits ^ INT64_MAX) : bits;
}

static bool decide(EchoCompareDirection direction, bool equal, bool less, bool greater)
{
  switch (direction) {
  case ECHO_COMPARE_EQ:
    return equal;
  case ECHO_COMPARE_NE:
    return !equal;
  case ECHO_COMPARE_GE:
    return greater || equal;
  case ECHO_COMPARE_GT:
    return greater;
  case ECHO_COMPARE_LE:
    return less || equal;
  case ECHO_COMPARE_LT:
    return less;
  }
  ECHO_UNREACHABLE("comparison %d", (int)direction);
}

bool echo_hlo_evaluate_compare(EchoEvaluator *evaluator, const EchoOp *op,
                               const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  const EchoTensor *a = operands[0], *b = operands[1];
  EchoCompareDirection direction = echo_stablehlo_compare_direction(op);
  EchoCompareType type = echo_stablehlo_compare_type(op);
  results[0] = echo_hlo_new_result(op, 0);
  for (int64_t i = 0; i < a->n_elements; i++) {
    bool equal, less, greater;
    if (echo_element_is_float(a->kind) && type != ECHO_COMPARE_TOTALORDER) {
      double x = echo_hlo_get_number(a, i), y = echo_hlo_get_number(b, i);
      equal = x == y, less = x<y, greater = x> y;
    } else if (echo_element_is_float(a->kind)) {
      int64_t x = total_order_key(echo_tensor_get_f64(a, i));
      int64_t y = total_order_key(echo_tensor_get_f64(b, i));
      equal = x == y, less = x<y, greater = x> y;
    } else if (type == ECHO_COMPARE_UNSIGNED) {
      uint64_t x = (uint64_t)echo_tensor_get_i64(a, i), y = (uint64_t)echo_tensor_get_i64(b, i);
      equal = x == y, less = x<y, greater = x> y;
    } else {
      int64_t x = echo_tensor_get_i64(a, i), y = echo_tensor_get_i64(b, i);
      equal = x == y, less = x<y, greater = x> y;
    }
    echo_tensor_set_i64(results[0], i, decide(direction, equal, less, greater));
  }
  return true;
}

bool echo_hlo_evaluate_select(EchoEvaluator *evaluator, const EchoOp *op,
                              const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  const EchoTensor *pred = operands[0];
  results[0] = echo_hlo_new_result(op, 0);
  for (int64_t i = 0; i < results[0]->n_elements; i++) {
    bool picks = echo_tensor_get_i64(pred, pred->n_elements == 1 ? 0 : i) != 0;
    echo_hlo_copy_element(results[0], i, operands[picks ? 1 : 2], i);
  }
  return true;
}

bool echo_hlo_evaluate_clamp(EchoEvaluator *evaluator, const EchoOp *op,
                             const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  const EchoTensor *low = operands[0], *x = operands[1], *high = operands[2];
  EchoTensor *y = results[0] = echo_hlo_new_result(op, 0);
  for (int64_t i = 0; i < x->n_elements; i++) {
    echo_hlo_binary_element(ECHO_HLO_MAXIMUM, y, i, x, i, low, low->n_elements == 1 ? 0 : i);
    echo_hlo_binary_element(ECHO_HLO_MINIMUM, y, i, y, i, high, high->n_elements == 1 ? 0 : i);
  }
  return true;
}

/* ---- conversions ---- */

/* Towards zero; out of range saturates and NaN is 0. */
static int64_t float_to_integer(double x, EchoElementKind kind)
{
  uint32_t width = echo_element_bits(kind);
  if (isnan(x))
    return 0;
  if (echo_element_is_unsigned(kind)) {
    if (x <= -1)
      return 0;
    if (x >= ldexp(1, (int)width))
      return (int64_t)(width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1);
    return x < 0 ? 0 : (int64_t)(uint64_t)x;
  }
  double limit = ldexp(1, (int)width - 1);
  if (x >= limit)
    return width == 64 ? INT64_MAX : (INT64_C(1) << (width - 1)) - 1;
  if (x < -limit)
    return width == 64 ? INT64_MIN : -(INT64_C(1) << (width - 1));
  return (int64_t)x;
}

/* 64-bit integers go to float formats below f64 in one rounding: through round-to-odd in double. */
static double integer_to_double(int64_t x, bool is_unsigned, bool rounds_again)
{
  double nearest = is_unsigned ? (double)(uint64_t)x : (double)x;
  if (!rounds_again)
    return nearest;
  long double exact = is_unsigned ? (long double)(uint64_t)x : (long double)x;
  double towards_zero = nearest;
  if (fabsl((long double)nearest) > fabsl(exact))
    towards_zero = nextafter(nearest, 0);
  if ((long double)towards_zero == exact)
    return towards_zero;
  uint64_t bits;
  memcpy(&bits, &towards_zero, sizeof bits);
  bits |= 1;
  memcpy(&towards_zero, &bits, sizeof bits);
  return towards_zero;
}

/* bf16 is the upper half of an f32: no arithmetic leads from one to the other. */
static bool converts_by_bits(EchoElementKind narrow, EchoElementKind wide)
{
  return narrow == ECHO_ELEMENT_BF16 && wide == ECHO_ELEMENT_F32;
}

bool echo_hlo_evaluate_convert(EchoEvaluator *evaluator, const EchoOp *op,
                               const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  const EchoTensor *x = operands[0];
  EchoElementKind to = echo_type_element_kind(echo_op_result_type(op, 0));
  EchoTensor *y = results[0] = echo_hlo_new_result(op, 0);
  bool from_float = echo_element_is_float(x->kind), to_float = echo_element_is_float(to);
  bool is_unsigned = echo_element_is_unsigned(x->kind) || x->kind == ECHO_ELEMENT_I1;
  bool moves_bits = x->kind == to || converts_by_bits(x->kind, to) || converts_by_bits(to, x->kind);
  for (int64_t i = 0; i < x->n_elements; i++) {
    if (to == ECHO_ELEMENT_I1)
      echo_tensor_set_i64(
          y, i, from_float ? echo_hlo_get_number(x, i) != 0 : echo_tensor_get_i64(x, i) != 0);
    else if (from_float && to_float && moves_bits)
      echo_tensor_set_f64(y, i, echo_tensor_get_f64(x, i));
    else if (from_float && to_float)
      echo_hlo_set_number(y, i, echo_hlo_get_number(x, i));
    else if (from_float)
      echo_tensor_set_i64(y, i, float_to_integer(echo_hlo_get_number(x, i), to));
    else if (to_float)
      echo_tensor_set_f64(
          y, i, integer_to_double(echo_tensor_get_i64(x, i), is_unsigned, to != ECHO_ELEMENT_F64));
    else
      echo_tensor_set_i64(y, i, echo_tensor_get_i64(x, i));
  }
  return true;
}

/* A predicate is a bit in StableHLO and a byte here. The first one is the lowest bit. */
static void pack_bits(const uint8_t *predicates, int64_t n, uint8_t *bytes)
{
  for (int64_t i = 0; i < n; i++)
    bytes[i / 8] |= (uint8_t)((predicates[i] != 0) << i % 8);
}

static void unpack_bits(const uint8_t *bytes, int64_t n, uint8_t *predicates)
{
  for (int64_t i = 0; i < n; i++)
    predicates[i] = bytes[i / 8] >> i % 8 & 1;
}

bool echo_hlo_evaluate_bitcast_convert(EchoEvaluator *evaluator, const EchoOp *op,
                                       const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  const EchoTensor *x = operands[0];
  size_t size_bytes = (size_t)echo_type_static_bytes(x->type);
  bool is_packed = x->kind == ECHO_ELEMENT_I1;
  bool as_it_is =
      is_packed == (echo_type_element_kind(echo_op_result_type(op, 0)) == ECHO_ELEMENT_I1);
  if (as_it_is && size_bytes != echo_type_static_bytes(echo_op_result_type(op, 0)))
    return echo_op_error(op, "cannot be interpreted for elements of less than a byte");
  EchoTensor *y = results[0] = echo_tensor_create(echo_op_result_type(op, 0), true);
  if (size_bytes == 0)
    return true;
  if (as_it_is)
    memcpy(y->data, x->data, size_bytes);
  else if (is_packed)
    pack_bits(x->data, x->n_elements, y->data);
  else
    unpack_bits(x->data, y->n_elements, y->data);
  return true;
}

/* In the operand's own format: ties go to an even bit pattern, exponents above the reduced range
 * become infinite, those below it zero; subnormals stay where the exponent keeps its width. Without
 * a mantissa NaN has no encoding and becomes an infinity. */
static double reduce_precision(EchoFloatKind format, double x, int exponent_bits, int mantissa_bits)
{
  int width = (int)echo_float_bit_width(format);
  int own_exponent = format == ECHO_F64 ? 11 : format == ECHO_F16 ? 5 : 8;
  int own_mantissa = width - 1 - own_exponent;
  if (isnan(x))
    return mantissa_bits > 0 ? x : copysign(INFINITY, x);
  uint64_t bits = echo_float_from_f64(format, fabs(x));
  if (mantissa_bits < own_mantissa) {
    uint64_t last = UINT64_C(1) << (own_mantissa - mantissa_bits);
    bits += (last >> 1) - 1 + ((bits & last) != 0);
    bits &= ~(last - 1);
  }
  double rounded = echo_float_to_f64(format, bits);
  int reduced_bias = (1 << (exponent_bits - 1)) - 1;
  if (exponent_bits < own_exponent && rounded != 0) {
    if (isinf(rounded) || ilogb(rounded) > reduced_bias)
      rounded = INFINITY;
    else if (ilogb(rounded) < 1 - reduced_bias)
      rounded = 0;
  }
  return copysign(rounded, x);
}

bool echo_hlo_evaluate_reduce_precision(EchoEvaluator *evaluator, const EchoOp *op,
                                        const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  int64_t exponent_bits = echo_op_attr_i64(op, "exponent_bits", 11);
  int64_t mantissa_bits = echo_op_attr_i64(op, "mantissa_bits", 52);
  EchoFloatKind format = operands[0]->type->as.shaped.element->as.float_kind;
  results[0] = echo_hlo_new_result(op, 0);
  for (int64_t i = 0; i < results[0]->n_elements; i++) {
    double x = echo_tensor_get_f64(operands[0], i);
    x = reduce_precision(format, x, exponent_bits < 11 ? (int)exponent_bits : 11,
                         mantissa_bits < 52 ? (int)mantissa_bits : 52);
    echo_tensor_set_f64(results[0], i, x);
  }
  return true;
}
