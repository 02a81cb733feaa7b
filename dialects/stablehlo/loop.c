/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/stablehlo/loop.h"

#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"

bool echo_hlo_number_fits(const EchoType *type, int64_t number)
{
  const EchoType *element = type != NULL ? echo_type_element(type) : NULL;
  if (element == NULL || element->kind != ECHO_TYPE_INTEGER)
    return false;
  uint32_t width = element->as.integer.width;
  bool is_unsigned = element->as.integer.signedness == ECHO_UNSIGNED;
  if (width == 1)
    return number == 0 || number == 1;
  if (is_unsigned)
    return number >= 0 && (width >= 63 || number < INT64_C(1) << width);
  return width >= 64 ||
         (number >= -(INT64_C(1) << (width - 1)) && number < INT64_C(1) << (width - 1));
}

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

/* What one op adds to `*value`, or takes from it, as a constant: that of what it was. */
static bool undo_increment(const EchoValue **value, int64_t *step)
{
  const EchoOp *op = echo_value_def_or_null(*value);
  int64_t number;
  if (op == NULL || op->n_operands != 2)
    return false;
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  size_t side = opcode == ECHO_HLO_ADD && constant_of(echo_op_operand(op, 0), &number) ? 0 : 1;
  if ((opcode != ECHO_HLO_ADD && opcode != ECHO_HLO_SUBTRACT) ||
      !constant_of(echo_op_operand(op, side), &number))
    return false;
  *value = echo_op_operand(op, 1 - side);
  return opcode == ECHO_HLO_ADD ? !__builtin_add_overflow(*step, number, step)
                                : !__builtin_sub_overflow(*step, number, step);
}

#define MAX_INCREMENTS 4096 /* copies of a body that count on by themselves */

/* `value` = `argument` plus (or minus) constants. */
static bool increment_of(const EchoValue *value, const EchoValue *argument, int64_t *step)
{
  *step = 0;
  for (int n = 0; value != argument; ++n)
    if (n == MAX_INCREMENTS || !undo_increment(&value, step))
      return false;
  return true;
}

/* Of b and a what holds of a and b. */
static EchoCompareDirection mirrored(EchoCompareDirection direction)
{
  switch (direction) {
  case ECHO_COMPARE_GE:
    return ECHO_COMPARE_LE;
  case ECHO_COMPARE_GT:
    return ECHO_COMPARE_LT;
  case ECHO_COMPARE_LE:
    return ECHO_COMPARE_GE;
  case ECHO_COMPARE_LT:
    return ECHO_COMPARE_GT;
  case ECHO_COMPARE_EQ:
  case ECHO_COMPARE_NE:
    return direction;
  }
  return direction;
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
  EchoCompareDirection direction = echo_stablehlo_compare_direction(compare);
  size_t side = echo_op_operand(compare, 0)->is_block_arg ? 0 : 1;
  const EchoValue *argument = echo_op_operand(compare, side);
  int64_t limit, last;
  if (!argument->is_block_arg || echo_value_block(argument) != cond ||
      !constant_of(echo_op_operand(compare, 1 - side), &limit))
    return false;
  counted->counter = argument->index;
  return constant_of(echo_op_operand(loop, argument->index), &counted->start) &&
         increment_of(echo_op_operand(body->last, argument->index),
                      echo_block_arg(body, argument->index), &counted->step) &&
         count_trips(side == 0 ? direction : mirrored(direction), counted->start, limit,
                     counted->step, &counted->n_trips) &&
         !__builtin_mul_overflow(counted->n_trips, counted->step, &last) &&
         !__builtin_add_overflow(counted->start, last, &last) &&
         echo_hlo_number_fits(argument->type, last);
}
