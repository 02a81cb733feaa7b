/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Slices of stacks in loops.
 * A carried value that starts as an array and is written slice by slice holds, where an iteration
 * has not written yet, what the array holds there. */
#include "planning/loops/slices.h"

#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"

static bool is_zero(const EchoValue *value)
{
  int64_t start;
  return echo_value_constant_or_null(value) != NULL && echo_loop_index_at(value, NULL, 0, &start) &&
         start == 0;
}

EchoLoopSlot echo_loop_slot(const EchoOp *op, size_t first, const EchoType *array,
                            const EchoType *slice)
{
  EchoLoopSlot slot = {0};
  size_t rank = echo_type_rank(array), n = rank;
  for (bool is_whole = true; n > 1 && is_whole;) {
    is_whole = echo_type_dim(slice, n - 1) == echo_type_dim(array, n - 1) &&
               is_zero(echo_op_operand(op, first + n - 1));
    n -= is_whole;
  }
  bool holds = rank != 0 && n <= ECHO_LOOP_MAX_SLOT;
  for (size_t d = 0; d < n && holds; ++d) {
    holds = echo_type_dim(slice, d) == 1;
    slot.at[d] = echo_op_operand(op, first + d);
  }
  slot.n = holds ? n : 0;
  return slot;
}

bool echo_loop_is_whole_slice(const EchoOp *op, size_t first, const EchoType *stack,
                              const EchoType *slice)
{
  if (echo_type_rank(stack) == 0 || echo_type_rank(slice) != echo_type_rank(stack) ||
      echo_type_dim(slice, 0) != 1)
    return false;
  for (size_t d = 1; d < echo_type_rank(stack); ++d)
    if (echo_type_dim(slice, d) != echo_type_dim(stack, d) ||
        !is_zero(echo_op_operand(op, first + d)))
      return false;
  return true;
}

/* ---- stacks ---- */

EchoOp *echo_loop_stacking_or_null(const EchoOp *loop, uint32_t i)
{
  const EchoBlock *body = echo_op_body(loop, 1);
  const EchoValue *argument = echo_block_arg(body, i);
  EchoOp *update = echo_value_def_or_null(echo_op_operand(body->last, i));
  bool is_stack =
      update != NULL && update->block == body &&
      echo_hlo_opcode(update) == ECHO_HLO_DYNAMIC_UPDATE_SLICE &&
      echo_op_operand(update, 0) == argument && echo_value_has_one_use(argument) &&
      echo_value_has_one_use(echo_op_result(update, 0)) &&
      echo_value_is_unused(echo_block_arg(echo_op_body(loop, 0), i)) &&
      echo_loop_is_whole_slice(update, 2, argument->type, echo_op_operand_type(update, 1));
  return is_stack ? update : NULL;
}

EchoValue *echo_loop_stacked_value(const EchoOp *update)
{
  EchoValue *slice = echo_op_operand(update, 1);
  const EchoOp *op = echo_value_def_or_null(slice);
  if (op == NULL || op->block != update->block || op->n_operands != 1)
    return slice;
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  bool adds_one = opcode == ECHO_HLO_RESHAPE || opcode == ECHO_HLO_BROADCAST_IN_DIM;
  return adds_one &&
                 echo_type_static_n_elements(echo_op_operand_type(op, 0)) ==
                     echo_type_static_n_elements(slice->type) &&
                 echo_type_rank(echo_op_operand_type(op, 0)) + 1 == echo_type_rank(slice->type)
             ? echo_op_operand(op, 0)
             : slice;
}

/* ---- slices that a loop overwrites ---- */

typedef struct Own {
  EchoOp *loop;
  EchoBlock *body;
  EchoCountedLoop counted;
} Own;

static const EchoValue *counter_of(const Own *own)
{
  return echo_block_arg(own->body, own->counted.counter);
}

static bool index_at_trip(const Own *own, const EchoValue *value, int64_t trip, int64_t *index)
{
  return echo_loop_index_at(value, counter_of(own), own->counted.start + trip * own->counted.step,
                            index);
}

static bool is_same_index(const Own *own, const EchoValue *a, const EchoValue *b)
{
  for (int64_t t = 0; a != b && t < own->counted.n_trips; ++t) {
    int64_t at[2];
    if (!index_at_trip(own, a, t, &at[0]) || !index_at_trip(own, b, t, &at[1]) || at[0] != at[1])
      return false;
  }
  return true;
}

bool echo_loop_visits_all(const EchoOp *loop, const EchoCountedLoop *counted,
                          const EchoValue *index, int64_t n_slices)
{
  const Own own = {(EchoOp *)loop, echo_op_body(loop, 1), *counted};
  if (counted->n_trips != n_slices || n_slices > ECHO_LOOP_MAX_TRIPS)
    return false;
  bool *is_visited = echo_alloc_zero((size_t)n_slices + 1, sizeof(bool));
  bool holds = true;
  for (int64_t t = 0; t < n_slices && holds; ++t) {
    int64_t at;
    holds = index_at_trip(&own, index, t, &at) && at >= 0 && at < n_slices && !is_visited[at];
    if (holds)
      is_visited[at] = true;
  }
  echo_free(is_visited);
  return holds;
}

/* Made in the body, or in a region in it. */
static bool is_of_body(const EchoOp *loop, const EchoValue *value)
{
  return echo_op_is_ancestor(loop, echo_block_parent(echo_value_block(value)));
}

/* What an iteration writes of carried value `i`: of a loop inside that takes it and hands it on,
 * what that writes, as far as it is known before it runs. */
static EchoLoopSlot slot_of_carried(const EchoOp *loop, uint32_t i, int depth)
{
  const EchoBlock *body = echo_op_body(loop, 1);
  const EchoValue *argument = echo_block_arg(body, i), *next = echo_op_operand(body->last, i);
  const EchoOp *op = echo_value_def_or_null(next);
  EchoLoopSlot slot = {0};
  if (op == NULL || op->block != body || next->index >= op->n_operands ||
      echo_op_operand(op, next->index) != argument)
    return slot;
  if (echo_hlo_opcode(op) == ECHO_HLO_DYNAMIC_UPDATE_SLICE)
    return echo_loop_slot(op, 2, argument->type, echo_op_operand_type(op, 1));
  if (echo_hlo_opcode(op) == ECHO_HLO_WHILE && depth < ECHO_LOOP_MAX_SLOT)
    slot = slot_of_carried(op, next->index, depth + 1);
  while (slot.n != 0 && is_of_body(op, slot.at[slot.n - 1]))
    --slot.n;
  for (size_t d = 0; d < slot.n; ++d)
    if (is_of_body(op, slot.at[d]))
      return (EchoLoopSlot){0};
  return slot;
}

EchoLoopSlot echo_loop_written_slot(const EchoOp *loop, const EchoCountedLoop *counted, uint32_t i)
{
  const EchoType *type = echo_op_operand_type(loop, i);
  EchoLoopSlot slot = {0};
  if (echo_type_is_tensor(type) && echo_type_rank(type) != 0)
    slot = slot_of_carried(loop, i, 0);
  bool holds = slot.n != 0 && echo_loop_visits_all(loop, counted, slot.at[slot.n - 1],
                                                   echo_type_dim(type, slot.n - 1));
  for (size_t d = 0; d + 1 < slot.n && holds; ++d)
    holds = !is_of_body(loop, slot.at[d]);
  return holds ? slot : (EchoLoopSlot){0};
}

/* In the body, or in a loop inside: what the body began with is there all the while. */
static bool is_own_slice(const Own *own, const EchoUse *use, const EchoLoopSlot *slot)
{
  const EchoOp *op = use->owner;
  if (echo_hlo_opcode(op) != ECHO_HLO_DYNAMIC_SLICE || echo_use_operand_index(use) != 0 ||
      op == own->loop || !echo_op_is_ancestor(own->loop, op))
    return false;
  EchoLoopSlot read =
      echo_loop_slot(op, 1, echo_op_operand_type(op, 0), echo_op_result_type(op, 0));
  bool holds = read.n >= slot->n;
  for (size_t d = 0; d < slot->n && holds; ++d)
    holds = is_same_index(own, read.at[d], slot->at[d]);
  return holds;
}

/* The uses of `array` inside of the body, or of an argument that it stays in. */
static size_t redirect(const Own *own, EchoValue *array, uint32_t carried, const EchoLoopSlot *slot)
{
  size_t n = 0;
  for (EchoUse *use = array->first_use, *next; use != NULL; use = next) {
    next = use->next;
    if (!is_own_slice(own, use, slot))
      continue;
    echo_op_set_operand(use->owner, 0, echo_block_arg(own->body, carried));
    ++n;
  }
  return n;
}

size_t echo_loop_redirect_own_slices(EchoOp *loop)
{
  Own own = {.loop = loop, .body = loop->n_regions == 2 ? echo_op_body(loop, 1) : NULL};
  size_t n = 0;
  if (!echo_hlo_counted_loop(loop, &own.counted))
    return 0;
  for (uint32_t i = 0; i < loop->n_operands; ++i) {
    EchoValue *array = echo_op_operand(loop, i);
    EchoLoopSlot slot = {0};
    if (echo_value_constant_or_null(array) == NULL)
      slot = echo_loop_written_slot(loop, &own.counted, i);
    if (slot.n == 0)
      continue;
    n += redirect(&own, array, i, &slot);
    for (uint32_t k = 0; k < loop->n_operands; ++k)
      if (k != i && echo_op_operand(loop, k) == array &&
          echo_op_operand(own.body->last, k) == echo_block_arg(own.body, k))
        n += redirect(&own, echo_block_arg(own.body, k), i, &slot);
  }
  return n;
}

bool echo_loop_reads_own_slices(const EchoOp *loop, const EchoValue *value,
                                const EchoLoopSlot *slot)
{
  Own own = {.loop = (EchoOp *)loop, .body = echo_op_body(loop, 1)};
  if (!echo_hlo_counted_loop(loop, &own.counted))
    return false;
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
    bool is_handed_on = use->owner == own.body->last && value->is_block_arg &&
                        echo_value_block(value) == own.body &&
                        echo_use_operand_index(use) == value->index;
    bool is_inside = use->owner != loop && echo_op_is_ancestor(loop, use->owner);
    if (is_inside && !is_handed_on && !is_own_slice(&own, use, slot))
      return false;
  }
  return true;
}

/* ---- building ---- */

/* Where the slot starts; its sizes. */
static void slice_of(EchoBuilder *builder, const EchoValue *array, const EchoLoopSlot *slot,
                     EchoValue **starts, int64_t *sizes)
{
  for (size_t d = 0; d < echo_type_rank(array->type); ++d) {
    bool is_index = d < slot->n;
    sizes[d] = is_index ? 1 : echo_type_dim(array->type, d);
    starts[d] = is_index ? slot->at[d]
                         : echo_hlo_scalar_i64(builder, slot->at[0]->type->as.shaped.element, 0);
  }
}

EchoValue *echo_loop_read_slot(EchoBuilder *builder, EchoValue *array, const EchoLoopSlot *slot)
{
  EchoValue *starts[ECHO_MAX_RANK + 1];
  int64_t sizes[ECHO_MAX_RANK + 1];
  slice_of(builder, array, slot, starts, sizes);
  return echo_hlo_dynamic_slice(builder, array, starts, sizes);
}

EchoValue *echo_loop_write_slot(EchoBuilder *builder, EchoValue *array, EchoValue *value,
                                const EchoLoopSlot *slot)
{
  EchoValue *starts[ECHO_MAX_RANK + 1];
  int64_t sizes[ECHO_MAX_RANK + 1];
  size_t rank = echo_type_rank(array->type);
  slice_of(builder, array, slot, starts, sizes);
  if (echo_type_rank(value->type) != rank)
    value = echo_hlo_reshape(builder, value, sizes, rank);
  return echo_hlo_dynamic_update_slice(builder, array, value, starts);
}

EchoValue *echo_loop_read_slice(EchoBuilder *builder, EchoValue *stack, EchoValue *index)
{
  return echo_loop_read_slot(builder, stack, &(EchoLoopSlot){{index}, 1});
}

EchoValue *echo_loop_write_slice(EchoBuilder *builder, EchoValue *stack, EchoValue *value,
                                 EchoValue *index)
{
  return echo_loop_write_slot(builder, stack, value, &(EchoLoopSlot){{index}, 1});
}
