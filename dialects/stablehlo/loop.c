/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/stablehlo/loop.h"

#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"

#define MAX_INDEX_DEPTH 64 /* of index arithmetic: importers write less than eight ops */

/* Value of an integer scalar constant. */
static bool constant_of(const EchoValue *value, int64_t *number)
{
  const EchoAttr *attr = echo_value_constant_or_null(value);
  if (attr == NULL || attr->kind != ECHO_ATTR_DENSE_ELEMENTS ||
      echo_type_element(attr->type)->kind != ECHO_TYPE_INTEGER || !attr->as.elements.is_splat)
    return false;
  *number = echo_elements_i64(attr, 0);
  return true;
}

/* `value` = argument `number` of `block` plus (or minus) a constant. */
static bool increment_of(const EchoValue *value, const EchoValue *argument, int64_t *step)
{
  const EchoOp *op = echo_value_def_or_null(value);
  if (op == NULL || op->n_operands != 2)
    return false;
  const EchoValue *lhs = echo_op_operand(op, 0), *rhs = echo_op_operand(op, 1);
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  if (opcode == ECHO_HLO_ADD && rhs == argument)
    return constant_of(lhs, step);
  if (lhs != argument || !constant_of(rhs, step))
    return false;
  if (opcode == ECHO_HLO_SUBTRACT)
    *step = -*step;
  return opcode == ECHO_HLO_ADD || opcode == ECHO_HLO_SUBTRACT;
}

/* Iterations of: for (i = start; i DIRECTION limit; i += step). False when it would not end. */
static bool count_trips(EchoCompareDirection direction, int64_t start, int64_t limit, int64_t step,
                        int64_t *n_trips)
{
  bool inclusive = direction == ECHO_COMPARE_LE || direction == ECHO_COMPARE_GE;
  bool upward = direction == ECHO_COMPARE_LT || direction == ECHO_COMPARE_LE;
  if (direction == ECHO_COMPARE_EQ || step == 0 ||
      (direction != ECHO_COMPARE_NE && upward != (step > 0)))
    return false;
  int64_t distance;
  if (__builtin_sub_overflow(limit, start, &distance) || distance > INT64_MAX / 4 ||
      distance < -(INT64_MAX / 4) || step > INT64_MAX / 4 || step < -(INT64_MAX / 4))
    return false;
  if (direction == ECHO_COMPARE_NE) {
    *n_trips = distance / step;
    return distance % step == 0 && *n_trips >= 0;
  }
  if (step < 0) {
    distance = -distance;
    step = -step;
  }
  distance += inclusive;
  *n_trips = distance <= 0 ? 0 : (distance + step - 1) / step;
  return true;
}

bool echo_hlo_counted_loop(const EchoOp *loop, EchoCountedLoop *counted)
{
  if (loop == NULL || counted == NULL || echo_hlo_opcode(loop) != ECHO_HLO_WHILE)
    return false;
  const EchoBlock *cond = loop->regions[0].first, *body = loop->regions[1].first;
  const EchoOp *compare = echo_value_def_or_null(echo_op_operand(cond->last, 0));
  if (compare == NULL || echo_hlo_opcode(compare) != ECHO_HLO_COMPARE)
    return false;
  const EchoValue *argument = echo_op_operand(compare, 0);
  int64_t limit;
  if (!argument->is_block_arg || echo_value_block(argument) != cond ||
      !constant_of(echo_op_operand(compare, 1), &limit))
    return false;
  counted->counter = argument->index;
  return constant_of(echo_op_operand(loop, argument->index), &counted->start) &&
         increment_of(echo_op_operand(body->last, argument->index),
                      echo_block_arg(body, argument->index), &counted->step) &&
         count_trips(echo_stablehlo_compare_direction(compare), counted->start, limit,
                     counted->step, &counted->n_trips);
}

/* ---- indices ---- */

static bool compare_holds(EchoCompareDirection direction, int64_t a, int64_t b)
{
  switch (direction) {
  case ECHO_COMPARE_EQ:
    return a == b;
  case ECHO_COMPARE_NE:
    return a != b;
  case ECHO_COMPARE_GE:
    return a >= b;
  case ECHO_COMPARE_GT:
    return a > b;
  case ECHO_COMPARE_LE:
    return a <= b;
  case ECHO_COMPARE_LT:
    return a < b;
  }
  return false;
}

/* An integer scalar of a loop's body when its counter is `count`. Recursion is bounded by
 * MAX_INDEX_DEPTH. */
static bool index_at(const EchoValue *value, const EchoValue *counter, int64_t count, int depth,
                     int64_t *index)
{
  if (value == counter) {
    *index = count;
    return true;
  }
  const EchoOp *op = echo_value_def_or_null(value);
  if (op == NULL || depth == 0)
    return false;
  const EchoAttr *constant = echo_value_constant_or_null(value);
  if (constant != NULL) {
    *index = echo_elements_i64(constant, 0);
    return true;
  }
  int64_t in[3];
  if (op->n_operands == 0 || op->n_operands > 3 || op->n_regions != 0)
    return false;
  for (size_t i = 0; i < op->n_operands; ++i)
    if (!index_at(echo_op_operand(op, i), counter, count, depth - 1, &in[i]))
      return false;
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_ADD:
    return !__builtin_add_overflow(in[0], in[1], index);
  case ECHO_HLO_SUBTRACT:
    return !__builtin_sub_overflow(in[0], in[1], index);
  case ECHO_HLO_SELECT:
    *index = in[0] != 0 ? in[1] : in[2];
    return true;
  case ECHO_HLO_COMPARE:
    *index = compare_holds(echo_stablehlo_compare_direction(op), in[0], in[1]);
    return true;
  case ECHO_HLO_CONVERT:
  case ECHO_HLO_RESHAPE:
    *index = in[0];
    return true;
  default:
    return false;
  }
}

bool echo_hlo_index_at(const EchoValue *value, const EchoValue *counter, int64_t count,
                       int64_t *index)
{
  return index_at(value, counter, count, MAX_INDEX_DEPTH, index);
}

bool echo_hlo_is_whole_slice(const EchoOp *op, size_t first, const EchoType *stack,
                             const EchoType *slice)
{
  if (echo_type_rank(stack) == 0 || echo_type_rank(slice) != echo_type_rank(stack) ||
      echo_type_dim(slice, 0) != 1)
    return false;
  for (size_t d = 1; d < echo_type_rank(stack); ++d) {
    int64_t start;
    if (echo_type_dim(slice, d) != echo_type_dim(stack, d) ||
        !index_at(echo_op_operand(op, first + d), NULL, 0, 1, &start) || start != 0)
      return false;
  }
  return true;
}
