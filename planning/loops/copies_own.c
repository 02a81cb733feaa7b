/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What one copy alone reads, though it is made of nothing of that copy: a key folded with the
 * copy's number, a weight of the copy's own. It belongs to the copy that reads it as far down as
 * the copies make it in the same way; below, each iteration takes its own. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/copies_t.h"
#include "planning/loops/shift_t.h"

#define NOBODY 0
#define SEVERAL ECHO_COPIES_SEVERAL

typedef struct Reader {
  EchoCopies *copies;
  EchoMap *copy_of; /* op -> its copy + 1, SEVERAL; none: the same for all */
  uint64_t found;
} Reader;

/* ---- whose a value is ---- */

static bool see_copy(void *user, EchoValue *value)
{
  Reader *reader = user;
  uint64_t place, copy = NOBODY;
  const EchoOp *op = echo_value_def_or_null(value);
  if (echo_map_get(&reader->copies->places, echo_key(value), &place))
    copy = (place & UINT32_MAX) + 1;
  else if (op != NULL)
    copy = echo_map_get_or(reader->copy_of, echo_key(op), NOBODY);
  if (copy != NOBODY)
    reader->found = reader->found == NOBODY || reader->found == copy ? copy : SEVERAL;
  return true;
}

static uint64_t owner_by_uses(const EchoCopies *copies, const EchoMap *copy_of, const EchoOp *op)
{
  uint64_t owner = NOBODY;
  for (uint32_t i = 0; i < op->n_results; ++i)
    for (const EchoUse *use = echo_op_result(op, i)->first_use; use != NULL; use = use->next) {
      const EchoOp *reader = echo_op_ancestor_in_block(use->owner, copies->block);
      uint64_t copy = echo_map_get_or(copy_of, echo_key(reader), NOBODY);
      if (copy == NOBODY)
        copy = echo_map_get_or(&copies->owners, echo_key(reader), NOBODY);
      if (copy == NOBODY || copy == SEVERAL || (owner != NOBODY && owner != copy))
        return NOBODY;
      owner = copy;
    }
  return owner;
}

void echo_copies_find_owners(EchoCopies *copies, const EchoMap *begins)
{
  EchoMap copy_of = {0};
  Reader reader = {.copies = copies, .copy_of = &copy_of};
  for (size_t i = 0; i < copies->order.size; ++i) {
    EchoOp *op = copies->order.data[i];
    uint64_t begun;
    reader.found = NOBODY;
    if (echo_map_get(begins, echo_key(op), &begun))
      reader.found = begun;
    else
      echo_dataflow_for_operands(op, see_copy, &reader);
    if (reader.found != NOBODY)
      echo_map_set(&copy_of, echo_key(op), reader.found);
  }
  for (size_t i = copies->order.size; i-- > 0;) {
    const EchoOp *op = copies->order.data[i];
    if (echo_map_has(&copy_of, echo_key(op)) || !echo_op_is_pure(op))
      continue;
    uint64_t owner = owner_by_uses(copies, &copy_of, op);
    if (owner != NOBODY)
      echo_map_set(&copies->owners, echo_key(op), owner);
  }
  echo_map_destroy(&copy_of);
}

bool echo_copies_is_own(const EchoCopies *copies, const EchoValue *value)
{
  const EchoOp *op = echo_value_def_or_null(value);
  return op != NULL && echo_copies_is_outside(copies, value) && echo_copies_may_pick(value->type) &&
         echo_map_has(&copies->owners, echo_key(op));
}

/* ---- what copies make in the same way ---- */

typedef struct Joiner {
  EchoCopies *copies;
  ECHO_VECTOR(uint32_t) left; /* rows */
  EchoShift shift;
  const EchoOp *from, *to;
  uint32_t row;
} Joiner;

static bool is_same(const EchoValue *a, const EchoValue *b)
{
  const EchoAttr *constant = echo_value_constant_or_null(a);
  return a == b || (constant != NULL && constant == echo_value_constant_or_null(b));
}

bool echo_copies_are_operands(const EchoOp *a, const EchoOp *b, const EchoValue *from,
                              const EchoValue *to)
{
  for (size_t i = 0; i < a->n_operands; ++i)
    if (echo_op_operand(a, i) == from && echo_op_operand(b, i) == to)
      return true;
  return false;
}

static EchoShiftLeaf leaf(void *user, EchoValue *from, EchoValue *to)
{
  const Joiner *joiner = user;
  if (echo_value_def_or_null(from) == joiner->from ||
      echo_op_is_ancestor(joiner->from, echo_block_parent(echo_value_block(from))))
    return ECHO_SHIFT_LOOK_INSIDE;
  return is_same(from, to) || echo_copies_are_operands(joiner->from, joiner->to, from, to)
             ? ECHO_SHIFT_HOLDS
             : ECHO_SHIFT_FAILS;
}

/* Whether the copies' values come from ops of their own that are alike. */
static bool are_alike(Joiner *joiner, EchoValue *const *values)
{
  const EchoCopies *copies = joiner->copies;
  const EchoValue *first = values[0];
  bool holds = true;
  for (int64_t c = 0; c < copies->n_copies && holds; ++c) {
    const EchoOp *op = echo_value_def_or_null(values[c]);
    holds = echo_copies_is_own(copies, values[c]) && values[c]->index == first->index &&
            echo_map_get_or(&copies->owners, echo_key(op), NOBODY) == (uint64_t)c + 1;
    if (!holds || c == 0)
      continue;
    joiner->from = echo_value_def_or_null(first);
    joiner->to = op;
    holds =
        echo_shift_match(&joiner->shift, echo_op_result(joiner->from, 0), echo_op_result(op, 0));
    echo_shift_undo(&joiner->shift, 0);
  }
  return holds;
}

static void join(Joiner *joiner, EchoValue *const *values)
{
  EchoCopies *copies = joiner->copies;
  uint32_t row = (uint32_t)copies->rows.size;
  EchoCopiesRow made = {.ops = echo_alloc_zero((size_t)copies->n_copies, sizeof(EchoOp *)),
                        .joined = echo_copies_joined(copies, joiner->row),
                        .is_whole = true};
  for (int64_t c = 0; c < copies->n_copies; ++c) {
    made.ops[c] = echo_value_def_or_null(values[c]);
    for (uint32_t i = 0; i < made.ops[c]->n_results; ++i)
      echo_map_set(&copies->places, echo_key(echo_op_result(made.ops[c], i)),
                   (uint64_t)row << 32 | (uint64_t)c);
  }
  echo_vector_push(&copies->rows, made);
  echo_vector_push(&joiner->left, row);
}

/* Of the first copy, which reads it in the place of `value`, so that it is known which operand is
 * meant. */
static EchoOp *stand_in(const EchoCopies *copies, EchoOp *first, EchoValue *value)
{
  EchoBuilder builder = echo_builder_before(echo_op_ancestor_in_block(first, copies->block));
  return echo_hlo_optimization_barrier(&builder, &value, 1);
}

static void take_own(EchoCopies *copies, EchoOp *at, size_t k, EchoValue *const *values)
{
  EchoCopiesPick pick = {.values = echo_alloc_array((size_t)copies->n_copies, sizeof(EchoValue *))};
  for (int64_t c = 0; c < copies->n_copies; ++c)
    pick.values[c] = values[c];
  pick.stand_in = stand_in(copies, at, values[0]);
  echo_op_set_operand(at, k, echo_op_result(pick.stand_in, 0));
  echo_vector_push(&copies->picks, pick);
}

/* The state that begins with values[0] and goes on with those of `row`. */
static void take_state(EchoCopies *copies, EchoOp *at, size_t k, EchoValue *const *values,
                       uint32_t row)
{
  uint64_t key = (uint64_t)row << 32 | values[1]->index;
  uint32_t first = (uint32_t)echo_map_get_or(&copies->state_of, key, 0), i = first;
  while (i != 0 && copies->states.data[i - 1].init != values[0])
    i = copies->states.data[i - 1].next;
  if (i == 0) {
    EchoCopiesState made = {stand_in(copies, at, values[0]), values[0], row, values[1]->index,
                            first};
    echo_vector_push(&copies->states, made);
    i = (uint32_t)copies->states.size;
    echo_map_set(&copies->state_of, key, i);
  }
  echo_op_set_operand(at, k, echo_op_result(copies->states.data[i - 1].stand_in, 0));
}

static bool look_at(void *user, EchoOp *at, size_t k, EchoValue *const *values)
{
  Joiner *joiner = user;
  uint32_t row;
  EchoCopiesOperand operand = echo_copies_operand(joiner->copies, values, &row);
  if (operand == ECHO_COPIES_STATE)
    take_state(joiner->copies, at, k, values, row);
  else if (operand == ECHO_COPIES_PICK && are_alike(joiner, values))
    join(joiner, values);
  else if (operand == ECHO_COPIES_PICK || operand == ECHO_COPIES_MIXED) /* joined elsewhere */
    take_own(joiner->copies, at, k, values);
  return true;
}

void echo_copies_join_own(EchoCopies *copies, uint32_t joined)
{
  Joiner joiner = {.copies = copies};
  echo_shift_create(&joiner.shift, UINT64_MAX, leaf, &joiner);
  for (uint32_t i = (uint32_t)copies->rows.size; i-- > 0;) {
    const EchoCopiesRow *row = &copies->rows.data[i];
    if (row->is_whole && !row->is_slice && row->arguments == NULL &&
        echo_copies_joined(copies, i) == joined)
      echo_vector_push(&joiner.left, i);
  }
  while (joiner.left.size != 0) {
    joiner.row = echo_vector_pop(&joiner.left);
    EchoCopiesRow row = copies->rows.data[joiner.row]; /* rows are added */
    echo_copies_for_row(copies, &row, look_at, &joiner);
  }
  echo_shift_destroy(&joiner.shift);
  echo_vector_destroy(&joiner.left);
}
