/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One element of elementwise ops. */
#include "dialects/stablehlo/emit/scalar_t.h"
#include "dialects/stablehlo/hooks_t.h"

static EchoElementKind operand_kind(const EchoOp *op, size_t index)
{
  return echo_type_element_kind(echo_op_operand_type(op, index));
}

static EchoValue *unsupported(const EchoOp *op)
{
  echo_op_error(
      op, "has no lowering to scalars for element type '%s'",
      echo_type_text(echo_op_context(op), echo_op_operand_type(op, 0)->as.shaped.element));
  return NULL;
}

EchoValue *echo_hlo_emit_unary(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                               EchoValue *const *indices)
{
  (void)result;
  EchoValue *x = echo_emit_element(emitter, echo_op_operand(op, 0), indices);
  if (x == NULL)
    return NULL;
  EchoValue *value =
      echo_scalar_unary(emitter->builder, echo_hlo_opcode(op), operand_kind(op, 0), x);
  return value != NULL ? value : unsupported(op);
}

EchoValue *echo_hlo_emit_binary(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                                EchoValue *const *indices)
{
  (void)result;
  EchoValue *lhs = echo_emit_element(emitter, echo_op_operand(op, 0), indices);
  EchoValue *rhs = echo_emit_element(emitter, echo_op_operand(op, 1), indices);
  if (lhs == NULL || rhs == NULL)
    return NULL;
  EchoValue *value =
      echo_scalar_binary(emitter->builder, echo_hlo_opcode(op), operand_kind(op, 0), lhs, rhs);
  return value != NULL ? value : unsupported(op);
}

EchoValue *echo_hlo_emit_complex(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                                 EchoValue *const *indices)
{
  (void)emitter, (void)result, (void)indices;
  return unsupported(op);
}

EchoValue *echo_hlo_emit_convert(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                                 EchoValue *const *indices)
{
  (void)result;
  EchoValue *x = echo_emit_element(emitter, echo_op_operand(op, 0), indices);
  if (x == NULL)
    return NULL;
  EchoElementKind to = echo_type_element_kind(echo_op_result_type(op, 0));
  EchoValue *value = echo_scalar_convert(emitter->builder, operand_kind(op, 0), to, x);
  return value != NULL ? value : unsupported(op);
}

EchoValue *echo_hlo_emit_compare(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                                 EchoValue *const *indices)
{
  (void)result;
  EchoValue *lhs = echo_emit_element(emitter, echo_op_operand(op, 0), indices);
  EchoValue *rhs = echo_emit_element(emitter, echo_op_operand(op, 1), indices);
  if (lhs == NULL || rhs == NULL)
    return NULL;
  EchoValue *value =
      echo_scalar_compare(emitter->builder, echo_stablehlo_compare_direction(op),
                          echo_stablehlo_compare_type(op), operand_kind(op, 0), lhs, rhs);
  return value != NULL ? value : unsupported(op);
}

EchoValue *echo_hlo_emit_select(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                                EchoValue *const *indices)
{
  (void)result;
  EchoValue *pred = echo_emit_element(emitter, echo_op_operand(op, 0), indices);
  EchoValue *on_true = echo_emit_element(emitter, echo_op_operand(op, 1), indices);
  EchoValue *on_false = echo_emit_element(emitter, echo_op_operand(op, 2), indices);
  if (pred == NULL || on_true == NULL || on_false == NULL)
    return NULL;
  return echo_arith_select(emitter->builder, pred, on_true, on_false);
}

/* min(max(operand, low), high), as the specification says: high wins where the bounds cross. */
EchoValue *echo_hlo_emit_clamp(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                               EchoValue *const *indices)
{
  (void)result;
  EchoElementKind kind = operand_kind(op, 1);
  EchoValue *low = echo_emit_element(emitter, echo_op_operand(op, 0), indices);
  EchoValue *x = echo_emit_element(emitter, echo_op_operand(op, 1), indices);
  EchoValue *high = echo_emit_element(emitter, echo_op_operand(op, 2), indices);
  if (low == NULL || x == NULL || high == NULL)
    return NULL;
  EchoValue *above = echo_scalar_binary(emitter->builder, ECHO_HLO_MAXIMUM, kind, x, low);
  return above != NULL ? echo_scalar_binary(emitter->builder, ECHO_HLO_MINIMUM, kind, above, high)
                       : unsupported(op);
}

EchoValue *echo_hlo_emit_reduce_precision(EchoElementEmitter *emitter, const EchoOp *op,
                                          size_t result, EchoValue *const *indices)
{
  (void)result;
  EchoValue *x = echo_emit_element(emitter, echo_op_operand(op, 0), indices);
  if (x == NULL)
    return NULL;
  return echo_scalar_reduce_precision(emitter->builder, operand_kind(op, 0),
                                      (int32_t)echo_op_attr_i64(op, "exponent_bits", 0),
                                      (int32_t)echo_op_attr_i64(op, "mantissa_bits", 0), x);
}

/* ---- bitcast_convert: equal widths, or a trailing dimension more or less ---- */

/* One narrow element: bits [k * width, …) of the wide one, k the last index. */
static EchoValue *bitcast_to_narrow(EchoElementEmitter *emitter, const EchoOp *op,
                                    EchoValue *const *indices, uint32_t from_width,
                                    uint32_t to_width)
{
  EchoBuilder *builder = emitter->builder;
  const EchoType *to = echo_op_result_type(op, 0);
  const EchoType *wide_int = echo_type_integer(builder->ctx, from_width, ECHO_SIGNLESS);
  const EchoType *narrow_int = echo_type_integer(builder->ctx, to_width, ECHO_SIGNLESS);
  EchoValue *x = echo_emit_element(emitter, echo_op_operand(op, 0), indices);
  if (x == NULL)
    return NULL;
  if (x->type != wide_int)
    x = echo_arith_unary(builder, "arith.bitcast", x, wide_int);
  EchoValue *position =
      echo_index_mul_constant(emitter, indices[to->as.shaped.rank - 1], (int64_t)to_width);
  EchoValue *amount = position->type == wide_int
                          ? position
                          : echo_arith_unary(builder, "arith.index_castui", position, wide_int);
  EchoValue *bits = echo_arith_unary(
      builder, "arith.trunci", echo_arith_binary(builder, "arith.shrui", x, amount), narrow_int);
  const EchoType *scalar = echo_scalar_type(builder->ctx, echo_type_element_kind(to));
  return scalar == narrow_int ? bits : echo_arith_unary(builder, "arith.bitcast", bits, scalar);
}

/* One wide element from the narrow ones of its last dimension. */
static EchoValue *bitcast_to_wide(EchoElementEmitter *emitter, const EchoOp *op,
                                  EchoValue *const *indices, uint32_t from_width, uint32_t to_width)
{
  EchoBuilder *builder = emitter->builder;
  const EchoType *to = echo_op_result_type(op, 0);
  const EchoType *wide_int = echo_type_integer(builder->ctx, to_width, ECHO_SIGNLESS);
  const EchoType *narrow_int = echo_type_integer(builder->ctx, from_width, ECHO_SIGNLESS);
  EchoValue *part_indices[ECHO_MAX_RANK], *bits = NULL;
  for (uint32_t i = 0; i < to->as.shaped.rank; ++i)
    part_indices[i] = indices[i];
  for (uint32_t k = 0; k < to_width / from_width; ++k) {
    part_indices[to->as.shaped.rank] = echo_index_constant(emitter, k);
    EchoValue *part = echo_emit_element(emitter, echo_op_operand(op, 0), part_indices);
    if (part == NULL)
      return NULL;
    if (part->type != narrow_int)
      part = echo_arith_unary(builder, "arith.bitcast", part, narrow_int);
    part = echo_arith_unary(builder, "arith.extui", part, wide_int);
    part = echo_arith_binary(builder, "arith.shli", part,
                             echo_arith_int(builder, wide_int, (int64_t)(k * from_width)));
    bits = bits == NULL ? part : echo_arith_binary(builder, "arith.ori", bits, part);
  }
  const EchoType *scalar = echo_scalar_type(builder->ctx, echo_type_element_kind(to));
  return scalar == wide_int ? bits : echo_arith_unary(builder, "arith.bitcast", bits, scalar);
}

EchoValue *echo_hlo_emit_bitcast_convert(EchoElementEmitter *emitter, const EchoOp *op,
                                         size_t result, EchoValue *const *indices)
{
  (void)result;
  EchoElementKind from = operand_kind(op, 0);
  EchoElementKind to = echo_type_element_kind(echo_op_result_type(op, 0));
  if (from == ECHO_ELEMENT_NONE || to == ECHO_ELEMENT_NONE)
    return unsupported(op);
  uint32_t from_width = echo_element_bits(from), to_width = echo_element_bits(to);
  if (from_width > to_width)
    return bitcast_to_narrow(emitter, op, indices, from_width, to_width);
  if (from_width < to_width)
    return bitcast_to_wide(emitter, op, indices, from_width, to_width);
  EchoValue *x = echo_emit_element(emitter, echo_op_operand(op, 0), indices);
  const EchoType *scalar = echo_scalar_type(emitter->builder->ctx, to);
  if (x == NULL || x->type == scalar)
    return x;
  return echo_arith_unary(emitter->builder, "arith.bitcast", x, scalar);
}

EchoValue *echo_hlo_emit_optimization_barrier(EchoElementEmitter *emitter, const EchoOp *op,
                                              size_t result, EchoValue *const *indices)
{
  return echo_emit_element(emitter, echo_op_operand(op, result), indices);
}
