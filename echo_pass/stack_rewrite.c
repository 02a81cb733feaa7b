/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Carrying a choice of stacks out: what is kept and has no stack gets one, what runs again is built
 * in front of the reader's body, and stacks that nobody reads any more go from both loops. */
#include "base/map.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "echo_pass/stacks_t.h"
#include "planning/loops/change.h"
#include "planning/loops/slices.h"

typedef struct Rewriter {
  EchoLoopPair *pair;
  const EchoStackChoice *choice;
  const EchoStack *like; /* a stack read in the order that is decided on */
  EchoMap built;         /* value of the writer's body -> value in the reader's */
  EchoOp *anchor;        /* what is built stands before it */
} Rewriter;

void echo_mark_clone(EchoOp *op)
{
  EchoContext *ctx = echo_op_context(op);
  echo_op_set_attr(op, "echo.recompute", echo_attr_unit(ctx));
  echo_op_set_attr(op, "echo.phase", echo_attr_string(ctx, ECHO_STR("backward")));
}

static EchoValue *reshape_to(const Rewriter *rewriter, EchoValue *value, const EchoType *type)
{
  if (value->type == type)
    return value;
  EchoBuilder builder = echo_builder_before(rewriter->anchor);
  EchoOp *op = echo_build_op(&builder, "stablehlo.reshape", &value, 1, &type, 1, NULL, 0);
  echo_mark_clone(op);
  return echo_op_result(op, 0);
}

/* What both loops carry once they are rebuilt. */
typedef struct LoopChange {
  bool *is_gone; /* carried value: nobody reads it any more */
  ECHO_VECTOR(EchoValue *) added;
  ECHO_VECTOR(uint32_t) results; /* of the reader: which of the writer each of them comes from */
} LoopChange;

/* ---- stacks ---- */

static size_t n_values_of(const EchoStackChoice *choice)
{
  return choice->graph.values.size;
}

static EchoValue *value_at(const EchoStackChoice *choice, size_t v)
{
  return (EchoValue *)choice->graph.values.data[v].value;
}

static EchoStack *stack_or_null(const Rewriter *rewriter, const EchoValue *value)
{
  for (size_t i = 0; i < rewriter->pair->stacks.size; ++i) {
    EchoStack *stack = &rewriter->pair->stacks.data[i];
    if (stack->value == value && stack->trip_hash == rewriter->choice->trip_hash)
      return stack;
  }
  return NULL;
}

static size_t mark_dropped(Rewriter *rewriter)
{
  size_t n_dropped = 0;
  for (size_t i = 0; i < rewriter->pair->stacks.size; ++i) {
    EchoStack *stack = &rewriter->pair->stacks.data[i];
    stack->is_dropped = stack->may_go && stack->trip_hash == rewriter->choice->trip_hash;
  }
  for (size_t v = 0; v < n_values_of(rewriter->choice); ++v) {
    EchoStack *stack = stack_or_null(rewriter, value_at(rewriter->choice, v));
    if (rewriter->choice->is_kept[v] && stack != NULL)
      stack->is_dropped = false; /* of several of one value the first */
  }
  for (size_t i = 0; i < rewriter->pair->stacks.size; ++i)
    n_dropped += rewriter->pair->stacks.data[i].is_dropped;
  return n_dropped;
}

/* Slices of stacks and the arithmetic of their indices go to the front of the body, so that what is
 * built can read them. */
static void hoist_slices(Rewriter *rewriter)
{
  const EchoLoopPair *pair = rewriter->pair;
  EchoMap insides = {0};
  for (size_t i = 0; i < pair->stacks.size; ++i)
    echo_map_insert(&insides, echo_key(pair->stacks.data[i].inside), 1);
  for (EchoOp *op = pair->to->first, *next; op != NULL; op = next) {
    next = op->next;
    int64_t index;
    bool is_early = echo_hlo_opcode(op) == ECHO_HLO_DYNAMIC_SLICE &&
                    echo_map_has(&insides, echo_key(echo_op_operand(op, 0)));
    if (!is_early && op->n_results == 1 && op->n_regions == 0 &&
        echo_type_rank(echo_op_result_type(op, 0)) == 0)
      is_early = echo_loop_index_at(echo_op_result(op, 0), echo_loop_pair_read_counter(pair),
                                    pair->read.start, &index);
    if (!is_early && rewriter->anchor == NULL)
      rewriter->anchor = op;
    else if (is_early && rewriter->anchor != NULL)
      echo_op_move_before(op, rewriter->anchor);
  }
  echo_map_destroy(&insides);
}

/* The stack of that type that other readers have of the value; ECHO_NONE without one. */
static uint32_t shared_or_none(const Rewriter *rewriter, const EchoValue *value,
                               const EchoType *type)
{
  const EchoLoopPair *pair = rewriter->pair;
  bool stays;
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i)
    if (echo_op_result_type(pair->writer, i) == type &&
        echo_loop_pair_stacked_or_null(pair, rewriter->like, i, &stays) == value)
      return i;
  return ECHO_NONE;
}

/* A new stack of `value`, or a shared one, written and read where `like` is; returns its slice in
 * the reader. */
static EchoValue *add_stack(Rewriter *rewriter, EchoValue *value, LoopChange *writer,
                            LoopChange *reader)
{
  const EchoLoopPair *pair = rewriter->pair;
  const EchoOp *update = rewriter->like->update, *slice = rewriter->like->slice;
  const EchoType *type = value->type;
  size_t rank = echo_type_rank(type) + 1;
  int64_t dims[ECHO_MAX_RANK + 1] = {echo_type_dim(rewriter->like->inside->type, 0)};
  for (size_t d = 1; d < rank; ++d)
    dims[d] = echo_type_dim(type, d - 1);
  EchoBuilder builder = echo_builder_before(pair->writer);
  builder.attrs = update->attrs;
  const EchoType *stack_type =
      echo_type_tensor(builder.ctx, dims, rank, type->as.shaped.element, NULL);
  uint32_t result = shared_or_none(rewriter, value, stack_type);
  if (result == ECHO_NONE) {
    result = pair->writer->n_operands + (uint32_t)writer->added.size;
    echo_vector_push(&writer->added, echo_hlo_constant_i64(&builder, stack_type, 0));
    builder = echo_builder_before(pair->from->last);
    builder.attrs = update->attrs;
    EchoValue *stack = echo_loop_add_carried(pair->writer, stack_type);
    echo_loop_yield(pair->writer,
                    echo_loop_write_slice(&builder, stack, value, echo_op_operand(update, 2)));
  }
  echo_vector_push(&reader->results, result);

  EchoValue *inside = echo_loop_add_carried(pair->reader, stack_type);
  echo_loop_yield(pair->reader, inside);
  echo_vector_push(&reader->added, NULL); /* the writer's result, once it is there */
  builder = echo_builder_before(rewriter->anchor);
  builder.attrs = slice->attrs;
  return reshape_to(rewriter, echo_loop_read_slice(&builder, inside, echo_op_operand(slice, 1)),
                    type);
}

/* ---- what runs again ---- */

static void know_what_is_there(Rewriter *rewriter)
{
  const EchoLoopPair *pair = rewriter->pair;
  const EchoGraph *graph = &rewriter->choice->graph;
  for (uint32_t v = 0; v < graph->n_inputs; ++v) {
    EchoValue *value = value_at(rewriter->choice, v);
    EchoValue *outer = echo_loop_pair_outer_or_null(pair, value);
    if (outer != NULL)
      echo_map_set_ptr(&rewriter->built, value, outer);
    else if (v == pair->written.counter && rewriter->like->counts)
      echo_map_set_ptr(&rewriter->built, value, echo_op_operand(rewriter->like->slice, 1));
  }
  for (size_t i = 0; i < pair->stacks.size; ++i) {
    const EchoStack *stack = &pair->stacks.data[i];
    if (stack->trip_hash == rewriter->choice->trip_hash && !stack->is_dropped)
      echo_map_set_ptr(&rewriter->built, stack->value,
                       reshape_to(rewriter, echo_op_result(stack->slice, 0), stack->value->type));
  }
}

void echo_stack_choice_build(const EchoStackChoice *choice, EchoMap *built, EchoOp *anchor)
{
  const EchoGraph *graph = &choice->graph;
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    if (!choice->runs_again[node])
      continue;
    const EchoOp *op = graph->nodes.data[node].op;
    ECHO_VECTOR(EchoValue *) known = {0}; /* results that are there already stay as they are */
    for (size_t i = 0; i < op->n_results; ++i)
      echo_vector_push(&known, echo_map_get_ptr(built, echo_op_result(op, i)));
    EchoOp *clone = echo_op_clone(op, built);
    for (size_t i = 0; i < op->n_results; ++i)
      if (known.data[i] != NULL)
        echo_map_set_ptr(built, echo_op_result(op, i), known.data[i]);
    echo_vector_destroy(&known);
    echo_op_insert_before(clone, anchor);
    echo_mark_clone(clone);
  }
}

static void replace_slices(Rewriter *rewriter, const EchoStack *stack)
{
  EchoValue *value = echo_map_get_ptr(&rewriter->built, stack->value);
  ECHO_VECTOR(EchoOp *) slices = {0};
  for (EchoUse *use = stack->inside->first_use; use != NULL; use = use->next)
    if (use->owner != rewriter->pair->to->last)
      echo_vector_push(&slices, use->owner);
  for (size_t i = 0; i < slices.size; ++i) {
    EchoOp *slice = slices.data[i];
    echo_value_replace_all_uses(echo_op_result(slice, 0),
                                reshape_to(rewriter, value, echo_op_result_type(slice, 0)));
    echo_op_erase(slice);
  }
  echo_vector_destroy(&slices);
}

/* ---- both loops ---- */

static void erase_dead_ops(EchoBlock *block)
{
  for (EchoOp *op = block->last, *previous; op != NULL; op = previous) {
    previous = op->prev;
    bool is_unused = echo_op_is_dead_if_unused(op);
    for (size_t i = 0; i < op->n_results; ++i)
      is_unused &= echo_value_is_unused(echo_op_result(op, i));
    if (is_unused)
      echo_op_erase(op);
  }
}

static LoopChange change_of(const EchoLoopPair *pair, const EchoOp *loop, size_t n_added)
{
  size_t n = loop->n_operands + n_added + 1;
  LoopChange change = {.is_gone = ECHO_ARENA_ARRAY(pair->scratch, bool, n)};
  memset(change.is_gone, 0, n * sizeof *change.is_gone);
  return change;
}

/* Ends the updates of dropped stacks, and their way through both loops. */
static void rebuild_loops(Rewriter *rewriter, LoopChange *writer, LoopChange *reader)
{
  EchoLoopPair *pair = rewriter->pair;
  for (size_t i = 0; i < pair->stacks.size; ++i) {
    const EchoStack *stack = &pair->stacks.data[i];
    if (!stack->is_dropped)
      continue;
    reader->is_gone[stack->inside->index] = true;
    if (stack->is_shared) /* the loops behind are asked next */
      continue;
    writer->is_gone[stack->carried] = true;
    echo_op_set_operand(pair->from->last, stack->carried, echo_op_operand(stack->update, 0));
    echo_op_erase(stack->update);
  }
  /* The writer keeps its results until the reader is rebuilt without them. */
  size_t n_added = writer->added.size;
  const LoopChange nothing = change_of(pair, pair->writer, n_added);
  pair->writer = echo_loop_rebuild(pair->writer, nothing.is_gone, writer->added.data, n_added);
  for (size_t i = 0; i < reader->added.size; ++i)
    reader->added.data[i] = echo_op_result(pair->writer, reader->results.data[i]);
  pair->reader =
      echo_loop_rebuild(pair->reader, reader->is_gone, reader->added.data, reader->added.size);
  pair->writer = echo_loop_rebuild(pair->writer, writer->is_gone, NULL, 0);
  erase_dead_ops(pair->from);
  erase_dead_ops(pair->to);
}

void echo_loop_pair_add_stacks(EchoLoopPair *pair, const EchoStack *like,
                               const EchoStacked *stacked, size_t n)
{
  const EchoStack kept = *like;
  Rewriter rewriter = {.pair = pair, .like = &kept};
  EchoArenaMark mark = echo_arena_mark(pair->scratch);
  LoopChange writer = change_of(pair, pair->writer, n), reader = change_of(pair, pair->reader, n);
  hoist_slices(&rewriter);
  for (size_t i = 0; i < n; ++i) {
    EchoValue *slice = NULL;
    for (size_t k = 0; k < i && slice == NULL; ++k)
      if (stacked[k].value == stacked[i].value)
        slice = echo_map_get_ptr(&rewriter.built, stacked[k].value);
    if (slice == NULL)
      slice = add_stack(&rewriter, stacked[i].value, &writer, &reader);
    echo_map_set_ptr(&rewriter.built, stacked[i].value, slice);
    echo_value_replace_all_uses(stacked[i].again, slice);
  }
  rebuild_loops(&rewriter, &writer, &reader);
  echo_vector_destroy(&writer.added);
  echo_vector_destroy(&reader.added);
  echo_vector_destroy(&reader.results);
  echo_map_destroy(&rewriter.built);
  echo_arena_reset(pair->scratch, mark);
}

size_t echo_stack_choice_apply(EchoLoopPair *pair, const EchoStackChoice *choice)
{
  Rewriter rewriter = {
      .pair = pair, .choice = choice, .like = echo_loop_pair_like(pair, choice->trip_hash)};
  size_t n_added = 0, n_dropped = mark_dropped(&rewriter);
  for (size_t v = 0; v < n_values_of(choice); ++v)
    n_added += choice->is_kept[v] && stack_or_null(&rewriter, value_at(choice, v)) == NULL;
  if (n_added + n_dropped == 0)
    return 0;
  EchoArenaMark mark = echo_arena_mark(pair->scratch);
  LoopChange writer = change_of(pair, pair->writer, n_added);
  LoopChange reader = change_of(pair, pair->reader, n_added);
  hoist_slices(&rewriter);
  know_what_is_there(&rewriter);
  for (size_t v = 0; v < n_values_of(choice); ++v) {
    EchoValue *value = value_at(choice, v);
    if (choice->is_kept[v] && stack_or_null(&rewriter, value) == NULL)
      echo_map_set_ptr(&rewriter.built, value, add_stack(&rewriter, value, &writer, &reader));
  }
  echo_stack_choice_build(choice, &rewriter.built, rewriter.anchor);
  for (size_t i = 0; i < pair->stacks.size; ++i)
    if (pair->stacks.data[i].is_dropped)
      replace_slices(&rewriter, &pair->stacks.data[i]);
  rebuild_loops(&rewriter, &writer, &reader);
  echo_vector_destroy(&writer.added);
  echo_vector_destroy(&reader.added);
  echo_vector_destroy(&reader.results);
  echo_map_destroy(&rewriter.built);
  echo_arena_reset(pair->scratch, mark);
  return n_added + n_dropped;
}
