/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/plan/plan.h"

static bool passes_bytes_on(const EchoOp *op)
{
  return echo_op_is(op, "plan.view") || echo_op_is(op, "plan.swap_out") ||
         echo_op_is(op, "plan.swap_in");
}

void echo_plan_collect_uses(EchoValue *buffer, EchoPlanUses *uses)
{
  ECHO_VECTOR(EchoValue *) values = {0};
  echo_vector_push(&values, buffer);
  while (values.size != 0) {
    EchoValue *value = echo_vector_pop(&values);
    for (EchoUse *use = value->first_use; use != NULL; use = use->next) {
      if (!echo_op_is(use->owner, "plan.view"))
        echo_vector_push(uses, (EchoPlanUse){use->owner, (uint32_t)(use - use->owner->operands)});
      if (passes_bytes_on(use->owner))
        echo_vector_push(&values, echo_op_result(use->owner, 0));
    }
  }
  echo_vector_destroy(&values);
}

EchoOp *echo_plan_arena_or_null(const EchoOp *function)
{
  const EchoBlock *entry = function->regions[0].first;
  if (entry == NULL)
    return NULL;
  for (EchoOp *op = entry->first; op != NULL; op = op->next)
    if (echo_op_is(op, "plan.arena"))
      return op;
  return NULL;
}

uint64_t echo_plan_outside_bytes(EchoOp *function)
{
  uint64_t bytes = 0;
  const EchoBlock *entry = function->regions[0].first;
  for (size_t i = 0; i < entry->n_args; ++i)
    bytes += echo_type_static_bytes(echo_block_arg(entry, i)->type);
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    if (echo_op_is(op, "plan.constant"))
      bytes += echo_type_static_bytes(echo_op_result_type(op, 0));
  return bytes;
}
