/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a loop's states are after one more iteration, written out behind it. An iteration makes a
 * state of others, along a path of ops; behind the loop the same path leads up from what those
 * others are there, so that only ops on such paths are compared. */
#include "planning/loops/copies_t.h"
#include "planning/loops/roll_tail_t.h"

#include <stdlib.h>

/* ---- the path in the body ---- */

typedef struct Search {
  EchoTail *tail;
  EchoTailOps ops; /* to be looked at, from `at` on */
  size_t at;
  EchoMap readers; /* op of the body -> the one that reads it */
  uint32_t begin;
} Search;

/* False at a state. */
static bool see(void *user, EchoValue *value)
{
  Search *search = user;
  EchoOp *op = echo_value_def_or_null(value);
  search->begin = value->index;
  if (echo_tail_is_state(search->tail, value))
    return false;
  if (op != NULL && op->block == search->tail->roll.body &&
      echo_map_insert(&search->readers, echo_key(op), echo_key(search->ops.data[search->at])))
    echo_vector_push(&search->ops, op);
  return true;
}

void echo_tail_find_path(EchoTail *tail, uint32_t i)
{
  EchoTailCarried *carried = &tail->carried[i];
  EchoOp *end = echo_value_def_or_null(echo_op_operand(tail->roll.body->last, i));
  Search search = {.tail = tail};
  if (end == NULL || end->block != tail->roll.body)
    return;
  echo_map_set(&search.readers, echo_key(end), 0);
  echo_vector_push(&search.ops, end);
  while (search.at < search.ops.size &&
         echo_dataflow_for_operands(search.ops.data[search.at], see, &search))
    ++search.at;
  for (EchoOp *op = search.at < search.ops.size ? search.ops.data[search.at] : NULL; op != NULL;
       op = (EchoOp *)(uintptr_t)echo_map_get_or(&search.readers, echo_key(op), 0))
    echo_vector_push(&carried->path, op);
  carried->begin = search.begin;
  echo_map_destroy(&search.readers);
  echo_vector_destroy(&search.ops);
}

/* ---- the same behind the loop ---- */

/* Ops such as `step` that read `value`. */
static void add_readers(const EchoTail *tail, const EchoValue *value, const EchoOp *step,
                        EchoMap *seen, EchoTailOps *readers)
{
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
    EchoOp *op = echo_op_ancestor_in_block(use->owner, tail->outer);
    if (op != NULL && op->info == step->info && echo_map_insert(seen, echo_key(op), 1))
      echo_vector_push(readers, op);
  }
}

/* In the place of the ops of one step of a path, those of the next one. */
static void climb(const EchoTail *tail, const EchoOp *step, EchoTailOps *ops)
{
  EchoTailOps readers = {0};
  EchoMap seen = {0};
  for (size_t i = 0; i < ops->size; ++i)
    for (uint32_t r = 0; r < ops->data[i]->n_results; ++r)
      add_readers(tail, echo_op_result(ops->data[i], r), step, &seen, &readers);
  echo_map_destroy(&seen);
  echo_vector_destroy(ops);
  *ops = readers;
}

static int compare(const void *a, const void *b)
{
  EchoOp *const *x = a, *const *y = b;
  return *x == *y ? 0 : echo_op_is_before(*x, *y) ? -1 : 1;
}

/* What may make state `i`, as it stands in the block. */
static void find_candidates(const EchoTail *tail, uint32_t i, EchoTailOps *ops)
{
  const EchoTailCarried *carried = &tail->carried[i];
  const EchoValue *now = tail->carried[carried->begin].now;
  const EchoOp *end = echo_value_def_or_null(echo_op_operand(tail->roll.body->last, i));
  EchoMap seen = {0};
  for (EchoOp *op = tail->roll.loop->next; carried->path.size == 0 && op != NULL; op = op->next)
    if (op->info == end->info)
      echo_vector_push(ops, op);
  if (carried->path.size != 0 && now != NULL)
    add_readers(tail, now, carried->path.data[0], &seen, ops);
  echo_map_destroy(&seen);
  for (size_t k = 1; k < carried->path.size; ++k)
    climb(tail, carried->path.data[k], ops);
  if (ops->size > 1)
    qsort(ops->data, ops->size, sizeof *ops->data, compare);
}

EchoValue *echo_tail_find_state(EchoTail *tail, EchoShift *shift, uint32_t i)
{
  EchoValue *last = echo_op_operand(tail->roll.body->last, i);
  EchoValue *found = echo_shift_next_or_null(shift, last);
  if (found != NULL || echo_tail_is_outside(tail, last))
    return found;
  if (last->is_block_arg)
    return tail->carried[last->index].now;
  EchoTailOps ops = {0};
  find_candidates(tail, i, &ops);
  for (size_t k = 0; k < ops.size && found == NULL; ++k)
    if (ops.data[k]->n_results > last->index &&
        echo_shift_match(shift, last, echo_op_result(ops.data[k], last->index)))
      found = echo_op_result(ops.data[k], last->index);
  echo_vector_destroy(&ops);
  return found;
}
