/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lowering/calls/thread_t.h"

#include "base/map.h"
#include "base/vector.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/diagnostics.h"

EchoOp *echo_thread_first_or_null(const EchoThread *thread, EchoOp *root)
{
  EchoOp *op = root;
  while (op != NULL && !thread->takes(op))
    op = echo_op_walk_next(root, op);
  return op;
}

/* The same op with one result more. */
static EchoOp *with_result(EchoOp *op, const EchoType *type, EchoValue *carried_or_null)
{
  ECHO_VECTOR(const EchoType *) types = {0};
  ECHO_VECTOR(EchoValue *) operands = {0};
  for (uint32_t i = 0; i < op->n_results; ++i)
    echo_vector_push(&types, echo_op_result_type(op, i));
  echo_vector_push(&types, type);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    echo_vector_push(&operands, echo_op_operand(op, i));
  if (carried_or_null != NULL)
    echo_vector_push(&operands, carried_or_null);
  EchoOp *made = echo_op_create(&(EchoOpState){.ctx = echo_op_context(op),
                                               .info = op->info,
                                               .loc = op->loc,
                                               .operands = operands.data,
                                               .n_operands = (uint32_t)operands.size,
                                               .result_types = types.data,
                                               .n_results = (uint32_t)types.size,
                                               .properties = op->properties,
                                               .attrs = op->attrs,
                                               .n_regions = op->n_regions});
  echo_op_insert_before(made, op);
  for (uint32_t i = 0; i < op->n_regions; ++i)
    echo_region_take_blocks(&made->regions[i], &op->regions[i]);
  for (uint32_t i = 0; i < op->n_results; ++i)
    echo_value_replace_all_uses(echo_op_result(op, i), echo_op_result(made, i));
  echo_op_erase(op);
  echo_vector_destroy(&types);
  echo_vector_destroy(&operands);
  return made;
}

static bool is_in_condition(const EchoThread *thread, EchoOp *loop)
{
  for (EchoOp *op = echo_op_body(loop, 0)->first; op != NULL; op = op->next)
    if (echo_thread_first_or_null(thread, op) != NULL)
      return true;
  return false;
}

/* A condition gives nothing but a flag: one that takes the value is computed before the loop and at
 * the end of each iteration, and the flag is carried. The first op before the loop. */
static EchoOp *rotate(EchoOp *loop)
{
  EchoContext *ctx = echo_op_context(loop);
  EchoBlock *condition = echo_op_body(loop, 0), *body = echo_op_body(loop, 1);
  EchoOp *end = condition->last, *first = NULL;
  EchoMap values = {0};
  for (uint32_t i = 0; i < condition->n_args; ++i)
    echo_map_set(&values, echo_key(echo_block_arg(condition, i)),
                 echo_key(echo_op_operand(loop, i)));
  for (EchoOp *op = condition->first; op != end; op = op->next) {
    EchoOp *clone = echo_op_clone(op, &values);
    echo_op_insert_before(clone, loop);
    first = first != NULL ? first : clone;
  }
  EchoValue *flag = echo_op_operand(end, 0);
  EchoValue *now = (EchoValue *)(uintptr_t)echo_map_get_or(&values, echo_key(flag), echo_key(flag));
  echo_map_destroy(&values);
  for (uint32_t i = 0; i < condition->n_args; ++i)
    echo_value_replace_all_uses(echo_block_arg(condition, i), echo_op_operand(body->last, i));
  while (condition->first != end)
    echo_op_move_before(condition->first, body->last);
  flag = echo_op_operand(end, 0);
  echo_op_append_operand(body->last, flag);
  echo_op_set_operand(end, 0, echo_block_add_arg(ctx, condition, flag->type, loop->loc));
  echo_block_add_arg(ctx, body, flag->type, loop->loc);
  with_result(loop, flag->type, now);
  return first;
}

static bool lead_through_loop(const EchoThread *thread, EchoOp *op, EchoValue **value)
{
  EchoContext *ctx = echo_op_context(op);
  EchoBlock *condition = echo_op_body(op, 0), *body = echo_op_body(op, 1);
  echo_block_add_arg(ctx, condition, (*value)->type, op->loc);
  EchoValue *inside = echo_block_add_arg(ctx, body, (*value)->type, op->loc);
  if (!echo_thread_block(thread, body, &inside))
    return false;
  echo_op_append_operand(body->last, inside);
  EchoOp *made = with_result(op, (*value)->type, *value);
  *value = echo_op_result(made, made->n_results - 1u);
  return true;
}

static bool lead_through_branches(const EchoThread *thread, EchoOp *op, EchoValue **value)
{
  for (uint32_t i = 0; i < op->n_regions; ++i) {
    EchoValue *inside = *value;
    EchoBlock *branch = echo_op_body(op, i);
    if (!echo_thread_block(thread, branch, &inside))
      return false;
    echo_op_append_operand(branch->last, inside);
  }
  EchoOp *made = with_result(op, (*value)->type, NULL);
  *value = echo_op_result(made, made->n_results - 1u);
  return true;
}

bool echo_thread_block(const EchoThread *thread, EchoBlock *block, EchoValue **value)
{
  for (EchoOp *op = block->first, *next; op != NULL; op = next) {
    next = op->next;
    EchoOp *taker = echo_thread_first_or_null(thread, op);
    bool ok = true;
    if (taker == NULL)
      continue;
    if (taker == op)
      ok = thread->take(op, value);
    else if (echo_hlo_opcode(op) == ECHO_HLO_WHILE && is_in_condition(thread, op))
      next = rotate(op);
    else if (echo_hlo_opcode(op) == ECHO_HLO_WHILE)
      ok = lead_through_loop(thread, op, value);
    else if (echo_hlo_opcode(op) == ECHO_HLO_CASE || echo_hlo_opcode(op) == ECHO_HLO_IF)
      ok = lead_through_branches(thread, op, value);
    else
      ok = echo_op_error(taker, "%s, and stands in a region of '%s'", thread->what, op->info->name);
    if (!ok)
      return false;
  }
  return true;
}
