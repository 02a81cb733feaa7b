/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reductions, windows and scatters may compute in a wider type than their operands have, which
 * their bodies and results tell. Here they get operands of that type: below, one type is enough. */
#include "lowering/model/chlo_to_stablehlo_t.h"

static bool is_number(const EchoType *element)
{
  return element->kind == ECHO_TYPE_INTEGER || element->kind == ECHO_TYPE_FLOAT ||
         element->kind == ECHO_TYPE_COMPLEX;
}

/* Operands [first, first + n) have the element types of the results, one after the other. */
static bool promote(EchoRewriter *rewriter, EchoOp *op, uint32_t first, uint32_t n)
{
  EchoBuilder *b = &rewriter->builder;
  bool is_changed = false;
  for (uint32_t i = 0; i < n; i++) {
    EchoValue *operand = echo_op_operand(op, first + i);
    const EchoType *element = echo_type_element(echo_op_result_type(op, i % op->n_results));
    if (echo_type_element(operand->type) == element || !is_number(element) ||
        !is_number(echo_type_element(operand->type)))
      continue;
    EchoValue *wide = echo_hlo_convert(b, operand, element);
    is_changed = wide != NULL && echo_op_set_operand(op, first + i, wide);
    if (!is_changed)
      break;
  }
  if (is_changed)
    echo_rewriter_changed(rewriter, op);
  return is_changed;
}

/* (operands …, initial values …), or operands alone */
static bool promote_all(EchoRewriter *rewriter, EchoOp *op)
{
  return promote(rewriter, op, 0, op->n_operands);
}

/* (operands …, indices, updates …) */
static bool promote_scatter(EchoRewriter *rewriter, EchoOp *op)
{
  uint32_t n = op->n_results;
  bool is_changed = promote(rewriter, op, 0, n);
  return promote(rewriter, op, n + 1, n) || is_changed;
}

/* (operand, source, initial value). What selects compares elements of the operand's own type, which
 * it makes of the wider ones: the same. */
static bool promote_selected(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoType *element = echo_type_element(echo_op_operand_type(op, 0));
  if (!promote(rewriter, op, 0, op->n_operands))
    return false;
  EchoBlock *select = op->regions[0].first;
  EchoContext *ctx = rewriter->builder.ctx;
  for (uint32_t i = 0; i < select->n_args; i++) {
    EchoValue *wide = echo_block_arg(select, i);
    echo_value_set_type(wide,
                        echo_hlo_scalar_type(ctx, echo_type_element(echo_op_operand_type(op, 0))));
    EchoBuilder inside = echo_builder_before(select->first);
    EchoValue *own = echo_hlo_convert(&inside, wide, element);
    if (own == NULL || !echo_value_replace_all_uses(wide, own) ||
        !echo_op_set_operand(echo_value_def_or_null(own), 0, wide))
      return false;
  }
  return true;
}

const EchoPattern ECHO_PROMOTED_OPERANDS_PATTERNS[] = {
    {"stablehlo.all_reduce", 0, promote_all, "operands of the results' types"},
    {"stablehlo.reduce", 0, promote_all, "operands of the results' types"},
    {"stablehlo.reduce_scatter", 0, promote_all, "operands of the results' types"},
    {"stablehlo.reduce_window", 0, promote_all, "operands of the results' types"},
    {"stablehlo.scatter", 0, promote_scatter, "operands of the results' types"},
    {"stablehlo.select_and_scatter", 0, promote_selected, "operands of the result's type"},
};
const size_t ECHO_N_PROMOTED_OPERANDS_PATTERNS =
    sizeof ECHO_PROMOTED_OPERANDS_PATTERNS / sizeof ECHO_PROMOTED_OPERANDS_PATTERNS[0];
