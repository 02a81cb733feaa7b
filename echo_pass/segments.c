/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Segments of a pair of loops. With n = q k + r iterations, r < k, the writer becomes q segments of
 * k, each of which stores the state that it begins with, and a tail of r, which writes its stacks.
 * The reader reads those and becomes q segments, the last one first, each of which runs the
 * writer's segment again, with stacks of k slices, and then its own k iterations. What stood for n
 * slices of everything is q states and k slices. */
#include "base/map.h"
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/build.h"
#include "echo_pass/segment_plan_t.h"
#include "echo_pass/stacks_t.h"
#include "planning/loops/slices.h"

typedef ECHO_VECTOR(EchoValue *) Values;

typedef struct Segmenter {
  EchoLoopPair *pair;
  EchoSegmentPlan plan;
  EchoValue **carried_on; /* by carried value of the reader: as a segment of it begins */
  Values saved; /* the states of all segments, in the order of the writer's carried values */
} Segmenter;

/* ---- building ---- */

static const EchoType *counter_type(EchoContext *ctx)
{
  return echo_type_integer(ctx, 32, ECHO_SIGNLESS);
}

static EchoValue *number(EchoBuilder *builder, int64_t value)
{
  return echo_hlo_scalar_i64(builder, counter_type(builder->ctx), value);
}

/* A loop of `n_trips` over a counter of its own and `inits`; *body builds in it. */
static EchoOp *begin_loop(EchoBuilder *builder, int64_t n_trips, const Values *inits,
                          EchoBuilder *body)
{
  EchoBuilder cond;
  Values all = {0};
  echo_vector_push(&all, number(builder, 0));
  for (size_t i = 0; i < inits->size; ++i)
    echo_vector_push(&all, inits->data[i]);
  EchoOp *loop = echo_hlo_while(builder, all.data, all.size, &cond, body);
  cond.attrs = body->attrs = builder->attrs;
  EchoValue *goes_on = echo_hlo_compare(
      &cond, ECHO_COMPARE_LT, echo_block_arg(echo_op_body(loop, 0), 0), number(&cond, n_trips));
  echo_hlo_return(&cond, &goes_on, 1);
  echo_vector_destroy(&all);
  return loop;
}

static EchoValue *argument_of(EchoOp *loop, size_t i)
{
  return echo_block_arg(echo_op_body(loop, 1), i);
}

static void end_loop(EchoOp *loop, EchoBuilder *body, const Values *values)
{
  Values all = {0};
  echo_vector_push(&all, echo_hlo_add(body, argument_of(loop, 0), number(body, 1)));
  for (size_t i = 0; i < values->size; ++i)
    echo_vector_push(&all, values->data[i]);
  echo_hlo_return(body, all.data, all.size);
  echo_vector_destroy(&all);
}

/* tensor<n x dims of type>. */
static const EchoType *stack_type(EchoContext *ctx, const EchoType *type, int64_t n)
{
  int64_t dims[ECHO_MAX_RANK + 1] = {n};
  size_t rank = echo_type_rank(type);
  for (size_t d = 0; d < rank; ++d)
    dims[d + 1] = echo_type_dim(type, d);
  return echo_type_tensor(ctx, dims, rank + 1, type->as.shaped.element, NULL);
}

static EchoValue *mapped(const EchoMap *values, EchoValue *value)
{
  EchoValue *known = echo_map_get_ptr(values, value);
  return known != NULL ? known : value;
}

static bool is_update_of_stack(const EchoLoopPair *pair, const EchoOp *op)
{
  for (size_t i = 0; i < pair->stacks.size; ++i)
    if (pair->stacks.data[i].update == op)
      return true;
  return false;
}

/* What acts on the world does not act again: its token is handed on. */
static void clone_ops(EchoBuilder *builder, const EchoBlock *from, const EchoLoopPair *pair,
                      bool is_again, EchoMap *values)
{
  for (const EchoOp *op = from->first; op != from->last; op = op->next) {
    if (is_update_of_stack(pair, op))
      continue;
    if (is_again && echo_kernel_only_acts(op)) {
      echo_map_set_ptr(values, echo_op_result(op, 0), mapped(values, echo_op_operand(op, 0)));
      continue;
    }
    EchoOp *clone = echo_op_clone(op, values);
    echo_builder_insert(builder, clone);
    if (!is_again)
      continue;
    echo_op_set_attr(clone, "echo.recompute", echo_attr_unit(builder->ctx));
    echo_op_set_attr(clone, "echo.phase", echo_attr_string(builder->ctx, ECHO_STR("backward")));
  }
}

/* ---- the writer ---- */

/* `length` iterations of the writer, from `inits` (by carried value, stacks left out); with
 * `stacks`, those are written too. */
static EchoOp *build_segment(Segmenter *segmenter, EchoBuilder *builder, int64_t length,
                             const Values *inits, const Values *stacks, bool is_again)
{
  const EchoLoopPair *pair = segmenter->pair;
  EchoBuilder body;
  Values all = {0}, yields = {0};
  EchoMap values = {0};
  for (size_t i = 0; i < inits->size; ++i)
    echo_vector_push(&all, inits->data[i]);
  for (size_t i = 0; i < stacks->size; ++i)
    echo_vector_push(&all, stacks->data[i]);
  EchoOp *loop = begin_loop(builder, length, &all, &body);
  size_t at = 1;
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
    echo_map_set_ptr(&values, echo_block_arg(pair->from, i),
                     segmenter->plan.is_carried[i] ? argument_of(loop, at++)
                                                   : echo_op_operand(pair->writer, i));
  for (size_t i = 0; i < segmenter->plan.replaced.size && is_again; ++i)
    echo_map_set_ptr(&values, segmenter->plan.replaced.data[i].value,
                     segmenter->carried_on[segmenter->plan.replaced.data[i].carried]);
  clone_ops(&body, pair->from, pair, is_again, &values);
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
    if (segmenter->plan.is_carried[i])
      echo_vector_push(&yields, mapped(&values, echo_op_operand(pair->from->last, i)));
  for (size_t i = 0; i < stacks->size; ++i)
    echo_vector_push(&yields, echo_loop_write_slice(
                                  &body, argument_of(loop, at + i),
                                  mapped(&values, echo_op_operand(pair->stacks.data[i].update, 1)),
                                  argument_of(loop, 0)));
  end_loop(loop, &body, &yields);
  echo_vector_destroy(&all);
  echo_vector_destroy(&yields);
  echo_map_destroy(&values);
  return loop;
}

/* Empty stacks of `length` slices. */
static void build_stacks(const Segmenter *segmenter, EchoBuilder *builder, int64_t length,
                         Values *stacks)
{
  const EchoLoopPair *pair = segmenter->pair;
  for (size_t i = 0; i < pair->stacks.size; ++i) {
    const EchoType *slice = echo_op_operand_type(pair->stacks.data[i].update, 1);
    int64_t dims[ECHO_MAX_RANK] = {length};
    for (size_t d = 1; d < echo_type_rank(slice); ++d)
      dims[d] = echo_type_dim(slice, d);
    const EchoType *type =
        echo_type_tensor(builder->ctx, dims, echo_type_rank(slice), slice->as.shaped.element, NULL);
    echo_vector_push(stacks, echo_hlo_constant_i64(builder, type, 0));
  }
}

/* The writer's iterations after all segments, from what `outer` ends with. */
static EchoOp *build_tail(Segmenter *segmenter, EchoBuilder *builder, EchoOp *outer, size_t n)
{
  Values inits = {0}, stacks = {0};
  for (size_t i = 0; i < n; ++i)
    echo_vector_push(&inits, echo_op_result(outer, 1 + i));
  build_stacks(segmenter, builder, segmenter->plan.n_tail, &stacks);
  EchoOp *tail = build_segment(segmenter, builder, segmenter->plan.n_tail, &inits, &stacks, false);
  echo_vector_destroy(&inits);
  echo_vector_destroy(&stacks);
  return tail;
}

static void build_writer(Segmenter *segmenter)
{
  const EchoLoopPair *pair = segmenter->pair;
  EchoBuilder builder = echo_builder_before(pair->writer), body;
  builder.attrs = pair->writer->attrs;
  Values inits = {0}, yields = {0}, saved = {0}, none = {0};
  size_t n = 0;
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
    if (segmenter->plan.is_carried[i])
      echo_vector_push(&inits, echo_op_operand(pair->writer, i));
  n = inits.size;
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
    if (segmenter->plan.is_state[i])
      echo_vector_push(&inits, echo_hlo_constant_i64(
                                   &builder,
                                   stack_type(builder.ctx, echo_op_operand_type(pair->writer, i),
                                              segmenter->plan.n_segments),
                                   0));
  EchoOp *outer = begin_loop(&builder, segmenter->plan.n_segments, &inits, &body);
  echo_vector_clear(&inits);
  for (size_t i = 0; i < n; ++i)
    echo_vector_push(&inits, argument_of(outer, 1 + i));
  size_t at = 0;
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i) {
    if (segmenter->plan.is_state[i]) {
      EchoValue *states = argument_of(outer, 1 + n + saved.size);
      EchoValue *written =
          echo_loop_write_slice(&body, states, inits.data[at], argument_of(outer, 0));
      echo_vector_push(&saved, written);
    }
    at += segmenter->plan.is_carried[i];
  }
  EchoOp *segment = build_segment(segmenter, &body, segmenter->plan.length, &inits, &none, false);
  for (size_t i = 0; i < n; ++i)
    echo_vector_push(&yields, echo_op_result(segment, 1 + i));
  for (size_t i = 0; i < saved.size; ++i)
    echo_vector_push(&yields, saved.data[i]);
  end_loop(outer, &body, &yields);
  if (segmenter->plan.n_tail != 0)
    segmenter->pair->tail = build_tail(segmenter, &builder, outer, n);
  const EchoOp *last = pair->tail != NULL ? pair->tail : outer;
  at = 1;
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
    echo_value_replace_all_uses(echo_op_result(pair->writer, i),
                                segmenter->plan.is_carried[i] ? echo_op_result(last, at++)
                                                              : echo_op_operand(pair->writer, i));
  for (size_t i = 0; i < saved.size; ++i)
    echo_vector_push(&segmenter->saved, echo_op_result(outer, 1 + n + i));
  echo_vector_destroy(&inits);
  echo_vector_destroy(&yields);
  echo_vector_destroy(&saved);
}

/* ---- the reader ---- */

/* The writer's segment again, from its state; returns it, its stacks last. */
static EchoOp *build_again(Segmenter *segmenter, EchoBuilder *builder, EchoValue *index)
{
  const EchoLoopPair *pair = segmenter->pair;
  Values inits = {0}, stacks = {0};
  size_t n_states = 0;
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i) {
    if (!segmenter->plan.is_carried[i])
      continue;
    EchoValue *init = echo_op_operand(pair->writer, i);
    if (segmenter->plan.is_state[i]) {
      const EchoType *type = init->type;
      init = echo_loop_read_slice(builder, segmenter->saved.data[n_states++], index);
      int64_t dims[ECHO_MAX_RANK + 1] = {0};
      for (size_t d = 0; d < echo_type_rank(type); ++d)
        dims[d] = echo_type_dim(type, d);
      init = echo_hlo_reshape(builder, init, dims, echo_type_rank(type));
    }
    echo_vector_push(&inits, init);
  }
  build_stacks(segmenter, builder, segmenter->plan.length, &stacks);
  EchoOp *loop = build_segment(segmenter, builder, segmenter->plan.length, &inits, &stacks, true);
  echo_vector_destroy(&inits);
  echo_vector_destroy(&stacks);
  return loop;
}

/* `length` iterations of the reader, on the stacks of `written`, its last results. */
static EchoOp *build_reading(Segmenter *segmenter, EchoBuilder *builder, int64_t length,
                             EchoOp *written, const Values *inits)
{
  const EchoLoopPair *pair = segmenter->pair;
  EchoBuilder body;
  Values all = {0}, yields = {0};
  EchoMap values = {0};
  size_t n_stacks = pair->stacks.size, first = written->n_results - n_stacks, at = 1;
  for (size_t i = 0; i < inits->size; ++i)
    echo_vector_push(&all, inits->data[i]);
  for (size_t i = 0; i < n_stacks; ++i)
    echo_vector_push(&all, echo_op_result(written, first + i));
  EchoOp *loop = begin_loop(builder, length, &all, &body);
  for (uint32_t i = 0; i < pair->reader->n_operands; ++i)
    echo_map_set_ptr(&values, echo_block_arg(pair->to, i),
                     segmenter->plan.is_carried_on[i] ? argument_of(loop, at++)
                                                      : echo_op_operand(pair->reader, i));
  EchoValue *index = echo_hlo_subtract(&body, number(&body, length - 1), argument_of(loop, 0));
  for (size_t i = 0; i < n_stacks; ++i) {
    const EchoValue *inside = pair->stacks.data[i].inside;
    EchoValue *slice = echo_loop_read_slice(&body, argument_of(loop, at + i), index);
    for (const EchoUse *use = inside->first_use; use != NULL; use = use->next)
      if (use->owner != pair->to->last)
        echo_map_set_ptr(&values, echo_op_result(use->owner, 0), slice);
  }
  for (const EchoOp *op = pair->to->first; op != pair->to->last; op = op->next)
    if (op->n_results != 1 || !echo_map_has(&values, echo_key(echo_op_result(op, 0))))
      echo_builder_insert(&body, echo_op_clone(op, &values));
  for (uint32_t i = 0; i < pair->reader->n_operands; ++i)
    if (segmenter->plan.is_carried_on[i])
      echo_vector_push(&yields, mapped(&values, echo_op_operand(pair->to->last, i)));
  for (size_t i = 0; i < n_stacks; ++i)
    echo_vector_push(&yields, argument_of(loop, at + i));
  end_loop(loop, &body, &yields);
  echo_vector_destroy(&all);
  echo_vector_destroy(&yields);
  echo_map_destroy(&values);
  return loop;
}

static void build_reader(Segmenter *segmenter)
{
  const EchoLoopPair *pair = segmenter->pair;
  EchoBuilder builder = echo_builder_before(pair->reader), body;
  builder.attrs = pair->reader->attrs;
  Values inits = {0}, yields = {0};
  for (uint32_t i = 0; i < pair->reader->n_operands; ++i)
    if (segmenter->plan.is_carried_on[i])
      echo_vector_push(&inits, echo_op_operand(pair->reader, i));
  size_t n = inits.size;
  if (pair->tail != NULL) {
    EchoOp *reading =
        build_reading(segmenter, &builder, segmenter->plan.n_tail, pair->tail, &inits);
    for (size_t i = 0; i < n; ++i)
      inits.data[i] = echo_op_result(reading, 1 + i);
  }
  EchoOp *outer = begin_loop(&builder, segmenter->plan.n_segments, &inits, &body);
  echo_vector_clear(&inits);
  for (size_t i = 0; i < n; ++i)
    echo_vector_push(&inits, argument_of(outer, 1 + i));
  EchoValue *index = echo_hlo_subtract(&body, number(&body, segmenter->plan.n_segments - 1),
                                       argument_of(outer, 0));
  for (uint32_t i = 0, k = 0; i < pair->reader->n_operands; ++i)
    if (segmenter->plan.is_carried_on[i])
      segmenter->carried_on[i] = inits.data[k++];
  EchoOp *again = build_again(segmenter, &body, index);
  EchoOp *reading = build_reading(segmenter, &body, segmenter->plan.length, again, &inits);
  for (size_t i = 0; i < n; ++i)
    echo_vector_push(&yields, echo_op_result(reading, 1 + i));
  end_loop(outer, &body, &yields);
  size_t at = 1;
  for (uint32_t i = 0; i < pair->reader->n_operands; ++i)
    echo_value_replace_all_uses(echo_op_result(pair->reader, i),
                                segmenter->plan.is_carried_on[i]
                                    ? echo_op_result(outer, at++)
                                    : echo_op_operand(pair->reader, i));
  echo_vector_destroy(&inits);
  echo_vector_destroy(&yields);
  EchoOp *old_reader = pair->reader, *old_writer = pair->writer;
  segmenter->pair->reader = outer;
  echo_op_erase(old_reader);
  segmenter->pair->writer = echo_value_def_or_null(segmenter->saved.data[0]);
  echo_op_erase(old_writer);
}

bool echo_segment_pair(EchoLoopPair *pair, size_t n_levels)
{
  Segmenter segmenter = {.pair = pair};
  bool is_worth_it = echo_segment_plan_create(&segmenter.plan, pair, n_levels);
  if (is_worth_it) {
    segmenter.carried_on = echo_alloc_zero(pair->reader->n_operands + 1u, sizeof(EchoValue *));
    build_writer(&segmenter);
    build_reader(&segmenter);
  }
  echo_free(segmenter.carried_on);
  echo_vector_destroy(&segmenter.saved);
  echo_segment_plan_destroy(&segmenter.plan);
  return is_worth_it;
}
