/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Segments of a pair of loops. With n = q k + r iterations, r < k, the writer becomes q segments of
 * k, each of which stores the state that it begins with, and a tail of r, which writes its stacks.
 * The reader reads those and becomes q segments, the last one first, each of which runs the
 * writer's segment again, with stacks of k slices, and then its own k iterations. What stood for n
 * slices of everything is q states and k slices. */
#include "base/map.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "echo_pass/search_t.h"
#include "echo_pass/stacks_t.h"
#include "planning/loops/slices.h"

#include <math.h>

typedef ECHO_VECTOR(EchoValue *) Values;

/* A value that the writer's body takes slices of, and the carried value of the reader that still
 * has them when the writer's iterations run again. */
typedef struct Replaced {
  EchoValue *value;
  uint32_t carried;
} Replaced;

typedef struct Segmenter {
  EchoLoopPair *pair;
  int64_t n_segments, length, n_tail;
  bool *is_carried;       /* by carried value of the writer: no stack of the pair, and it changes */
  bool *is_state;         /* of the writer: the next iteration depends on it */
  bool *is_carried_on;    /* of the reader, likewise */
  EchoValue **carried_on; /* those, as a segment of the reader begins */
  ECHO_VECTOR(Replaced) replaced;
  Values saved; /* the states of all segments, in the order of the writer's carried values */
} Segmenter;

/* ---- whether it can be done ---- */

static bool is_only_written(const EchoLoopPair *pair, uint32_t i)
{
  const EchoValue *argument = echo_block_arg(pair->from, i);
  const EchoOp *update = echo_value_def_or_null(echo_op_operand(pair->from->last, i));
  return update != NULL && update->block == pair->from &&
         echo_hlo_opcode(update) == ECHO_HLO_DYNAMIC_UPDATE_SLICE &&
         echo_op_operand(update, 0) == argument && echo_value_has_one_use(argument) &&
         echo_value_has_one_use(echo_op_result(update, 0));
}

/* Every iteration of the reader reads what the mirrored one of the writer wrote. */
static bool is_mirrored(const EchoLoopPair *pair)
{
  uint64_t mirrored = 0;
  bool holds = pair->stacks.size != 0 && pair->written.n_trips == pair->read.n_trips;
  for (int64_t t = pair->read.n_trips; holds && t-- > 0;)
    mirrored = echo_hash_combine(mirrored, (uint64_t)t);
  for (size_t i = 0; i < pair->stacks.size && holds; ++i)
    holds = pair->stacks.data[i].may_go && pair->stacks.data[i].trip_hash == mirrored;
  return holds;
}

static void classify(Segmenter *segmenter)
{
  const EchoLoopPair *pair = segmenter->pair;
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
    segmenter->is_carried[i] = !echo_loop_is_invariant(pair->writer, i);
  for (uint32_t i = 0; i < pair->reader->n_operands; ++i)
    segmenter->is_carried_on[i] = !echo_loop_is_invariant(pair->reader, i);
  for (size_t i = 0; i < pair->stacks.size; ++i) {
    segmenter->is_carried[pair->stacks.data[i].carried] = false;
    segmenter->is_carried_on[pair->stacks.data[i].inside->index] = false;
  }
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
    segmenter->is_state[i] = segmenter->is_carried[i] && !is_only_written(pair, i);
}

/* What the reader updates slice by slice, each once, as carried value `i`: the update; or NULL. */
static const EchoOp *own_update_or_null(const EchoLoopPair *pair, uint32_t i)
{
  const EchoValue *inside = echo_block_arg(pair->to, i);
  const EchoOp *update = echo_value_def_or_null(echo_op_operand(pair->to->last, i));
  return update != NULL && update->block == pair->to &&
                 echo_hlo_opcode(update) == ECHO_HLO_DYNAMIC_UPDATE_SLICE &&
                 echo_op_operand(update, 0) == inside &&
                 echo_loop_is_whole_slice(update, 2, inside->type,
                                          echo_op_operand_type(update, 1)) &&
                 echo_loop_visits_all(pair->reader, &pair->read, echo_op_operand(update, 2),
                                      echo_type_dim(inside->type, 0))
             ? update
             : NULL;
}

/* Each iteration of the writer reads the slice that the mirrored one of the reader updates. */
static bool is_mirrored_slice(const EchoLoopPair *pair, const EchoUse *use, const EchoOp *update)
{
  const EchoOp *slice = use->owner;
  if (slice->block != pair->from || echo_hlo_opcode(slice) != ECHO_HLO_DYNAMIC_SLICE ||
      echo_use_operand_index(use) != 0 ||
      !echo_loop_is_whole_slice(slice, 1, echo_op_operand_type(slice, 0),
                                echo_op_result_type(slice, 0)))
    return false;
  const EchoValue *written = echo_block_arg(pair->from, pair->written.counter);
  const EchoValue *read = echo_block_arg(pair->to, pair->read.counter);
  bool holds = true;
  for (int64_t t = 0, n = pair->read.n_trips; t < n && holds; ++t) {
    int64_t from, to;
    holds = echo_loop_index_at(echo_op_operand(slice, 1), written,
                               pair->written.start + (n - 1 - t) * pair->written.step, &from) &&
            echo_loop_index_at(echo_op_operand(update, 2), read,
                               pair->read.start + t * pair->read.step, &to) &&
            from == to;
  }
  return holds;
}

/* Handed on as it is by the writer's body. */
static bool is_handed_on(const EchoLoopPair *pair, const EchoUse *use, const EchoValue *value)
{
  return use->owner == pair->from->last && value->is_block_arg &&
         echo_value_block(value) == pair->from && echo_use_operand_index(use) == value->index;
}

/* All that the writer reads of `value` are such slices. */
static bool reads_mirrored_slices(const EchoLoopPair *pair, const EchoValue *value,
                                  const EchoOp *update)
{
  bool any = false;
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
    bool is_inside = use->owner != pair->writer && echo_op_is_ancestor(pair->writer, use->owner);
    if (!is_inside || is_handed_on(pair, use, value))
      continue;
    if (!is_mirrored_slice(pair, use, update))
      return false;
    any = true;
  }
  return any;
}

/* Weights that the reader updates in place: the writer's segment, when it runs again, takes its
 * slices from the carried value, where they are as they were, so that no second copy stands. */
static void find_replaced(Segmenter *segmenter)
{
  const EchoLoopPair *pair = segmenter->pair;
  for (uint32_t c = 0; c < pair->reader->n_operands; ++c) {
    const EchoOp *update = segmenter->is_carried_on[c] ? own_update_or_null(pair, c) : NULL;
    EchoValue *array = echo_op_operand(pair->reader, c);
    if (update == NULL)
      continue;
    if (reads_mirrored_slices(pair, array, update))
      echo_vector_push(&segmenter->replaced, (Replaced){array, c});
    for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
      if (echo_op_operand(pair->writer, i) == array && echo_loop_is_invariant(pair->writer, i) &&
          reads_mirrored_slices(pair, echo_block_arg(pair->from, i), update))
        echo_vector_push(&segmenter->replaced, (Replaced){echo_block_arg(pair->from, i), c});
  }
}

/* What stands at once while the reader runs, q states and the slices of a segment, and between the
 * loops, the states and the slices of the tail. */
typedef struct Standing {
  double inside, between;
} Standing;

/* On up to `n_levels` levels, those above this one with about as many segments each. */
static Standing count_standing(int64_t n, int64_t length, size_t n_levels, double state,
                               double slice)
{
  double n_states = INFINITY;
  for (double level = 1; level <= (double)n_levels; ++level)
    n_states = fmin(n_states, level * pow((double)(n / length), 1 / level));
  return (Standing){n_states * state + (double)length * slice,
                    n_states * state + (double)(n % length) * slice};
}

/* The length for which fewest bytes stand in the reader; of lengths that come near enough, between
 * the loops. All iterations where it is no less than without segments. */
static int64_t best_length(const Segmenter *segmenter, size_t n_levels)
{
  const EchoLoopPair *pair = segmenter->pair;
  double state = 0, slice = 0, least = INFINITY, between = INFINITY;
  int64_t n = pair->written.n_trips, best = n;
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
    if (segmenter->is_state[i])
      state += (double)echo_type_static_bytes(echo_op_operand_type(pair->writer, i));
  for (size_t i = 0; i < pair->stacks.size; ++i)
    slice += (double)echo_type_static_bytes(pair->stacks.data[i].inside->type) / (double)n;
  for (int64_t k = 2; k <= n / 2; ++k)
    least = fmin(least, count_standing(n, k, n_levels, state, slice).inside);
  for (int64_t k = 2; k <= n / 2; ++k) {
    Standing standing = count_standing(n, k, n_levels, state, slice);
    if (standing.inside > least + least / ECHO_LOWEST_SLACK || standing.between >= between)
      continue;
    between = standing.between;
    best = k;
  }
  return least < (double)n * slice ? best : n;
}

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

static void clone_ops(EchoBuilder *builder, const EchoBlock *from, const EchoLoopPair *pair,
                      bool is_again, EchoMap *values)
{
  for (const EchoOp *op = from->first; op != from->last; op = op->next) {
    if (is_update_of_stack(pair, op))
      continue;
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
                     segmenter->is_carried[i] ? argument_of(loop, at++)
                                              : echo_op_operand(pair->writer, i));
  for (size_t i = 0; i < segmenter->replaced.size && is_again; ++i)
    echo_map_set_ptr(&values, segmenter->replaced.data[i].value,
                     segmenter->carried_on[segmenter->replaced.data[i].carried]);
  clone_ops(&body, pair->from, pair, is_again, &values);
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
    if (segmenter->is_carried[i])
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
  build_stacks(segmenter, builder, segmenter->n_tail, &stacks);
  EchoOp *tail = build_segment(segmenter, builder, segmenter->n_tail, &inits, &stacks, false);
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
    if (segmenter->is_carried[i])
      echo_vector_push(&inits, echo_op_operand(pair->writer, i));
  n = inits.size;
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
    if (segmenter->is_state[i])
      echo_vector_push(&inits, echo_hlo_constant_i64(
                                   &builder,
                                   stack_type(builder.ctx, echo_op_operand_type(pair->writer, i),
                                              segmenter->n_segments),
                                   0));
  EchoOp *outer = begin_loop(&builder, segmenter->n_segments, &inits, &body);
  echo_vector_clear(&inits);
  for (size_t i = 0; i < n; ++i)
    echo_vector_push(&inits, argument_of(outer, 1 + i));
  size_t at = 0;
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i) {
    if (segmenter->is_state[i]) {
      EchoValue *states = argument_of(outer, 1 + n + saved.size);
      EchoValue *written =
          echo_loop_write_slice(&body, states, inits.data[at], argument_of(outer, 0));
      echo_vector_push(&saved, written);
    }
    at += segmenter->is_carried[i];
  }
  EchoOp *segment = build_segment(segmenter, &body, segmenter->length, &inits, &none, false);
  for (size_t i = 0; i < n; ++i)
    echo_vector_push(&yields, echo_op_result(segment, 1 + i));
  for (size_t i = 0; i < saved.size; ++i)
    echo_vector_push(&yields, saved.data[i]);
  end_loop(outer, &body, &yields);
  if (segmenter->n_tail != 0)
    segmenter->pair->tail = build_tail(segmenter, &builder, outer, n);
  const EchoOp *last = pair->tail != NULL ? pair->tail : outer;
  at = 1;
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
    echo_value_replace_all_uses(echo_op_result(pair->writer, i),
                                segmenter->is_carried[i] ? echo_op_result(last, at++)
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
    if (!segmenter->is_carried[i])
      continue;
    EchoValue *init = echo_op_operand(pair->writer, i);
    if (segmenter->is_state[i]) {
      const EchoType *type = init->type;
      init = echo_loop_read_slice(builder, segmenter->saved.data[n_states++], index);
      int64_t dims[ECHO_MAX_RANK + 1] = {0};
      for (size_t d = 0; d < echo_type_rank(type); ++d)
        dims[d] = echo_type_dim(type, d);
      init = echo_hlo_reshape(builder, init, dims, echo_type_rank(type));
    }
    echo_vector_push(&inits, init);
  }
  build_stacks(segmenter, builder, segmenter->length, &stacks);
  EchoOp *loop = build_segment(segmenter, builder, segmenter->length, &inits, &stacks, true);
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
                     segmenter->is_carried_on[i] ? argument_of(loop, at++)
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
    if (segmenter->is_carried_on[i])
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
    if (segmenter->is_carried_on[i])
      echo_vector_push(&inits, echo_op_operand(pair->reader, i));
  size_t n = inits.size;
  if (pair->tail != NULL) {
    EchoOp *reading = build_reading(segmenter, &builder, segmenter->n_tail, pair->tail, &inits);
    for (size_t i = 0; i < n; ++i)
      inits.data[i] = echo_op_result(reading, 1 + i);
  }
  EchoOp *outer = begin_loop(&builder, segmenter->n_segments, &inits, &body);
  echo_vector_clear(&inits);
  for (size_t i = 0; i < n; ++i)
    echo_vector_push(&inits, argument_of(outer, 1 + i));
  EchoValue *index =
      echo_hlo_subtract(&body, number(&body, segmenter->n_segments - 1), argument_of(outer, 0));
  for (uint32_t i = 0, k = 0; i < pair->reader->n_operands; ++i)
    if (segmenter->is_carried_on[i])
      segmenter->carried_on[i] = inits.data[k++];
  EchoOp *again = build_again(segmenter, &body, index);
  EchoOp *reading = build_reading(segmenter, &body, segmenter->length, again, &inits);
  for (size_t i = 0; i < n; ++i)
    echo_vector_push(&yields, echo_op_result(reading, 1 + i));
  end_loop(outer, &body, &yields);
  size_t at = 1;
  for (uint32_t i = 0; i < pair->reader->n_operands; ++i)
    echo_value_replace_all_uses(echo_op_result(pair->reader, i),
                                segmenter->is_carried_on[i] ? echo_op_result(outer, at++)
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
  if (!is_mirrored(pair))
    return false;
  size_t n = pair->writer->n_operands + 1u, n_read = pair->reader->n_operands + 1u;
  Segmenter segmenter = {.pair = pair,
                         .is_carried = echo_alloc_zero(n, sizeof(bool)),
                         .is_state = echo_alloc_zero(n, sizeof(bool)),
                         .is_carried_on = echo_alloc_zero(n_read, sizeof(bool)),
                         .carried_on = echo_alloc_zero(n_read, sizeof(EchoValue *))};
  classify(&segmenter);
  find_replaced(&segmenter);
  segmenter.length = best_length(&segmenter, n_levels);
  segmenter.n_segments = pair->written.n_trips / segmenter.length;
  segmenter.n_tail = pair->written.n_trips % segmenter.length;
  bool is_worth_it = segmenter.length > 1 && segmenter.n_segments > 1;
  if (is_worth_it) {
    build_writer(&segmenter);
    build_reader(&segmenter);
  }
  echo_free(segmenter.is_carried);
  echo_free(segmenter.is_state);
  echo_free(segmenter.is_carried_on);
  echo_free(segmenter.carried_on);
  echo_vector_destroy(&segmenter.replaced);
  echo_vector_destroy(&segmenter.saved);
  return is_worth_it;
}
