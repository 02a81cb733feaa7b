/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operands, results and use lists. A use is a node of its value's list and an entry of its op's
 * operand array at once, so moving the array means relinking its nodes. */
#include "ir/op_t.h"

static void check_index(const EchoOp *op, size_t index)
{
  ECHO_CHECK_OP(index < op->n_operands, op, "operand %zu of %u", index, op->n_operands);
}

/* The node's content moves; its place in the list stays. */
static void move_use(EchoUse *to, EchoUse *from)
{
  *to = *from;
  *to->prev_link = to;
  if (to->next != NULL)
    to->next->prev_link = &to->next;
}

static void reserve_operands(EchoOp *op, size_t n)
{
  if (n <= op->operand_capacity)
    return;
  ECHO_CHECK_OP(n < UINT32_MAX / 2, op, "an op of %zu operands", n);
  EchoContext *ctx = echo_op_context(op);
  size_t capacity = op->operand_capacity + op->operand_capacity / 2 + 2;
  capacity = capacity < n ? n : capacity;
  EchoUse *grown = echo_ir_alloc(ctx, capacity * sizeof *grown);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    move_use(&grown[i], &op->operands[i]);
  if ((const void *)op->operands != (const void *)&op->results[op->n_results])
    echo_ir_free(ctx, op->operands, op->operand_capacity * sizeof *op->operands);
  op->operands = grown;
  op->operand_capacity = (uint32_t)capacity;
}

void echo_op_drop_operands(EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_operands; ++i)
    echo_use_unlink(&op->operands[i]);
  op->n_operands = 0;
}

void echo_use_set(EchoUse *use, EchoValue *value)
{
  if (use->value == value)
    return;
  echo_use_unlink(use);
  echo_use_link(use, value);
}

void echo_op_set_operand(EchoOp *op, size_t index, EchoValue *value)
{
  check_index(op, index);
  echo_use_set(&op->operands[index], value);
}

void echo_op_append_operand(EchoOp *op, EchoValue *value)
{
  reserve_operands(op, (size_t)op->n_operands + 1);
  EchoUse *use = &op->operands[op->n_operands++];
  use->owner = op;
  echo_use_link(use, value);
}

void echo_op_set_operands(EchoOp *op, EchoValue *const *values, size_t n)
{
  reserve_operands(op, n);
  while (op->n_operands > n)
    echo_use_unlink(&op->operands[--op->n_operands]);
  for (size_t i = 0; i < op->n_operands; ++i)
    echo_use_set(&op->operands[i], values[i]);
  while (op->n_operands < n)
    echo_op_append_operand(op, values[op->n_operands]);
}

void echo_op_erase_operand(EchoOp *op, size_t index)
{
  check_index(op, index);
  echo_use_unlink(&op->operands[index]);
  for (size_t i = index + 1; i < op->n_operands; ++i)
    move_use(&op->operands[i - 1], &op->operands[i]);
  op->n_operands--;
}

void echo_op_set_successor(EchoOp *op, size_t index, EchoBlock *block)
{
  ECHO_CHECK_OP(index < op->n_successors, op, "successor %zu of %u", index,
                (unsigned)op->n_successors);
  echo_op_successors(op)[index] = block;
}

/* ---- values ---- */

EchoOp *echo_value_def_or_null(const EchoValue *value)
{
  if (value->is_block_arg)
    return NULL;
  uintptr_t first_result = (uintptr_t)(value - value->index);
  return (EchoOp *)(first_result - offsetof(EchoOp, results));
}

EchoContext *echo_value_context(const EchoValue *value)
{
  /* An argument is a piece of memory that begins with its value. */
  const EchoOp *def = echo_value_def_or_null(value);
  return def != NULL ? echo_ir_context(def) : echo_ir_context(value);
}

EchoBlock *echo_value_block(const EchoValue *value)
{
  if (value->is_block_arg)
    return echo_value_block_arg(value)->block;
  return echo_value_def_or_null(value)->block;
}

EchoLoc echo_value_loc(const EchoValue *value)
{
  if (value->is_block_arg)
    return echo_value_block_arg(value)->loc;
  return echo_value_def_or_null(value)->loc;
}

void echo_value_set_type(EchoValue *value, const EchoType *type)
{
  value->type = type;
}

size_t echo_value_n_uses(const EchoValue *value)
{
  size_t n = 0;
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next)
    n++;
  return n;
}

void echo_value_replace_all_uses(EchoValue *from, EchoValue *to)
{
  ECHO_CHECK(from != to, "a value is replaced by itself");
  EchoUse *first = from->first_use, *last = NULL;
  for (EchoUse *use = first; use != NULL; use = use->next) {
    use->value = to;
    last = use;
  }
  if (last == NULL)
    return;
  last->next = to->first_use;
  if (last->next != NULL)
    last->next->prev_link = &last->next;
  to->first_use = first;
  first->prev_link = &to->first_use;
  from->first_use = NULL;
}
