/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What goes between processes where there is one: each group has one member, to which its own
 * values come back. */
#include "dialects/echo/parts.h"
#include "dialects/stablehlo/build.h"
#include "ir/diagnostics.h"
#include "lowering/model/chlo_to_stablehlo_t.h"

/* No group names a second member. */
static bool has_one_member(const EchoOp *op, const char *groups)
{
  const EchoAttr *attr = echo_op_attr_or_null(op, groups);
  if (attr == NULL || attr->kind != ECHO_ATTR_DENSE_ELEMENTS)
    return false;
  return echo_type_static_n_elements(attr->type) == 0 ||
         (echo_type_rank(attr->type) == 2 && echo_type_dim(attr->type, 1) == 1);
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
  return has_one_member(op, "replica_groups") && replace_by_operands(rewriter, op);
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

const EchoPattern ECHO_SINGLE_PROCESS_PATTERNS[] = {
    {"stablehlo.all_gather", 0, lower_collective, "its operands"},
    {"stablehlo.all_reduce", 0, lower_collective, "its operands"},
    {"stablehlo.all_to_all", 0, lower_collective, "its operands"},
    {"stablehlo.collective_broadcast", 0, lower_collective, "its operands"},
    {"stablehlo.collective_reduce", 0, lower_collective, "its operands"},
    {"stablehlo.cross-replica-sum", 0, lower_collective, "its operands"},
    {"stablehlo.cross-replica-sum", 0, lower_collective, "its operand"},
    {"stablehlo.reduce_scatter", 0, lower_collective, "its operand"},
    {"stablehlo.collective_permute", 0, lower_permute, "its operand, or zeros"},
    {"stablehlo.partition_id", 0, lower_id, "zero"},
    {"stablehlo.replica_id", 0, lower_id, "zero"},
};
const size_t ECHO_N_SINGLE_PROCESS_PATTERNS =
    sizeof ECHO_SINGLE_PROCESS_PATTERNS / sizeof ECHO_SINGLE_PROCESS_PATTERNS[0];
