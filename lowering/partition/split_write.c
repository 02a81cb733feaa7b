/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Main as one process runs it, in place. Between a value and a use that wants it otherwise stands
 * what makes it so, once for each value, right behind it. */
#include "base/arena.h"
#include "dialects/stablehlo/build.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/partition/shardings_t.h"
#include "lowering/partition/write_t.h"

#define PHASE "echo.phase" /* of an op, and of what is put behind it */

/* ---- made once ---- */

EchoValue *echo_made_or_null(const EchoSplitWriter *w, const EchoValue *value, const EchoSplit *as)
{
  uint64_t at = echo_map_get_or(&w->made_of, echo_key(value), UINT64_MAX);
  for (; at != UINT64_MAX; at = w->made.data[at].next)
    if (w->made.data[at].as == as)
      return w->made.data[at].value;
  return NULL;
}

EchoValue *echo_make(EchoSplitWriter *w, const EchoValue *value, const EchoSplit *as,
                     EchoValue *made)
{
  uint64_t next = echo_map_get_or(&w->made_of, echo_key(value), UINT64_MAX);
  echo_map_set(&w->made_of, echo_key(value), w->made.size);
  echo_split_set(w->splits, made, as);
  echo_vector_push(&w->made, (EchoMadeValue){as, made, next});
  return made;
}

EchoBuilder echo_builder_behind(EchoSplitWriter *w, EchoValue *value)
{
  EchoOp *op = echo_value_def_or_null(value);
  if (op == NULL) {
    EchoBlock *block = echo_value_block(value);
    EchoBuilder b = block == echo_op_body(w->main, 0)
                        ? echo_builder_after(echo_value_def_or_null(echo_process_number(w)))
                        : echo_builder_before(block->first);
    b.loc = echo_value_loc(value);
    return b;
  }
  EchoBuilder b = echo_builder_after(op);
  const EchoAttr *phase = echo_op_attr_or_null(op, PHASE);
  if (phase != NULL)
    b.attrs = echo_dictionary_with(w->ctx, NULL, ECHO_STR(PHASE), phase);
  return b;
}

EchoValue *echo_process_number(EchoSplitWriter *w)
{
  if (w->process != NULL)
    return w->process;
  EchoBuilder b = echo_builder_before(echo_op_body(w->main, 0)->first);
  const EchoType *type = echo_hlo_scalar_type(w->ctx, echo_type_integer(w->ctx, 32, ECHO_UNSIGNED));
  const EchoType *i64 = echo_type_i64(w->ctx);
  EchoOp *op = echo_build_op(&b, "stablehlo.partition_id", NULL, 0, &type, 1, NULL, 0);
  w->process = echo_hlo_convert(&b, echo_op_result(op, 0), i64);
  const int64_t n_replicas = w->splits->own != NULL ? w->splits->own->n_replicas : 1;
  if (n_replicas != 1) {
    op = echo_build_op(&b, "stablehlo.replica_id", NULL, 0, &type, 1, NULL, 0);
    EchoValue *replica = echo_hlo_convert(&b, echo_op_result(op, 0), i64);
    EchoValue *n = echo_hlo_constant_i64(&b, replica->type, w->splits->n_processes / n_replicas);
    w->process = echo_hlo_add(&b, echo_hlo_multiply(&b, replica, n), w->process);
  }
  return w->process;
}

EchoValue *echo_as_wanted(EchoSplitWriter *w, EchoValue *value, const EchoSplit *want)
{
  const EchoSplit *has = echo_split_of(w->splits, value);
  if (has == want || !echo_type_is_tensor(value->type))
    return value;
  if (echo_split_has_sums(w->splits, want) && !echo_split_has_sums(w->splits, has) &&
      echo_split_is_zero(w->splits, value))
    want = echo_split_without_sums(w->splits, want);
  if (has == want)
    return value;
  EchoValue *made = echo_made_or_null(w, value, want);
  if (made != NULL)
    return made;
  if (echo_split_is_within(w->splits, has, want))
    return echo_cut_value(w, value, want);
  return echo_make(w, value, want, echo_reshard(w, value, want));
}

/* ---- ops ---- */

static void set_type(const EchoSplitWriter *w, EchoValue *value)
{
  echo_value_set_type(
      value, echo_split_type(w->splits, w->ctx, value->type, echo_split_of(w->splits, value)));
}

/* A result as its op makes it; where it is cut then, what is cut takes its uses. */
static void write_result(EchoSplitWriter *w, EchoValue *value)
{
  const EchoSplit *cut = echo_split_of(w->splits, value);
  uint64_t made;
  if (!echo_map_get(&w->splits->computed, echo_key(value), &made)) {
    set_type(w, value);
    return;
  }
  echo_split_set(w->splits, value, (const EchoSplit *)(uintptr_t)made);
  set_type(w, value);
  EchoOp *op = echo_value_def_or_null(value);
  EchoBuilder b = echo_builder_after(op);
  EchoOp *hold = echo_hlo_optimization_barrier(&b, &value, 1); /* takes the uses of before */
  echo_value_replace_all_uses(value, echo_op_result(hold, 0));
  echo_op_set_operand(hold, 0, value);
  echo_value_replace_all_uses(echo_op_result(hold, 0), echo_as_wanted(w, value, cut));
  echo_op_erase(hold);
}

/* Sizes in an attribute of what is cut of operand 0, which is a part already: those that are of all
 * of it. */
static void shrink(const EchoSplitWriter *w, EchoOp *op, const EchoSplit *split, const char *name)
{
  EchoDimList list = echo_stablehlo_dims(op, name);
  int64_t sizes[ECHO_MAX_RANK];
  memcpy(sizes, list.dims, list.size * sizeof *sizes);
  for (size_t d = 0; d < list.size; d++) {
    int64_t part = echo_type_dim(echo_op_operand_type(op, 0), d), whole = part;
    for (size_t a = 0; a < w->splits->n_digits; a++)
      whole *= split->at[a].dim == d ? w->splits->digits[a].size : 1;
    if (sizes[d] == whole)
      sizes[d] = part;
  }
  echo_op_set_attr(op, name, echo_attr_i64_array(echo_op_context(op), sizes, list.size));
}

static void shrink_attributes(const EchoSplitWriter *w, EchoOp *op, const EchoSplit *split)
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_SLICE:
  case ECHO_HLO_PAD:
    echo_write_aligned(w->splits, op, split);
    return;
  case ECHO_HLO_DYNAMIC_SLICE:
  case ECHO_HLO_GATHER: /* a batching dimension has slices of one element */
    shrink(w, op, split, "slice_sizes");
    return;
  default:
    return;
  }
}

static void write_block(EchoSplitWriter *w, EchoBlock *block);

/* The same numbers as another value, which is had otherwise as seen from where it stands. */
static EchoValue *seen_as(EchoSplitWriter *w, EchoBuilder *b, EchoValue *value,
                          const EchoSplit *split)
{
  if (!echo_type_is_tensor(value->type))
    return value;
  EchoOp *op = echo_build_op(b, "stablehlo.reshape", &value, 1, &value->type, 1, NULL, 0);
  echo_split_set(w->splits, echo_op_result(op, 0), split);
  return echo_op_result(op, 0);
}

/* In the place of a manual computation what it does: its values are parts within it, and cut by its
 * own axes around it. */
static void write_manual(EchoSplitWriter *w, EchoOp *op)
{
  EchoBlock *body = echo_op_body(op, 0);
  EchoBuilder b = echo_builder_before(op);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    EchoValue *arg = echo_block_arg(body, i);
    echo_value_replace_all_uses(
        arg, seen_as(w, &b, echo_op_operand(op, i), echo_split_of(w->splits, arg)));
  }
  while (body->first != body->last) {
    EchoOp *inner = body->first;
    echo_op_move_before(inner, op);
  }
  b = echo_builder_before(op);
  for (uint32_t i = 0; i < op->n_results; i++) {
    EchoValue *result = echo_op_result(op, i);
    echo_value_replace_all_uses(
        result, seen_as(w, &b, echo_op_operand(body->last, i), echo_split_of(w->splits, result)));
  }
  echo_op_erase(op);
}

/* What is said to be wanted; of what nobody looked into all is. */
static void write_operands(EchoSplitWriter *w, EchoOp *op)
{
  const EchoSplit *const *wants = echo_wants_or_null(w->splits, op);
  for (uint32_t i = 0; i < op->n_operands; i++)
    echo_op_set_operand(op, i,
                        echo_as_wanted(w, echo_op_operand(op, i), wants != NULL ? wants[i] : NULL));
  if (wants != NULL && op->n_operands != 0 && wants[0] != NULL)
    shrink_attributes(w, op, wants[0]);
}

/* An all_reduce whose results are taken in parts gives those: its operands are summands. False: it
 * stays. */
static bool write_reduction(EchoSplitWriter *w, EchoOp *op)
{
  bool any = false;
  for (uint32_t i = 0; i < op->n_results; i++)
    any |= echo_split_of(w->splits, echo_op_result(op, i)) != NULL;
  if (!any)
    return false;
  EchoBuilder b = echo_builder_before(op);
  const EchoAttr *phase = echo_op_attr_or_null(op, PHASE);
  if (phase != NULL)
    b.attrs = echo_dictionary_with(w->ctx, NULL, ECHO_STR(PHASE), phase);
  for (uint32_t i = 0; i < op->n_results; i++) {
    EchoValue *result = echo_op_result(op, i);
    const EchoSplit *split = echo_split_of(w->splits, result);
    EchoValue *summand = seen_as(w, &b, echo_op_operand(op, i), echo_summands(w->splits, op));
    EchoValue *made = echo_reshard(w, summand, split);
    echo_split_set(w->splits, made, split);
    echo_value_replace_all_uses(result, made);
  }
  echo_op_erase(op);
  return true;
}

static void write_op(EchoSplitWriter *w, EchoOp *op)
{
  const EchoSplit *const *wants = echo_wants_or_null(w->splits, op);
  write_operands(w, op);
  if (w->splits->own != NULL && echo_hlo_opcode(op) == ECHO_HLO_ALL_REDUCE &&
      write_reduction(w, op))
    return;
  if (wants != NULL && op->n_operands != 0)
    op = echo_write_indexed(w, op, wants);
  if (echo_is_constraint(op)) {
    echo_value_replace_all_uses(echo_op_result(op, 0), echo_op_operand(op, 0));
    echo_op_erase(op);
    return;
  }
  if (echo_is_shard_call(op)) {
    EchoBuilder b = echo_builder_before(op);
    EchoValue *result = echo_op_result(op, 0);
    echo_value_replace_all_uses(
        result, seen_as(w, &b, echo_op_operand(op, 0), echo_split_of(w->splits, result)));
    echo_op_erase(op);
    return;
  }
  for (uint32_t i = 0; i < op->n_results; i++)
    write_result(w, echo_op_result(op, i));
  for (uint16_t r = 0; r < op->n_regions; r++)
    for (EchoBlock *block = op->regions[r].first; block != NULL; block = block->next)
      write_block(w, block);
  if (echo_op_is(op, "sdy.manual_computation"))
    write_manual(w, op);
}

static void write_block(EchoSplitWriter *w, EchoBlock *block)
{
  for (uint32_t i = 0; i < block->n_args; i++)
    set_type(w, echo_block_arg(block, i));
  for (EchoOp *op = block->first, *next; op != NULL; op = next) {
    next = op->next;
    if (op->next != NULL || block != echo_op_body(w->main, 0)) /* main's results come last */
      write_op(w, op);
  }
}

EchoSplitFacts echo_splits_write(EchoSplits *splits, EchoOp *main, const EchoSplit *const *results)
{
  EchoSplitWriter w = {.splits = splits, .ctx = echo_op_context(main), .main = main};
  EchoOp *end = echo_op_body(main, 0)->last;
  write_block(&w, echo_op_body(main, 0));
  for (uint32_t i = 0; i < end->n_operands; i++)
    echo_op_set_operand(end, i, echo_as_wanted(&w, echo_op_operand(end, i), results[i]));
  echo_map_destroy(&w.made_of);
  echo_vector_destroy(&w.made);
  return w.facts;
}
