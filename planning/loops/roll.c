/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the copies of a loop's body are.
 * Known are pairs, one copy and the next: of a stack, the rows of the block that is written. What a
 * state ends with is the same of the last copy; the same of the one before it is looked for among
 * the ops of that row. All else follows from operands (shift_t.h), and in the end each state has to
 * come, k copies after it began, to what the body hands on. */
#include "planning/loops/roll.h"

#include "dialects/stablehlo/opcode.h"
#include "planning/loops/change.h"
#include "planning/loops/roll_t.h"
#include "planning/loops/slices.h"

#include <stdlib.h>

/* ---- leaves ---- */

static bool is_inside(const EchoRoll *roll, const EchoValue *value)
{
  return echo_op_is_ancestor(roll->loop, echo_block_parent(echo_value_block(value)));
}

static bool is_invariant(const EchoRoll *roll, const EchoValue *value)
{
  return !is_inside(roll, value) || echo_map_has(&roll->invariant, echo_key(value));
}

static bool is_same_constant(const EchoValue *a, const EchoValue *b)
{
  const EchoAttr *constant = echo_value_constant_or_null(a);
  return constant != NULL && constant == echo_value_constant_or_null(b);
}

/* An index moves on by what a copy takes of an iteration. */
static EchoShiftLeaf shift_index(EchoRoll *roll, const EchoRollLine *from, const EchoValue *to)
{
  EchoRollLine line = echo_roll_line(roll, to);
  bool holds = line.is_line && line.slope == from->slope && from->slope % roll->n_copies == 0 &&
               line.start == from->start + from->slope / roll->n_copies;
  return holds ? ECHO_SHIFT_HOLDS : ECHO_SHIFT_FAILS;
}

static EchoShiftLeaf shift_row(EchoRoll *roll, const EchoRollRows *from, const EchoValue *to)
{
  EchoRollRows rows;
  bool holds = echo_roll_reads_row(roll, to, &rows) && rows.array == from->array &&
               rows.line.start == from->line.start && rows.line.slope == from->line.slope &&
               rows.row == from->row + from->line.slope;
  return holds ? ECHO_SHIFT_HOLDS : ECHO_SHIFT_FAILS;
}

static EchoShiftLeaf leaf(void *user, EchoValue *from, EchoValue *to)
{
  EchoRoll *roll = user;
  EchoRollRows rows;
  if (is_invariant(roll, from))
    return from == to || is_same_constant(from, to) ? ECHO_SHIFT_HOLDS : ECHO_SHIFT_FAILS;
  if (echo_value_block(from) != roll->body)
    return echo_value_block(to) != roll->body ? ECHO_SHIFT_LOOK_INSIDE : ECHO_SHIFT_FAILS;
  if (echo_value_block(to) != roll->body)
    return ECHO_SHIFT_FAILS;
  EchoRollLine line = echo_roll_line(roll, from);
  if (line.is_line)
    return shift_index(roll, &line, to);
  if (echo_roll_reads_row(roll, from, &rows))
    return shift_row(roll, &rows, to);
  if (!from->is_block_arg)
    return ECHO_SHIFT_LOOK_INSIDE;
  return roll->carried[from->index].kind == ECHO_ROLL_STATE ? ECHO_SHIFT_HOLDS : ECHO_SHIFT_FAILS;
}

/* ---- what the loop has ---- */

static bool reads_invariants_alone(const EchoRoll *roll, EchoOp *op)
{
  for (EchoOp *inside = op; inside != NULL; inside = echo_op_walk_next(op, inside))
    for (size_t i = 0; i < inside->n_operands; ++i) {
      const EchoValue *value = echo_op_operand(inside, i);
      if (!is_invariant(roll, value) &&
          !echo_op_is_ancestor(op, echo_block_parent(echo_value_block(value))))
        return false;
    }
  return true;
}

/* A block argument of an op inside is not the same in each of its iterations, but the op is. */
static void find_invariants(EchoRoll *roll)
{
  for (uint32_t i = 0; i < roll->loop->n_operands; ++i)
    if (roll->carried[i].kind == ECHO_ROLL_INVARIANT)
      echo_map_set(&roll->invariant, echo_key(echo_block_arg(roll->body, i)), 1);
  for (EchoOp *op = roll->body->first; op != roll->body->last; op = op->next)
    if (reads_invariants_alone(roll, op))
      for (uint32_t i = 0; i < op->n_results; ++i)
        echo_map_set(&roll->invariant, echo_key(echo_op_result(op, i)), 1);
}

static void classify(EchoRoll *roll)
{
  for (uint32_t i = 0; i < roll->loop->n_operands; ++i) {
    EchoRollCarried *carried = &roll->carried[i];
    const EchoValue *argument = echo_block_arg(roll->body, i);
    carried->kind = ECHO_ROLL_STATE;
    EchoRollLine line = echo_roll_line(roll, argument);
    EchoValue *block = echo_roll_written_block(roll, i, &carried->line);
    if (echo_op_operand(roll->body->last, i) == argument) {
      carried->kind = ECHO_ROLL_INVARIANT;
    } else if (line.is_line) {
      carried->kind = ECHO_ROLL_INDEX;
      carried->line = line;
    } else if (block != NULL) {
      carried->kind = ECHO_ROLL_STACK;
      carried->written = block;
    }
  }
}

/* ---- pairs ---- */

/* Of each stack, one row and the next. */
static bool match_stacks(EchoRoll *roll)
{
  EchoBuilder builder = echo_builder_before(roll->body->last);
  bool holds = true;
  for (uint32_t i = 0; i < roll->loop->n_operands && holds; ++i) {
    EchoRollCarried *carried = &roll->carried[i];
    if (carried->kind != ECHO_ROLL_STACK)
      continue;
    carried->rows = echo_alloc_array((size_t)roll->n_copies, sizeof(EchoValue *));
    builder.attrs = echo_value_def_or_null(echo_op_operand(roll->body->last, i))->attrs;
    for (int64_t copy = 0; copy < roll->n_copies; ++copy)
      carried->rows[copy] = echo_roll_row(roll, &builder, carried->written, 1,
                                          echo_roll_row_of_copy(roll, &carried->line, copy), 0);
    for (int64_t copy = 1; copy < roll->n_copies && holds; ++copy)
      holds = echo_shift_match(&roll->shift, carried->rows[copy - 1], carried->rows[copy]);
  }
  return holds;
}

/* From what a state ends with, one copy after the other, back to what the first one made of it;
 * `first` is what is taken for the last but one where that is not known; NULL: what is. */
static bool walk_back(EchoRoll *roll, uint32_t i, EchoValue *first)
{
  EchoValue *value = echo_op_operand(roll->body->last, i);
  if (first != NULL && !echo_shift_match(&roll->shift, first, value))
    return false;
  for (int64_t copy = 1; copy < roll->n_copies && value != NULL; ++copy)
    value = echo_shift_prior_or_null(&roll->shift, value);
  return value != NULL && echo_shift_match(&roll->shift, echo_block_arg(roll->body, i), value);
}

static bool match_state(EchoRoll *roll, uint32_t i)
{
  EchoValue *last = echo_op_operand(roll->body->last, i);
  if (echo_shift_prior_or_null(&roll->shift, last) != NULL)
    return walk_back(roll, i, NULL);
  const EchoOp *end = echo_value_def_or_null(last);
  if (end == NULL || end->block != roll->body)
    return false;
  for (EchoOp *op = roll->body->first; op != roll->body->last; op = op->next) {
    size_t size = roll->shift.trail.size;
    if (op == end || op->info != end->info || op->n_results <= last->index)
      continue;
    if (walk_back(roll, i, echo_op_result(op, last->index)))
      return true;
    echo_shift_undo(&roll->shift, size);
  }
  return false;
}

/* k copies after it began, each state is what the body hands on. */
static bool comes_round(const EchoRoll *roll, uint32_t i)
{
  const EchoValue *value = echo_block_arg(roll->body, i);
  for (int64_t copy = 0; copy < roll->n_copies && value != NULL; ++copy)
    value = echo_shift_next_or_null(&roll->shift, value);
  return value == echo_op_operand(roll->body->last, i);
}

static bool find_copies(EchoRoll *roll)
{
  classify(roll);
  find_invariants(roll);
  bool holds = match_stacks(roll), any = false;
  for (uint32_t i = 0; i < roll->loop->n_operands && holds; ++i)
    if (roll->carried[i].kind == ECHO_ROLL_STATE)
      holds = match_state(roll, i);
  for (uint32_t i = 0; i < roll->loop->n_operands && holds; ++i) {
    any |= roll->carried[i].kind == ECHO_ROLL_STATE || roll->carried[i].kind == ECHO_ROLL_STACK;
    holds = roll->carried[i].kind != ECHO_ROLL_STATE || comes_round(roll, i);
  }
  return holds && any;
}

/* ---- how many copies ---- */

typedef ECHO_VECTOR(int64_t) Numbers;

static int compare_down(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

/* What is put together of rows, what is read in blocks, what moves an index on. */
static void propose(EchoRoll *roll, const EchoOp *op, Numbers *numbers)
{
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  if (opcode == ECHO_HLO_CONCATENATE)
    echo_vector_push(numbers, op->n_operands);
  if (opcode == ECHO_HLO_DYNAMIC_SLICE && echo_type_rank(echo_op_result_type(op, 0)) > 1 &&
      echo_type_dim(echo_op_result_type(op, 0), 0) == 1)
    echo_vector_push(numbers, echo_type_dim(echo_op_result_type(op, 0), 1));
  for (size_t i = 0; i < op->n_operands; ++i) {
    const EchoValue *value = echo_op_operand(op, i);
    if (!echo_type_is_tensor(value->type) || echo_type_rank(value->type) != 0 ||
        echo_value_block(value) != roll->body)
      continue;
    EchoRollLine line = echo_roll_line(roll, value);
    if (line.is_line)
      echo_vector_push(numbers, llabs(line.slope));
  }
}

/* Each number once, from the most copies down; no more than there are ops. */
static void find_numbers(EchoRoll *roll, Numbers *numbers)
{
  int64_t n_ops = 0;
  for (const EchoOp *op = roll->body->first; op != NULL; op = op->next, ++n_ops)
    propose(roll, op, numbers);
  if (numbers->size != 0)
    qsort(numbers->data, numbers->size, sizeof *numbers->data, compare_down);
  size_t n = 0;
  for (size_t i = 0; i < numbers->size; ++i)
    if (numbers->data[i] > 1 && numbers->data[i] < n_ops &&
        (n == 0 || numbers->data[n - 1] != numbers->data[i]))
      numbers->data[n++] = numbers->data[i];
  numbers->size = n;
}

/* ---- one loop ---- */

static EchoOp *roll_by(EchoRoll *roll, int64_t n_copies, uint64_t *n_pairs)
{
  uint32_t n_carried = roll->loop->n_operands;
  roll->n_copies = n_copies;
  roll->carried = echo_alloc_zero(roll->loop->n_operands + 1u, sizeof *roll->carried);
  echo_shift_create(&roll->shift, *n_pairs, leaf, roll);
  EchoOp *made = find_copies(roll) ? echo_roll_write(roll) : NULL;
  *n_pairs = roll->shift.n_left;
  for (uint32_t i = 0; i < n_carried; ++i)
    echo_free(roll->carried[i].rows);
  echo_free(roll->carried);
  echo_shift_destroy(&roll->shift);
  echo_map_destroy(&roll->invariant);
  return made;
}

static EchoOp *roll_up(EchoOp *loop, size_t *n)
{
  EchoRoll roll = {.loop = loop, .body = echo_op_body(loop, 1)};
  Numbers numbers = {0};
  EchoOp *made = NULL;
  uint64_t n_pairs = ECHO_ROLL_MAX_PAIRS;
  if (!echo_hlo_counted_loop(loop, &roll.counted) || roll.counted.n_trips < 1 ||
      roll.counted.n_trips > ECHO_LOOP_MAX_TRIPS || !echo_op_is_pure(loop))
    return loop;
  find_numbers(&roll, &numbers);
  for (size_t i = 0; i < numbers.size && made == NULL; ++i)
    made = roll_by(&roll, numbers.data[i], &n_pairs);
  *n += made != NULL;
  echo_vector_destroy(&numbers);
  echo_map_destroy(&roll.lines);
  echo_vector_destroy(&roll.known);
  return made != NULL ? made : loop;
}

size_t echo_loop_roll(EchoOp *function)
{
  return echo_loop_change_all(function, roll_up);
}
