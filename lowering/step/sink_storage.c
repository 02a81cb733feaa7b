/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whose storage a stack of new values takes. Nothing here decides what is computed: a stack begins
 * as an array that all of its slices are then written over. */
#include "dialects/func/build.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/step/sink_updates_t.h"
#include "planning/loops/slices.h"
#include "planning/schedule/graph.h"

bool echo_sink_is_view(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_RESHAPE;
}

/* What has the same elements, before views and barriers. */
static const EchoValue *root_of(const EchoValue *value)
{
  for (const EchoOp *op = echo_value_def_or_null(value); op != NULL;
       op = echo_value_def_or_null(value)) {
    if (echo_sink_is_view(op))
      value = echo_op_operand(op, 0);
    else if (echo_op_node_kind(op) == ECHO_NODE_BARRIER && value->index < op->n_operands)
      value = echo_op_operand(op, value->index);
    else
      break;
  }
  return value;
}

EchoValue *echo_sink_array(const EchoSinker *sinker, EchoValue *value, const EchoType *form)
{
  EchoOp *loop = sinker->loop;
  const EchoType *type = echo_sink_array_type(echo_op_context(loop), form, value->type);
  const EchoValue *root = root_of(value);
  for (size_t k = 0; k < loop->n_operands; ++k)
    if (echo_op_operand_type(loop, k) == type && root_of(echo_op_operand(loop, k)) == root)
      return echo_op_operand(loop, k);
  if (value->type == type)
    return value;
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next)
    if (echo_sink_is_view(use->owner) && use->owner->block == loop->block &&
        echo_op_result_type(use->owner, 0) == type && echo_op_is_before(use->owner, loop))
      return echo_op_result(use->owner, 0);
  EchoBuilder builder = echo_builder_before(loop);
  builder.attrs = loop->attrs;
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(form); ++d)
    dims[d] = echo_type_dim(form, d);
  return echo_hlo_reshape(&builder, value, dims, echo_type_rank(form));
}

/* ---- what is overwritten ---- */

/* The argument of the block whose storage its result number `position` takes. */
static EchoValue *argument_or_null(const EchoBlock *block, size_t position)
{
  const EchoOp *owner = echo_block_parent(block);
  if (echo_hlo_opcode(owner) == ECHO_HLO_WHILE && position < block->n_args)
    return echo_block_arg(block, position);
  for (size_t i = 0; i < block->n_args && echo_op_has_trait(owner, ECHO_FUNCTION); ++i) {
    const EchoAttr *alias = echo_func_arg_attr_or_null(owner, i, "tf.aliasing_output");
    if (alias != NULL && alias->kind == ECHO_ATTR_INTEGER &&
        alias->as.integer.value == (int64_t)position)
      return echo_block_arg(block, i);
  }
  return NULL;
}

static bool is_same_slot(const EchoLoopSlot *a, const EchoLoopSlot *b)
{
  bool same = a->n == b->n;
  for (size_t d = 0; d < a->n && same; ++d)
    same = a->at[d] == b->at[d];
  return same;
}

static EchoLoopSlot slot_written(const EchoOp *update)
{
  return echo_loop_slot(update, 2, echo_op_operand_type(update, 0),
                        echo_op_operand_type(update, 1));
}

static EchoLoopSlot slot_read(const EchoOp *slice)
{
  return echo_loop_slot(slice, 1, echo_op_operand_type(slice, 0), echo_op_result_type(slice, 0));
}

/* What was read of a carried value where `update` writes it. */
static EchoValue *slice_or_null(const EchoOp *update)
{
  const EchoValue *stack = echo_op_operand(update, 0);
  EchoLoopSlot written = slot_written(update);
  if (!stack->is_block_arg || written.n == 0)
    return NULL;
  for (const EchoUse *use = stack->first_use; use != NULL; use = use->next) {
    EchoOp *op = use->owner;
    if (op->block != update->block || echo_hlo_opcode(op) != ECHO_HLO_DYNAMIC_SLICE ||
        echo_use_operand_index(use) != 0)
      continue;
    EchoLoopSlot read = slot_read(op);
    if (is_same_slot(&read, &written))
      return echo_op_result(op, 0);
  }
  return NULL;
}

/* Slices of the form can be written in the slot, one index further in. */
static bool has_room(const EchoSinker *sinker, const EchoLoopSlot *slot, const EchoType *form)
{
  bool holds = slot->n != 0 && slot->n < ECHO_LOOP_MAX_SLOT &&
               slot->n + echo_type_rank(form) <= ECHO_MAX_RANK;
  for (size_t d = 0; d < slot->n && holds; ++d)
    holds = slot->at[d]->type == echo_op_operand_type(sinker->like, 2) &&
            !echo_map_has(&sinker->is_late, echo_key(slot->at[d]));
  return holds;
}

bool echo_sink_writes_row(const EchoSinker *sinker, const EchoOp *update, const EchoType *form)
{
  EchoLoopSlot slot = slot_written(update);
  return has_room(sinker, &slot, form) && slice_or_null(update) != NULL;
}

EchoOp *echo_sink_row_or_null(const EchoSinker *sinker, const EchoValue *value,
                              const EchoType *form)
{
  EchoOp *op = echo_value_def_or_null(value);
  while (op != NULL && echo_sink_is_view(op))
    op = echo_value_def_or_null(echo_op_operand(op, 0));
  if (op == NULL || echo_hlo_opcode(op) != ECHO_HLO_DYNAMIC_SLICE ||
      (echo_dataflow_maker_behind_or_null(sinker->loop, echo_op_result(op, 0)) == NULL &&
       !echo_map_has(&sinker->rows, echo_key(echo_op_operand(op, 0)))))
    return NULL;
  EchoLoopSlot slot = slot_read(op);
  return has_room(sinker, &slot, form) ? op : NULL;
}

EchoValue *echo_sink_slot(const EchoSinker *sinker, EchoValue *array, const EchoOp *row,
                          size_t first, const EchoType *form, EchoLoopSlot *slot)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = 0;
  *slot = (EchoLoopSlot){0};
  if (row != NULL)
    *slot = first == 2 ? slot_written(row) : slot_read(row);
  for (size_t d = 0; d < slot->n; ++d) {
    echo_dataflow_hoist(sinker->loop, slot->at[d]);
    dims[rank++] = echo_type_dim(array->type, d);
  }
  for (size_t d = 0; d < echo_type_rank(form); ++d)
    dims[rank++] = echo_type_dim(form, d);
  slot->at[slot->n++] = echo_op_operand(sinker->like, 2);
  echo_dataflow_hoist(sinker->loop, array);
  return echo_sink_array(sinker, array,
                         echo_type_tensor(echo_op_context(sinker->loop), dims, rank,
                                          array->type->as.shaped.element, NULL));
}

static EchoValue *replaced_or_null(const EchoValue *result, const EchoBlock *block)
{
  EchoValue *array = NULL;
  for (const EchoUse *use = result->first_use; use != NULL && array == NULL; use = use->next) {
    size_t position = echo_use_operand_index(use);
    if (use->owner->block != block)
      continue;
    if (use->owner == block->last)
      array = argument_or_null(block, position);
    else if (echo_sink_is_view(use->owner))
      array = replaced_or_null(echo_op_result(use->owner, 0), block);
    else if (echo_hlo_opcode(use->owner) == ECHO_HLO_DYNAMIC_UPDATE_SLICE && position == 1)
      array = slice_or_null(use->owner);
  }
  return array;
}

/* The loop takes the array as operand `k`, and reads slices of it where it writes. */
static bool takes_own_slices(const EchoSinker *sinker, uint32_t k)
{
  const EchoOp *loop = sinker->loop;
  const EchoLoopSlot slot = {{echo_op_operand(sinker->like, 2)}, 1};
  return echo_loop_is_invariant(loop, k) && echo_value_is_unused(echo_op_result(loop, k)) &&
         echo_value_is_unused(echo_block_arg(echo_op_body(loop, 0), k)) &&
         echo_loop_reads_own_slices(loop, echo_block_arg(sinker->body, k), &slot);
}

/* Whether what reads `array` from the loop on are its slices in the loop, and what moves there. */
static bool may_be_overwritten(const EchoSinker *sinker, const EchoValue *array)
{
  const EchoOp *loop = sinker->loop;
  const EchoLoopSlot slot = {{echo_op_operand(sinker->like, 2)}, 1};
  bool holds = true;
  for (const EchoUse *use = array->first_use; use != NULL && holds; use = use->next) {
    const EchoOp *op = echo_op_ancestor_in_block(use->owner, loop->block);
    size_t k = echo_use_operand_index(use);
    if (op == NULL)
      return false;
    if (use->owner == loop)
      holds = takes_own_slices(sinker, (uint32_t)k);
    else if (op == loop)
      continue; /* asked for below */
    else if (op == use->owner && echo_sink_is_view(op))
      holds = may_be_overwritten(sinker, echo_op_result(op, 0));
    else if (op == use->owner && echo_op_node_kind(op) == ECHO_NODE_BARRIER && k < op->n_results)
      holds = may_be_overwritten(sinker, echo_op_result(op, k));
    else
      holds = echo_op_is_before(op, loop) ||
              (op == use->owner && echo_map_has(&sinker->goes, echo_key(op)));
  }
  return holds && echo_loop_reads_own_slices(loop, array, &slot);
}

EchoValue *echo_sink_overwritten_or_null(const EchoSinker *sinker, const EchoValue *result)
{
  EchoValue *array = replaced_or_null(result, sinker->loop->block);
  bool holds = array != NULL && array->type->as.shaped.element == result->type->as.shaped.element &&
               echo_type_static_bytes(array->type) == echo_type_static_bytes(result->type) &&
               may_be_overwritten(sinker, array);
  return holds ? array : NULL;
}
