/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/loops/change.h"

#include "dialects/stablehlo/opcode.h"
#include "planning/schedule/graph.h"

EchoValue *echo_loop_add_carried(EchoOp *loop, const EchoType *type)
{
  EchoContext *ctx = echo_op_context(loop);
  echo_block_add_arg(ctx, echo_op_body(loop, 0), type, loop->loc);
  return echo_block_add_arg(ctx, echo_op_body(loop, 1), type, loop->loc);
}

void echo_loop_yield(EchoOp *loop, EchoValue *value)
{
  EchoOp *end = echo_op_body(loop, 1)->last;
  size_t n = end->n_operands;
  EchoValue **operands = echo_alloc_array(n + 1, sizeof *operands);
  for (size_t i = 0; i < n; ++i)
    operands[i] = echo_op_operand(end, i);
  operands[n] = value;
  echo_op_set_operands(end, operands, n + 1);
  echo_free(operands);
}

/* What the body hands on, without what is gone. */
static void shorten_yield(EchoOp *end, const bool *is_gone, EchoValue **room)
{
  size_t n = 0;
  for (size_t i = 0; i < end->n_operands; ++i)
    if (!is_gone[i])
      room[n++] = echo_op_operand(end, i);
  echo_op_set_operands(end, room, n);
}

EchoOp *echo_loop_rebuild(EchoOp *loop, const bool *is_gone, EchoValue *const *added,
                          size_t n_added)
{
  size_t n_old = loop->n_operands, n = n_old + n_added;
  uint32_t n_kept = 0;
  EchoValue **operands = echo_alloc_array(n + 1, sizeof *operands);
  const EchoType **types = echo_alloc_array(n + 1, sizeof *types);
  shorten_yield(echo_op_body(loop, 1)->last, is_gone, operands);
  for (size_t i = 0; i < n; ++i)
    if (!is_gone[i]) {
      operands[n_kept] = i < n_old ? echo_op_operand(loop, i) : added[i - n_old];
      types[n_kept] = operands[n_kept]->type;
      ++n_kept;
    }
  EchoOpState state = {.ctx = echo_op_context(loop),
                       .info = loop->info,
                       .loc = loop->loc,
                       .operands = operands,
                       .result_types = types,
                       .properties = loop->properties,
                       .attrs = loop->attrs,
                       .n_operands = n_kept,
                       .n_results = n_kept,
                       .n_regions = 2};
  EchoOp *made = echo_op_create(&state);
  echo_op_insert_before(made, loop);
  n_kept = 0;
  for (size_t i = 0; i < n_old; ++i)
    if (!is_gone[i])
      echo_value_replace_all_uses(echo_op_result(loop, i), echo_op_result(made, n_kept++));
  for (size_t r = 0; r < 2; ++r) {
    EchoBlock *block = echo_op_body(loop, r);
    for (size_t i = n; i-- > 0;)
      if (is_gone[i])
        echo_block_erase_arg(block, i);
    echo_region_take_blocks(&made->regions[r], &loop->regions[r]);
  }
  echo_op_erase(loop);
  echo_free(operands);
  echo_free(types);
  return made;
}

/* Nobody reads carried value `i` but the op that makes the next one, `*update` (NULL for none). */
static bool is_unread(const EchoOp *loop, uint32_t i, EchoOp **update)
{
  const EchoBlock *body = echo_op_body(loop, 1);
  const EchoValue *argument = echo_block_arg(body, i), *next = echo_op_operand(body->last, i);
  *update = NULL;
  if (!echo_value_is_unused(echo_op_result(loop, i)) || !echo_value_has_one_use(argument) ||
      !echo_value_is_unused(echo_block_arg(echo_op_body(loop, 0), i)))
    return false;
  if (next == argument)
    return true;
  *update = echo_value_def_or_null(next);
  return argument->first_use->owner == *update && echo_value_has_one_use(next) &&
         (*update)->block == body && (*update)->n_results == 1 && (*update)->n_regions == 0 &&
         echo_op_is_pure(*update);
}

EchoOp *echo_loop_drop_unread(EchoOp *loop)
{
  bool *is_gone = echo_alloc_zero(loop->n_operands + 1u, sizeof *is_gone), any = false;
  EchoOp *end = echo_op_body(loop, 1)->last, *update;
  for (uint32_t i = 0; i < loop->n_operands; ++i) {
    any |= is_gone[i] = is_unread(loop, i, &update);
    if (!is_gone[i] || update == NULL)
      continue;
    echo_op_set_operand(end, i, echo_block_arg(echo_op_body(loop, 1), i));
    echo_op_erase(update);
  }
  if (any)
    loop = echo_loop_rebuild(loop, is_gone, NULL, 0);
  echo_free(is_gone);
  return loop;
}

/* ---- all loops ---- */

/* Recursion is bounded by the nesting that the parser accepts. */
static size_t change_block(EchoBlock *block, EchoLoopChange *change)
{
  size_t n = 0;
  for (EchoOp *op = block->first; op != NULL; op = op->next) {
    for (size_t r = 0; r < op->n_regions && echo_op_node_kind(op) == ECHO_NODE_CONTROL; ++r)
      n += change_block(echo_op_body(op, r), change);
    if (echo_hlo_opcode(op) == ECHO_HLO_WHILE)
      op = change(op, &n);
  }
  return n;
}

size_t echo_loop_change_all(EchoOp *function, EchoLoopChange *change)
{
  return function->regions[0].first != NULL ? change_block(echo_op_body(function, 0), change) : 0;
}
