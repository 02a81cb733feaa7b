/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of arrays that a loop reads, where they come from, and what is the same in an iteration of
 * the loop and in one behind it. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/roll_tail_t.h"
#include "planning/loops/slices.h"

#include <string.h>

/* Row `row` of an array. */
typedef struct Row {
  EchoValue *array;
  int64_t row;
} Row;

/* ---- rows ---- */

bool echo_tail_takes_rows(const EchoOp *op, int64_t *start)
{
  if (op == NULL || echo_hlo_opcode(op) != ECHO_HLO_SLICE)
    return false;
  EchoDimList starts = echo_stablehlo_dims(op, "start_indices");
  EchoDimList strides = echo_stablehlo_dims(op, "strides");
  const EchoType *from = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  bool holds = starts.size != 0 && (strides.size == 0 || strides.dims[0] == 1);
  for (size_t d = 1; d < starts.size && holds; ++d)
    holds = echo_type_dim(from, d) == echo_type_dim(to, d);
  *start = holds ? starts.dims[0] : 0;
  return holds;
}

/* Where the row comes from. One that a slice would have if it were longer is a row, too; false
 * where there is none. */
static bool find_source(Row *row)
{
  for (;;) {
    const EchoOp *op = echo_value_def_or_null(row->array);
    int64_t start;
    if (echo_tail_takes_rows(op, &start)) {
      *row = (Row){echo_op_operand(op, 0), row->row + start};
      continue;
    }
    if (row->row < 0 || row->row >= echo_type_dim(row->array->type, 0))
      return false;
    if (op == NULL || echo_hlo_opcode(op) != ECHO_HLO_CONCATENATE ||
        echo_op_attr_i64(op, "dimension", -1) != 0)
      return true;
    size_t i = 0;
    for (; row->row >= echo_type_dim(echo_op_operand_type(op, i), 0); ++i)
      row->row -= echo_type_dim(echo_op_operand_type(op, i), 0);
    row->array = echo_op_operand(op, i);
  }
}

bool echo_tail_reads_row(EchoTail *tail, const EchoValue *value, EchoValue **array,
                         EchoRollLine *line)
{
  const EchoOp *op = echo_value_def_or_null(value);
  if (op == NULL || op->block != tail->roll.body || echo_hlo_opcode(op) != ECHO_HLO_DYNAMIC_SLICE ||
      !echo_loop_is_whole_slice(op, 1, echo_op_operand_type(op, 0), value->type))
    return false;
  *array = echo_op_operand(op, 0);
  *line = echo_roll_line(&tail->roll, echo_op_operand(op, 1));
  if (!line->is_line)
    return false;
  if (echo_tail_is_outside(tail, *array))
    return true;
  if (echo_value_block(*array) != tail->roll.body || !(*array)->is_block_arg)
    return false;
  const EchoTailCarried *carried = &tail->carried[(*array)->index];
  return echo_tail_is_handed_on(tail, *array) ||
         (carried->update != NULL && carried->line.start == line->start &&
          carried->line.slope == line->slope);
}

bool echo_tail_is_full(const EchoTail *tail, const EchoType *type, const EchoRollLine *line)
{
  int64_t n = tail->roll.counted.n_trips;
  return line->is_line && echo_type_dim(type, 0) == n &&
         ((line->slope == 1 && line->start == 0) || (line->slope == -1 && line->start == n - 1));
}

/* ---- leaves ---- */

/* The dimensions that are not 1, in order. */
static size_t wide_dims(const EchoType *type, int64_t *dims)
{
  size_t n = 0;
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    if (echo_type_dim(type, d) != 1)
      dims[n++] = echo_type_dim(type, d);
  return n;
}

/* A broadcast as what is broadcast, without dimensions of 1 that a reshape added, and which
 * dimension of the result each of its others is. False for what is none. */
static bool find_broadcast(const EchoValue *value, const EchoValue **source, int64_t *places,
                           size_t *n)
{
  const EchoOp *op = echo_value_def_or_null(value);
  if (op == NULL || echo_hlo_opcode(op) != ECHO_HLO_BROADCAST_IN_DIM)
    return false;
  EchoDimList dims = echo_stablehlo_dims(op, "broadcast_dimensions");
  *source = echo_op_operand(op, 0);
  *n = 0;
  for (size_t d = 0; d < dims.size; ++d)
    if (echo_type_dim((*source)->type, d) != 1)
      places[(*n)++] = dims.dims[d];
  for (const EchoOp *made = echo_value_def_or_null(*source);
       made != NULL && echo_hlo_opcode(made) == ECHO_HLO_RESHAPE;
       made = echo_value_def_or_null(*source)) {
    int64_t from[ECHO_MAX_RANK], to[ECHO_MAX_RANK];
    size_t n_wide = wide_dims(echo_op_operand_type(made, 0), from);
    if (n_wide != wide_dims((*source)->type, to) || memcmp(from, to, n_wide * sizeof *from) != 0)
      break;
    *source = echo_op_operand(made, 0);
  }
  return true;
}

/* Of one value from outside: in front of a loop and in it they are simplified in different ways. */
static bool is_same_broadcast(const EchoTail *tail, const EchoValue *a, const EchoValue *b)
{
  const EchoValue *from, *to;
  int64_t places[ECHO_MAX_RANK], others[ECHO_MAX_RANK];
  size_t n, n_others;
  return a->type == b->type && find_broadcast(a, &from, places, &n) &&
         find_broadcast(b, &to, others, &n_others) && from == to &&
         echo_tail_is_outside(tail, from) && n == n_others &&
         memcmp(places, others, n * sizeof *places) == 0;
}

static EchoShiftLeaf holds_if(bool holds)
{
  return holds ? ECHO_SHIFT_HOLDS : ECHO_SHIFT_FAILS;
}

/* In the iteration behind those found so far. */
static int64_t at_next(const EchoTail *tail, const EchoRollLine *line)
{
  return line->start + line->slope * (tail->roll.counted.n_trips + tail->n_more);
}

static bool is_same_row(EchoTail *tail, EchoValue *array, const EchoRollLine *line, EchoValue *to)
{
  Row from = {echo_tail_outside_of(tail, array), at_next(tail, line)}, other = {to, 0};
  return echo_type_dim(to->type, 0) == 1 && find_source(&from) && find_source(&other) &&
         from.array == other.array && from.row == other.row;
}

EchoShiftLeaf echo_tail_leaf(void *user, EchoValue *from, EchoValue *to)
{
  EchoTail *tail = user;
  const EchoAttr *constant = echo_value_constant_or_null(from);
  EchoValue *array;
  if (constant != NULL)
    return holds_if(echo_value_constant_or_null(to) == constant);
  if (echo_tail_is_outside(tail, from))
    return holds_if(from == to);
  if (echo_value_block(from) != tail->roll.body)
    return echo_value_block(to) != tail->outer ? ECHO_SHIFT_LOOK_INSIDE : ECHO_SHIFT_FAILS;
  if (!echo_tail_is_outside(tail, to))
    return ECHO_SHIFT_FAILS;
  EchoRollLine line = echo_roll_line(&tail->roll, from);
  int64_t number;
  if (line.is_line)
    return holds_if(echo_loop_index_at(to, NULL, 0, &number) && number == at_next(tail, &line));
  if (from->is_block_arg && echo_tail_is_handed_on(tail, from))
    return holds_if(to == echo_op_operand(tail->roll.loop, from->index));
  if (from->is_block_arg)
    return holds_if(tail->carried[from->index].update == NULL &&
                    to == tail->carried[from->index].now);
  if (echo_tail_reads_row(tail, from, &array, &line))
    return holds_if(is_same_row(tail, array, &line, to));
  if (is_same_broadcast(tail, from, to))
    return ECHO_SHIFT_HOLDS;
  return ECHO_SHIFT_LOOK_INSIDE;
}
