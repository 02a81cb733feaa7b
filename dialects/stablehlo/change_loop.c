/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/stablehlo/loop.h"

EchoValue *echo_hlo_add_carried(EchoOp *loop, const EchoType *type)
{
  EchoContext *ctx = echo_op_context(loop);
  echo_block_add_arg(ctx, echo_op_body(loop, 0), type, loop->loc);
  return echo_block_add_arg(ctx, echo_op_body(loop, 1), type, loop->loc);
}

void echo_hlo_yield(EchoOp *loop, EchoValue *value)
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

EchoOp *echo_hlo_rebuild_loop(EchoOp *loop, const bool *is_gone, EchoValue *const *added,
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
