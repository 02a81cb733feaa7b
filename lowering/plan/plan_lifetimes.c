/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lowering/plan/plan_lifetimes_t.h"

#include "dialects/plan/plan.h"

static void number_ops(EchoPlanLifetimes *lifetimes, EchoOp *function)
{
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op)) {
    uint32_t number = (uint32_t)lifetimes->spans.size;
    echo_map_set(&lifetimes->position_of_op, echo_key(op), number);
    echo_vector_push(&lifetimes->spans, (EchoPlanSpan){number, number});
    for (EchoOp *parent = echo_op_parent(op); op != function && parent != function;
         parent = echo_op_parent(parent))
      lifetimes->spans.data[echo_map_get_or(&lifetimes->position_of_op, echo_key(parent), 0)].end =
          number;
  }
}

EchoPlanSpan echo_plan_span(const EchoPlanLifetimes *lifetimes, const EchoOp *op)
{
  return lifetimes->spans.data[echo_map_get_or(&lifetimes->position_of_op, echo_key(op), 0)];
}

static EchoPlanSpan live_span(const EchoPlanLifetimes *lifetimes, const EchoPlanUses *uses)
{
  const EchoBlock *block = echo_plan_common_block(uses);
  EchoPlanSpan span = {UINT32_MAX, 0};
  for (size_t i = 0; i < uses->size; ++i) {
    EchoPlanSpan use =
        echo_plan_span(lifetimes, echo_op_ancestor_in_block(uses->data[i].op, block));
    if (span.begin > use.begin)
      span.begin = use.begin;
    if (span.end < use.end)
      span.end = use.end;
  }
  return span;
}

void echo_plan_lifetimes_create(EchoPlanLifetimes *lifetimes, EchoOp *function, const EchoOp *arena)
{
  uint64_t alignment = (uint64_t)echo_op_attr_i64(arena, "alignment", 1);
  EchoPlanUses uses = {0};
  *lifetimes = (EchoPlanLifetimes){0};
  number_ops(lifetimes, function);
  for (EchoOp *op = echo_plan_first_or_null(function, ECHO_PLAN_PLACE); op != NULL;
       op = echo_plan_next_or_null(function, op, ECHO_PLAN_PLACE)) {
    if (echo_plan_opcode(op) != ECHO_PLAN_BUFFER ||
        echo_value_def_or_null(echo_op_operand(op, 0)) != arena)
      continue;
    EchoPlanBuffer buffer = {
        .op = op,
        .size_bytes = echo_align_up(echo_type_static_bytes(echo_op_result_type(op, 0)), alignment)};
    echo_vector_clear(&uses);
    echo_plan_collect_uses(echo_op_result(op, 0), &uses);
    buffer.is_used = uses.size != 0;
    if (buffer.is_used)
      buffer.live = live_span(lifetimes, &uses);
    echo_vector_push(&lifetimes->buffers, buffer);
  }
  echo_vector_destroy(&uses);
}

void echo_plan_lifetimes_destroy(EchoPlanLifetimes *lifetimes)
{
  echo_map_destroy(&lifetimes->position_of_op);
  echo_vector_destroy(&lifetimes->spans);
  echo_vector_destroy(&lifetimes->buffers);
}
