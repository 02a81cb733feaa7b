/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/loops/shift_t.h"

#include "ir/op.h"

typedef struct Pair {
  EchoValue *from, *to;
} Pair;

typedef ECHO_VECTOR(Pair) Pairs;

/* What says where an op came from, not what it computes. */
static const EchoStr IGNORED[] = {{"echo.phase", 10}};

void echo_shift_create(EchoShift *shift, uint64_t n_pairs, EchoShiftLeafFn *leaf, void *user)
{
  *shift = (EchoShift){.equivalence = {.ignored_attrs = IGNORED, .n_ignored_attrs = 1},
                       .leaf = leaf,
                       .user = user,
                       .n_left = n_pairs};
}

void echo_shift_destroy(EchoShift *shift)
{
  echo_map_destroy(&shift->next);
  echo_map_destroy(&shift->prior);
  echo_vector_destroy(&shift->trail);
  echo_equivalence_destroy(&shift->equivalence);
}

void echo_shift_undo(EchoShift *shift, size_t size)
{
  while (shift->trail.size > size) {
    const EchoValue *from = echo_vector_pop(&shift->trail);
    const EchoValue *to = echo_shift_next_or_null(shift, from);
    echo_map_erase(&shift->next, echo_key(from));
    if (echo_shift_prior_or_null(shift, to) == from)
      echo_map_erase(&shift->prior, echo_key(to));
  }
}

static void add(EchoShift *shift, EchoValue *from, EchoValue *to)
{
  echo_map_set_ptr(&shift->next, from, to);
  if (!echo_map_has(&shift->prior, echo_key(to)))
    echo_map_set_ptr(&shift->prior, to, from);
  echo_vector_push(&shift->trail, from);
}

/* The arguments of the regions are pairs; what the regions hand on has to be. */
static bool enter_regions(EchoShift *shift, const EchoOp *a, const EchoOp *b, Pairs *left)
{
  for (uint16_t r = 0; r < a->n_regions; ++r) {
    const EchoBlock *in_a = a->regions[r].first, *in_b = b->regions[r].first;
    if ((in_a == NULL) != (in_b == NULL))
      return false;
    if (in_a == NULL)
      continue;
    const EchoOp *end_a = in_a->last, *end_b = in_b->last;
    if (in_a->next != NULL || in_b->next != NULL || in_a->n_args != in_b->n_args || end_a == NULL ||
        end_b == NULL || end_a->n_regions != 0 ||
        !echo_op_rows_are_equal(&shift->equivalence, end_a, end_b))
      return false;
    for (uint32_t i = 0; i < in_a->n_args; ++i) {
      if (echo_block_arg(in_a, i)->type != echo_block_arg(in_b, i)->type)
        return false;
      add(shift, echo_block_arg(in_a, i), echo_block_arg(in_b, i));
    }
    for (uint32_t i = 0; i < end_a->n_operands; ++i)
      echo_vector_push(left, ((Pair){echo_op_operand(end_a, i), echo_op_operand(end_b, i)}));
  }
  return true;
}

static bool look_inside(EchoShift *shift, const Pair *pair, Pairs *left)
{
  const EchoOp *a = echo_value_def_or_null(pair->from), *b = echo_value_def_or_null(pair->to);
  if (a == NULL || b == NULL || pair->from->index != pair->to->index ||
      !echo_op_rows_are_equal(&shift->equivalence, a, b) || a->n_successors != 0 ||
      !echo_op_is_pure(a))
    return false;
  for (uint32_t i = 0; i < a->n_results; ++i) {
    if (echo_shift_next_or_null(shift, echo_op_result(a, i)) != NULL)
      return false; /* with another op: this result would have been found with it */
    add(shift, echo_op_result(a, i), echo_op_result(b, i));
  }
  for (uint32_t i = 0; i < a->n_operands; ++i)
    echo_vector_push(left, ((Pair){echo_op_operand(a, i), echo_op_operand(b, i)}));
  return enter_regions(shift, a, b, left);
}

static bool match_pair(EchoShift *shift, const Pair *pair, Pairs *left)
{
  const EchoValue *known = echo_shift_next_or_null(shift, pair->from);
  if (known != NULL)
    return known == pair->to;
  if (pair->from->type != pair->to->type || shift->n_left == 0)
    return false;
  --shift->n_left;
  switch (shift->leaf(shift->user, pair->from, pair->to)) {
  case ECHO_SHIFT_HOLDS:
    add(shift, pair->from, pair->to);
    return true;
  case ECHO_SHIFT_HOLDS_HERE:
    return true;
  case ECHO_SHIFT_LOOK_INSIDE:
    return look_inside(shift, pair, left);
  case ECHO_SHIFT_FAILS:
    return false;
  }
  return false;
}

bool echo_shift_match(EchoShift *shift, EchoValue *from, EchoValue *to)
{
  size_t size = shift->trail.size;
  Pairs left = {0};
  bool holds = true;
  echo_vector_push(&left, ((Pair){from, to}));
  while (left.size != 0 && holds) {
    Pair pair = echo_vector_pop(&left);
    holds = match_pair(shift, &pair, &left);
  }
  if (!holds)
    echo_shift_undo(shift, size);
  echo_vector_destroy(&left);
  return holds;
}
