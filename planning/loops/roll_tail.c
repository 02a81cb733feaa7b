/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* More of a loop's iterations written out behind it, as lax.scan leaves those that unroll=k does
 * not divide: the loop goes on over them. What an iteration makes is compared with what stands
 * behind the loop, from what the loop ends with down to constants and rows of arrays; so a copy is
 * found by what it computes, wherever it stands. */
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/change.h"
#include "planning/loops/roll.h"
#include "planning/loops/roll_tail_t.h"
#include "planning/loops/slices.h"

typedef ECHO_VECTOR(EchoValue *) Values;

/* ---- what is carried ---- */

/* Nothing but its update and reads of the same row. */
static bool is_read_by_row(EchoTail *tail, const EchoValue *argument, const EchoOp *update)
{
  bool holds =
      echo_value_is_unused(echo_block_arg(echo_op_body(tail->roll.loop, 0), argument->index));
  for (const EchoUse *use = argument->first_use; use != NULL && holds; use = use->next) {
    EchoValue *array;
    EchoRollLine line;
    holds = use->owner == update ||
            (use->owner->n_results == 1 &&
             echo_tail_reads_row(tail, echo_op_result(use->owner, 0), &array, &line) &&
             array == argument);
  }
  return holds;
}

/* The one concatenation of rows that reads a stack; false where there are several. */
static bool find_concatenation(const EchoValue *stack, EchoTailCarried *carried)
{
  for (const EchoUse *use = stack->first_use; use != NULL; use = use->next) {
    if (echo_hlo_opcode(use->owner) != ECHO_HLO_CONCATENATE ||
        echo_op_attr_i64(use->owner, "dimension", -1) != 0)
      continue;
    if (carried->concatenation != NULL)
      return false;
    carried->concatenation = use->owner;
    carried->place = (uint32_t)echo_use_operand_index(use);
  }
  return true;
}

/* False where the loop cannot go on. */
static bool find_carried(EchoTail *tail)
{
  const EchoOp *loop = tail->roll.loop;
  for (uint32_t i = 0; i < loop->n_operands; ++i) {
    EchoTailCarried *carried = &tail->carried[i];
    const EchoValue *argument = echo_block_arg(tail->roll.body, i);
    const EchoOp *update = echo_value_def_or_null(echo_op_operand(tail->roll.body->last, i));
    carried->now = echo_op_result(loop, i);
    if (echo_tail_is_handed_on(tail, argument) || update == NULL ||
        update->block != tail->roll.body ||
        echo_hlo_opcode(update) != ECHO_HLO_DYNAMIC_UPDATE_SLICE ||
        echo_op_operand(update, 0) != argument ||
        !echo_loop_is_whole_slice(update, 2, argument->type, echo_op_operand_type(update, 1)))
      continue;
    carried->line = echo_roll_line(&tail->roll, echo_op_operand(update, 2));
    if (!echo_tail_is_full(tail, argument->type, &carried->line) ||
        !echo_value_has_one_use(echo_op_result(update, 0)))
      continue;
    carried->update = (EchoOp *)update;
    if (!is_read_by_row(tail, argument, update)) {
      carried->update = NULL;
      continue;
    }
    if (!find_concatenation(echo_op_result(loop, i), carried))
      return false;
  }
  return true;
}

/* The row that stands beside the stack for the next iteration; NULL: none. */
static EchoValue *next_row(const EchoTail *tail, const EchoTailCarried *carried)
{
  int64_t place = carried->place + (tail->n_more + 1) * carried->line.slope;
  if (carried->concatenation == NULL || place < 0 || place >= carried->concatenation->n_operands)
    return NULL;
  EchoValue *row = echo_op_operand(carried->concatenation, (size_t)place);
  return echo_type_dim(row->type, 0) == 1 ? row : NULL;
}

/* ---- one more iteration ---- */

/* Whether all stacks have a row more, or there is a state more: one that is made of no other is
 * there as often as it is looked for, and goes nowhere. */
static bool find_iteration(EchoTail *tail, uint64_t *n_pairs)
{
  const EchoOp *loop = tail->roll.loop;
  EchoShift shift;
  EchoValue **next = echo_alloc_zero(loop->n_operands + 1u, sizeof(EchoValue *));
  bool holds = true, any = false;
  echo_shift_create(&shift, *n_pairs, echo_tail_leaf, tail);
  for (uint32_t i = 0; i < loop->n_operands && holds; ++i) {
    const EchoTailCarried *carried = &tail->carried[i];
    if (carried->update == NULL || echo_value_is_unused(echo_op_result(loop, i)))
      continue;
    EchoValue *row = next_row(tail, carried);
    holds = row != NULL && echo_shift_match(&shift, echo_op_operand(carried->update, 1), row);
    any |= holds;
  }
  for (uint32_t i = 0; i < loop->n_operands && holds; ++i) {
    if (!echo_tail_is_state(tail, echo_block_arg(tail->roll.body, i)))
      continue;
    next[i] = echo_tail_find_state(tail, &shift, i);
    any |= next[i] != NULL && next[i] != tail->carried[i].now &&
           echo_value_def_or_null(next[i]) != loop;
  }
  for (uint32_t i = 0; i < loop->n_operands && holds && any; ++i)
    if (tail->carried[i].update == NULL)
      tail->carried[i].now = next[i];
  *n_pairs = shift.n_left;
  echo_shift_destroy(&shift);
  echo_free(next);
  return holds && any;
}

/* ---- whether nothing is left of what stood there ---- */

/* What the longer loop makes, in the place of other values. */
static void find_replaced(const EchoTail *tail, EchoMap *replaced)
{
  for (uint32_t i = 0; i < tail->roll.loop->n_operands; ++i) {
    const EchoTailCarried *carried = &tail->carried[i];
    if (carried->update != NULL) {
      echo_map_set(replaced, echo_key(echo_op_result(tail->roll.loop, i)), 1);
      if (carried->concatenation != NULL)
        echo_map_set(replaced, echo_key(echo_op_result(carried->concatenation, 0)), 1);
    } else if (carried->now != NULL) {
      echo_map_set(replaced, echo_key(carried->now), 1);
    }
    if (echo_tail_is_handed_on(tail, echo_block_arg(tail->roll.body, i)))
      echo_map_set(replaced, echo_key(echo_op_result(tail->roll.loop, i)), 1);
  }
}

/* Without those values nobody asks for what the loop made. O(ops of the block). */
static bool is_rest_dead(const EchoTail *tail)
{
  EchoMap replaced = {0}, seen = {0};
  Values left = {0};
  bool is_dead = true;
  find_replaced(tail, &replaced);
  for (EchoOp *op = tail->outer->first; op != NULL; op = op->next)
    if (op == tail->outer->last || !echo_op_is_pure(op))
      for (EchoOp *inside = op; inside != NULL; inside = echo_op_walk_next(op, inside))
        for (size_t i = 0; i < inside->n_operands; ++i)
          echo_vector_push(&left, echo_op_operand(inside, i));
  while (left.size != 0 && is_dead) {
    EchoValue *value = echo_vector_pop(&left);
    EchoOp *op = echo_value_def_or_null(value);
    if (op == NULL || op->block != tail->outer || echo_map_has(&replaced, echo_key(value)))
      continue;
    is_dead = op != tail->roll.loop;
    if (!is_dead || !echo_map_insert(&seen, echo_key(op), 1))
      continue;
    for (EchoOp *inside = op; inside != NULL; inside = echo_op_walk_next(op, inside))
      for (size_t i = 0; i < inside->n_operands; ++i)
        echo_vector_push(&left, echo_op_operand(inside, i));
  }
  echo_map_destroy(&replaced);
  echo_map_destroy(&seen);
  echo_vector_destroy(&left);
  return is_dead;
}

static EchoOp *go_on(EchoOp *loop, size_t *n)
{
  EchoTail tail = {.roll = {.loop = loop, .body = echo_op_body(loop, 1), .n_copies = 1},
                   .outer = loop->block};
  uint64_t n_pairs = ECHO_ROLL_MAX_PAIRS;
  if (!echo_hlo_counted_loop(loop, &tail.roll.counted) || tail.roll.counted.n_trips < 1 ||
      tail.roll.counted.n_trips > ECHO_LOOP_MAX_TRIPS || !echo_op_is_pure(loop))
    return loop;
  tail.carried = echo_alloc_zero(loop->n_operands + 1u, sizeof *tail.carried);
  if (find_carried(&tail)) {
    for (uint32_t i = 0; i < loop->n_operands; ++i)
      if (echo_tail_is_state(&tail, echo_block_arg(tail.roll.body, i)))
        echo_tail_find_path(&tail, i);
    while (find_iteration(&tail, &n_pairs))
      ++tail.n_more;
    *n += tail.n_more != 0 && echo_tail_can_extend(&tail) && is_rest_dead(&tail) &&
          echo_tail_write(&tail);
  }
  for (uint32_t i = 0; i < loop->n_operands; ++i)
    echo_vector_destroy(&tail.carried[i].path);
  echo_free(tail.carried);
  echo_map_destroy(&tail.roll.lines);
  echo_vector_destroy(&tail.roll.known);
  return loop;
}

size_t echo_loop_roll_tails(EchoOp *function)
{
  return echo_loop_change_all(function, go_on);
}
