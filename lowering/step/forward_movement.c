/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --forward-movement: movement reads its elements where they come from. A slice of a concatenation
 * is the part, a slice of a stack that updates at constant places have built is the update, a
 * transpose of a broadcast is a broadcast; what nobody reads any more goes. Only where that is
 * never dearer (forward_decide.c), and bit for bit the same. */
#include "dialects/func/build.h"
#include "dialects/stablehlo/build.h"
#include "lowering/lowering.h"
#include "lowering/step/forward_movement_t.h"

/* What is there all the time, by number of argument or of returned value: a function's arguments,
 * but for those that anything may be written over; and results that take an argument's storage. */
typedef struct Kept {
  bool *arguments, *results;
} Kept;

static Kept find_kept(EchoArena *arena, const EchoBlock *block)
{
  const EchoOp *parent = echo_block_parent(block);
  uint32_t n_results = block->last != NULL ? block->last->n_operands : 0;
  Kept kept = {ECHO_ARENA_ARRAY(arena, bool, block->n_args + 1),
               ECHO_ARENA_ARRAY(arena, bool, n_results + 1)};
  memset(kept.arguments, 0, block->n_args * sizeof(bool));
  memset(kept.results, 0, n_results * sizeof(bool));
  if (!echo_op_has_trait(parent, ECHO_FUNCTION))
    return kept;
  for (uint32_t i = 0; i < block->n_args; ++i) {
    const EchoAttr *alias = echo_func_arg_attr_or_null(parent, i, "tf.aliasing_output");
    kept.arguments[i] = echo_func_arg_attr_or_null(parent, i, "jax.buffer_donor") == NULL;
    if (alias != NULL && alias->kind == ECHO_ATTR_INTEGER && alias->as.integer.value >= 0 &&
        alias->as.integer.value < (int64_t)n_results)
      kept.results[alias->as.integer.value] = true;
  }
  return kept;
}

/* An op that was forwarded to is gone by the time that its reader is; `stand_ins` knows what took
 * its place. */
static EchoValue *stand_in_of(const EchoMap *stand_ins, EchoValue *value)
{
  EchoValue *stand_in = echo_map_get_ptr(stand_ins, value);
  return stand_in != NULL ? stand_in : value;
}

static void replace(const EchoMovedOp *op, EchoValue *value, EchoMap *stand_ins)
{
  echo_map_set_ptr(stand_ins, echo_op_result(op->op, 0), value);
  echo_value_replace_all_uses(echo_op_result(op->op, 0), value);
}

static void forward(const EchoMovedOp *op, EchoMap *stand_ins)
{
  EchoBuilder builder = echo_builder_before(op->op);
  builder.attrs = op->op->attrs;
  EchoValue *value = echo_view_build(&builder, &op->through, stand_in_of(stand_ins, op->source));
  if (op->adds_zero)
    value = echo_hlo_add(&builder, value, echo_hlo_constant_f64(&builder, value->type, 0.0));
  replace(op, value, stand_ins);
}

/* The parts one behind the other, with zeros in the gaps, + 0.0 where they are floats. */
static void lay(const EchoMovement *movement, const EchoMovedOp *op, EchoMap *stand_ins)
{
  const EchoPadSum *sum = &movement->sums.data[op->sum];
  const EchoType *type = echo_op_result_type(op->op, 0);
  EchoBuilder builder = echo_builder_before(op->op);
  builder.attrs = op->op->attrs;
  ECHO_VECTOR(EchoValue *) operands = {0};
  int64_t at = 0, gap[ECHO_MAX_RANK];
  memcpy(gap, type->as.shaped.dims, echo_type_rank(type) * sizeof *gap);
  for (uint32_t i = 0; i <= sum->n; ++i) {
    const EchoStackPart *part = i < sum->n ? &movement->parts.data[sum->laid[i]] : NULL;
    int64_t start = part != NULL ? part->offset[sum->dim] : echo_type_dim(type, sum->dim);
    gap[sum->dim] = start - at;
    if (start != at)
      echo_vector_push(&operands,
                       echo_hlo_constant_i64(&builder,
                                             echo_hlo_tensor(builder.ctx, gap, echo_type_rank(type),
                                                             echo_type_element(type)),
                                             0));
    if (part == NULL)
      break;
    echo_vector_push(&operands, stand_in_of(stand_ins, part->value));
    at = start + echo_type_dim(part->value->type, sum->dim);
  }
  EchoValue *value = echo_hlo_concatenate(&builder, operands.data, operands.size, sum->dim);
  if (movement->parts.data[sum->last].adds_zero)
    value = echo_hlo_add(&builder, value, echo_hlo_constant_f64(&builder, type, 0.0));
  echo_vector_destroy(&operands);
  replace(op, value, stand_ins);
}

static bool is_unused(const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (!echo_value_is_unused(echo_op_result(op, i)))
      return false;
  return true;
}

static void forward_block(EchoPassRun *pass, EchoBlock *block)
{
  EchoArenaMark mark = echo_arena_mark(pass->scratch);
  EchoMovement movement;
  EchoMap stand_ins = {0};
  uint64_t n_forwarded = 0, n_laid = 0, n_erased = 0;
  Kept kept = find_kept(pass->scratch, block);
  echo_movement_create(&movement, pass->scratch, block, kept.arguments, kept.results);
  echo_movement_decide(&movement);
  for (size_t i = 0; i < movement.ops.size; ++i) {
    if (movement.ops.data[i].is_dead)
      continue;
    else if (movement.ops.data[i].is_forwarded)
      forward(&movement.ops.data[i], &stand_ins), ++n_forwarded;
    else if (movement.ops.data[i].is_laid)
      lay(&movement, &movement.ops.data[i], &stand_ins), ++n_laid;
  }
  for (size_t i = movement.ops.size; n_forwarded + n_laid != 0 && i-- > 0;) {
    EchoOp *op = movement.ops.data[i].op;
    if (!echo_op_is_dead_if_unused(op) || !is_unused(op))
      continue;
    echo_op_erase(op);
    ++n_erased;
  }
  echo_pass_count(pass, "forwarded", n_forwarded);
  echo_pass_count(pass, "laid", n_laid);
  echo_pass_count(pass, "erased", n_erased);
  echo_map_destroy(&stand_ins);
  echo_movement_destroy(&movement);
  echo_arena_reset(pass->scratch, mark);
}

/* Blocks whose ops are worth a look. */
static bool has_movement(const EchoBlock *block)
{
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    if (echo_op_has_trait(op, ECHO_MOVEMENT))
      return true;
  return false;
}

static bool run(EchoPassRun *pass)
{
  ECHO_VECTOR(EchoBlock *) blocks = {0};
  for (EchoOp *op = pass->op; op != NULL; op = echo_op_walk_next(pass->op, op))
    for (uint16_t i = 0; i < op->n_regions; ++i)
      for (EchoBlock *block = op->regions[i].first; block != NULL; block = block->next)
        if (has_movement(block))
          echo_vector_push(&blocks, block);
  pass->keeps_all = blocks.size == 0;
  while (blocks.size != 0) /* inner ones first, since an outer one's may die */
    forward_block(pass, echo_vector_pop(&blocks));
  echo_vector_destroy(&blocks);
  return true;
}

static const EchoPassStatistic statistics[] = {{"forwarded", "movement ops that read further up"},
                                               {"laid", "sums of pads that became concatenations"},
                                               {"erased", "ops that nobody reads any more"},
                                               {0}};

const EchoPass ECHO_PASS_FORWARD_MOVEMENT = {
    .name = "forward-movement",
    .summary = "read what slices, concatenations, pads and the like move where it comes from",
    .anchor = "builtin.module",
    .statistics = statistics,
    .run = run,
};
