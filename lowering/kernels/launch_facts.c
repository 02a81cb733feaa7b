/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is true of a kernel's memory in every launch of it that stands in the plan. */
#include "dialects/kernel/kernel.h"
#include "dialects/plan/plan.h"
#include "lowering/kernels/lower_kernel_t.h"

static int64_t alignment_of(const EchoValue *root)
{
  uint64_t begin = 0, end = 0;
  echo_plan_place(root, &begin, &end);
  if (begin % ECHO_PLAN_ALIGNMENT == 0)
    return (int64_t)ECHO_PLAN_ALIGNMENT; /* arguments and constants are allocated by themselves */
  return (int64_t)(begin & (~begin + 1));
}

static bool overlaps(const EchoValue *a, const EchoValue *b)
{
  uint64_t a_begin = 0, a_end = 0, b_begin = 0, b_end = 0;
  return echo_plan_place(a, &a_begin, &a_end) == echo_plan_place(b, &b_begin, &b_end) &&
         a_begin < b_end && b_begin < a_end;
}

static bool is_written(const EchoOp *launch, uint32_t input, uint32_t n_inputs)
{
  const EchoValue *root = echo_plan_root(echo_op_operand(launch, input));
  for (uint32_t i = n_inputs; i < launch->n_operands; ++i)
    if (overlaps(root, echo_plan_root(echo_op_operand(launch, i))))
      return true;
  return false;
}

static EchoLaunchFacts *facts_of(EchoArena *arena, EchoMap *facts, const EchoOp *launch)
{
  const EchoAttr *callee = echo_op_attr_or_null(launch, "callee");
  EchoLaunchFacts *found = echo_map_get_ptr(facts, callee);
  if (found != NULL)
    return found;
  found = ECHO_ARENA_NEW(arena, EchoLaunchFacts);
  *found = (EchoLaunchFacts){.n = launch->n_operands,
                             .alignments = ECHO_ARENA_ARRAY(arena, int64_t, launch->n_operands + 1),
                             .is_read_only = ECHO_ARENA_ARRAY(arena, bool, launch->n_operands + 1),
                             .is_output = ECHO_ARENA_ARRAY(arena, bool, launch->n_operands + 1)};
  for (uint32_t i = 0; i < launch->n_operands; ++i) {
    found->alignments[i] = (int64_t)ECHO_PLAN_ALIGNMENT;
    found->is_read_only[i] = true;
    found->is_output[i] = true;
  }
  echo_map_set_ptr(facts, callee, found);
  return found;
}

void echo_collect_launch_facts(EchoArena *arena, EchoOp *module, EchoMap *facts)
{
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op)) {
    if (!echo_op_is(op, "kernel.launch"))
      continue;
    EchoLaunchFacts *launched = facts_of(arena, facts, op);
    uint32_t n_inputs = (uint32_t)echo_op_attr_i64(op, "n_inputs", 0);
    for (uint32_t i = 0; i < op->n_operands && i < launched->n; ++i) {
      int64_t alignment = alignment_of(echo_plan_root(echo_op_operand(op, i)));
      if (alignment < launched->alignments[i])
        launched->alignments[i] = alignment;
      launched->is_output[i] &= i < n_inputs && n_inputs + 1 == op->n_operands &&
                                echo_op_operand(op, i) == echo_op_operand(op, n_inputs);
      launched->is_read_only[i] &= i < n_inputs && !is_written(op, i, n_inputs);
    }
  }
}
