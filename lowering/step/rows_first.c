/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --rows-first: of the products of a batch that multiply the same value those that have its rows
 * stand before those that have its columns. A row is whole then when what is left of it by the row
 * (the sums of a softmax's gradient) is read of columns: a kernel that makes columns again needs no
 * more of them (planning/schedule/fusion_remakes.c). */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/lowering.h"

static bool is_of_batch(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_DOT_GENERAL &&
         echo_stablehlo_dot_dims(op)->lhs_batching.size != 0;
}

/* Whether all that the op reads is there before `other`, of the same block, and so it may stand. */
static bool may_stand_before(const EchoOp *op, const EchoOp *other)
{
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    const EchoOp *def = echo_value_def_or_null(echo_op_operand(op, i));
    if (def != NULL && def->block == op->block && !echo_op_is_before(def, other))
      return false;
  }
  return true;
}

/* The first one behind the op that has rows of the value and may stand before it; NULL: none. */
static EchoOp *first_of_rows_or_null(const EchoOp *columns, const EchoValue *value)
{
  EchoOp *first = NULL;
  for (EchoUse *use = value->first_use; use != NULL; use = use->next) {
    EchoOp *op = use->owner;
    if (op->block == columns->block && is_of_batch(op) && echo_op_is_before(columns, op) &&
        echo_stablehlo_dot_has_rows(op, (uint32_t)echo_use_operand_index(use)) &&
        may_stand_before(op, columns) && (first == NULL || echo_op_is_before(op, first)))
      first = op;
  }
  return first;
}

/* Moves those that have rows of the operand before the op, which has columns. */
static uint64_t move_rows(EchoOp *columns, uint32_t operand)
{
  uint64_t n_moved = 0;
  const EchoValue *value = echo_op_operand(columns, operand);
  if (!echo_stablehlo_dot_has_columns(columns, operand) ||
      echo_stablehlo_dot_has_rows(columns, operand))
    return 0;
  for (EchoOp *op; (op = first_of_rows_or_null(columns, value)) != NULL; ++n_moved)
    echo_op_move_before(op, columns);
  return n_moved;
}

static bool has_static_operands(const EchoOp *op)
{
  return echo_type_has_static_shape(echo_op_operand_type(op, 0)) &&
         echo_type_has_static_shape(echo_op_operand_type(op, 1));
}

static bool run(EchoPassRun *pass)
{
  uint64_t n_moved = 0;
  for (EchoOp *op = pass->op; op != NULL; op = echo_op_walk_next(pass->op, op))
    for (uint32_t i = 0; i < 2 && is_of_batch(op) && has_static_operands(op); ++i)
      n_moved += move_rows(op, i);
  echo_pass_count(pass, "moved", n_moved);
  pass->keeps_all = n_moved == 0;
  return true;
}

static const EchoPassStatistic statistics[] = {{"moved", "products of rows"}, {0}};

const EchoPass ECHO_PASS_ROWS_FIRST = {
    .name = "rows-first",
    .summary = "products of a value's rows stand before those of its columns",
    .anchor = "builtin.module",
    .statistics = statistics,
    .run = run,
};
