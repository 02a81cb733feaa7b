/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether a pair of loops can be cut into segments, and how long they are. */
#include "echo_pass/segment_plan_t.h"

#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/opcode.h"
#include "echo_pass/search_t.h"
#include "planning/loops/slices.h"

#include <math.h>

/* ---- what the loops carry ---- */

static bool is_only_written(const EchoLoopPair *pair, uint32_t i)
{
  const EchoValue *argument = echo_block_arg(pair->from, i);
  const EchoOp *update = echo_value_def_or_null(echo_op_operand(pair->from->last, i));
  return update != NULL && update->block == pair->from &&
         echo_hlo_opcode(update) == ECHO_HLO_DYNAMIC_UPDATE_SLICE &&
         echo_op_operand(update, 0) == argument && echo_value_has_one_use(argument) &&
         echo_value_has_one_use(echo_op_result(update, 0));
}

/* Every iteration of the reader reads what the mirrored one of the writer wrote. */
static bool is_mirrored(const EchoLoopPair *pair)
{
  uint64_t mirrored = 0;
  bool holds = pair->stacks.size != 0 && pair->written.n_trips == pair->read.n_trips;
  for (int64_t t = pair->read.n_trips; holds && t-- > 0;)
    mirrored = echo_hash_combine(mirrored, (uint64_t)t);
  for (size_t i = 0; i < pair->stacks.size && holds; ++i)
    holds = pair->stacks.data[i].may_go && !pair->stacks.data[i].is_shared &&
            pair->stacks.data[i].trip_hash == mirrored;
  return holds;
}

static void classify(EchoSegmentPlan *plan, const EchoLoopPair *pair)
{
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
    plan->is_carried[i] = !echo_loop_is_invariant(pair->writer, i);
  for (uint32_t i = 0; i < pair->reader->n_operands; ++i)
    plan->is_carried_on[i] = !echo_loop_is_invariant(pair->reader, i);
  for (size_t i = 0; i < pair->stacks.size; ++i) {
    plan->is_carried[pair->stacks.data[i].carried] = false;
    plan->is_carried_on[pair->stacks.data[i].inside->index] = false;
  }
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
    plan->is_state[i] = plan->is_carried[i] && !is_only_written(pair, i);
}

/* ---- slices that are there when the writer runs again ---- */

/* Each iteration of the writer reads of the slot that the mirrored one of the reader updates. */
static bool is_mirrored_slice(const EchoLoopPair *pair, const EchoUse *use,
                              const EchoLoopSlot *slot)
{
  const EchoOp *slice = use->owner;
  if (echo_hlo_opcode(slice) != ECHO_HLO_DYNAMIC_SLICE || echo_use_operand_index(use) != 0)
    return false;
  EchoLoopSlot own =
      echo_loop_slot(slice, 1, echo_op_operand_type(slice, 0), echo_op_result_type(slice, 0));
  const EchoValue *written = echo_block_arg(pair->from, pair->written.counter);
  const EchoValue *read = echo_block_arg(pair->to, pair->read.counter);
  bool holds = own.n >= slot->n;
  for (size_t d = 0; d + 1 < slot->n && holds; ++d)
    holds = own.at[d] == slot->at[d];
  for (int64_t t = 0, n = pair->read.n_trips; t < n && holds; ++t) {
    int64_t from, to;
    holds = echo_loop_index_at(own.at[slot->n - 1], written,
                               pair->written.start + (n - 1 - t) * pair->written.step, &from) &&
            echo_loop_index_at(slot->at[slot->n - 1], read, pair->read.start + t * pair->read.step,
                               &to) &&
            from == to;
  }
  return holds;
}

/* Handed on as it is by the writer's body. */
static bool is_handed_on(const EchoLoopPair *pair, const EchoUse *use, const EchoValue *value)
{
  return use->owner == pair->from->last && value->is_block_arg &&
         echo_value_block(value) == pair->from && echo_use_operand_index(use) == value->index;
}

/* All that the writer reads of `value` are such slices. */
static bool reads_mirrored_slices(const EchoLoopPair *pair, const EchoValue *value,
                                  const EchoLoopSlot *slot)
{
  bool any = false;
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
    bool is_inside = use->owner != pair->writer && echo_op_is_ancestor(pair->writer, use->owner);
    if (!is_inside || is_handed_on(pair, use, value))
      continue;
    if (!is_mirrored_slice(pair, use, slot))
      return false;
    any = true;
  }
  return any;
}

/* Weights that the reader updates in place: the writer's segment, when it runs again, takes its
 * slices from the carried value, where they are as they were, so that no second copy stands. */
static void find_replaced(EchoSegmentPlan *plan, const EchoLoopPair *pair)
{
  for (uint32_t c = 0; c < pair->reader->n_operands; ++c) {
    EchoLoopSlot slot = {0};
    if (plan->is_carried_on[c])
      slot = echo_loop_written_slot(pair->reader, &pair->read, c);
    EchoValue *array = echo_op_operand(pair->reader, c);
    if (slot.n == 0)
      continue;
    if (reads_mirrored_slices(pair, array, &slot))
      echo_vector_push(&plan->replaced, (EchoReplaced){array, c});
    for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
      if (echo_op_operand(pair->writer, i) == array && echo_loop_is_invariant(pair->writer, i) &&
          reads_mirrored_slices(pair, echo_block_arg(pair->from, i), &slot))
        echo_vector_push(&plan->replaced, (EchoReplaced){echo_block_arg(pair->from, i), c});
  }
}

/* ---- how long they are ---- */

/* What stands at once while the reader runs, q states and the slices of a segment, and between the
 * loops, the states and the slices of the tail. */
typedef struct Standing {
  double inside, between;
} Standing;

/* On up to `n_levels` levels, those above this one with about as many segments each. */
static Standing count_standing(int64_t n, int64_t length, size_t n_levels, double state,
                               double slice)
{
  double n_states = INFINITY;
  for (double level = 1; level <= (double)n_levels; ++level)
    n_states = fmin(n_states, level * pow((double)(n / length), 1 / level));
  return (Standing){n_states * state + (double)length * slice,
                    n_states * state + (double)(n % length) * slice};
}

/* The length for which fewest bytes stand in the reader; of lengths that come near enough, between
 * the loops. All iterations where it is no less than without segments. */
static int64_t best_length(const EchoSegmentPlan *plan, const EchoLoopPair *pair, size_t n_levels)
{
  double state = 0, slice = 0, least = INFINITY, between = INFINITY;
  int64_t n = pair->written.n_trips, best = n;
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
    if (plan->is_state[i])
      state += (double)echo_type_static_bytes(echo_op_operand_type(pair->writer, i));
  for (size_t i = 0; i < pair->stacks.size; ++i)
    slice += (double)echo_type_static_bytes(pair->stacks.data[i].inside->type) / (double)n;
  for (int64_t k = 2; k <= n / 2; ++k)
    least = fmin(least, count_standing(n, k, n_levels, state, slice).inside);
  for (int64_t k = 2; k <= n / 2; ++k) {
    Standing standing = count_standing(n, k, n_levels, state, slice);
    if (standing.inside > least + least / ECHO_LOWEST_SLACK || standing.between >= between)
      continue;
    between = standing.between;
    best = k;
  }
  return least < (double)n * slice ? best : n;
}

/* All that the writer does can be done again, or left out. */
static bool may_rerun(const EchoLoopPair *pair)
{
  for (const EchoOp *op = pair->from->first; op != pair->from->last; op = op->next)
    if (!echo_op_is_pure(op) && !echo_kernel_only_acts(op))
      return false;
  return true;
}

bool echo_segment_plan_create(EchoSegmentPlan *plan, const EchoLoopPair *pair, size_t n_levels)
{
  *plan = (EchoSegmentPlan){0};
  if (!is_mirrored(pair) || !may_rerun(pair))
    return false;
  plan->is_carried = echo_alloc_zero(pair->writer->n_operands + 1u, sizeof(bool));
  plan->is_state = echo_alloc_zero(pair->writer->n_operands + 1u, sizeof(bool));
  plan->is_carried_on = echo_alloc_zero(pair->reader->n_operands + 1u, sizeof(bool));
  classify(plan, pair);
  find_replaced(plan, pair);
  plan->length = best_length(plan, pair, n_levels);
  plan->n_segments = pair->written.n_trips / plan->length;
  plan->n_tail = pair->written.n_trips % plan->length;
  return plan->length > 1 && plan->n_segments > 1;
}

void echo_segment_plan_destroy(EchoSegmentPlan *plan)
{
  echo_free(plan->is_carried);
  echo_free(plan->is_state);
  echo_free(plan->is_carried_on);
  echo_vector_destroy(&plan->replaced);
}
