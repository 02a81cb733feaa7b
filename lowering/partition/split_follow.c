/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From the arguments on: each op's rule, block by block. What a loop carries is cut where its body
 * or what it begins with is; a value that is whole can always be cut, so that a loop's values only
 * ever go one way. */
#include "base/arena.h"
#include "ir/diagnostics.h"
#include "lowering/partition/shardings_t.h"

static const EchoSplit **room(EchoSplits *splits, size_t n)
{
  return ECHO_ARENA_ARRAY(splits->arena, const EchoSplit *, n + 1);
}

static bool follow_block(EchoSplits *splits, EchoBlock *block);

/* ---- loops ---- */

static void set_arguments(EchoSplits *splits, const EchoOp *loop, const EchoSplit *const *carried)
{
  for (uint32_t i = 0; i < loop->n_operands; i++)
    for (uint16_t r = 0; r < loop->n_regions; r++)
      echo_split_set(splits, echo_block_arg(echo_op_body(loop, r), i), carried[i]);
}

/* What is read once in the body: where it begins with zeros or is partial, a sum that the body adds
 * to, perhaps, which is then partial throughout. */
static bool may_be_sum(const EchoOp *loop, uint32_t i)
{
  return echo_type_bit_width(echo_type_element(echo_op_operand_type(loop, i))) > 1 &&
         echo_value_is_unused(echo_block_arg(echo_op_body(loop, 0), i)) &&
         echo_value_has_one_use(echo_block_arg(echo_op_body(loop, 1), i)) &&
         echo_value_has_one_use(echo_op_operand(echo_op_body(loop, 1)->last, i));
}

/* Whether both are summed over the same processes. */
static bool same_sums(const EchoSplits *splits, const EchoSplit *a, const EchoSplit *b)
{
  for (size_t i = 0; i < splits->n_digits; i++)
    if ((a != NULL && a->at[i].dim == ECHO_AT_SUM) != (b != NULL && b->at[i].dim == ECHO_AT_SUM))
      return false;
  return a == NULL || b == NULL || a->combiner == b->combiner;
}

/* Carried value `i` after a look at the body: true where the body is to be looked at again. */
static bool settle(EchoSplits *splits, const EchoOp *loop, uint32_t i, const EchoSplit **carried)
{
  const EchoValue *argument = echo_block_arg(echo_op_body(loop, 1), i);
  const EchoSplit *before = *carried;
  const EchoSplit *given = echo_split_of_same(
      splits, echo_split_of(splits, echo_op_operand(echo_op_body(loop, 1)->last, i)), argument);
  if (echo_map_has(&splits->sums, echo_key(argument))) { /* now it is known whether it is one */
    echo_map_erase(&splits->sums, echo_key(argument));
    if (given != NULL && given->combiner == ECHO_HLO_ADD) {
      *carried = given;
      return true;
    }
  } else if (echo_split_has_sums(splits, before) && !same_sums(splits, before, given)) {
    *carried = echo_split_without_sums(splits, before); /* and no sum from here on */
    return true;
  }
  *carried = echo_split_joined(splits, before, given, argument->type);
  return *carried != before;
}

static bool follow_loop(EchoSplits *splits, EchoOp *loop)
{
  const EchoSplit *const whole = NULL;
  uint32_t n = loop->n_operands;
  const EchoSplit **carried = room(splits, n);
  for (uint32_t i = 0; i < n; i++) {
    const bool is_sum = may_be_sum(loop, i);
    carried[i] = echo_split_of_same(splits, echo_split_of(splits, echo_op_operand(loop, i)),
                                    echo_block_arg(echo_op_body(loop, 1), i));
    if (!is_sum)
      carried[i] = echo_split_without_sums(splits, carried[i]);
    if (carried[i] == NULL && is_sum && echo_split_is_zero(splits, echo_op_operand(loop, i)))
      echo_map_set(&splits->sums, echo_key(echo_block_arg(echo_op_body(loop, 1), i)), 1);
  }
  for (bool again = true; again;) {
    again = false;
    set_arguments(splits, loop, carried);
    for (uint16_t r = 0; r < loop->n_regions; r++)
      if (!follow_block(splits, echo_op_body(loop, r)))
        return false;
    for (uint32_t i = 0; i < n; i++)
      again |= settle(splits, loop, i, &carried[i]);
  }
  echo_wants_set(splits, loop, carried);
  echo_wants_set(splits, echo_op_body(loop, 1)->last, carried);
  echo_wants_set(splits, echo_op_body(loop, 0)->last, &whole);
  for (uint32_t i = 0; i < n; i++)
    echo_split_set(splits, echo_op_result(loop, i), carried[i]);
  return true;
}

/* ---- branches ---- */

static bool follow_branches(EchoSplits *splits, EchoOp *op)
{
  const EchoSplit *const whole = NULL;
  const EchoSplit **results = room(splits, op->n_results);
  for (uint32_t i = 0; i < op->n_results; i++)
    results[i] = NULL;
  echo_wants_set(splits, op, &whole);
  for (uint16_t r = 0; r < op->n_regions; r++) {
    EchoBlock *block = echo_op_body(op, r);
    if (!follow_block(splits, block))
      return false;
    for (uint32_t i = 0; i < op->n_results; i++)
      results[i] = echo_split_of_same(
          splits,
          echo_split_joined(splits, results[i],
                            echo_split_of(splits, echo_op_operand(block->last, i)),
                            echo_op_result_type(op, i)),
          echo_op_result(op, i));
  }
  for (uint16_t r = 0; r < op->n_regions; r++)
    echo_wants_set(splits, echo_op_body(op, r)->last, results);
  for (uint32_t i = 0; i < op->n_results; i++)
    echo_split_set(splits, echo_op_result(op, i), results[i]);
  return true;
}

/* ---- what says how a value is had ---- */

static void follow_constraint(EchoSplits *splits, EchoOp *op)
{
  const EchoAttr *parts = echo_op_attr_or_null(op, ECHO_READ_SHARDING);
  const EchoSplit *want = echo_alike(splits, op);
  if (parts != NULL && echo_type_has_static_shape(echo_op_result_type(op, 0)))
    want = echo_constrained(splits, parts, echo_op_attr_or_null(op, ECHO_OPEN_DIMS), want,
                            echo_op_result_type(op, 0));
  echo_wants_set(splits, op, &want);
  echo_split_set(splits, echo_op_result(op, 0), want);
}

/* What stands in the body is cut already by the axes of its own; others go through. */
static bool follow_manual(EchoSplits *splits, EchoOp *op)
{
  const EchoSplit **want = room(splits, op->n_operands), *inside, *give;
  EchoBlock *body = echo_op_body(op, 0);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (!echo_manual_split(splits, op, false, i, &want[i], &inside))
      return false;
    echo_split_set(splits, echo_block_arg(body, i), inside);
  }
  echo_wants_set(splits, op, want);
  if (!follow_block(splits, body))
    return false;
  want = room(splits, op->n_results);
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (!echo_manual_split(splits, op, true, i, &give, &want[i]))
      return false;
    echo_split_set(splits, echo_op_result(op, i), give);
  }
  echo_wants_set(splits, body->last, want);
  return true;
}

/* ---- ops ---- */

static bool is_of_one_process(const EchoSplits *splits, const EchoOp *op)
{
  if (splits->has_shard_calls)
    return true;
  for (const EchoOp *outer = op; outer != NULL; outer = echo_op_parent(outer))
    if (echo_op_is(outer, "sdy.manual_computation"))
      return true;
  return false;
}

/* Results are had as the operands are. */
static void hand_on(EchoSplits *splits, EchoOp *op)
{
  const EchoSplit **want = room(splits, op->n_operands);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    want[i] = echo_split_without_sums(splits, echo_split_of(splits, echo_op_operand(op, i)));
    echo_split_set(splits, echo_op_result(op, i), want[i]);
  }
  echo_wants_set(splits, op, want);
}

static bool has_dims_of(const EchoType *type, const EchoType *other)
{
  bool same = echo_type_is_tensor(other) && echo_type_rank(type) == echo_type_rank(other) &&
              echo_type_has_static_shape(type);
  for (size_t d = 0; same && d < echo_type_rank(type); d++)
    same = echo_type_dim(type, d) == echo_type_dim(other, d);
  return same;
}

/* What an op mixes, and gives in the shape of its first operand (a reversal, a sort, a transform),
 * is cut again as that was: it was whole for as long as the op takes. */
static void cut_again(EchoSplits *splits, const EchoOp *op, const EchoSplit *out)
{
  const EchoSplit *has =
      echo_split_without_sums(splits, echo_split_of(splits, echo_op_operand(op, 0)));
  for (uint32_t i = 0; i < op->n_results; i++) {
    const EchoType *type = echo_op_result_type(op, i);
    const EchoSplit *cut = out;
    echo_map_erase(&splits->computed, echo_key(echo_op_result(op, i)));
    if (has != NULL && echo_type_is_tensor(type) && !echo_split_has_sums(splits, out) &&
        has_dims_of(type, echo_op_operand_type(op, 0)))
      cut = echo_split_of_same(splits, echo_split_joined(splits, out, has, type),
                               echo_op_result(op, i));
    if (cut != out)
      echo_map_set_ptr(&splits->computed, echo_op_result(op, i), out);
    echo_split_set(splits, echo_op_result(op, i), cut);
  }
}

/* What goes between processes that have values of their own takes them as they are; a reduction
 * that all read in parts gives parts. */
static void follow_own_collective(EchoSplits *splits, EchoOp *op)
{
  const bool is_reduction = echo_hlo_opcode(op) == ECHO_HLO_ALL_REDUCE;
  const EchoSplit **want = room(splits, op->n_operands);
  for (uint32_t i = 0; i < op->n_operands; i++)
    want[i] = NULL;
  echo_wants_set(splits, op, want);
  for (uint32_t i = 0; i < op->n_results; i++) {
    EchoValue *result = echo_op_result(op, i);
    const EchoSplit *demand =
        is_reduction && echo_summands(splits, op) != NULL ? echo_demand_of(splits, result) : NULL;
    echo_split_set(splits, result, echo_split_of_same(splits, demand, result));
  }
}

/* Where processes run the program already, or of groups of one process each. */
static bool follow_collective(EchoSplits *splits, EchoOp *op)
{
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  if (splits->own != NULL)
    follow_own_collective(splits, op);
  else if (!is_of_one_process(splits, op))
    return echo_op_error(op, "stands in a program that is to be partitioned: it is so already");
  else if (opcode == ECHO_HLO_ALL_REDUCE || opcode == ECHO_HLO_COLLECTIVE_BROADCAST ||
           opcode == ECHO_HLO_COLLECTIVE_PERMUTE)
    hand_on(splits, op);
  return true;
}

/* Between the calls values are what a process has: nothing cuts them. */
static bool follow_shard_call(EchoSplits *splits, EchoOp *op)
{
  const EchoSplit *whole = NULL, *none = NULL;
  if (!echo_shard_call_split(splits, op, &whole))
    return false;
  echo_wants_set(splits, op, echo_goes_into_parts(op) ? &whole : &none);
  echo_split_set(splits, echo_op_result(op, 0), echo_goes_into_parts(op) ? none : whole);
  return true;
}

static bool follow_op(EchoSplits *splits, EchoOp *op)
{
  const EchoSplit **want = room(splits, op->n_operands), *out = NULL;
  if (echo_op_is(op, "sdy.manual_computation"))
    return follow_manual(splits, op);
  if (echo_is_constraint(op)) {
    follow_constraint(splits, op);
    return true;
  }
  if (echo_hlo_is_collective(op))
    return follow_collective(splits, op);
  if (echo_is_shard_call(op))
    return follow_shard_call(splits, op);
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_WHILE:
    return follow_loop(splits, op);
  case ECHO_HLO_CASE:
  case ECHO_HLO_IF:
    return follow_branches(splits, op);
  case ECHO_HLO_OPTIMIZATION_BARRIER:
    hand_on(splits, op);
    return true;
  default:
    break;
  }
  if (op->n_operands == 0)
    return true;
  echo_split_rule(splits, op, want, &out);
  echo_wants_set(splits, op, want);
  cut_again(splits, op, out);
  return true;
}

static bool follow_block(EchoSplits *splits, EchoBlock *block)
{
  bool ok = true;
  for (EchoOp *op = block->first; op != NULL; op = op->next)
    if (!echo_op_has_trait(op, ECHO_RETURN_LIKE) && !echo_op_is(op, "sdy.return"))
      ok &= follow_op(splits, op);
  return ok;
}

bool echo_splits_follow(EchoSplits *splits, EchoOp *main)
{
  return follow_block(splits, echo_op_body(main, 0));
}
