/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From the arguments on: each op's rule, block by block. What a loop carries is split where its
 * body or what it begins with is; a value that is whole can always be split, so that a loop's
 * values only ever go one way. */
#include "base/arena.h"
#include "ir/diagnostics.h"
#include "lowering/partition/split_t.h"

static const EchoSplit WHOLE = {.kind = ECHO_SPLIT_WHOLE};

EchoSplit echo_split_of(const EchoSplits *splits, const EchoValue *value)
{
  uint64_t index;
  return echo_map_get(&splits->of_value, echo_key(value), &index) ? splits->values.data[index]
                                                                  : WHOLE;
}

void echo_split_set(EchoSplits *splits, const EchoValue *value, EchoSplit split)
{
  uint64_t index;
  if (echo_map_get(&splits->of_value, echo_key(value), &index)) {
    splits->values.data[index] = split;
  } else if (split.kind != ECHO_SPLIT_WHOLE) {
    echo_map_set(&splits->of_value, echo_key(value), splits->values.size);
    echo_vector_push(&splits->values, split);
  }
}

static void set_wants(EchoSplits *splits, const EchoOp *op, const EchoSplit *wants)
{
  uint64_t index;
  if (!echo_map_get(&splits->of_op, echo_key(op), &index)) {
    index = splits->wants.size;
    echo_map_set(&splits->of_op, echo_key(op), index);
    for (uint32_t i = 0; i < op->n_operands; i++)
      echo_vector_push(&splits->wants, WHOLE);
  }
  for (uint32_t i = 0; i < op->n_operands; i++)
    splits->wants.data[index + i] = wants[i];
}

static EchoSplit *room(EchoSplits *splits, size_t n)
{
  return ECHO_ARENA_ARRAY(splits->arena, EchoSplit, n + 1);
}

/* What is partial only where nobody knows how to hand it on. */
static EchoSplit without_partial(EchoSplit split)
{
  return split.kind == ECHO_SPLIT_PARTIAL ? WHOLE : split;
}

static bool follow_block(EchoSplits *splits, EchoBlock *block);

static void set_arguments(EchoSplits *splits, const EchoOp *loop, const EchoSplit *carried)
{
  for (uint32_t i = 0; i < loop->n_operands; i++)
    for (uint16_t r = 0; r < loop->n_regions; r++)
      echo_split_set(splits, echo_block_arg(echo_op_body(loop, r), i), carried[i]);
}

/* What begins with zeros, and is read once in the body: a sum that the body adds to, perhaps, which
 * is then partial throughout. */
static bool may_be_sum(const EchoOp *loop, uint32_t i)
{
  return echo_split_is_zero(echo_op_operand(loop, i)) &&
         echo_type_bit_width(echo_type_element(echo_op_operand_type(loop, i))) > 1 &&
         echo_value_is_unused(echo_block_arg(echo_op_body(loop, 0), i)) &&
         echo_value_has_one_use(echo_block_arg(echo_op_body(loop, 1), i)) &&
         echo_value_has_one_use(echo_op_operand(echo_op_body(loop, 1)->last, i));
}

/* Carried value `i` after a look at the body; *changes where the body is to be looked at again. */
static bool settle(const EchoSplits *splits, const EchoOp *loop, uint32_t i, EchoSplit *carried,
                   bool *changes)
{
  EchoSplit before = *carried;
  EchoSplit given = echo_split_of(splits, echo_op_operand(echo_op_body(loop, 1)->last, i));
  if (given.kind == ECHO_SPLIT_PART && before.kind == ECHO_SPLIT_PART)
    return echo_split_equal(given, before) ||
           echo_op_error(loop,
                         "carries value #%u split along dimension %u into an iteration and along "
                         "%u out of it, and is not partitioned by itself: write what each device "
                         "does with jax.shard_map",
                         i, before.dim, given.dim);
  if (given.kind == ECHO_SPLIT_PART)
    *carried = given;
  else if (before.kind == ECHO_SPLIT_PARTIAL && !echo_split_equal(given, before))
    *carried = WHOLE; /* and no sum from here on */
  *changes |= !echo_split_equal(before, *carried);
  return true;
}

static bool follow_loop(EchoSplits *splits, EchoOp *loop)
{
  const EchoSplit sum = {.kind = ECHO_SPLIT_PARTIAL, .combiner = ECHO_HLO_ADD};
  uint32_t n = loop->n_operands;
  EchoSplit *carried = room(splits, n);
  for (uint32_t i = 0; i < n; i++)
    carried[i] = may_be_sum(loop, i)
                     ? sum
                     : without_partial(echo_split_of(splits, echo_op_operand(loop, i)));
  bool changes = true;
  while (changes) {
    changes = false;
    set_arguments(splits, loop, carried);
    for (uint16_t r = 0; r < loop->n_regions; r++)
      if (!follow_block(splits, echo_op_body(loop, r)))
        return false;
    for (uint32_t i = 0; i < n; i++)
      if (!settle(splits, loop, i, &carried[i], &changes))
        return false;
  }
  set_wants(splits, loop, carried);
  set_wants(splits, echo_op_body(loop, 1)->last, carried);
  set_wants(splits, echo_op_body(loop, 0)->last, &WHOLE);
  for (uint32_t i = 0; i < n; i++)
    echo_split_set(splits, echo_op_result(loop, i), carried[i]);
  return true;
}

static bool follow_branches(EchoSplits *splits, EchoOp *op)
{
  EchoSplit *results = room(splits, op->n_results);
  for (uint32_t i = 0; i < op->n_results; i++)
    results[i] = WHOLE;
  if (echo_split_of(splits, echo_op_operand(op, 0)).kind == ECHO_SPLIT_PART)
    return echo_op_error(op, "branches on a part of the batch");
  set_wants(splits, op, &WHOLE);
  for (uint16_t r = 0; r < op->n_regions; r++) {
    EchoBlock *block = echo_op_body(op, r);
    if (!follow_block(splits, block))
      return false;
    for (uint32_t i = 0; i < op->n_results; i++) {
      EchoSplit given = without_partial(echo_split_of(splits, echo_op_operand(block->last, i)));
      if (given.kind == ECHO_SPLIT_PART && results[i].kind == ECHO_SPLIT_PART &&
          !echo_split_equal(given, results[i]))
        return echo_op_error(op, "has branches that split result #%u in different ways", i);
      if (given.kind == ECHO_SPLIT_PART)
        results[i] = given;
    }
  }
  for (uint16_t r = 0; r < op->n_regions; r++)
    set_wants(splits, echo_op_body(op, r)->last, results);
  for (uint32_t i = 0; i < op->n_results; i++)
    echo_split_set(splits, echo_op_result(op, i), results[i]);
  return true;
}

/* Nobody looks into what stands inside: nothing of the batch may. */
static bool follow_inside(const EchoSplits *splits, EchoOp *op)
{
  for (EchoOp *inner = op; op->n_regions != 0 && inner != NULL;
       inner = echo_op_walk_next(op, inner))
    for (uint32_t i = 0; inner != op && i < inner->n_operands; i++)
      if (echo_split_of(splits, echo_op_operand(inner, i)).kind != ECHO_SPLIT_WHOLE)
        return echo_op_error(inner, "reads the batch inside of an op that is not partitioned by "
                                    "itself: write what each device does with jax.shard_map");
  return true;
}

static bool follow_op(EchoSplits *splits, EchoOp *op)
{
  EchoSplit *want = room(splits, op->n_operands), out = WHOLE;
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_WHILE:
    return follow_loop(splits, op);
  case ECHO_HLO_CASE:
  case ECHO_HLO_IF:
    return follow_branches(splits, op);
  case ECHO_HLO_ALL_GATHER:
  case ECHO_HLO_ALL_REDUCE:
  case ECHO_HLO_ALL_TO_ALL:
  case ECHO_HLO_COLLECTIVE_BROADCAST:
  case ECHO_HLO_COLLECTIVE_PERMUTE:
  case ECHO_HLO_COLLECTIVE_REDUCE:
  case ECHO_HLO_CROSS_REPLICA_SUM:
  case ECHO_HLO_PARTITION_ID:
  case ECHO_HLO_REDUCE_SCATTER:
  case ECHO_HLO_REPLICA_ID:
    return echo_op_error(op, "stands in a program that is to be partitioned: it is so already");
  case ECHO_HLO_OPTIMIZATION_BARRIER:
    for (uint32_t i = 0; i < op->n_operands; i++) {
      want[i] = without_partial(echo_split_of(splits, echo_op_operand(op, i)));
      echo_split_set(splits, echo_op_result(op, i), want[i]);
    }
    set_wants(splits, op, want);
    return true;
  default:
    break;
  }
  if (op->n_operands == 0)
    return true;
  if (!follow_inside(splits, op) || !echo_split_rule(splits, op, want, &out))
    return false;
  set_wants(splits, op, want);
  for (uint32_t i = 0; i < op->n_results; i++)
    echo_split_set(splits, echo_op_result(op, i), out);
  return true;
}

static bool follow_block(EchoSplits *splits, EchoBlock *block)
{
  bool ok = true;
  for (EchoOp *op = block->first; op != NULL; op = op->next)
    if (!echo_op_has_trait(op, ECHO_RETURN_LIKE))
      ok &= follow_op(splits, op);
  return ok;
}

bool echo_splits_follow(EchoSplits *splits, EchoOp *main)
{
  return follow_block(splits, echo_op_body(main, 0));
}
