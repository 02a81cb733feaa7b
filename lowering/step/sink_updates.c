/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --sink-updates: a stack that a counted loop writes slice by slice, and only elementwise ops read
 * behind it, is never whole: the ops move into the loop, each iteration computes its slice, and
 * what other ops read is stacked instead. So the gradients of stacked weights meet their weights
 * and moments where they are made. Where a result takes the storage of an argument that the ops
 * read, slices are written over it. The invariant: the same ops on the same elements, so results
 * keep their bits. A norm of all gradients in between is a reason to leave the stack. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/lowering.h"
#include "lowering/step/sink_updates_t.h"
#include "planning/loops/along.h"
#include "planning/loops/change.h"
#include "planning/loops/share.h"
#include "planning/loops/slices.h"
#include "planning/schedule/graph.h"

#define MAX_DEPTH 16 /* of what is computed for a slice beside what moves: a decayed moment */

/* ---- what the loop writes ---- */

/* All that are written at one index. */
static void find_stacks(EchoSinker *sinker)
{
  for (uint32_t i = 0; i < sinker->loop->n_operands; ++i) {
    EchoOp *update = echo_loop_stacking_or_null(sinker->loop, i);
    if (update == NULL)
      continue;
    EchoValue *index = echo_op_operand(update, 2);
    int64_t n_slices = echo_type_dim(echo_op_operand_type(sinker->loop, i), 0);
    if (sinker->like == NULL &&
        echo_loop_visits_all(sinker->loop, &sinker->counted, index, n_slices)) {
      sinker->like = update;
      sinker->n_slices = n_slices;
    }
    if (sinker->like != NULL && index == echo_op_operand(sinker->like, 2) &&
        n_slices == sinker->n_slices)
      echo_vector_push(&sinker->stacks, (EchoSinkStack){i, update, false});
  }
}

/* ---- what can move ---- */

static bool has(const EchoMap *set, const void *key)
{
  return echo_map_has(set, echo_key(key));
}

/* What comes from the loop, from ops that are not pure, and from ops with regions. */
static void find_late(EchoSinker *sinker)
{
  for (size_t i = 0; i < sinker->loop->n_results; ++i)
    echo_map_set(&sinker->is_late, echo_key(echo_op_result(sinker->loop, i)), 1);
  for (size_t i = 0; i < sinker->behind.size; ++i) {
    const EchoOp *op = sinker->behind.data[i];
    bool is_late = !echo_op_is_pure(op) || op->n_regions != 0;
    for (size_t k = 0; k < op->n_operands; ++k)
      is_late |= has(&sinker->is_late, echo_op_operand(op, k));
    for (size_t k = 0; k < op->n_results && is_late; ++k)
      echo_map_set(&sinker->is_late, echo_key(echo_op_result(op, k)), 1);
  }
}

static const EchoType *form_or_null(const EchoSinker *sinker, const EchoValue *value)
{
  return echo_map_get_ptr(&sinker->moved, value);
}

/* Slices of the result are transposed slices of the operand. */
static bool is_slicewise_transpose(const EchoOp *op)
{
  EchoDimList permutation = echo_hlo_opcode(op) == ECHO_HLO_TRANSPOSE
                                ? echo_stablehlo_dims(op, "permutation")
                                : (EchoDimList){0};
  return permutation.size != 0 && permutation.dims[0] == 0;
}

static bool is_slicewise_map(const EchoOp *op)
{
  return echo_op_has_trait(op, ECHO_ELEMENTWISE) && op->n_operands != 0 &&
         echo_type_rank(echo_op_result_type(op, 0)) != 0;
}

/* Ops whose slices are computed from slices and from operands that are no stacks. */
static bool is_slicewise(const EchoOp *op)
{
  return op->n_results == 1 && op->n_regions == 0 && echo_op_is_pure(op) &&
         echo_type_is_tensor(echo_op_result_type(op, 0)) &&
         (echo_sink_is_view(op) || is_slicewise_map(op) || is_slicewise_transpose(op) ||
          echo_hlo_opcode(op) == ECHO_HLO_BROADCAST_IN_DIM);
}

/* What operands of a map are: the same shape as the result, or a scalar for all of it. */
static const EchoType *map_form_or_null(const EchoSinker *sinker, const EchoOp *op)
{
  const EchoType *form = NULL;
  for (size_t i = 0; i < op->n_operands; ++i) {
    const EchoValue *operand = echo_op_operand(op, i);
    const EchoType *own = echo_type_rank(operand->type) != 0 ? form_or_null(sinker, operand) : NULL;
    if (own == NULL ? has(&sinker->is_late, operand)
                    : form != NULL && !echo_type_same_dims(form, own))
      return NULL;
    form = own != NULL ? own : form;
  }
  return form;
}

/* Slices of the result, as it is, are broadcasts of the operand's slices in the form. */
static bool broadcasts_slices(const EchoOp *op, const EchoType *form)
{
  EchoSinkBroadcast broadcast;
  bool holds = echo_sink_broadcast(op, echo_op_result_type(op, 0), &broadcast) &&
               broadcast.rank == echo_type_rank(form) && broadcast.places[0] == 0;
  for (size_t d = 0; d < echo_type_rank(form) && holds; ++d)
    holds = broadcast.dims[d] == echo_type_dim(form, d);
  return holds;
}

/* The form in which the op's result is computed slice by slice in the loop; NULL where it is not.
 */
static const EchoType *form_when_moved_or_null(const EchoSinker *sinker, const EchoOp *op)
{
  if (!is_slicewise(op))
    return NULL;
  if (is_slicewise_map(op))
    return map_form_or_null(sinker, op);
  const EchoType *form = form_or_null(sinker, echo_op_operand(op, 0));
  if (form == NULL || echo_sink_is_view(op))
    return form;
  bool holds = echo_hlo_opcode(op) == ECHO_HLO_BROADCAST_IN_DIM
                   ? broadcasts_slices(op, form)
                   : echo_type_same_dims(form, echo_op_operand_type(op, 0));
  return holds ? echo_op_result_type(op, 0) : NULL;
}

static EchoValue *result_of(const EchoSinker *sinker, const EchoSinkStack *stack)
{
  return echo_op_result(sinker->loop, stack->carried);
}

/* Everything behind the loop that can move while the stacks that stay do. */
static void find_moved(EchoSinker *sinker)
{
  echo_map_clear(&sinker->moved);
  for (size_t i = 0; i < sinker->stacks.size; ++i) {
    const EchoValue *stack = result_of(sinker, &sinker->stacks.data[i]);
    if (!sinker->stacks.data[i].stays)
      echo_map_set_ptr(&sinker->moved, stack, stack->type);
  }
  for (size_t i = 0; i < sinker->behind.size; ++i) {
    const EchoOp *op = sinker->behind.data[i];
    const EchoType *form = form_when_moved_or_null(sinker, op);
    if (form != NULL)
      echo_map_set_ptr(&sinker->moved, echo_op_result(op, 0), form);
  }
}

/* Views of what moves stay where they are, until nobody reads them. */
static bool moves(const EchoSinker *sinker, const EchoOp *op)
{
  return op->n_results == 1 && has(&sinker->moved, echo_op_result(op, 0));
}

/* Somebody reads it who stays behind the loop. */
static bool is_read_behind(const EchoSinker *sinker, const EchoValue *value)
{
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next)
    if (use->owner->block != sinker->loop->block || !moves(sinker, use->owner) ||
        (echo_sink_is_view(use->owner) && is_read_behind(sinker, echo_op_result(use->owner, 0))))
      return true;
  return false;
}

/* Stacks that something else reads stay, and so does what is made of them: also where that reads
 * another stack of the same rows (planning/loops/share.h). False where none goes. */
static bool settle(EchoSinker *sinker)
{
  bool is_settled = false, any = false;
  for (size_t i = 0; i < sinker->stacks.size; ++i)
    sinker->stacks.data[i].stays =
        echo_loop_is_shared_stack(sinker->loop, sinker->stacks.data[i].carried);
  while (!is_settled) {
    is_settled = true;
    any = false;
    find_moved(sinker);
    for (size_t i = 0; i < sinker->stacks.size; ++i) {
      EchoSinkStack *stack = &sinker->stacks.data[i];
      if (stack->stays)
        continue;
      stack->stays = is_read_behind(sinker, result_of(sinker, stack)) ||
                     echo_value_is_unused(result_of(sinker, stack));
      is_settled &= !stack->stays;
      any |= !stack->stays;
    }
  }
  return any;
}

/* Ops that are there for what moves alone: their slices are computed in the loop, too. From the
 * last to the first: all readers of an op are known when it is looked at. */
static void find_going(EchoSinker *sinker)
{
  for (size_t i = sinker->behind.size; i-- > 0;) {
    EchoOp *op = sinker->behind.data[i];
    bool goes = moves(sinker, op);
    if (!goes && is_slicewise(op) && !has(&sinker->is_late, echo_op_result(op, 0))) {
      goes = true;
      for (const EchoUse *use = echo_op_result(op, 0)->first_use; use != NULL; use = use->next)
        goes &= has(&sinker->goes, use->owner);
    }
    if (goes)
      echo_map_set(&sinker->goes, echo_key(op), 1);
  }
}

/* The only op that reads `value` behind the loop: it writes it into an array. False for others. */
static bool find_only_update(const EchoSinker *sinker, const EchoValue *value, EchoOp **update)
{
  bool holds = true;
  for (const EchoUse *use = value->first_use; use != NULL && holds; use = use->next) {
    EchoOp *op = use->owner;
    if (op->block == sinker->loop->block && moves(sinker, op)) {
      holds = !echo_sink_is_view(op) || find_only_update(sinker, echo_op_result(op, 0), update);
      continue;
    }
    holds = *update == NULL && op->block == sinker->loop->block &&
            echo_hlo_opcode(op) == ECHO_HLO_DYNAMIC_UPDATE_SLICE &&
            echo_use_operand_index(use) == 1;
    *update = op;
  }
  return holds && *update != NULL;
}

static void find_targets(EchoSinker *sinker)
{
  for (size_t i = 0; i < sinker->behind.size; ++i) {
    EchoOp *op = sinker->behind.data[i];
    EchoSinkTarget target = {.op = op};
    if (!moves(sinker, op) || echo_sink_is_view(op) ||
        !is_read_behind(sinker, echo_op_result(op, 0)))
      continue;
    const EchoValue *result = echo_op_result(op, 0);
    if (!find_only_update(sinker, result, &target.row) ||
        !echo_sink_writes_row(sinker, target.row, form_or_null(sinker, result)))
      target.row = NULL;
    if (target.row != NULL) {
      target.first = echo_op_operand(target.row, 0);
      echo_map_set(&sinker->rows, echo_key(target.first), 1);
    } else {
      target.first = echo_sink_overwritten_or_null(sinker, result);
    }
    echo_vector_push(&sinker->targets, target);
  }
}

/* No more stacks than before, in bytes. */
static bool is_worth_it(const EchoSinker *sinker)
{
  uint64_t gone = 0, made = 0;
  for (size_t i = 0; i < sinker->stacks.size; ++i)
    if (!sinker->stacks.data[i].stays)
      gone += echo_type_static_bytes(result_of(sinker, &sinker->stacks.data[i])->type);
  for (size_t i = 0; i < sinker->targets.size; ++i)
    if (sinker->targets.data[i].first == NULL)
      made += echo_type_static_bytes(echo_op_result_type(sinker->targets.data[i].op, 0));
  return made <= gone;
}

/* ---- moving ---- */

static EchoMap *slices_in(EchoSinker *sinker, const EchoType *form)
{
  for (size_t i = 0; i < sinker->forms.size; ++i)
    if (echo_type_same_dims(sinker->forms.data[i].type, form))
      return &sinker->forms.data[i].slices;
  echo_vector_push(&sinker->forms, (EchoSinkForm){form, {0}});
  return &echo_vector_last(&sinker->forms).slices;
}

static EchoValue *reshape_to(EchoBuilder *builder, EchoValue *value, const EchoType *type)
{
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    dims[d] = echo_type_dim(type, d);
  return echo_hlo_reshape(builder, value, dims, echo_type_rank(type));
}

/* How a slice is asked for. */
typedef struct Wanted {
  const EchoType *form;
  int depth; /* how far up more may be computed */
} Wanted;

static EchoValue *slice_of(EchoSinker *sinker, EchoBuilder *builder, EchoValue *value, Wanted want);

static EchoValue *broadcast_slice_or_null(EchoSinker *sinker, EchoBuilder *builder, EchoOp *op,
                                          Wanted want)
{
  EchoValue *operand = echo_op_operand(op, 0);
  EchoSinkBroadcast broadcast;
  if (!echo_sink_broadcast(op, want.form, &broadcast))
    return NULL;
  const EchoType *form = echo_type_tensor(builder->ctx, broadcast.dims, broadcast.rank,
                                          operand->type->as.shaped.element, NULL);
  if (broadcast.rank != 0 && broadcast.places[0] == 0) {
    operand = slice_of(sinker, builder, operand, (Wanted){form, want.depth});
  } else {
    echo_dataflow_hoist(sinker->loop, operand);
    operand = echo_sink_array(sinker, operand, form);
  }
  return echo_hlo_broadcast_in_dim(
      builder, operand, echo_sink_slice_type(builder->ctx, want.form, echo_op_result_type(op, 0)),
      broadcast.places, broadcast.rank);
}

static EchoValue *clone_slice(EchoSinker *sinker, EchoBuilder *builder, EchoOp *op, Wanted want)
{
  EchoMap operands = {0};
  for (size_t i = 0; i < op->n_operands; ++i) {
    EchoValue *operand = echo_op_operand(op, i);
    if (echo_type_rank(operand->type) == 0)
      echo_dataflow_hoist(sinker->loop, operand);
    else
      echo_map_set_ptr(&operands, operand, slice_of(sinker, builder, operand, want));
  }
  EchoOp *clone = echo_op_clone(op, &operands);
  echo_map_destroy(&operands);
  return echo_op_result(clone, 0);
}

/* Of what `op`, behind the loop, makes; NULL where it is no op whose slices can be computed. */
static EchoValue *computed_or_null(EchoSinker *sinker, EchoBuilder *builder, EchoOp *op,
                                   Wanted want)
{
  EchoValue *result = echo_op_result(op, 0), *slice;
  if (!is_slicewise(op))
    return NULL;
  if (echo_sink_is_view(op))
    return echo_type_rank(echo_op_operand_type(op, 0)) != 0
               ? slice_of(sinker, builder, echo_op_operand(op, 0), want)
               : NULL;
  if (echo_hlo_opcode(op) == ECHO_HLO_BROADCAST_IN_DIM)
    return broadcast_slice_or_null(sinker, builder, op, want);
  const EchoType *type = echo_sink_slice_type(builder->ctx, want.form, result->type);
  if (is_slicewise_transpose(op)) {
    if (!echo_type_same_dims(want.form, result->type))
      return NULL;
    want.form = echo_op_operand_type(op, 0);
  }
  slice = clone_slice(sinker, builder, op, want);
  echo_value_set_type(slice, type);
  echo_builder_insert(builder, echo_value_def_or_null(slice));
  return slice;
}

/* Of an array that is there before the loop. */
static EchoValue *read_slice(const EchoSinker *sinker, EchoBuilder *builder, EchoValue *value,
                             const EchoType *form)
{
  EchoLoopSlot slot;
  const EchoOp *row = echo_sink_row_or_null(sinker, value, form);
  EchoValue *array =
      echo_sink_slot(sinker, row != NULL ? echo_op_operand(row, 0) : value, row, 1, form, &slot);
  return reshape_to(builder, echo_loop_read_slot(builder, array, &slot),
                    echo_sink_slice_type(builder->ctx, form, value->type));
}

/* Of an array that is there before the loop, or of what is computed from such arrays. */
static EchoValue *slice_of(EchoSinker *sinker, EchoBuilder *builder, EchoValue *value, Wanted want)
{
  EchoValue *slice = echo_map_get_ptr(slices_in(sinker, want.form), value);
  if (slice != NULL)
    return slice;
  EchoOp *op = echo_dataflow_maker_behind_or_null(sinker->loop, value);
  if (echo_along_is_splat(value)) {
    const EchoAttr *attr = echo_value_constant_or_null(value);
    slice = echo_hlo_constant(
        builder,
        echo_attr_elements(builder->ctx, echo_sink_slice_type(builder->ctx, want.form, value->type),
                           attr->as.elements.data, attr->as.elements.size_bytes, true));
  } else if (op != NULL && want.depth > 0) {
    slice = computed_or_null(sinker, builder, op, (Wanted){want.form, want.depth - 1});
  }
  if (slice == NULL)
    slice = read_slice(sinker, builder, value, want.form);
  echo_map_set_ptr(slices_in(sinker, want.form), value, slice);
  return slice;
}

/* A carried value that `slice` is written into, in place of the target's result: what it begins as.
 */
static EchoValue *stack_slice(const EchoSinker *sinker, EchoBuilder *builder, EchoValue *slice,
                              const EchoSinkTarget *target)
{
  const EchoType *result = echo_op_result_type(target->op, 0),
                 *form = form_or_null(sinker, echo_op_result(target->op, 0));
  EchoBuilder outside = echo_builder_before(sinker->loop);
  EchoLoopSlot slot = {{echo_op_operand(sinker->like, 2)}, 1};
  outside.attrs = builder->attrs;
  EchoValue *first =
      target->first == NULL
          ? echo_hlo_constant_i64(&outside, echo_sink_array_type(builder->ctx, form, result), 0)
          : echo_sink_slot(sinker, target->first, target->row, 2, form, &slot);
  EchoValue *argument = echo_loop_add_carried(sinker->loop, first->type);
  echo_loop_yield(sinker->loop, echo_loop_write_slot(builder, argument, slice, &slot));
  return first;
}

/* `from` is now `to`, which may have another form. */
static void replace(EchoValue *from, EchoValue *to)
{
  EchoBuilder builder = echo_builder_after(echo_value_def_or_null(to));
  builder.attrs = echo_value_def_or_null(from)->attrs;
  echo_value_replace_all_uses(from, reshape_to(&builder, to, from->type));
}

/* Computes in the loop what moves: what its new carried values begin as, one a target. */
static void compute(EchoSinker *sinker, EchoValue **added)
{
  EchoBuilder builder = echo_builder_before(sinker->body->last);
  size_t n = 0;
  for (size_t i = 0; i < sinker->stacks.size; ++i) {
    const EchoSinkStack *stack = &sinker->stacks.data[i];
    EchoValue *whole = result_of(sinker, stack);
    if (!stack->stays)
      echo_map_set_ptr(slices_in(sinker, whole->type), whole, echo_op_operand(stack->update, 1));
  }
  for (size_t i = 0; i < sinker->behind.size; ++i) {
    EchoOp *op = sinker->behind.data[i];
    if (!moves(sinker, op))
      continue;
    builder.attrs = op->attrs;
    EchoValue *result = echo_op_result(op, 0);
    EchoValue *slice =
        slice_of(sinker, &builder, result, (Wanted){form_or_null(sinker, result), MAX_DEPTH + 1});
    if (n < sinker->targets.size && sinker->targets.data[n].op == op) {
      added[n] = stack_slice(sinker, &builder, slice, &sinker->targets.data[n]);
      ++n;
    }
  }
}

/* What moved, and what wrote it into rows: readers before what they read. */
static void erase_moved(const EchoSinker *sinker)
{
  EchoMap rows = {0};
  for (size_t i = 0; i < sinker->targets.size; ++i)
    if (sinker->targets.data[i].row != NULL)
      echo_map_set(&rows, echo_key(sinker->targets.data[i].row), 1);
  for (size_t i = sinker->behind.size; i-- > 0;) {
    EchoOp *op = sinker->behind.data[i];
    bool goes = moves(sinker, op) &&
                (!echo_sink_is_view(op) || echo_value_is_unused(echo_op_result(op, 0)));
    if (goes || echo_map_has(&rows, echo_key(op)))
      echo_op_erase(op);
  }
  echo_map_destroy(&rows);
}

static EchoOp *sink(EchoSinker *sinker)
{
  size_t n_old = sinker->loop->n_operands, n = sinker->targets.size;
  EchoValue **added = echo_alloc_array(n + 1, sizeof *added);
  compute(sinker, added);
  /* The results stand behind those that were there: what goes goes with the first rebuilding. */
  bool *nothing = echo_alloc_zero(n_old + n + 1, sizeof *nothing);
  EchoOp *loop = echo_loop_rebuild(sinker->loop, nothing, added, n);
  echo_free(nothing);
  echo_free(added);
  for (size_t i = 0; i < n; ++i) {
    const EchoSinkTarget *target = &sinker->targets.data[i];
    replace(echo_op_result(target->row != NULL ? target->row : target->op, 0),
            echo_op_result(loop, n_old + i));
  }
  erase_moved(sinker);
  echo_loop_redirect_own_slices(loop);
  return echo_loop_drop_unread(loop); /* the stacks: only what makes the next one reads them */
}

/* ---- the function ---- */

/* The loop, or the one that took its place. */
static EchoOp *visit_loop(EchoPassRun *pass, EchoOp *loop)
{
  EchoSinker sinker = {.loop = loop, .body = echo_op_body(loop, 1)};
  if (!echo_hlo_counted_loop(loop, &sinker.counted))
    return loop;
  find_stacks(&sinker);
  for (EchoOp *op = loop->next; op != NULL && op->next != NULL && sinker.stacks.size != 0;
       op = op->next)
    echo_vector_push(&sinker.behind, op);
  find_late(&sinker);
  bool any = settle(&sinker);
  find_going(&sinker);
  find_targets(&sinker);
  if (any && is_worth_it(&sinker)) {
    for (size_t i = 0; i < sinker.stacks.size; ++i)
      echo_pass_count(pass, "stacks", !sinker.stacks.data[i].stays);
    loop = sink(&sinker);
  }
  echo_vector_destroy(&sinker.stacks);
  echo_vector_destroy(&sinker.behind);
  echo_map_destroy(&sinker.is_late);
  echo_map_destroy(&sinker.moved);
  echo_map_destroy(&sinker.goes);
  for (size_t i = 0; i < sinker.forms.size; ++i)
    echo_map_destroy(&sinker.forms.data[i].slices);
  echo_vector_destroy(&sinker.forms);
  echo_vector_destroy(&sinker.targets);
  echo_map_destroy(&sinker.rows);
  return loop;
}

static void visit_block(EchoPassRun *pass, EchoBlock *block)
{
  for (EchoOp *op = block->first; op != NULL; op = op->next)
    if (echo_hlo_opcode(op) == ECHO_HLO_WHILE)
      op = visit_loop(pass, op);
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

static const EchoPassStatistic STATISTICS[] = {{"stacks", "stacks that are never whole"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_SINK_UPDATES = {
    .name = "sink-updates",
    .summary = "run elementwise ops behind a loop, on what it stacks, inside of it",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
