/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an index is in an iteration: its arithmetic, done with 64 bits. A number that the type of a
 * value does not hold is given up: it would wrap around. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/slices.h"

#define MAX_INDEX_OPS 256 /* looked at: a floor division, clamped, is sixty */

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

static bool is_integer(const EchoValue *value)
{
  return echo_type_is_tensor(value->type) && echo_type_rank(value->type) == 0 &&
         echo_type_element(value->type)->kind == ECHO_TYPE_INTEGER;
}

/* Of true and false: 1 and 0. */
static int64_t constant_number(const EchoAttr *constant, const EchoType *type)
{
  int64_t number = echo_elements_i64(constant, 0);
  return echo_type_element(type)->as.integer.width == 1 ? number != 0 : number;
}

static int64_t sign_of(int64_t number)
{
  return (number > 0) - (number < 0);
}

/* What the op makes of the numbers in[]. False where it is no index arithmetic. */
static bool compute(const EchoOp *op, const int64_t *in, int64_t *number)
{
  bool divides = op->n_operands == 2 && in[1] != 0 && (in[1] != -1 || in[0] != INT64_MIN);
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_ADD:
    return !__builtin_add_overflow(in[0], in[1], number);
  case ECHO_HLO_SUBTRACT:
    return !__builtin_sub_overflow(in[0], in[1], number);
  case ECHO_HLO_MULTIPLY:
    return !__builtin_mul_overflow(in[0], in[1], number);
  case ECHO_HLO_NEGATE:
    return !__builtin_sub_overflow(0, in[0], number);
  case ECHO_HLO_DIVIDE:
    *number = divides ? in[0] / in[1] : 0;
    return divides;
  case ECHO_HLO_REMAINDER:
    *number = divides ? in[0] % in[1] : 0;
    return divides;
  case ECHO_HLO_SIGN:
    *number = sign_of(in[0]);
    return true;
  case ECHO_HLO_MINIMUM:
    *number = in[0] < in[1] ? in[0] : in[1];
    return true;
  case ECHO_HLO_MAXIMUM:
    *number = in[0] > in[1] ? in[0] : in[1];
    return true;
  case ECHO_HLO_CLAMP: {
    int64_t low = in[0] > in[1] ? in[0] : in[1];
    *number = low < in[2] ? low : in[2];
    return true;
  }
  case ECHO_HLO_AND:
    *number = in[0] & in[1];
    return true;
  case ECHO_HLO_OR:
    *number = in[0] | in[1];
    return true;
  case ECHO_HLO_SELECT:
    *number = in[0] != 0 ? in[1] : in[2];
    return true;
  case ECHO_HLO_COMPARE:
    *number = compare_holds(echo_stablehlo_compare_direction(op), in[0], in[1]);
    return true;
  case ECHO_HLO_CONVERT:
  case ECHO_HLO_RESHAPE:
  case ECHO_HLO_BROADCAST_IN_DIM:
    *number = in[0];
    return true;
  default:
    return false;
  }
}

/* What `value` is `argument` plus, by constants that are added one after the other. */
static bool find_added(const EchoValue *value, const EchoValue *argument, int64_t *step)
{
  *step = 0;
  for (int n_left = MAX_INDEX_OPS; value != argument; --n_left) {
    const EchoOp *op = echo_value_def_or_null(value);
    if (op == NULL || n_left == 0 || echo_hlo_opcode(op) != ECHO_HLO_ADD)
      return false;
    size_t side = echo_value_constant_or_null(echo_op_operand(op, 0)) != NULL ? 0 : 1;
    const EchoAttr *added = echo_value_constant_or_null(echo_op_operand(op, side));
    if (added == NULL || __builtin_add_overflow(*step, constant_number(added, value->type), step))
      return false;
    value = echo_op_operand(op, 1 - side);
  }
  return true;
}

/* Carried value of a loop's body that begins as a constant and has constants added in each
 * iteration, or none: any of its counters. */
static bool find_induction(const EchoValue *value, int64_t *start, int64_t *step)
{
  const EchoBlock *body = echo_value_block(value);
  const EchoOp *loop = echo_block_parent(body);
  if (!value->is_block_arg || loop == NULL || echo_hlo_opcode(loop) != ECHO_HLO_WHILE ||
      body != echo_op_body(loop, 1) || !is_integer(value))
    return false;
  const EchoAttr *init = echo_value_constant_or_null(echo_op_operand(loop, value->index));
  if (init == NULL || !find_added(echo_op_operand(body->last, value->index), value, step))
    return false;
  *start = constant_number(init, value->type);
  return true;
}

/* Of another counter than the one that is known, in the same iteration. */
static bool other_counter_at(const EchoValue *value, const EchoValue *counter, int64_t count,
                             int64_t *index)
{
  int64_t start, step, first, distance;
  if (counter == NULL || !value->is_block_arg ||
      echo_value_block(value) != echo_value_block(counter) ||
      !find_induction(value, &start, &step) || !find_induction(counter, &first, &distance) ||
      distance == 0 || __builtin_sub_overflow(count, first, &count) || count % distance != 0)
    return false;
  return !__builtin_mul_overflow(count / distance, step, index) &&
         !__builtin_add_overflow(*index, start, index) && echo_hlo_number_fits(value->type, *index);
}

/* `*n_left` bounds the ops that are looked at, and with them the recursion. */
static bool index_at(const EchoValue *value, const EchoValue *counter, int64_t count, int *n_left,
                     int64_t *index)
{
  if (value == counter) {
    *index = count;
    return true;
  }
  const EchoOp *op = echo_value_def_or_null(value);
  if (op == NULL)
    return other_counter_at(value, counter, count, index);
  if (--*n_left < 0 || !is_integer(value))
    return false;
  const EchoAttr *constant = echo_value_constant_or_null(value);
  if (constant != NULL) {
    *index = constant_number(constant, value->type);
    return echo_hlo_number_fits(value->type, *index);
  }
  int64_t in[3];
  if (op->n_operands == 0 || op->n_operands > 3 || op->n_regions != 0)
    return false;
  for (size_t i = 0; i < op->n_operands; ++i)
    if (!index_at(echo_op_operand(op, i), counter, count, n_left, &in[i]))
      return false;
  return compute(op, in, index) && echo_hlo_number_fits(value->type, *index);
}

bool echo_loop_index_at(const EchoValue *value, const EchoValue *counter, int64_t count,
                        int64_t *index)
{
  int n_left = MAX_INDEX_OPS;
  return index_at(value, counter, count, &n_left, index);
}
