/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operands, results and use lists. A use is a node of its value's list and an entry of its op's
 * operand array at once, so moving the array means relinking its nodes. */
#include "ir/op_t.h"

static bool check_index(const EchoOp *op, size_t index)
{
  return ECHO_LIKELY(index < op->n_operands) ||
         echo_misuse(echo_op_context(op), op->loc, "'%s' has %u operands, 'index' is %zu",
                     op->info->name, op->n_operands, index);
}

/* A value that `op` may use. */
static bool check_value(const EchoOp *op, const EchoValue *value)
{
  EchoContext *ctx = echo_op_context(op);
  return ECHO_LIKELY(value != NULL && echo_value_context(value) == ctx) ||
         echo_misuse(ctx, op->loc, "'%s' is given an operand: 'value' is %s", op->info->name,
                     value == NULL ? "NULL" : "of another context");
}

static bool check_values(const EchoOp *op, EchoValue *const *values, size_t n)
{
  EchoContext *ctx = echo_op_context(op);
  if (n >= UINT32_MAX / 2)
    return echo_misuse(ctx, op->loc, "'%s' is given operands: 'n' is %zu, more than an op can have",
                       op->info->name, n);
  if (values == NULL && n != 0)
    return echo_misuse(ctx, op->loc, "'%s' is given operands: 'values' is NULL, 'n' is %zu",
                       op->info->name, n);
  for (size_t i = 0; i < n; ++i)
    if (ECHO_UNLIKELY(values[i] == NULL || echo_value_context(values[i]) != ctx))
      return echo_misuse(ctx, op->loc, "'%s' is given operands: 'values[%zu]' is %s",
                         op->info->name, i, values[i] == NULL ? "NULL" : "of another context");
  return true;
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

bool echo_use_set(EchoUse *use, EchoValue *value)
{
  if (ECHO_UNLIKELY(use == NULL) || !check_value(use->owner, value))
    return false;
  echo_use_relink(use, value);
  return true;
}

bool echo_op_set_operand(EchoOp *op, size_t index, EchoValue *value)
{
  if (ECHO_UNLIKELY(op == NULL) || !check_index(op, index) || !check_value(op, value))
    return false;
  echo_use_relink(&op->operands[index], value);
  return true;
}

static void append(EchoOp *op, EchoValue *value)
{
  reserve_operands(op, (size_t)op->n_operands + 1);
  EchoUse *use = &op->operands[op->n_operands++];
  use->owner = op;
  echo_use_link(use, value);
}

bool echo_op_append_operand(EchoOp *op, EchoValue *value)
{
  if (ECHO_UNLIKELY(op == NULL) || !check_value(op, value))
    return false;
  append(op, value);
  return true;
}

bool echo_op_set_operands(EchoOp *op, EchoValue *const *values, size_t n)
{
  if (ECHO_UNLIKELY(op == NULL) || !check_values(op, values, n))
    return false;
  reserve_operands(op, n);
  while (op->n_operands > n)
    echo_use_unlink(&op->operands[--op->n_operands]);
  for (size_t i = 0; i < op->n_operands; ++i)
    echo_use_relink(&op->operands[i], values[i]);
  while (op->n_operands < n)
    append(op, values[op->n_operands]);
  return true;
}

bool echo_op_erase_operand(EchoOp *op, size_t index)
{
  if (ECHO_UNLIKELY(op == NULL) || !check_index(op, index))
    return false;
  echo_use_unlink(&op->operands[index]);
  for (size_t i = index + 1; i < op->n_operands; ++i)
    move_use(&op->operands[i - 1], &op->operands[i]);
  op->n_operands--;
  return true;
}

bool echo_op_set_successor(EchoOp *op, size_t index, EchoBlock *block)
{
  if (ECHO_UNLIKELY(op == NULL))
    return false;
  EchoContext *ctx = echo_op_context(op);
  if (index >= op->n_successors)
    return echo_misuse(ctx, op->loc, "'%s' has %u successors, 'index' is %zu", op->info->name,
                       (unsigned)op->n_successors, index);
  if (block == NULL || echo_ir_context(block) != ctx)
    return echo_misuse(ctx, op->loc, "'%s' is given a successor: 'block' is %s", op->info->name,
                       block == NULL ? "NULL" : "of another context");
  echo_op_successors(op)[index] = block;
  return true;
}

/* ---- values ---- */

EchoOp *echo_value_def_or_null(const EchoValue *value)
{
  if (value == NULL)
    return NULL;
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
  if (value == NULL)
    return NULL;
  if (value->is_block_arg)
    return echo_value_block_arg(value)->block;
  return echo_value_def_or_null(value)->block;
}

EchoLoc echo_value_loc(const EchoValue *value)
{
  if (value == NULL)
    return echo_loc_unknown();
  if (value->is_block_arg)
    return echo_value_block_arg(value)->loc;
  return echo_value_def_or_null(value)->loc;
}

bool echo_value_set_type(EchoValue *value, const EchoType *type)
{
  if (ECHO_UNLIKELY(value == NULL))
    return false;
  EchoContext *ctx = echo_value_context(value);
  if (ECHO_UNLIKELY(type == NULL || type->owner != ctx->tag))
    return echo_misuse(ctx, echo_value_loc(value), "a value is given a type: 'type' is %s",
                       type == NULL ? "NULL" : "of another context");
  value->type = type;
  return true;
}

size_t echo_value_n_uses(const EchoValue *value)
{
  if (value == NULL)
    return 0;
  size_t n = 0;
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next)
    n++;
  return n;
}

bool echo_value_replace_all_uses(EchoValue *from, EchoValue *to)
{
  if (ECHO_UNLIKELY(from == NULL))
    return false;
  if (ECHO_UNLIKELY(to == NULL || to == from))
    return echo_misuse(echo_value_context(from), echo_value_loc(from),
                       "a value is replaced: 'to' is %s", to == NULL ? "NULL" : "the value itself");
  /* The parser's stand-ins for values to come lie elsewhere: their users say whose they are. */
  EchoContext *ctx = from->first_use != NULL ? echo_op_context(from->first_use->owner) : NULL;
  if (ECHO_UNLIKELY(ctx != NULL && echo_value_context(to) != ctx))
    return echo_misuse(ctx, echo_value_loc(from),
                       "a value is replaced: 'to' is of another context");
  EchoUse *first = from->first_use, *last = NULL;
  for (EchoUse *use = first; use != NULL; use = use->next) {
    use->value = to;
    last = use;
  }
  if (last == NULL)
    return true;
  last->next = to->first_use;
  if (last->next != NULL)
    last->next->prev_link = &last->next;
  to->first_use = first;
  first->prev_link = &to->first_use;
  from->first_use = NULL;
  return true;
}
