/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From the results back: how all that read a value take it. What is computed whole, and read in
 * parts by everyone, is computed in parts (products of what every process has), and what is partial
 * is reduced to parts (the gradient of weights that are cut as the batch is, however often an
 * optimizer reads it). One way once: loops hand nothing back to their values. */
#include "lowering/partition/split_t.h"

/* Whether the op's result has its operands' dimensions where a place tells of them. */
static bool goes_by_places(const EchoOp *op)
{
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  return op->n_results == 1 &&
         (echo_op_has_trait(op, ECHO_ELEMENTWISE) || opcode == ECHO_HLO_BROADCAST_IN_DIM ||
          opcode == ECHO_HLO_TRANSPOSE || opcode == ECHO_HLO_RESHAPE);
}

/* Where operand `i` is wanted for the digit. */
static EchoPlace wanted_at(const EchoSplits *splits, const EchoOp *op, size_t i, size_t digit)
{
  const EchoSplit *const *wants = echo_wants_or_null(splits, op);
  EchoPlace place = {.dim = ECHO_AT_NONE}, before;
  if (wants != NULL && wants[i] != NULL && wants[i]->at[digit].dim != ECHO_AT_NONE)
    return wants[i]->at[digit];
  if (!goes_by_places(op))
    return place;
  const EchoSplit *out = echo_demand_of(splits, echo_op_result(op, 0));
  if (out != NULL && echo_place_cuts(out->at[digit]) &&
      echo_place_before(splits, op, (uint32_t)i, digit, out->at[digit], &before))
    place = before;
  return place;
}

/* Sums that can be of parts as well have no say, nor has what they alone read (squares, of a norm):
 * its result then stands in `either`. */
static bool has_say(const EchoSplits *splits, const EchoOp *op, size_t i)
{
  if (i == 0 && echo_hlo_opcode(op) == ECHO_HLO_REDUCE &&
      echo_split_combiner(splits, op) != ECHO_N_HLO_OPCODES)
    return false;
  return !goes_by_places(op) || !echo_map_has(&splits->either, echo_key(echo_op_result(op, 0)));
}

/* What every reader agrees in that has a say. */
static void demand(EchoSplits *splits, const EchoValue *value)
{
  EchoSplit all = echo_split_none();
  bool is_first = true;
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
    size_t i = echo_use_operand_index(use);
    if (!has_say(splits, use->owner, i))
      continue;
    for (size_t a = 0; a < splits->n_digits; a++) {
      EchoPlace place = wanted_at(splits, use->owner, i, a);
      if (is_first)
        all.at[a] = place;
      else if (!echo_place_equal(all.at[a], place))
        all.at[a].dim = ECHO_AT_NONE;
    }
    is_first = false;
  }
  if (is_first && !echo_value_is_unused(value))
    echo_map_set(&splits->either, echo_key(value), 1);
  for (size_t a = 0; a < splits->n_digits; a++)
    if (!echo_place_cuts(all.at[a]))
      all.at[a].dim = ECHO_AT_NONE;
  const EchoSplit *kept = echo_split_keep(splits, &all);
  if (kept != NULL)
    echo_map_set_ptr(&splits->demands, value, kept);
}

static void demand_block(EchoSplits *splits, const EchoBlock *block)
{
  for (const EchoOp *op = block->last; op != NULL; op = op->prev) {
    for (uint16_t r = 0; r < op->n_regions; r++)
      if (op->regions[r].first != NULL && op->regions[r].first->next == NULL)
        demand_block(splits, op->regions[r].first);
    for (uint32_t i = 0; i < op->n_results; i++)
      if (echo_type_is_tensor(echo_op_result_type(op, i)))
        demand(splits, echo_op_result(op, i));
  }
}

const EchoSplit *echo_demand_of(const EchoSplits *splits, const EchoValue *value)
{
  return echo_map_get_ptr(&splits->demands, value);
}

void echo_splits_demand(EchoSplits *splits, const EchoOp *main, const EchoSplit *const *results)
{
  const EchoBlock *body = echo_op_body(main, 0);
  echo_wants_set(splits, body->last, results);
  demand_block(splits, body);
}
