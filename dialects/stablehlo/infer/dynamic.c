/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operands that say a shape, where they are constants: what they say is held against the types. */
#include "dialects/stablehlo/infer/infer_t.h"
#include "ir/diagnostics.h"

bool echo_hlo_constant_dims(const EchoOp *op, size_t operand, int64_t *dims, size_t *n)
{
  const EchoAttr *value = echo_value_constant_or_null(echo_op_operand(op, operand));
  if (value == NULL || value->kind != ECHO_ATTR_DENSE_ELEMENTS)
    return false;
  int64_t size = echo_type_static_n_elements(value->type);
  if (size > ECHO_MAX_RANK || echo_type_element(value->type)->kind == ECHO_TYPE_FLOAT)
    return false;
  *n = (size_t)size;
  for (size_t i = 0; i < *n; ++i)
    dims[i] = echo_elements_i64(value, i);
  return true;
}

bool echo_hlo_check_said_shape(const EchoOp *op, size_t operand)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t n;
  const EchoType *result = echo_op_result_type(op, 0);
  if (!echo_hlo_constant_dims(op, operand, dims, &n))
    return true;
  for (size_t i = 0; i < n && i < echo_type_rank(result); ++i)
    if (dims[i] < 0 || !echo_hlo_dims_agree(dims[i], echo_type_dim(result, i)))
      return echo_op_error(
          op, "operand #%zu says size %lld of dimension %zu, the result's type '%s'", operand,
          (long long)dims[i], i, echo_type_text(echo_op_context(op), result));
  return true;
}

static bool n_elements_of(const int64_t *dims, size_t n, int64_t *n_elements)
{
  *n_elements = 1;
  for (size_t i = 0; i < n; ++i)
    if (dims[i] < 0 || __builtin_mul_overflow(*n_elements, dims[i], n_elements))
      return false;
  return true;
}

bool echo_hlo_check_said_count(const EchoOp *op, size_t operand)
{
  int64_t dims[ECHO_MAX_RANK], n_operand, n_result;
  size_t n;
  const EchoType *type = echo_op_operand_type(op, 0), *result = echo_op_result_type(op, 0);
  bool knows_result =
      echo_type_has_static_shape(result)
          ? echo_type_n_elements(result, &n_result)
          : echo_hlo_constant_dims(op, operand, dims, &n) && n_elements_of(dims, n, &n_result);
  if (!knows_result || !echo_type_has_static_shape(type) || !echo_type_n_elements(type, &n_operand))
    return true;
  return n_operand == n_result || echo_op_error(op, "operand has %lld elements, result has %lld",
                                                (long long)n_operand, (long long)n_result);
}

bool echo_hlo_check_said_broadcast(const EchoOp *op, size_t operand, EchoDimList map)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t n;
  const EchoType *type = echo_op_operand_type(op, 0);
  if (!echo_hlo_constant_dims(op, operand, dims, &n))
    return true;
  for (size_t i = 0; i < map.size && i < echo_type_rank(type); ++i) {
    int64_t size = echo_type_dim(type, i);
    if ((uint64_t)map.dims[i] < n && size != 1 && !echo_hlo_dims_agree(size, dims[map.dims[i]]))
      return echo_op_error(op,
                           "size %lld of operand dimension %zu is not 1 and not the size %lld "
                           "that operand #%zu says",
                           (long long)size, i, (long long)dims[map.dims[i]], operand);
  }
  return true;
}

bool echo_hlo_check_said_padding(const EchoOp *op)
{
  int64_t amounts[3][ECHO_MAX_RANK];
  size_t n[3], rank = echo_type_rank(echo_op_operand_type(op, 0));
  bool is_said[3];
  for (size_t i = 0; i < 3; ++i)
    is_said[i] = echo_hlo_constant_dims(op, 2 + i, amounts[i], &n[i]) && n[i] == rank;
  for (size_t d = 0; is_said[2] && d < rank; ++d)
    if (amounts[2][d] < 0)
      return echo_op_error(op, "interior padding must not be negative, got %lld",
                           (long long)amounts[2][d]);
  for (size_t d = 0; is_said[0] && is_said[1] && is_said[2] && d < rank; ++d) {
    int64_t size = echo_type_dim(echo_op_operand_type(op, 0), d), gaps, sum;
    int64_t result = echo_type_dim(echo_op_result_type(op, 0), d);
    if (size == ECHO_DYNAMIC)
      continue;
    if (__builtin_mul_overflow(size > 0 ? size - 1 : 0, amounts[2][d], &gaps) ||
        __builtin_add_overflow(size, gaps, &sum) ||
        __builtin_add_overflow(sum, amounts[0][d], &sum) ||
        __builtin_add_overflow(sum, amounts[1][d], &sum) || !echo_hlo_dims_agree(sum, result))
      return echo_op_error(op, "padding does not make dimension %zu of size %lld", d,
                           (long long)result);
  }
  return true;
}
