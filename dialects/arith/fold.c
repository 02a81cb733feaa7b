/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Folding of arith and math, from the meaning of their rows: what is the same on every target and
 * never poison. What is not (a NaN's bits, an elementary function's last place, a division by zero)
 * stays for run time. */
#include "dialects/arith/hooks_t.h"
#include "dialects/interfaces/denormals.h"
#include "dialects/interfaces/scalar.h"

/* ---- constants as bits ---- */

static uint64_t zero_extend(const EchoType *type, uint64_t value)
{
  uint32_t width = type->kind == ECHO_TYPE_INDEX ? 64 : echo_type_bit_width(type);
  return width >= 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

/* Whether every element is one value. */
static bool is_uniform(const EchoAttr *constant)
{
  return constant->kind != ECHO_ATTR_DENSE_ELEMENTS || constant->as.elements.is_splat;
}

static bool is_number(const EchoAttr *constant)
{
  return constant != NULL &&
         (constant->kind == ECHO_ATTR_INTEGER || constant->kind == ECHO_ATTR_FLOAT ||
          constant->kind == ECHO_ATTR_DENSE_ELEMENTS);
}

/* Of an element of at most 64 bits. */
static uint64_t bits_of(const EchoAttr *constant, size_t index)
{
  const EchoType *element = echo_type_element(constant->type);
  if (constant->kind == ECHO_ATTR_INTEGER)
    return zero_extend(element, (uint64_t)constant->as.integer.value);
  if (constant->kind == ECHO_ATTR_FLOAT)
    return constant->as.floating.bits;
  uint64_t bits = 0;
  size_t bytes = echo_type_element_bytes(element);
  const char *data = constant->as.elements.data;
  memcpy(&bits, data + (constant->as.elements.is_splat ? 0 : index * bytes), bytes);
  return bits;
}

/* `data`: the elements in memory; one when is_splat. */
static const EchoAttr *constant_of(EchoContext *ctx, const EchoType *type, const void *data,
                                   size_t size_bytes, bool is_splat)
{
  uint64_t bits = 0;
  if (echo_type_is_shaped(type))
    return echo_attr_elements(ctx, type, data, size_bytes, is_splat);
  memcpy(&bits, data, size_bytes);
  return type->kind == ECHO_TYPE_FLOAT ? echo_attr_float_bits(ctx, type, bits)
                                       : echo_attr_integer(ctx, type, (int64_t)bits);
}

/* ---- by value ---- */

static bool evaluate(const EchoScalar *scalar, const EchoScalarCase *at, size_t n_operands,
                     const EchoAttr *const *operands, size_t index, uint64_t *out)
{
  uint64_t in[ECHO_SCALAR_MAX_OPERANDS] = {0};
  for (size_t i = 0; i < n_operands; ++i)
    in[i] = bits_of(operands[i], index);
  return scalar->evaluate(at, in, out) == ECHO_SCALAR_DEFINED;
}

static bool fold_elements(EchoOp *op, const EchoScalar *scalar, const EchoScalarCase *at,
                          const EchoAttr *const *operands, size_t n, bool is_splat,
                          EchoFoldResult *results)
{
  EchoBuffer data[ECHO_SCALAR_MAX_RESULTS] = {{0}};
  bool fine = true;
  for (size_t index = 0; index < n && fine; ++index) {
    uint64_t out[ECHO_SCALAR_MAX_RESULTS] = {0};
    fine = evaluate(scalar, at, op->n_operands, operands, index, out);
    for (uint32_t i = 0; i < op->n_results; ++i)
      echo_buffer_append(&data[i], &out[i], echo_type_element_bytes(echo_op_result_type(op, i)));
  }
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (fine)
      results[i].attr = constant_of(echo_op_context(op), echo_op_result_type(op, i), data[i].data,
                                    data[i].size, is_splat);
    echo_buffer_destroy(&data[i]);
  }
  return fine;
}

static bool fold_constants(EchoOp *op, const EchoScalar *scalar, const EchoScalarCase *at,
                           const EchoAttr *const *operands, EchoFoldResult *results)
{
  bool is_splat = true;
  int64_t n = 1;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    if (!is_number(operands[i]))
      return false;
    is_splat &= is_uniform(operands[i]);
  }
  const EchoType *type = echo_op_result_type(op, 0);
  if (echo_type_is_shaped(type) && !echo_type_has_static_shape(type))
    return false;
  if (!is_splat && !echo_type_n_elements(type, &n))
    return false;
  EchoFloatMode before = echo_float_mode_set(echo_op_flushes_denormals(op));
  bool ok = fold_elements(op, scalar, at, operands, (size_t)n, is_splat, results);
  echo_float_mode_restore(before);
  return ok;
}

/* ---- by what every x does ---- */

static bool is_constant(const EchoAttr *constant, const EchoType *element, int32_t value)
{
  return value != ECHO_SCALAR_NONE && is_number(constant) && is_uniform(constant) &&
         bits_of(constant, 0) == zero_extend(element, (uint64_t)(int64_t)value);
}

static bool fold_to(EchoOp *op, size_t operand, EchoFoldResult *results)
{
  results[0].value = echo_op_operand(op, operand);
  return true;
}

static bool fold_select(EchoOp *op, const EchoAttr *condition, EchoFoldResult *results)
{
  if (echo_op_operand(op, 1) == echo_op_operand(op, 2))
    return fold_to(op, 1, results);
  return is_number(condition) && is_uniform(condition) &&
         fold_to(op, (bits_of(condition, 0) & 1) != 0 ? 1 : 2, results);
}

/* x op x of integers, as 0 op 0. */
static bool fold_comparison_with_itself(EchoOp *op, const EchoScalar *scalar,
                                        const EchoScalarCase *at, EchoFoldResult *results)
{
  const EchoAttr *zero = echo_attr_integer(echo_op_context(op), at->from, 0);
  const EchoAttr *zeros[] = {zero, zero};
  return echo_op_operand(op, 0) == echo_op_operand(op, 1) &&
         fold_constants(op, scalar, at, zeros, results);
}

bool echo_arith_fold(EchoOp *op, const EchoAttr *const *operands, EchoFoldResult *results)
{
  EchoScalarCase at;
  EchoScalarOpcode opcode = echo_scalar_opcode(op->info);
  if (opcode == ECHO_ARITH_SELECT && fold_select(op, operands[0], results))
    return true;
  if (opcode == ECHO_ARITH_BITCAST && echo_op_operand_type(op, 0) == echo_op_result_type(op, 0))
    return fold_to(op, 0, results);
  const EchoScalar *scalar = echo_scalar_or_null(op, &at);
  if (scalar == NULL)
    return false;
  if (op->n_operands == 2 && is_constant(operands[1], at.from, scalar->right_identity))
    return fold_to(op, 0, results);
  if (op->n_operands == 2 && is_constant(operands[1], at.from, scalar->right_absorbing))
    return fold_to(op, 1, results);
  if (opcode == ECHO_ARITH_CMPI && fold_comparison_with_itself(op, scalar, &at, results))
    return true;
  return fold_constants(op, scalar, &at, operands, results);
}

bool echo_arith_fold_constant(EchoOp *op, const EchoAttr *const *operands, EchoFoldResult *results)
{
  (void)operands;
  results[0].attr = echo_op_attr_or_null(op, "value");
  return true;
}
