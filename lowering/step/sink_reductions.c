/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --sink-reductions: a stack that a counted loop writes slice by slice, and of which reductions
 * alone are read behind it (perhaps of what it is moved or mapped to), is never whole: each
 * iteration reduces its own slice, and what is stacked, or added up from one iteration to the next,
 * is what comes of that. So the gradients of what a scan reads at each step are summed where they
 * are made. The mirror of planning/loops/inputs.h. The invariant: the same elements are reduced; a
 * sum's order is that of its shape, so this runs once, on the training step, before anything is
 * made again. Nothing moves where the loop would take longer for it by the device model. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/lowering.h"
#include "lowering/step/split_reductions_t.h"
#include "planning/cost/runtime.h"
#include "planning/loops/along.h"
#include "planning/loops/change.h"
#include "planning/loops/dataflow.h"
#include "planning/loops/share.h"
#include "planning/loops/slices.h"

#define MAX_DEPTH 64   /* of what is computed for a slice beside what moves */
#define SAVED_PART 2   /* of the stacks' bytes: no more than that part is stacked instead */
#define STACK_PASSES 2 /* over memory that a stack takes at least: it is written, and read */

typedef struct Stack {
  uint32_t carried;
  EchoOp *update;
  bool stays;
} Stack;

/* A reduction that moves: its result is stacked along `dim`, or, where the slices themselves are
 * reduced (ECHO_ALONG_NONE), combined from one iteration to the next. */
typedef struct Target {
  EchoOp *op;
  int64_t dim;
} Target;

typedef struct Slice {
  const EchoValue *value;
  int64_t dim;
  EchoValue *slice;
} Slice;

typedef struct Sinker {
  EchoOp *loop;
  EchoBlock *body;
  EchoValue *index; /* at which all of the stacks are written */
  int64_t n_slices;
  ECHO_VECTOR(Stack) stacks;
  EchoDataflowOrder behind; /* ops behind the loop, in that order */
  EchoMap is_late;          /* values that cannot be computed before the loop */
  EchoMap moved;            /* value -> dimension + 1 along which its slices are made in the loop */
  EchoMap goes;             /* op -> 1: moves, or is read by such ops alone */
  ECHO_VECTOR(Target) targets;
  ECHO_VECTOR(Slice) slices;
  EchoBuilder builder; /* at the end of the body */
} Sinker;

static bool has(const EchoMap *set, const void *key)
{
  return echo_map_has(set, echo_key(key));
}

/* ---- what the loop writes ---- */

/* All that are written at one index, and by rows that nobody could read elsewhere. */
static void find_stacks(Sinker *sinker, const EchoCountedLoop *counted)
{
  for (uint32_t i = 0; i < sinker->loop->n_operands; ++i) {
    EchoOp *update = echo_loop_stacking_or_null(sinker->loop, i);
    if (update == NULL || echo_value_is_unused(echo_op_result(sinker->loop, i)))
      continue;
    EchoValue *index = echo_op_operand(update, 2);
    int64_t n_slices = echo_type_dim(echo_op_operand_type(sinker->loop, i), 0);
    if (sinker->index == NULL && echo_loop_visits_all(sinker->loop, counted, index, n_slices)) {
      sinker->index = index;
      sinker->n_slices = n_slices;
    }
    if (sinker->index == index && n_slices == sinker->n_slices &&
        !echo_loop_is_shared_stack(sinker->loop, i))
      echo_vector_push(&sinker->stacks, (Stack){i, update, false});
  }
}

static void find_behind(Sinker *sinker)
{
  EchoDataflowOrder order = {0};
  const EchoOp *loop = sinker->loop;
  echo_dataflow_order(loop->block, &order);
  for (size_t i = 0; i < order.size; ++i)
    if (order.data[i] != loop->block->last && echo_op_is_before(loop, order.data[i]))
      echo_vector_push(&sinker->behind, order.data[i]);
  echo_vector_destroy(&order);
}

static bool is_early(void *user, EchoValue *value)
{
  const Sinker *sinker = user;
  return !has(&sinker->is_late, value);
}

/* What comes from the loop, and from ops that are not pure. */
static void find_late(Sinker *sinker)
{
  for (size_t i = 0; i < sinker->loop->n_results; ++i)
    echo_map_set(&sinker->is_late, echo_key(echo_op_result(sinker->loop, i)), 1);
  for (size_t i = 0; i < sinker->behind.size; ++i) {
    EchoOp *op = sinker->behind.data[i];
    bool is_late = !echo_op_is_pure(op) || !echo_dataflow_for_operands(op, is_early, sinker);
    for (size_t k = 0; k < op->n_results && is_late; ++k)
      echo_map_set(&sinker->is_late, echo_key(echo_op_result(op, k)), 1);
  }
}

/* ---- what can move ---- */

/* Along which its slices are made in the loop; ECHO_ALONG_NONE: they are not. */
static int64_t moved_dim(const Sinker *sinker, const EchoValue *value)
{
  uint64_t dim;
  return echo_map_get(&sinker->moved, echo_key(value), &dim) ? (int64_t)dim - 1 : ECHO_ALONG_NONE;
}

static bool is_slicewise(const EchoOp *op)
{
  return op->n_results == 1 && op->n_operands != 0 && op->n_regions == 0 && echo_op_is_pure(op) &&
         echo_type_is_tensor(echo_op_result_type(op, 0)) &&
         echo_type_has_static_shape(echo_op_result_type(op, 0));
}

/* Whether a slice of the result along `dim` can be made of slices of what moves and of what is
 * there before the loop. */
static bool can_make(const Sinker *sinker, const EchoOp *op, int64_t dim)
{
  bool holds = dim >= 0;
  for (size_t i = 0; i < op->n_operands && holds; ++i) {
    const EchoValue *operand = echo_op_operand(op, i);
    int64_t own = echo_along_operand(op, i, dim), moved = moved_dim(sinker, operand);
    holds = own != ECHO_ALONG_NONE &&
            (moved != ECHO_ALONG_NONE ? own == moved : !has(&sinker->is_late, operand));
  }
  return holds;
}

static void see_map(Sinker *sinker, const EchoOp *op)
{
  for (size_t i = 0; i < op->n_operands; ++i) {
    int64_t moved = moved_dim(sinker, echo_op_operand(op, i));
    if (moved == ECHO_ALONG_NONE)
      continue;
    int64_t dim = echo_along_result(op, i, moved);
    if (can_make(sinker, op, dim))
      echo_map_set(&sinker->moved, echo_key(echo_op_result(op, 0)), (uint64_t)dim + 1);
    return; /* the others have to agree */
  }
}

/* Whether what comes of the slices one by one may be combined one after the other: not in halves,
 * whose sums are kept in more. */
static bool may_combine(const EchoOp *op)
{
  EchoHloOpcode combiner = echo_hlo_combiner(&op->regions[0]);
  EchoElementKind kind = echo_type_element_kind(echo_op_result_type(op, 0));
  return (combiner == ECHO_HLO_ADD || combiner == ECHO_HLO_MAXIMUM ||
          combiner == ECHO_HLO_MINIMUM) &&
         (!echo_element_is_float(kind) || echo_element_bits(kind) >= 32) &&
         echo_reduce_may_begin_twice(combiner, echo_op_operand(op, 1));
}

/* Which of the result's dimensions is the operand's `dim`. */
static int64_t kept_dim(const EchoOp *reduce, int64_t dim)
{
  EchoDimList dims = echo_stablehlo_dims(reduce, "dimensions");
  int64_t kept = dim;
  for (size_t i = 0; i < dims.size; ++i)
    kept -= dims.dims[i] < dim;
  return echo_dim_list_has(dims, dim) ? ECHO_ALONG_NONE : kept;
}

/* Whether `op` reduces what moves, and can do so slice by slice. */
static bool is_target(const Sinker *sinker, const EchoOp *op, int64_t *dim)
{
  if (echo_hlo_opcode(op) != ECHO_HLO_REDUCE || op->n_operands != 2 ||
      has(&sinker->is_late, echo_op_operand(op, 1)) ||
      echo_type_element(echo_op_operand_type(op, 0)) !=
          echo_type_element(echo_op_result_type(op, 0)))
    return false;
  int64_t moved = moved_dim(sinker, echo_op_operand(op, 0));
  if (moved == ECHO_ALONG_NONE)
    return false;
  *dim = kept_dim(op, moved);
  return *dim != ECHO_ALONG_NONE || may_combine(op);
}

static EchoValue *result_of(const Sinker *sinker, const Stack *stack)
{
  return echo_op_result(sinker->loop, stack->carried);
}

static void find_moved(Sinker *sinker)
{
  echo_map_clear(&sinker->moved);
  for (size_t i = 0; i < sinker->stacks.size; ++i)
    if (!sinker->stacks.data[i].stays)
      echo_map_set(&sinker->moved, echo_key(result_of(sinker, &sinker->stacks.data[i])), 1);
  for (size_t i = 0; i < sinker->behind.size; ++i)
    if (is_slicewise(sinker->behind.data[i]))
      see_map(sinker, sinker->behind.data[i]);
}

/* By value, what is read whole behind the loop, itself or what is made of it: from the last op to
 * the first. */
static void find_escapes(const Sinker *sinker, EchoMap *escapes)
{
  for (size_t i = sinker->behind.size + sinker->stacks.size; i-- > 0;) {
    const EchoValue *value;
    if (i < sinker->stacks.size)
      value = result_of(sinker, &sinker->stacks.data[i]);
    else if (sinker->behind.data[i - sinker->stacks.size]->n_results == 1)
      value = echo_op_result(sinker->behind.data[i - sinker->stacks.size], 0);
    else
      continue;
    bool escapes_here = moved_dim(sinker, value) == ECHO_ALONG_NONE;
    for (const EchoUse *use = value->first_use; use != NULL && !escapes_here; use = use->next) {
      int64_t dim;
      escapes_here = use->owner->block != sinker->loop->block ||
                     (!is_target(sinker, use->owner, &dim) &&
                      (use->owner->n_results != 1 || has(escapes, echo_op_result(use->owner, 0)) ||
                       moved_dim(sinker, echo_op_result(use->owner, 0)) == ECHO_ALONG_NONE));
    }
    if (escapes_here)
      echo_map_set(escapes, echo_key(value), 1);
  }
}

/* Stacks that something else reads stay, and so do those that meet them. False where none goes. */
static bool settle(Sinker *sinker)
{
  bool any = sinker->stacks.size != 0;
  for (bool is_settled = false; !is_settled && any;) {
    EchoMap escapes = {0};
    is_settled = true;
    any = false;
    find_moved(sinker);
    find_escapes(sinker, &escapes);
    for (size_t i = 0; i < sinker->stacks.size; ++i) {
      Stack *stack = &sinker->stacks.data[i];
      bool stays = stack->stays || has(&escapes, result_of(sinker, stack));
      is_settled &= stays == stack->stays;
      stack->stays = stays;
      any |= !stays;
    }
    echo_map_destroy(&escapes);
  }
  return any;
}

static void find_targets(Sinker *sinker)
{
  for (size_t i = 0; i < sinker->behind.size; ++i) {
    Target target = {.op = sinker->behind.data[i]};
    if (is_target(sinker, target.op, &target.dim))
      echo_vector_push(&sinker->targets, target);
  }
}

/* Ops that are there for what moves alone, wherever they stand: their slices are computed in the
 * loop, too. */
static void find_going(Sinker *sinker)
{
  for (size_t i = 0; i < sinker->targets.size; ++i)
    echo_map_set(&sinker->goes, echo_key(sinker->targets.data[i].op), 1);
  for (EchoOp *op = sinker->loop->block->last; op != NULL; op = op->prev) {
    bool goes = is_slicewise(op);
    for (const EchoUse *use = goes ? echo_op_result(op, 0)->first_use : NULL; use != NULL && goes;
         use = use->next)
      goes = has(&sinker->goes, use->owner);
    if (goes)
      echo_map_set(&sinker->goes, echo_key(op), 1);
  }
}

/* What is stacked is little beside what was, and the reductions' launches in each iteration take no
 * longer than the stacks' way through memory. On a processor a slice that takes less than to wake
 * threads is reduced on the thread that runs the loop. */
static bool is_worth_it(const Sinker *sinker, const EchoDeviceModel *device)
{
  double gone = 0, made = 0, launch_ns = echo_device_model_call_ns(device);
  for (size_t i = 0; i < sinker->stacks.size; ++i)
    if (!sinker->stacks.data[i].stays)
      gone += (double)echo_type_static_bytes(result_of(sinker, &sinker->stacks.data[i])->type);
  for (size_t i = 0; i < sinker->targets.size; ++i)
    if (sinker->targets.data[i].dim != ECHO_ALONG_NONE)
      made += (double)echo_type_static_bytes(echo_op_result_type(sinker->targets.data[i].op, 0));
  double launches_ns = (double)sinker->n_slices * (double)sinker->targets.size * launch_ns;
  return made * SAVED_PART <= gone &&
         launches_ns <= STACK_PASSES * gone / device->memory_bytes_per_s * 1e9;
}

/* ---- moving ---- */

static EchoValue *slice_of(Sinker *sinker, EchoValue *value, int64_t dim, int depth);

/* By `op`, of its operands' slices. */
static EchoValue *make_slice(Sinker *sinker, EchoOp *op, int64_t dim, int depth)
{
  EchoBuilder *builder = &sinker->builder;
  EchoMap operands = {0};
  for (size_t i = 0; i < op->n_operands; ++i) {
    EchoValue *operand = echo_op_operand(op, i);
    echo_map_set_ptr(&operands, operand,
                     slice_of(sinker, operand, echo_along_operand(op, i, dim), depth));
  }
  EchoOp *clone = echo_op_clone(op, &operands);
  echo_map_destroy(&operands);
  echo_value_set_type(echo_op_result(clone, 0),
                      echo_along_slice_type(builder->ctx, echo_op_result_type(op, 0), dim));
  echo_builder_insert(builder, clone);
  return echo_op_result(clone, 0);
}

/* Whether slices of what `op` makes are made in the loop rather than read there: what moves, what
 * would be there for it alone, and what only spreads what is smaller. */
static bool is_made(const Sinker *sinker, const EchoOp *op, int64_t dim, int depth)
{
  return op != NULL && op->block == sinker->loop->block && is_slicewise(op) && depth > 0 &&
         can_make(sinker, op, dim) &&
         (has(&sinker->goes, op) || echo_hlo_opcode(op) == ECHO_HLO_BROADCAST_IN_DIM);
}

/* Of an array that is there before the loop: of what the loop takes of it, where it does. */
static EchoValue *read_slice(Sinker *sinker, EchoValue *value, int64_t dim)
{
  for (uint32_t k = 0; k < sinker->loop->n_operands; ++k)
    if (echo_op_operand(sinker->loop, k) == value && echo_loop_is_invariant(sinker->loop, k))
      return echo_along_read(&sinker->builder, echo_block_arg(sinker->body, k), dim, sinker->index);
  echo_dataflow_hoist(sinker->loop, value);
  return echo_along_read(&sinker->builder, value, dim, sinker->index);
}

static bool is_taken(const Sinker *sinker, const EchoValue *value)
{
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next)
    if (use->owner == sinker->loop &&
        echo_loop_is_invariant(sinker->loop, echo_use_operand_index(use)))
      return true;
  return false;
}

/* The same where the loop takes a transpose of the array; NULL where it takes none. */
static EchoValue *read_transposed_or_null(Sinker *sinker, EchoValue *value, int64_t dim)
{
  EchoOp *transpose = NULL;
  for (const EchoUse *use = value->first_use; use != NULL && transpose == NULL; use = use->next)
    if (echo_hlo_opcode(use->owner) == ECHO_HLO_TRANSPOSE &&
        is_taken(sinker, echo_op_result(use->owner, 0)))
      transpose = use->owner;
  if (transpose == NULL || is_taken(sinker, value))
    return NULL;
  EchoValue *slice =
      read_slice(sinker, echo_op_result(transpose, 0), echo_along_result(transpose, 0, dim));
  EchoDimList dims = echo_stablehlo_dims(transpose, "permutation");
  int64_t inverse[ECHO_MAX_RANK];
  for (size_t d = 0; d < dims.size; ++d)
    inverse[dims.dims[d]] = (int64_t)d;
  return echo_hlo_transpose(&sinker->builder, slice, inverse);
}

static EchoValue *slice_of(Sinker *sinker, EchoValue *value, int64_t dim, int depth)
{
  EchoOp *op = echo_value_def_or_null(value);
  if (dim == ECHO_ALONG_WHOLE) {
    echo_dataflow_hoist(sinker->loop, value);
    return value;
  }
  for (size_t i = 0; i < sinker->slices.size; ++i)
    if (sinker->slices.data[i].value == value && sinker->slices.data[i].dim == dim)
      return sinker->slices.data[i].slice;
  EchoValue *slice = echo_along_splat_or_null(&sinker->builder, value, dim);
  if (slice == NULL &&
      (moved_dim(sinker, value) != ECHO_ALONG_NONE || is_made(sinker, op, dim, depth))) {
    slice = make_slice(sinker, op, dim, depth - 1);
  } else if (slice == NULL) {
    slice = read_transposed_or_null(sinker, value, dim);
    slice = slice != NULL ? slice : read_slice(sinker, value, dim);
  }
  echo_vector_push(&sinker->slices, (Slice){value, dim, slice});
  return slice;
}

/* The reduction of one slice, without the dimension that it was cut along. */
static EchoValue *reduce_slice(Sinker *sinker, const Target *target)
{
  EchoDimList dims = echo_stablehlo_dims(target->op, "dimensions");
  EchoValue *operand = echo_op_operand(target->op, 0);
  echo_dataflow_hoist(sinker->loop, echo_op_operand(target->op, 1));
  EchoValue *reduced =
      echo_reduce_like(&sinker->builder, target->op,
                       slice_of(sinker, operand, moved_dim(sinker, operand), MAX_DEPTH),
                       echo_op_operand(target->op, 1), dims.dims, dims.size);
  if (target->dim == ECHO_ALONG_NONE)
    return reduced;
  int64_t left[ECHO_MAX_RANK];
  size_t n = 0;
  for (size_t d = 0; d < echo_type_rank(reduced->type); ++d)
    if ((int64_t)d != target->dim)
      left[n++] = echo_type_dim(reduced->type, d);
  return echo_hlo_reshape(&sinker->builder, reduced, left, n);
}

static EchoValue *combine(EchoBuilder *builder, const EchoOp *reduce, EchoValue *a, EchoValue *b)
{
  switch (echo_hlo_combiner(&reduce->regions[0])) {
  case ECHO_HLO_MAXIMUM:
    return echo_hlo_maximum(builder, a, b);
  case ECHO_HLO_MINIMUM:
    return echo_hlo_minimum(builder, a, b);
  default:
    return echo_hlo_add(builder, a, b);
  }
}

/* What the new carried value begins as. */
static EchoValue *carry(Sinker *sinker, const Target *target)
{
  EchoBuilder outside = echo_builder_before(sinker->loop);
  const EchoType *result = echo_op_result_type(target->op, 0);
  sinker->builder.attrs = outside.attrs = target->op->attrs;
  EchoValue *reduced = reduce_slice(sinker, target), *first, *next, *argument;
  if (target->dim == ECHO_ALONG_NONE) {
    first = echo_hlo_broadcast_scalar(&outside, echo_op_operand(target->op, 1), result);
    argument = echo_loop_add_carried(sinker->loop, result);
    next = combine(&sinker->builder, target->op, argument, reduced);
  } else {
    int64_t dims[ECHO_MAX_RANK] = {sinker->n_slices};
    size_t rank = echo_type_rank(reduced->type);
    for (size_t d = 0; d < rank; ++d)
      dims[1 + d] = echo_type_dim(reduced->type, d);
    first = echo_hlo_constant_i64(
        &outside, echo_type_tensor(outside.ctx, dims, rank + 1, result->as.shaped.element, NULL),
        0);
    argument = echo_loop_add_carried(sinker->loop, first->type);
    next = echo_loop_write_slice(&sinker->builder, argument, reduced, sinker->index);
  }
  echo_loop_yield(sinker->loop, next);
  return first;
}

/* Stacks are along the first dimension, the target's result along its own. */
static void replace(const Target *target, EchoValue *carried)
{
  EchoBuilder builder = echo_builder_after(echo_value_def_or_null(carried));
  builder.attrs = target->op->attrs;
  if (target->dim > 0) {
    int64_t permutation[ECHO_MAX_RANK];
    for (int64_t d = 0; d < (int64_t)echo_type_rank(carried->type); ++d)
      permutation[d] = d < target->dim ? d + 1 : d == target->dim ? 0 : d;
    carried = echo_hlo_transpose(&builder, carried, permutation);
  }
  echo_value_replace_all_uses(echo_op_result(target->op, 0), carried);
}

/* Readers before what they read. */
static void erase_unread(const Sinker *sinker)
{
  for (size_t i = sinker->behind.size; i-- > 0;) {
    EchoOp *op = sinker->behind.data[i];
    if (has(&sinker->goes, op) && echo_value_is_unused(echo_op_result(op, 0)))
      echo_op_erase(op);
  }
}

static EchoOp *sink(Sinker *sinker)
{
  size_t n_old = sinker->loop->n_operands, n = sinker->targets.size;
  EchoValue **added = echo_alloc_array(n + 1, sizeof *added);
  for (size_t i = 0; i < sinker->stacks.size; ++i) {
    const Stack *stack = &sinker->stacks.data[i];
    if (!stack->stays)
      echo_vector_push(&sinker->slices,
                       (Slice){result_of(sinker, stack), 0, echo_op_operand(stack->update, 1)});
  }
  for (size_t i = 0; i < n; ++i)
    added[i] = carry(sinker, &sinker->targets.data[i]);
  bool *nothing = echo_alloc_zero(n_old + n + 1, sizeof *nothing);
  EchoOp *loop = echo_loop_rebuild(sinker->loop, nothing, added, n);
  for (size_t i = 0; i < n; ++i)
    replace(&sinker->targets.data[i], echo_op_result(loop, n_old + i));
  echo_free(nothing);
  echo_free(added);
  erase_unread(sinker);
  return echo_loop_drop_unread(loop); /* the stacks: only what makes the next one reads them */
}

/* ---- the function ---- */

/* The loop, or the one that took its place. */
static EchoOp *visit_loop(EchoPassRun *pass, EchoOp *loop, const EchoDeviceModel *device)
{
  EchoCountedLoop counted;
  Sinker sinker = {.loop = loop, .body = echo_op_body(loop, 1)};
  if (!echo_hlo_counted_loop(loop, &counted))
    return loop;
  find_stacks(&sinker, &counted);
  if (sinker.stacks.size != 0)
    find_behind(&sinker);
  find_late(&sinker);
  if (settle(&sinker)) {
    find_targets(&sinker);
    find_going(&sinker);
    if (is_worth_it(&sinker, device)) {
      for (size_t i = 0; i < sinker.stacks.size; ++i)
        echo_pass_count(pass, "stacks", !sinker.stacks.data[i].stays);
      sinker.builder = echo_builder_before(sinker.body->last);
      loop = sink(&sinker);
    }
  }
  echo_vector_destroy(&sinker.stacks);
  echo_vector_destroy(&sinker.behind);
  echo_map_destroy(&sinker.is_late);
  echo_map_destroy(&sinker.moved);
  echo_map_destroy(&sinker.goes);
  echo_vector_destroy(&sinker.targets);
  echo_vector_destroy(&sinker.slices);
  return loop;
}

static bool run(EchoPassRun *pass)
{
  EchoDeviceModel device;
  EchoFusionOptions fusion;
  if (!echo_fusion_options_load(pass, &device, &fusion))
    return false;
  for (EchoOp *op = pass->op; op != NULL; op = echo_op_walk_next(pass->op, op))
    if (echo_hlo_opcode(op) == ECHO_HLO_WHILE && echo_op_node_kind(op) == ECHO_NODE_CONTROL)
      op = visit_loop(pass, op, &device);
  return true;
}

static const EchoPassOption OPTIONS[] = {
    {"device", "model that launches and memory are timed by: a name or a file", ""},
    ECHO_FUSION_PASS_OPTIONS,
    {NULL, NULL, NULL}};
static const EchoPassStatistic STATISTICS[] = {{"stacks", "stacks that are never whole"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_SINK_REDUCTIONS = {
    .name = "sink-reductions",
    .summary = "reduce what a loop stacks, and only reductions read, inside of it",
    .anchor = "builtin.module",
    .options = OPTIONS,
    .statistics = STATISTICS,
    .run = run,
};
