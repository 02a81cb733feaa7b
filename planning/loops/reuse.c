/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/loops/reuse.h"

#include "dialects/stablehlo/opcode.h"
#include "planning/loops/change.h"
#include "planning/loops/slices.h"
#include "planning/schedule/graph.h"

typedef ECHO_VECTOR(EchoValue *) Values;

/* ---- stacks ---- */

/* Carried value `i` begins as a constant of which nothing is read, and each iteration writes the
 * slot: all of it, in the end. */
static bool is_fresh_stack(const EchoOp *loop, const EchoCountedLoop *counted, uint32_t i,
                           EchoLoopSlot *slot)
{
  const EchoBlock *body = echo_op_body(loop, 1);
  const EchoValue *argument = echo_block_arg(body, i);
  const EchoOp *update = echo_value_def_or_null(echo_op_operand(body->last, i));
  if (echo_value_constant_or_null(echo_op_operand(loop, i)) == NULL || update == NULL ||
      echo_hlo_opcode(update) != ECHO_HLO_DYNAMIC_UPDATE_SLICE || update->block != body ||
      !echo_value_has_one_use(argument) || argument->first_use->owner != update ||
      !echo_value_is_unused(echo_block_arg(echo_op_body(loop, 0), i)))
    return false;
  *slot = echo_loop_written_slot(loop, counted, i);
  return slot->n == 1;
}

/* ---- arrays ---- */

static bool is_view(const EchoOp *op)
{
  EchoNodeKind kind = echo_op_node_kind(op);
  return kind == ECHO_NODE_RESHAPE || kind == ECHO_NODE_BARRIER;
}

/* What reads `value`, under whatever name, runs before the loop, but for the loop itself, which
 * takes `array`. */
static bool dies(const EchoOp *loop, const EchoValue *value, const EchoValue *array)
{
  bool holds = true;
  for (const EchoUse *use = value->first_use; use != NULL && holds; use = use->next) {
    const EchoOp *op = echo_op_ancestor_in_block(use->owner, loop->block);
    if (op == loop) {
      holds = value == array;
      continue;
    }
    holds = op != NULL && echo_op_is_before(op, loop);
    for (size_t i = 0; holds && op == use->owner && is_view(op) && i < op->n_results; ++i)
      holds = dies(loop, echo_op_result(op, i), array);
  }
  return holds;
}

/* An op of the block has made it, and nothing reads it from the loop on. */
static bool is_last_reader(const EchoOp *loop, const EchoValue *array)
{
  const EchoValue *root = array;
  const EchoOp *op = echo_value_def_or_null(root);
  while (op != NULL && is_view(op) && root->index < op->n_operands) {
    root = echo_op_operand(op, root->index);
    op = echo_value_def_or_null(root);
  }
  return op != NULL && op->block == loop->block && op->n_operands != 0 && dies(loop, root, array);
}

/* The loop takes it once and only hands it on, or its body reads it as it stands outside, always
 * of the slot. */
static bool is_read_in_slot(const EchoOp *loop, const EchoValue *array, const EchoLoopSlot *slot)
{
  bool holds = true, any = false;
  for (const EchoUse *use = array->first_use; use != NULL && holds; use = use->next) {
    if (echo_op_ancestor_in_block(use->owner, loop->block) != loop)
      continue;
    size_t k = echo_use_operand_index(use);
    any = true;
    if (use->owner == loop)
      holds = echo_loop_is_invariant(loop, k) && echo_value_is_unused(echo_op_result(loop, k)) &&
              echo_value_is_unused(echo_block_arg(echo_op_body(loop, 0), k)) &&
              echo_loop_reads_own_slices(loop, echo_block_arg(echo_op_body(loop, 1), k), slot);
  }
  return holds && any && echo_loop_reads_own_slices(loop, array, slot);
}

static bool is_taken(const Values *taken, const EchoValue *array)
{
  bool any = false;
  for (size_t i = 0; i < taken->size; ++i)
    any |= taken->data[i] == array;
  return any;
}

/* An array that the stack can be written over. */
static EchoValue *array_or_null(const EchoOp *loop, const EchoType *type, const EchoLoopSlot *slot,
                                const Values *arrays, const Values *taken)
{
  for (size_t i = 0; i < arrays->size; ++i) {
    EchoValue *array = arrays->data[i];
    if (array->type == type && !is_taken(taken, array) && is_last_reader(loop, array) &&
        is_read_in_slot(loop, array, slot))
      return array;
  }
  return NULL;
}

/* ---- the function ---- */

/* What a loop reads from outside: taken as an operand first, then as it stands there. */
static void find_arrays(const EchoOp *loop, Values *arrays)
{
  size_t n;
  const EchoValue **captures = echo_op_captures(loop, &n);
  for (size_t k = 0; k < loop->n_operands; ++k)
    echo_vector_push(arrays, echo_op_operand(loop, k));
  for (size_t i = 0; i < n; ++i)
    echo_vector_push(arrays, (EchoValue *)captures[i]);
  echo_free(captures);
}

/* One stack a loop: a kernel that makes slices of two writes only one over what it has read, and
 * all of the other would be copied in each iteration. */
static bool writes_over_array(const EchoOp *loop, const EchoCountedLoop *counted)
{
  bool any = false;
  for (uint32_t i = 0; i < loop->n_operands && !any; ++i)
    any = echo_value_constant_or_null(echo_op_operand(loop, i)) == NULL &&
          echo_loop_written_slot(loop, counted, i).n != 0;
  return any;
}

/* The loop, or the one that took its place. */
static EchoOp *visit_loop(EchoOp *loop, size_t *n)
{
  EchoCountedLoop counted;
  Values arrays = {0}, taken = {0};
  if (!echo_hlo_counted_loop(loop, &counted) || writes_over_array(loop, &counted))
    return loop;
  for (uint32_t i = 0; i < loop->n_operands && taken.size == 0; ++i) {
    EchoLoopSlot slot;
    if (!is_fresh_stack(loop, &counted, i, &slot))
      continue;
    if (arrays.size == 0)
      find_arrays(loop, &arrays);
    EchoValue *array = array_or_null(loop, echo_op_operand_type(loop, i), &slot, &arrays, &taken);
    if (array == NULL)
      continue;
    echo_op_set_operand(loop, i, array);
    echo_vector_push(&taken, array);
  }
  *n += taken.size;
  if (taken.size != 0) {
    echo_loop_redirect_own_slices(loop);
    loop = echo_loop_drop_unread(loop);
  }
  echo_vector_destroy(&arrays);
  echo_vector_destroy(&taken);
  return loop;
}

size_t echo_loop_reuse_arrays(EchoOp *function)
{
  return echo_loop_change_all(function, visit_loop);
}
