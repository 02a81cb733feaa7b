/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Builders of scf ops. */
#include "dialects/scf/scf.h"

static EchoBlock *add_block(EchoBuilder *builder, EchoOp *op, size_t region)
{
  EchoBlock *block = echo_block_create(builder->ctx);
  echo_region_append(&op->regions[region], block);
  return block;
}

/* The three bounds of a loop, and where its body goes. */
static bool check_loop(const EchoBuilder *builder, const char *name, const EchoValue *low,
                       const EchoValue *high, const EchoValue *step, const EchoBuilder *body)
{
  return echo_builder_check_value(builder, name, "low", low) &&
         echo_builder_check_value(builder, name, "high", high) &&
         echo_builder_check_value(builder, name, "step", step) &&
         echo_builder_check(builder, name, "body", body);
}

static EchoBuilder inside(const EchoBuilder *builder, EchoBlock *block)
{
  EchoBuilder inner = *builder;
  inner.block = block;
  inner.before = NULL;
  return inner;
}

static const EchoType **types_of(EchoContext *ctx, EchoValue *const *values, size_t n)
{
  const EchoType **types = ECHO_ARENA_ARRAY(echo_context_arena(ctx), const EchoType *, n + 1);
  for (size_t i = 0; i < n; ++i)
    types[i] = values[i]->type;
  return types;
}

EchoOp *echo_scf_for(EchoBuilder *builder, EchoValue *low, EchoValue *high, EchoValue *step,
                     EchoValue *const *inits, size_t n_inits, EchoBuilder *body)
{
  if (!check_loop(builder, "scf.for", low, high, step, body) ||
      !echo_builder_check_values(builder, "scf.for", "inits", inits, n_inits))
    return NULL;
  EchoArena *arena = echo_context_arena(builder->ctx);
  EchoValue **operands = ECHO_ARENA_ARRAY(arena, EchoValue *, n_inits + 3);
  operands[0] = low;
  operands[1] = high;
  operands[2] = step;
  for (size_t i = 0; i < n_inits; ++i)
    operands[i + 3] = inits[i];
  const EchoType **types = types_of(builder->ctx, inits, n_inits);
  EchoOp *loop = echo_build_op_with_regions(builder, "scf.for", operands, n_inits + 3, types,
                                            n_inits, NULL, 0, 1);
  if (loop == NULL)
    return NULL;
  EchoBlock *block = add_block(builder, loop, 0);
  echo_block_add_arg(builder->ctx, block, low->type, builder->loc);
  for (size_t i = 0; i < n_inits; ++i)
    echo_block_add_arg(builder->ctx, block, types[i], builder->loc);
  *body = inside(builder, block);
  return loop;
}

void echo_scf_mark_parallel(EchoOp *loop)
{
  if (loop != NULL)
    echo_op_set_attr(loop, "kernel.parallel", echo_attr_unit(echo_op_context(loop)));
}

EchoOp *echo_scf_if(EchoBuilder *builder, EchoValue *condition, const EchoType *const *result_types,
                    size_t n_results, EchoBuilder *then_body, EchoBuilder *else_body)
{
  static const EchoType *const NO_TYPES[1] = {NULL};
  if (!echo_builder_check_value(builder, "scf.if", "condition", condition) ||
      !echo_builder_check(builder, "scf.if", "then_body", then_body) ||
      (n_results != 0 && !echo_builder_check(builder, "scf.if", "result_types", result_types)))
    return NULL;
  EchoOp *op =
      echo_build_op_with_regions(builder, "scf.if", &condition, 1,
                                 n_results != 0 ? result_types : NO_TYPES, n_results, NULL, 0, 2);
  if (op == NULL)
    return NULL;
  *then_body = inside(builder, add_block(builder, op, 0));
  if (else_body != NULL)
    *else_body = inside(builder, add_block(builder, op, 1));
  return op;
}

EchoOp *echo_scf_parallel(EchoBuilder *builder, EchoValue *low, EchoValue *high, EchoValue *step,
                          EchoBuilder *body)
{
  static const EchoType *const NO_TYPES[1] = {NULL};
  if (!check_loop(builder, "scf.parallel", low, high, step, body))
    return NULL;
  EchoValue *operands[] = {low, high, step};
  static const int32_t SEGMENTS[] = {1, 1, 1, 0};
  EchoAttrArg args[] = {{"operandSegmentSizes", echo_attr_i32_array(builder->ctx, SEGMENTS, 4)}};
  EchoOp *loop =
      echo_build_op_with_regions(builder, "scf.parallel", operands, 3, NO_TYPES, 0, args, 1, 1);
  if (loop == NULL)
    return NULL;
  EchoBlock *block = add_block(builder, loop, 0);
  echo_block_add_arg(builder->ctx, block, low->type, builder->loc);
  *body = inside(builder, block);
  body->before = echo_build_op(body, "scf.reduce", NULL, 0, NO_TYPES, 0, NULL, 0);
  return loop;
}

EchoOp *echo_scf_while(EchoBuilder *builder, EchoValue *const *inits, size_t n, EchoBuilder *before,
                       EchoBuilder *after)
{
  if (!echo_builder_check_values(builder, "scf.while", "inits", inits, n) ||
      !echo_builder_check(builder, "scf.while", "before", before) ||
      !echo_builder_check(builder, "scf.while", "after", after))
    return NULL;
  const EchoType **types = types_of(builder->ctx, inits, n);
  EchoOp *loop = echo_build_op_with_regions(builder, "scf.while", inits, n, types, n, NULL, 0, 2);
  if (loop == NULL)
    return NULL;
  EchoBuilder *bodies[] = {before, after};
  for (size_t region = 0; region < 2; ++region) {
    EchoBlock *block = add_block(builder, loop, region);
    for (size_t i = 0; i < n; ++i)
      echo_block_add_arg(builder->ctx, block, types[i], builder->loc);
    *bodies[region] = inside(builder, block);
  }
  return loop;
}

static void build_end(EchoBuilder *builder, const char *name, EchoValue *const *operands, size_t n)
{
  static const EchoType *const NO_TYPES[1] = {NULL};
  echo_build_op(builder, name, operands, n, NO_TYPES, 0, NULL, 0);
}

void echo_scf_condition(EchoBuilder *builder, EchoValue *condition, EchoValue *const *values,
                        size_t n)
{
  if (!echo_builder_check_value(builder, "scf.condition", "condition", condition) ||
      !echo_builder_check_values(builder, "scf.condition", "values", values, n))
    return;
  EchoArena *arena = echo_context_arena(builder->ctx);
  EchoValue **operands = ECHO_ARENA_ARRAY(arena, EchoValue *, n + 1);
  operands[0] = condition;
  for (size_t i = 0; i < n; ++i)
    operands[i + 1] = values[i];
  build_end(builder, "scf.condition", operands, n + 1);
}

void echo_scf_yield(EchoBuilder *builder, EchoValue *const *values, size_t n)
{
  if (echo_builder_check_values(builder, "scf.yield", "values", values, n))
    build_end(builder, "scf.yield", values, n);
}

EchoValue *echo_scf_induction(const EchoOp *loop)
{
  return loop == NULL ? NULL : echo_block_arg(echo_op_body(loop, 0), 0);
}
