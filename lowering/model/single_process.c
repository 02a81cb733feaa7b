/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What goes between processes where there is one: each group has one member, to which its own
 * values come back. */
#include "dialects/echo/parts.h"
#include "dialects/stablehlo/build.h"
#include "ir/diagnostics.h"
#include "lowering/calls/custom_calls_t.h"
#include "lowering/model/chlo_to_stablehlo_t.h"

/* No group names a second member. */
static bool names_one_member(const EchoAttr *groups)
{
  if (groups == NULL || groups->kind != ECHO_ATTR_DENSE_ELEMENTS)
    return false;
  return echo_type_static_n_elements(groups->type) == 0 ||
         (echo_type_rank(groups->type) == 2 && echo_type_dim(groups->type, 1) == 1);
}

/* Results that are the operands: one member's values gathered, combined, split and exchanged. */
static bool replace_by_operands(EchoRewriter *rewriter, EchoOp *op)
{
  if (op->n_operands < op->n_results)
    return false;
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (echo_op_operand_type(op, i) != echo_op_result_type(op, i))
      return false;
  EchoValue **operands = echo_alloc_array(op->n_operands + 1u, sizeof *operands);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    operands[i] = echo_op_operand(op, i);
  echo_rewriter_replace(rewriter, op, operands);
  echo_free(operands);
  return true;
}

static bool lower_collective(EchoRewriter *rewriter, EchoOp *op)
{
  return names_one_member(echo_op_attr_or_null(op, "replica_groups")) &&
         replace_by_operands(rewriter, op);
}

/* What each of many processes does, once its shardings were read: none of them is the only one. */
static bool is_for_many(const EchoOp *op)
{
  while (op != NULL && !echo_op_has_attr(op, ECHO_READ_SHARDING))
    op = echo_op_parent(op);
  return op != NULL;
}

/* To whom nobody sends, zeros come. */
static bool lower_permute(EchoRewriter *rewriter, EchoOp *op)
{
  if (is_for_many(op))
    return false;
  const EchoAttr *pairs = echo_op_attr_or_null(op, "source_target_pairs");
  int64_t n = pairs != NULL && pairs->kind == ECHO_ATTR_DENSE_ELEMENTS
                  ? echo_type_static_n_elements(pairs->type)
                  : -1;
  if (n == 2 && echo_elements_i64(pairs, 0) == 0 && echo_elements_i64(pairs, 1) == 0)
    return replace_by_operands(rewriter, op);
  if (n != 0 || !echo_type_has_static_shape(echo_op_result_type(op, 0)))
    return false;
  EchoValue *zero = echo_hlo_constant_f64(&rewriter->builder, echo_op_result_type(op, 0), 0);
  echo_rewriter_replace(rewriter, op, &zero);
  return true;
}

static bool lower_id(EchoRewriter *rewriter, EchoOp *op)
{
  if (is_for_many(op))
    return false;
  EchoValue *zero = echo_hlo_constant_i64(&rewriter->builder, echo_op_result_type(op, 0), 0);
  echo_rewriter_replace(rewriter, op, &zero);
  return true;
}

/* ---- ragged exchange ---- */

/* (operand, output, input_offsets, send_sizes, output_offsets, recv_sizes), a call that JAX writes:
 * piece i is of send_sizes[i] rows of the operand from input_offsets[i] on, which take the place of
 * the output's from output_offsets[i] on. Of one member, which sends to itself. */
static bool is_ragged_exchange(const EchoOp *op)
{
  if (!echo_str_is(echo_op_attr_string(op, "call_target_name"), "ragged_all_to_all") ||
      op->n_operands != 6 || op->n_results != 1 || is_for_many(op))
    return false;
  const EchoType *operand = echo_op_operand_type(op, 0), *output = echo_op_operand_type(op, 1);
  uint32_t rank = echo_type_rank(output);
  bool ok = echo_type_has_static_shape(operand) && echo_type_has_static_shape(output) &&
            rank != 0 && echo_type_rank(operand) == rank && output == echo_op_result_type(op, 0) &&
            echo_type_element(operand) == echo_type_element(output);
  for (uint32_t d = 1; ok && d < rank; d++)
    ok = echo_type_dim(operand, d) == echo_type_dim(output, d);
  for (uint32_t i = 2; ok && i < 6; i++) {
    const EchoType *type = echo_op_operand_type(op, i);
    ok = type == echo_op_operand_type(op, 2) && echo_type_has_static_shape(type) &&
         echo_type_rank(type) == 1 && echo_type_element(type)->kind == ECHO_TYPE_INTEGER;
  }
  return ok;
}

static EchoValue *element(EchoBuilder *b, EchoValue *list, int64_t i)
{
  return echo_hlo_reshape(b, echo_hlo_slice_dim(b, list, 0, i, i + 1), NULL, 0);
}

/* `output` with one piece in its place. Rows come from the operand with as many zeros before and
 * behind it as the output has rows, so that no start is clamped that any row is taken at. */
static EchoValue *put_piece(EchoBuilder *b, EchoValue *padded, EchoValue *output, EchoValue *from,
                            EchoValue *size, EchoValue *to)
{
  const EchoType *type = output->type;
  const EchoType *index = echo_type_with_element(b->ctx, type, echo_type_element(to->type));
  EchoValue *starts[ECHO_MAX_RANK], *zero = echo_hlo_constant_like(b, to, 0);
  EchoValue *n_rows = echo_hlo_constant_like(b, to, (double)echo_type_dim(type, 0));
  starts[0] = echo_hlo_subtract(b, echo_hlo_add(b, from, n_rows), to);
  for (uint32_t d = 1; d < echo_type_rank(type); d++)
    starts[d] = zero;
  EchoValue *moved = echo_hlo_dynamic_slice(b, padded, starts, type->as.shaped.dims);
  EchoValue *row = echo_hlo_iota(b, index, 0);
  EchoValue *first = echo_hlo_broadcast_scalar(b, to, index);
  EchoValue *end = echo_hlo_broadcast_scalar(b, echo_hlo_add(b, to, size), index);
  EchoValue *is_in = echo_hlo_and(b, echo_hlo_compare(b, ECHO_COMPARE_LE, first, row),
                                  echo_hlo_compare(b, ECHO_COMPARE_LT, row, end));
  return echo_hlo_select(b, is_in, moved, output);
}

static bool lower_ragged_exchange(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoAttr *config = is_ragged_exchange(op) ? echo_call_dictionary_or_null(op) : NULL;
  const EchoAttr *groups =
      config != NULL ? echo_dictionary_get_or_null(config, "replica_groups") : NULL;
  if (groups == NULL || !names_one_member(groups))
    return false;
  EchoBuilder builder = rewriter->builder, *b = &builder;
  b->attrs = NULL; /* what the target is told is not the op's */
  EchoValue *operand = echo_op_operand(op, 0), *output = echo_op_operand(op, 1);
  int64_t around[ECHO_MAX_RANK] = {echo_type_dim(output->type, 0)};
  EchoValue *padded =
      echo_hlo_pad(b, operand, echo_hlo_scalar_f64(b, echo_type_element(operand->type), 0), around,
                   around, NULL);
  for (int64_t i = 0; i < echo_type_dim(echo_op_operand_type(op, 2), 0); i++)
    output =
        put_piece(b, padded, output, element(b, echo_op_operand(op, 2), i),
                  element(b, echo_op_operand(op, 3), i), element(b, echo_op_operand(op, 4), i));
  echo_rewriter_replace(rewriter, op, &output);
  return true;
}

const EchoPattern ECHO_SINGLE_PROCESS_PATTERNS[] = {
    {"stablehlo.custom_call", 0, lower_ragged_exchange, "pieces of the operand in the output"},
    {"stablehlo.all_gather", 0, lower_collective, "its operands"},
    {"stablehlo.all_reduce", 0, lower_collective, "its operands"},
    {"stablehlo.all_to_all", 0, lower_collective, "its operands"},
    {"stablehlo.collective_broadcast", 0, lower_collective, "its operands"},
    {"stablehlo.collective_reduce", 0, lower_collective, "its operands"},
    {"stablehlo.cross-replica-sum", 0, lower_collective, "its operand"},
    {"stablehlo.reduce_scatter", 0, lower_collective, "its operand"},
    {"stablehlo.collective_permute", 0, lower_permute, "its operand, or zeros"},
    {"stablehlo.partition_id", 0, lower_id, "zero"},
    {"stablehlo.replica_id", 0, lower_id, "zero"},
};
const size_t ECHO_N_SINGLE_PROCESS_PATTERNS =
    sizeof ECHO_SINGLE_PROCESS_PATTERNS / sizeof ECHO_SINGLE_PROCESS_PATTERNS[0];
