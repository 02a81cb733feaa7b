/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elementwise ops on reshapes: the element at each place depends on those at that place alone,
 * counted row-major, so the op may as well run on what was reshaped. Whichever shape a program
 * counts its elements in (flat for an optimizer, a dimension a head, batch and length as one), what
 * is computed side by side then has the shape of the contractions and reductions around it. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/canonicalize_t.h"
#include "dialects/stablehlo/opcode.h"

/* Static, dense, no axis of its own. */
static bool is_plain(EchoContext *ctx, const EchoType *type)
{
  return echo_type_is_tensor(type) && echo_type_has_static_shape(type) &&
         type->as.shaped.encoding == NULL &&
         echo_element_type(ctx, echo_type_element_kind(type)) == echo_type_element(type);
}

static bool is_broadcast_number(const EchoOp *def)
{
  return echo_hlo_opcode(def) == ECHO_HLO_BROADCAST_IN_DIM &&
         echo_type_has_static_shape(echo_op_operand_type(def, 0)) &&
         echo_type_static_n_elements(echo_op_operand_type(def, 0)) == 1;
}

/* What `value` is a reshape of; NULL where it is none. */
static EchoValue *reshaped_or_null(const EchoValue *value)
{
  const EchoOp *def = echo_value_def_or_null(value);
  return def != NULL && echo_hlo_opcode(def) == ECHO_HLO_RESHAPE ? echo_op_operand(def, 0) : NULL;
}

/* Whether the operand can be had in another shape at no cost. */
static bool has_any_shape(const EchoValue *operand)
{
  const EchoOp *def = echo_value_def_or_null(operand);
  return reshaped_or_null(operand) != NULL ||
         (def != NULL && (echo_hlo_opcode(def) == ECHO_HLO_CONSTANT || is_broadcast_number(def)));
}

/* The operand in that shape, with its own elements. */
static EchoValue *in_shape(EchoBuilder *b, EchoValue *operand, const EchoType *shape)
{
  EchoValue *reshaped = reshaped_or_null(operand);
  const EchoOp *def = echo_value_def_or_null(operand);
  const EchoType *type = echo_type_with_element(b->ctx, shape, operand->type->as.shaped.element);
  if (is_broadcast_number(def))
    return echo_hlo_broadcast_scalar(b, echo_hlo_reshape(b, echo_op_operand(def, 0), NULL, 0),
                                     type);
  return echo_hlo_reshape(b, reshaped != NULL ? reshaped : operand, type->as.shaped.dims,
                          echo_type_rank(type));
}

/* What says where its elements are, dimension by dimension. */
static bool is_placed(const EchoOp *op)
{
  return echo_op_has_attr(op, "mhlo.sharding") || echo_op_has_attr(op, "sdy.sharding");
}

static const EchoType *without_ones(EchoContext *ctx, const EchoType *type)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = 0;
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    if (echo_type_dim(type, d) != 1)
      dims[rank++] = echo_type_dim(type, d);
  return echo_type_tensor(ctx, dims, rank, type->as.shaped.element, NULL);
}

/* Whether all operands can be had in other shapes than the result's. One number for all elements,
 * as a predicate or a bound may be, stays what it is. */
static bool may_be_reshaped(const EchoOp *op)
{
  EchoContext *ctx = echo_op_context(op);
  const EchoType *result = echo_op_result_type(op, 0);
  for (size_t i = 0; i < op->n_operands; ++i) {
    const EchoValue *operand = echo_op_operand(op, i);
    if (!is_plain(ctx, operand->type) ||
        (echo_type_same_dims(operand->type, result) && !has_any_shape(operand)))
      return false;
  }
  return is_plain(ctx, result) && !is_placed(op);
}

/* The shape that operands of the result's shape were reshaped from: the first one's, without
 * dimensions of size 1 where another has it from another shape. NULL where there is none, or where
 * no more than dimensions of size 1 come or go: kernels do not see them, so the op stays as it was
 * written. */
static const EchoType *common_shape_or_null(const EchoOp *op)
{
  EchoContext *ctx = echo_op_context(op);
  const EchoType *shape = NULL, *result = echo_op_result_type(op, 0);
  bool is_common = true;
  for (size_t i = 0; i < op->n_operands; ++i) {
    const EchoValue *operand = echo_op_operand(op, i), *source = reshaped_or_null(operand);
    if (source == NULL || !echo_type_same_dims(operand->type, result))
      continue;
    if (shape == NULL)
      shape = source->type;
    is_common &= echo_type_same_dims(source->type, shape);
  }
  if (shape == NULL || !is_plain(ctx, shape) || echo_type_same_but_ones(shape, result))
    return NULL;
  return is_common ? shape : without_ones(ctx, shape);
}

/* Each rewrite has one op fewer behind a reshape. */
bool echo_hlo_sink_reshape(EchoRewriter *rewriter, EchoOp *op)
{
  if (op->n_results != 1 || op->n_regions != 0 || op->n_operands == 0)
    return false;
  const EchoType *result = echo_op_result_type(op, 0);
  const EchoType *shape = may_be_reshaped(op) ? common_shape_or_null(op) : NULL;
  if (shape == NULL)
    return false;
  EchoBuilder *b = &rewriter->builder;
  EchoMap values = {0};
  for (size_t i = 0; i < op->n_operands; ++i) {
    EchoValue *operand = echo_op_operand(op, i);
    if (echo_type_same_dims(operand->type, result))
      echo_map_set_ptr(&values, operand, in_shape(b, operand, shape));
  }
  EchoOp *moved = echo_op_clone_without_regions(op, &values);
  echo_map_destroy(&values);
  echo_value_set_type(echo_op_result(moved, 0),
                      echo_type_with_element(b->ctx, shape, result->as.shaped.element));
  echo_builder_insert(b, moved);
  EchoValue *value =
      echo_hlo_reshape(b, echo_op_result(moved, 0), result->as.shaped.dims, echo_type_rank(result));
  echo_rewriter_replace(rewriter, op, &value);
  return true;
}
