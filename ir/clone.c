/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Deep copies of ops. Two steps, neither recursive: ops are copied in pre-order with the operands
 * known so far, then the operands that named a value not yet copied (graph regions, loops between
 * blocks) are looked up again. */
#include "ir/op_t.h"

typedef struct Cloner {
  EchoContext *ctx;
  EchoMap *values;
  EchoMap blocks;
  ECHO_VECTOR(EchoUse *) unresolved; /* fixed in place: a fresh op's operands do not move */
} Cloner;

static EchoOp *clone_shallow(EchoContext *ctx, const EchoOp *op, EchoMap *values,
                             const EchoMap *blocks)
{
  enum { N_ON_STACK = 16 };
  EchoValue *operands_on_stack[N_ON_STACK];
  const EchoType *types_on_stack[N_ON_STACK];
  EchoValue **operands = op->n_operands <= N_ON_STACK
                             ? operands_on_stack
                             : echo_alloc_array(op->n_operands, sizeof *operands);
  const EchoType **types =
      op->n_results <= N_ON_STACK ? types_on_stack : echo_alloc_array(op->n_results, sizeof *types);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    EchoValue *mapped = values != NULL ? echo_map_get_ptr(values, echo_op_operand(op, i)) : NULL;
    operands[i] = mapped != NULL ? mapped : echo_op_operand(op, i);
  }
  for (uint32_t i = 0; i < op->n_results; ++i)
    types[i] = op->results[i].type;
  EchoOp *clone = echo_op_create_unchecked(&(EchoOpState){
      .ctx = ctx,
      .info = op->info,
      .loc = op->loc,
      .operands = operands,
      .n_operands = op->n_operands,
      .result_types = types,
      .n_results = op->n_results,
      .successors = echo_op_successors(op),
      .n_successors = op->n_successors,
      .n_regions = op->n_regions,
      .properties = op->properties,
      .attrs = op->attrs,
  });
  for (uint16_t i = 0; blocks != NULL && i < op->n_successors; ++i) {
    EchoBlock *mapped = echo_map_get_ptr(blocks, echo_op_successors(op)[i]);
    if (mapped != NULL)
      echo_op_successors(clone)[i] = mapped;
  }
  if (values != NULL)
    for (uint32_t i = 0; i < op->n_results; ++i)
      echo_map_set_ptr(values, &op->results[i], &clone->results[i]);
  if (operands != operands_on_stack)
    echo_free(operands);
  if (types != types_on_stack)
    echo_free(types);
  return clone;
}

/* The map is the caller's; one of a pass is trusted, as fits() in ir/op.c trusts its places. */
static bool check_clone(const EchoOp *op, const EchoMap *values)
{
  if (ECHO_UNLIKELY(op == NULL))
    return false;
  EchoContext *ctx = echo_op_context(op);
  if (ctx->n_running_passes != 0 || values == NULL)
    return true;
  EchoMapEntry entry;
  for (size_t at = 0; echo_map_next(values, &at, &entry);) {
    const EchoValue *value = (const EchoValue *)(uintptr_t)entry.value;
    if (value != NULL && echo_value_context(value) != ctx)
      return echo_misuse(ctx, op->loc, "'%s' is copied: 'values' has one of another context",
                         op->info->name);
  }
  return true;
}

EchoOp *echo_op_clone_without_regions(const EchoOp *op, EchoMap *values)
{
  return check_clone(op, values) ? clone_shallow(echo_op_context(op), op, values, NULL) : NULL;
}

static void clone_blocks(Cloner *cloner, const EchoOp *op, EchoOp *clone)
{
  for (uint16_t i = 0; i < op->n_regions; ++i)
    for (EchoBlock *block = op->regions[i].first; block != NULL; block = block->next) {
      EchoBlock *copy = echo_block_create(cloner->ctx);
      echo_region_append(&clone->regions[i], copy);
      echo_map_set_ptr(&cloner->blocks, block, copy);
      for (uint32_t a = 0; a < block->n_args; ++a) {
        const EchoBlockArg *arg = block->args[a];
        EchoValue *value = echo_block_add_arg(cloner->ctx, copy, arg->value.type, arg->loc);
        echo_map_set_ptr(cloner->values, &arg->value, value);
      }
    }
}

static EchoOp *clone_one(Cloner *cloner, const EchoOp *op)
{
  EchoOp *clone = clone_shallow(cloner->ctx, op, cloner->values, &cloner->blocks);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (clone->operands[i].value == op->operands[i].value)
      echo_vector_push(&cloner->unresolved, &clone->operands[i]);
  clone_blocks(cloner, op, clone);
  return clone;
}

EchoOp *echo_op_clone(const EchoOp *op, EchoMap *values)
{
  if (!check_clone(op, values))
    return NULL;
  if (op->n_regions == 0)
    return clone_shallow(echo_op_context(op), op, values, NULL);
  EchoMap own_values = {0};
  Cloner cloner = {.ctx = echo_op_context(op), .values = values != NULL ? values : &own_values};
  EchoOp *root = clone_one(&cloner, op);
  for (EchoOp *inner = echo_op_first_inside_or_null(op); inner != NULL;
       inner = echo_op_walk_next(op, inner)) {
    EchoBlock *block = echo_map_get_ptr(&cloner.blocks, inner->block);
    echo_block_append_made(block, clone_one(&cloner, inner));
  }
  for (size_t i = 0; i < cloner.unresolved.size; ++i) {
    EchoUse *use = cloner.unresolved.data[i];
    EchoValue *mapped = echo_map_get_ptr(cloner.values, use->value);
    if (mapped != NULL)
      echo_use_relink(use, mapped);
  }
  echo_vector_destroy(&cloner.unresolved);
  echo_map_destroy(&cloner.blocks);
  echo_map_destroy(&own_values);
  return root;
}
