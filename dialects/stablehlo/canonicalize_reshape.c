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

/* ---- reductions of reshapes ---- */

/* A group of dimensions side by side in each of two shapes, which hold the same elements. */
typedef struct Group {
  size_t from, from_end, to, to_end;
} Group;

/* The group behind `last`; false where there is none, or elements are missing on one side. */
static bool next_group(const EchoType *from, const EchoType *to, Group *last)
{
  size_t f = last->from_end, t = last->to_end;
  if (f == echo_type_rank(from) || t == echo_type_rank(to))
    return false;
  int64_t n_from = echo_type_dim(from, f++), n_to = echo_type_dim(to, t++);
  while (n_from != n_to)
    if (n_from < n_to && f < echo_type_rank(from))
      n_from *= echo_type_dim(from, f++);
    else if (n_to < n_from && t < echo_type_rank(to))
      n_to *= echo_type_dim(to, t++);
    else
      return false;
  *last = (Group){last->from_end, f, last->to_end, t};
  return true;
}

/* The dimensions of `from` that hold what `reduced` ones of `to` do; false where one of them has
 * elements of a reduced dimension and of a kept one, or of two kept ones. */
static bool find_reduced(const EchoType *from, const EchoType *to, EchoDimList reduced,
                         int64_t *dims, size_t *n)
{
  Group group = {0};
  *n = 0;
  while (next_group(from, to, &group)) {
    bool is_reduced = echo_dim_list_has(reduced, (int64_t)group.to);
    for (size_t t = group.to; t < group.to_end; ++t)
      if (echo_dim_list_has(reduced, (int64_t)t) != is_reduced)
        return false;
    for (size_t f = group.from; f < group.from_end && is_reduced; ++f)
      dims[(*n)++] = (int64_t)f;
    if (!is_reduced && (group.from_end - group.from != 1 || group.to_end - group.to != 1))
      return false;
  }
  return group.from_end == echo_type_rank(from) && group.to_end == echo_type_rank(to) && *n > 0;
}

static bool has_zeros(const EchoType *type)
{
  return echo_type_static_n_elements(type) == 0;
}

/* Elements are counted row-major on both sides, so each goes where it went. */
bool echo_hlo_reduce_unreshaped(EchoRewriter *rewriter, EchoOp *op)
{
  EchoContext *ctx = echo_op_context(op);
  EchoValue *reshaped = op->n_operands == 2 ? reshaped_or_null(echo_op_operand(op, 0)) : NULL;
  int64_t dims[ECHO_MAX_RANK];
  size_t n = 0;
  if (reshaped == NULL || reshaped->is_block_arg || is_placed(op) ||
      !is_plain(ctx, reshaped->type) || !is_plain(ctx, echo_op_operand_type(op, 0)) ||
      has_zeros(reshaped->type) ||
      echo_type_same_but_ones(reshaped->type, echo_op_operand_type(op, 0)) ||
      !find_reduced(reshaped->type, echo_op_operand_type(op, 0),
                    echo_stablehlo_dims(op, "dimensions"), dims, &n))
    return false;
  echo_op_set_operand(op, 0, reshaped);
  echo_op_set_attr(op, "dimensions", echo_attr_i64_array(ctx, dims, n));
  echo_rewriter_changed(rewriter, op);
  return true;
}
