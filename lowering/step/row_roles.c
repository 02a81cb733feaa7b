/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One case a kind of op; what is not listed has no role. */
#include "lowering/step/row_roles_t.h"

#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"

static int64_t n_rows(const EchoType *type)
{
  return echo_type_is_tensor(type) && echo_type_has_static_shape(type) && echo_type_rank(type) != 0
             ? echo_type_dim(type, 0)
             : -1;
}

/* All operands of the result's shape; scalars (a select's predicate, a clamp's bounds) stay. */
static EchoRowRole elementwise_role(const EchoOp *op, uint32_t *follows)
{
  int64_t rows = n_rows(echo_op_result_type(op, 0));
  if (op->n_results != 1 || rows < 0 || op->n_operands > 32)
    return ECHO_ROWS_NONE;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (echo_type_rank(echo_op_operand_type(op, i)) != 0)
      *follows |= 1u << i;
  return *follows != 0 ? ECHO_ROWS_EACH : ECHO_ROWS_NONE;
}

static EchoRowRole broadcast_role(const EchoOp *op, uint32_t *follows)
{
  EchoDimList dims = echo_stablehlo_dims(op, "broadcast_dimensions");
  for (size_t i = 0; i < dims.size; ++i)
    if (dims.dims[i] == 0) {
      const EchoType *operand = echo_op_operand_type(op, 0);
      bool is_spread = echo_type_dim(operand, i) != echo_type_dim(echo_op_result_type(op, 0), 0);
      if (!is_spread && i != 0)
        return ECHO_ROWS_NONE;
      *follows = is_spread ? 0 : 1;
    }
  return ECHO_ROWS_EACH;
}

/* Nothing but the sum of two arguments. */
static bool adds(const EchoOp *op)
{
  const EchoBlock *body = echo_op_body(op, 0);
  return body->first->next == body->last && echo_hlo_opcode(body->first) == ECHO_HLO_ADD &&
         echo_op_operand(body->last, 0) == echo_op_result(body->first, 0) &&
         echo_op_operand(body->first, 0) != echo_op_operand(body->first, 1);
}

static bool is_zero(const EchoAttr *constant)
{
  if (constant == NULL || constant->kind != ECHO_ATTR_DENSE_ELEMENTS ||
      echo_type_element_kind(constant->type) == ECHO_ELEMENT_NONE)
    return false;
  return echo_element_is_float(echo_type_element_kind(constant->type))
             ? echo_elements_f64(constant, 0) == 0
             : echo_elements_i64(constant, 0) == 0;
}

static EchoRowRole reduce_role(const EchoOp *op, uint32_t *follows)
{
  size_t n = op->n_results;
  if (n_rows(echo_op_operand_type(op, 0)) < 0 || n > 16)
    return ECHO_ROWS_NONE;
  *follows = (1u << n) - 1;
  if (!echo_dim_list_has(echo_stablehlo_dims(op, "dimensions"), 0))
    return ECHO_ROWS_EACH;
  return n == 1 && adds(op) && is_zero(echo_value_constant_or_null(echo_op_operand(op, 1)))
             ? ECHO_ROWS_SUM
             : ECHO_ROWS_NONE;
}

/* A batching dimension that leads in operand, indices and result. */
static EchoRowRole gather_role(const EchoOp *op, uint32_t *follows)
{
  const EchoGatherDims *dims = echo_stablehlo_gather_dims(op);
  if (echo_dim_list_has(dims->offset_dims, 0) || dims->index_vector_dim == 0)
    return ECHO_ROWS_NONE;
  for (size_t i = 0; i < dims->operand_batching_dims.size; ++i)
    if (dims->operand_batching_dims.dims[i] == 0 &&
        dims->start_indices_batching_dims.dims[i] == 0) {
      *follows = 3;
      return ECHO_ROWS_EACH;
    }
  return ECHO_ROWS_NONE;
}

static EchoRowRole dot_role(const EchoOp *op, uint32_t *follows)
{
  const EchoDotDims *dims = echo_stablehlo_dot_dims(op);
  if (dims->lhs_batching.size != 0 || n_rows(echo_op_operand_type(op, 0)) < 0)
    return ECHO_ROWS_NONE;
  for (size_t i = 0; i < dims->lhs_contracting.size; ++i)
    if (dims->lhs_contracting.dims[i] == 0 && dims->rhs_contracting.dims[i] == 0) {
      *follows = 3;
      return ECHO_ROWS_SUM;
    }
  if (echo_dim_list_has(dims->lhs_contracting, 0))
    return ECHO_ROWS_NONE;
  *follows = 1;
  return ECHO_ROWS_PRODUCT;
}

static bool keeps_leading(const EchoOp *op)
{
  int64_t rows = n_rows(echo_op_operand_type(op, 0));
  return rows >= 0 && rows == n_rows(echo_op_result_type(op, 0));
}

EchoRowRole echo_row_role(const EchoOp *op, uint32_t *follows)
{
  *follows = 0;
  if (op->n_results == 0 || n_rows(echo_op_result_type(op, 0)) < 0) {
    /* a sum over rows may leave a scalar */
    if (echo_hlo_opcode(op) != ECHO_HLO_REDUCE)
      return ECHO_ROWS_NONE;
  }
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_BROADCAST_IN_DIM:
    return broadcast_role(op, follows);
  case ECHO_HLO_IOTA:
    return echo_op_attr_i64(op, "iota_dimension", 0) != 0 ? ECHO_ROWS_EACH : ECHO_ROWS_NONE;
  case ECHO_HLO_REDUCE:
    return reduce_role(op, follows);
  case ECHO_HLO_GATHER:
    return gather_role(op, follows);
  case ECHO_HLO_DOT_GENERAL:
    return dot_role(op, follows);
  case ECHO_HLO_RESHAPE:
    *follows = 1;
    return keeps_leading(op) ? ECHO_ROWS_EACH : ECHO_ROWS_NONE;
  case ECHO_HLO_TRANSPOSE:
    *follows = 1;
    return echo_stablehlo_dims(op, "permutation").dims[0] == 0 ? ECHO_ROWS_EACH : ECHO_ROWS_NONE;
  default:
    return echo_op_has_trait(op, ECHO_ELEMENTWISE) ? elementwise_role(op, follows) : ECHO_ROWS_NONE;
  }
}
