/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --forward-slices: a loop that reads a slice of an array slice by slice, the layers of a segment
 * of weights, reads the array, so that the slice is never copied. The invariant: the same elements
 * are read. Arrays that a loop makes are left: which of their slices another loop reads is what
 * stacks are told by (echo_pass/stacks_t.h); and so is a read that would come behind an update of
 * the array, for which that would have to be copied. */
#include "base/vector.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/lowering.h"
#include "planning/loops/change.h"
#include "planning/loops/slices.h"
#include "planning/schedule/graph.h"

/* What a loop takes as operand `carried` and hands on. */
typedef struct Source {
  uint32_t carried;
  EchoOp *slice; /* of the array, of which it is all */
  EchoLoopSlot slot;
} Source;

/* ---- where it comes from ---- */

/* What has the same elements, before reshapes and barriers. */
static const EchoValue *root_of(const EchoValue *value)
{
  for (const EchoOp *op = echo_value_def_or_null(value); op != NULL;
       op = echo_value_def_or_null(value)) {
    if (echo_op_node_kind(op) == ECHO_NODE_RESHAPE)
      value = echo_op_operand(op, 0);
    else if (echo_op_node_kind(op) == ECHO_NODE_BARRIER && value->index < op->n_operands)
      value = echo_op_operand(op, value->index);
    else
      break;
  }
  return value;
}

/* What the function is given, on its way through loops too, converted or moved: no loop made it. */
static bool is_given(const EchoValue *array)
{
  for (;;) {
    array = root_of(array);
    const EchoOp *op = echo_value_def_or_null(array);
    if (op != NULL && op->n_regions == 0 &&
        (op->n_operands == 1 || echo_hlo_opcode(op) == ECHO_HLO_DYNAMIC_SLICE)) {
      array = echo_op_operand(op, 0);
      continue;
    }
    if (op != NULL)
      return op->n_operands == 0;
    const EchoOp *owner = echo_block_parent(echo_value_block(array));
    if (echo_op_has_trait(owner, ECHO_FUNCTION))
      return true;
    if (echo_hlo_opcode(owner) != ECHO_HLO_WHILE)
      return false;
    array = echo_op_operand(owner, array->index);
  }
}

/* The op in the loop's block that makes the next value of the array, a carried one; NULL where it
 * does not change. False where it changes further out. */
static bool find_writer(const EchoOp *loop, const EchoValue *array, EchoOp **writer)
{
  const EchoBlock *block = echo_value_block(array);
  const EchoOp *owner = echo_block_parent(block);
  *writer = NULL;
  if (!array->is_block_arg || echo_hlo_opcode(owner) != ECHO_HLO_WHILE ||
      echo_loop_is_invariant(owner, array->index))
    return true;
  *writer = echo_value_def_or_null(echo_op_operand(block->last, array->index));
  return block == loop->block && *writer != NULL && (*writer)->block == block;
}

/* ---- what is read of it ---- */

static bool is_handed_on(const EchoUse *use, const EchoBlock *body, uint32_t carried)
{
  return use->owner == body->last && echo_use_operand_index(use) == carried;
}

static EchoLoopSlot slot_read(const EchoOp *slice)
{
  return echo_loop_slot(slice, 1, echo_op_operand_type(slice, 0), echo_op_result_type(slice, 0));
}

/* Slot `inner` of what slot `outer` holds; none where that is too deep, or indices have several
 * types. */
static EchoLoopSlot slot_in(const EchoLoopSlot *outer, const EchoLoopSlot *inner)
{
  EchoLoopSlot slot = *outer;
  bool holds = inner->n != 0 && outer->n + inner->n <= ECHO_LOOP_MAX_SLOT &&
               outer->at[0]->type == inner->at[0]->type;
  for (size_t d = 0; d < inner->n && holds; ++d)
    slot.at[slot.n++] = inner->at[d];
  return holds ? slot : (EchoLoopSlot){0};
}

/* Every use of it in the loop is a slice. */
static bool reads_slices(const EchoOp *loop, const Source *source)
{
  const EchoBlock *body = echo_op_body(loop, 1);
  const EchoValue *inside = echo_block_arg(body, source->carried);
  bool any = false;
  for (const EchoUse *use = inside->first_use; use != NULL; use = use->next) {
    if (is_handed_on(use, body, source->carried))
      continue;
    if (echo_hlo_opcode(use->owner) != ECHO_HLO_DYNAMIC_SLICE || echo_use_operand_index(use) != 0)
      return false;
    EchoLoopSlot read = slot_read(use->owner);
    if (slot_in(&source->slot, &read).n == 0)
      return false;
    any = true;
  }
  return any;
}

/* The loop itself writes the array: it reads only what the iteration then writes. */
static bool reads_before_writing(const EchoOp *loop, const Source *source, const EchoOp *writer)
{
  EchoCountedLoop counted;
  const EchoValue *array = echo_op_operand(source->slice, 0);
  if (writer == NULL || (writer != loop && writer->block == loop->block))
    return writer == NULL || echo_op_is_before(loop, writer);
  if (!echo_hlo_counted_loop(loop, &counted))
    return false;
  for (uint32_t i = 0; i < loop->n_operands; ++i) {
    EchoLoopSlot slot = echo_op_operand(loop, i) == array
                            ? echo_loop_written_slot(loop, &counted, i)
                            : (EchoLoopSlot){0};
    if (slot.n != source->slot.n + 1)
      continue;
    bool holds = true;
    for (size_t d = 0; d + 1 < slot.n; ++d)
      holds &= slot.at[d] == source->slot.at[d];
    EchoLoopSlot last = {{slot.at[slot.n - 1]}, 1};
    if (holds && echo_loop_reads_own_slices(
                     loop, echo_block_arg(echo_op_body(loop, 1), source->carried), &last))
      return true;
  }
  return false;
}

static bool find_source(const EchoOp *loop, uint32_t carried, Source *source)
{
  const EchoValue *part = echo_op_operand(loop, carried);
  EchoOp *slice = echo_value_def_or_null(root_of(part)), *writer;
  if (slice == NULL || echo_hlo_opcode(slice) != ECHO_HLO_DYNAMIC_SLICE ||
      !echo_loop_is_invariant(loop, carried) ||
      !echo_value_is_unused(echo_op_result(loop, carried)) ||
      !echo_value_is_unused(echo_block_arg(echo_op_body(loop, 0), carried)))
    return false;
  EchoValue *array = echo_op_operand(slice, 0);
  *source = (Source){carried, slice, slot_read(slice)};
  bool holds = source->slot.n != 0 &&
               echo_type_rank(part->type) + source->slot.n == echo_type_rank(array->type);
  for (size_t d = 0; d < echo_type_rank(part->type) && holds; ++d)
    holds = echo_type_dim(part->type, d) == echo_type_dim(array->type, d + source->slot.n);
  for (size_t d = 1; d < source->slot.n && holds; ++d)
    holds = source->slot.at[d]->type == source->slot.at[0]->type;
  return holds && reads_slices(loop, source) && is_given(array) &&
         find_writer(loop, array, &writer) && reads_before_writing(loop, source, writer);
}

/* ---- reading ---- */

static void forward(const EchoOp *loop, const Source *source)
{
  const EchoBlock *body = echo_op_body(loop, 1);
  EchoValue *inside = echo_block_arg(body, source->carried);
  for (EchoUse *use = inside->first_use, *next; use != NULL; use = next) {
    EchoOp *op = use->owner;
    next = use->next;
    if (is_handed_on(use, body, source->carried))
      continue;
    EchoBuilder builder = echo_builder_before(op);
    EchoLoopSlot read = slot_read(op), slot = slot_in(&source->slot, &read);
    int64_t dims[ECHO_MAX_RANK];
    builder.attrs = op->attrs;
    for (size_t d = 0; d < echo_type_rank(inside->type); ++d)
      dims[d] = echo_type_dim(echo_op_result_type(op, 0), d);
    EchoValue *slice = echo_loop_read_slot(&builder, echo_op_operand(source->slice, 0), &slot);
    echo_value_replace_all_uses(
        echo_op_result(op, 0),
        echo_hlo_reshape(&builder, slice, dims, echo_type_rank(inside->type)));
    echo_op_erase(op);
  }
}

/* Without the results that nobody reads any more: their operands need not be there. */
static void shorten_barrier(EchoOp *barrier)
{
  EchoValue **kept = echo_alloc_array(barrier->n_operands + 1u, sizeof *kept);
  const EchoType **types = echo_alloc_array(barrier->n_operands + 1u, sizeof *types);
  uint32_t n = 0;
  for (uint32_t i = 0; i < barrier->n_results; ++i)
    if (!echo_value_is_unused(echo_op_result(barrier, i))) {
      kept[n] = echo_op_operand(barrier, i);
      types[n] = kept[n]->type;
      ++n;
    }
  EchoOpState state = {.ctx = echo_op_context(barrier),
                       .info = barrier->info,
                       .loc = barrier->loc,
                       .operands = kept,
                       .result_types = types,
                       .properties = barrier->properties,
                       .attrs = barrier->attrs,
                       .n_operands = n,
                       .n_results = n};
  EchoOp *made = n != 0 ? echo_op_create(&state) : NULL;
  if (made != NULL)
    echo_op_insert_before(made, barrier);
  n = 0;
  for (uint32_t i = 0; i < barrier->n_results; ++i)
    if (!echo_value_is_unused(echo_op_result(barrier, i)))
      echo_value_replace_all_uses(echo_op_result(barrier, i), echo_op_result(made, n++));
  echo_op_erase(barrier);
  echo_free(kept);
  echo_free(types);
}

/* Erases reshapes that nobody reads; the barrier that they were made of, or NULL. */
static EchoOp *erase_reshapes(EchoValue *value)
{
  EchoOp *op = echo_value_def_or_null(value);
  while (op != NULL && echo_op_node_kind(op) == ECHO_NODE_RESHAPE && echo_value_is_unused(value)) {
    value = echo_op_operand(op, 0);
    echo_op_erase(op);
    op = echo_value_def_or_null(value);
  }
  return op != NULL && echo_op_node_kind(op) == ECHO_NODE_BARRIER ? op : NULL;
}

/* ---- the function ---- */

typedef ECHO_VECTOR(EchoValue *) Values;

static void shorten_barriers(const Values *parts)
{
  ECHO_VECTOR(EchoOp *) barriers = {0};
  for (size_t i = 0; i < parts->size; ++i) {
    EchoOp *barrier = erase_reshapes(parts->data[i]);
    bool is_known = barrier == NULL;
    for (size_t k = 0; k < barriers.size && !is_known; ++k)
      is_known = barriers.data[k] == barrier;
    if (!is_known)
      echo_vector_push(&barriers, barrier);
  }
  for (size_t i = 0; i < barriers.size; ++i)
    shorten_barrier(barriers.data[i]);
  echo_vector_destroy(&barriers);
}

/* The loop, or the one that took its place. */
static EchoOp *visit_loop(EchoPassRun *pass, EchoOp *loop, Values *parts)
{
  size_t n = 0;
  for (uint32_t i = 0; i < loop->n_operands; ++i) {
    Source source;
    if (!find_source(loop, i, &source))
      continue;
    bool is_known = false;
    for (size_t k = 0; k < parts->size && !is_known; ++k)
      is_known = parts->data[k] == echo_op_operand(loop, i);
    if (!is_known)
      echo_vector_push(parts, echo_op_operand(loop, i));
    forward(loop, &source);
    ++n;
  }
  if (n == 0)
    return loop;
  echo_pass_count(pass, "slices", n);
  echo_loop_redirect_own_slices(loop);
  return echo_loop_drop_unread(loop);
}

static void visit_block(EchoPassRun *pass, EchoBlock *block)
{
  Values parts = {0};
  for (EchoOp *op = block->first; op != NULL; op = op->next)
    if (echo_hlo_opcode(op) == ECHO_HLO_WHILE)
      op = visit_loop(pass, op, &parts);
  shorten_barriers(&parts);
  echo_vector_destroy(&parts);
}

static bool run(EchoPassRun *pass)
{
  ECHO_VECTOR(EchoBlock *) blocks = {0};
  for (EchoOp *op = pass->op; op != NULL; op = echo_op_walk_next(pass->op, op))
    for (size_t r = 0; r < op->n_regions; ++r)
      if (echo_op_has_trait(op, ECHO_FUNCTION) || echo_op_node_kind(op) == ECHO_NODE_CONTROL)
        for (EchoBlock *block = op->regions[r].first; block != NULL; block = block->next)
          echo_vector_push(&blocks, block);
  for (size_t i = 0; i < blocks.size; ++i)
    visit_block(pass, blocks.data[i]);
  echo_vector_destroy(&blocks);
  return true;
}

static const EchoPassStatistic STATISTICS[] = {{"slices", "slices that are not copied"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_FORWARD_SLICES = {
    .name = "forward-slices",
    .summary = "read slices of slices in loops from the array that they are of",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
