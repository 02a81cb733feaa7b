/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --sink-updates: a stack that a counted loop writes slice by slice, and only elementwise ops read
 * behind it, is never whole: the ops move into the loop, each iteration computes its slice, and
 * what other ops read is stacked instead. So the gradients of stacked weights meet their weights
 * and moments where they are made. Where a result takes the storage of an argument that the ops
 * read, slices are written over it. The invariant: the same ops on the same elements, so results
 * keep their bits. A norm of all gradients in between is a reason to leave the stack. */
#include "base/map.h"
#include "dialects/func/build.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/lowering.h"
#include "planning/loops/change.h"
#include "planning/loops/slices.h"
#include "planning/schedule/graph.h"

#define MAX_DEPTH 16 /* of what is computed for a slice beside what moves: a decayed moment */

typedef ECHO_VECTOR(EchoOp *) OpList;

typedef struct Written {
  uint32_t carried;
  EchoOp *update;
  bool stays; /* something else reads the stack */
} Written;

typedef struct Sinker {
  EchoOp *loop;
  EchoBlock *body;
  EchoCountedLoop counted;
  int64_t n_slices;
  EchoOp *like; /* an update: all of these stacks are written at its index */
  ECHO_VECTOR(Written) stacks;
  OpList behind;   /* ops behind the loop, in block order */
  EchoMap is_late; /* values that cannot be computed before the loop */
  EchoMap moved;   /* value -> 1: a stack that goes, or one whose slices are computed in the loop */
  EchoMap goes;    /* op -> 1: moves, or is read by such ops alone */
  EchoMap slices;  /* value -> its slice in the body */
} Sinker;

/* ---- what the loop writes ---- */

static bool is_written_stack(const Sinker *sinker, uint32_t i, EchoOp **update)
{
  const EchoValue *argument = echo_block_arg(sinker->body, i);
  *update = echo_value_def_or_null(echo_op_operand(sinker->body->last, i));
  return *update != NULL && (*update)->block == sinker->body &&
         echo_hlo_opcode(*update) == ECHO_HLO_DYNAMIC_UPDATE_SLICE &&
         echo_op_operand(*update, 0) == argument && echo_value_has_one_use(argument) &&
         echo_value_has_one_use(echo_op_result(*update, 0)) &&
         echo_value_is_unused(echo_block_arg(echo_op_body(sinker->loop, 0), i)) &&
         echo_loop_is_whole_slice(*update, 2, argument->type, echo_op_operand_type(*update, 1));
}

/* All that are written at one index. */
static void find_stacks(Sinker *sinker)
{
  for (uint32_t i = 0; i < sinker->loop->n_operands; ++i) {
    EchoOp *update;
    if (!is_written_stack(sinker, i, &update))
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
      echo_vector_push(&sinker->stacks, (Written){i, update, false});
  }
}

/* ---- what can move ---- */

static bool has(const EchoMap *set, const void *key)
{
  return echo_map_has(set, echo_key(key));
}

/* What comes from the loop, from ops that are not pure, and from ops with regions. */
static void find_late(Sinker *sinker)
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

static bool is_stacked(const Sinker *sinker, const EchoType *type)
{
  return echo_type_is_tensor(type) && echo_type_rank(type) > 0 &&
         echo_type_dim(type, 0) == sinker->n_slices;
}

static bool is_splat(const EchoValue *value)
{
  const EchoAttr *attr = echo_value_constant_or_null(value);
  return attr != NULL && attr->kind == ECHO_ATTR_DENSE_ELEMENTS && attr->as.elements.is_splat;
}

/* Whether slicewise `op` reads operand `i` slice by slice. */
static bool reads_slice(const EchoOp *op, size_t i)
{
  if (echo_hlo_opcode(op) != ECHO_HLO_BROADCAST_IN_DIM)
    return echo_type_rank(echo_op_operand_type(op, i)) != 0;
  EchoDimList dims = echo_stablehlo_dims(op, "broadcast_dimensions");
  return dims.size != 0 && dims.dims[0] == 0;
}

/* Whether the op's result is a stack whose slices are made of its operands' slices and of operands
 * that are no stacks. */
static bool is_slicewise(const Sinker *sinker, const EchoOp *op)
{
  if (op->n_results != 1 || op->n_regions != 0 || !echo_op_is_pure(op) ||
      !is_stacked(sinker, echo_op_result_type(op, 0)))
    return false;
  if (echo_hlo_opcode(op) != ECHO_HLO_BROADCAST_IN_DIM)
    return echo_op_has_trait(op, ECHO_ELEMENTWISE) && op->n_operands != 0;
  EchoDimList dims = echo_stablehlo_dims(op, "broadcast_dimensions");
  for (size_t d = 1; d < dims.size; ++d)
    if (dims.dims[d] == 0)
      return false;
  return !reads_slice(op, 0) || is_stacked(sinker, echo_op_operand_type(op, 0));
}

static bool may_move(const Sinker *sinker, const EchoOp *op)
{
  bool holds = is_slicewise(sinker, op), any = false;
  for (size_t i = 0; i < op->n_operands && holds; ++i) {
    const EchoValue *operand = echo_op_operand(op, i);
    bool is_moved = reads_slice(op, i) && has(&sinker->moved, operand);
    any |= is_moved;
    holds = is_moved || !has(&sinker->is_late, operand);
  }
  return holds && any;
}

static EchoValue *result_of(const Sinker *sinker, const Written *stack)
{
  return echo_op_result(sinker->loop, stack->carried);
}

/* Everything behind the loop that can move while the stacks that stay do. */
static void find_moved(Sinker *sinker)
{
  echo_map_clear(&sinker->moved);
  for (size_t i = 0; i < sinker->stacks.size; ++i)
    if (!sinker->stacks.data[i].stays)
      echo_map_set(&sinker->moved, echo_key(result_of(sinker, &sinker->stacks.data[i])), 1);
  for (size_t i = 0; i < sinker->behind.size; ++i)
    if (may_move(sinker, sinker->behind.data[i]))
      echo_map_set(&sinker->moved, echo_key(echo_op_result(sinker->behind.data[i], 0)), 1);
}

static bool moves(const Sinker *sinker, const EchoOp *op)
{
  return op->n_results == 1 && has(&sinker->moved, echo_op_result(op, 0));
}

/* Somebody reads it who stays behind the loop. */
static bool is_read_behind(const Sinker *sinker, const EchoValue *value)
{
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next)
    if (use->owner->block != sinker->loop->block || !moves(sinker, use->owner))
      return true;
  return false;
}

/* Stacks that something else reads stay, and so does what is made of them. False where none goes.
 */
static bool settle(Sinker *sinker)
{
  bool is_settled = false, any = false;
  while (!is_settled) {
    is_settled = true;
    any = false;
    find_moved(sinker);
    for (size_t i = 0; i < sinker->stacks.size; ++i) {
      Written *stack = &sinker->stacks.data[i];
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

/* ---- storage ---- */

/* The argument of the block whose storage the result takes; NULL for none. */
static EchoValue *replaced_or_null(const EchoValue *result, const EchoBlock *block)
{
  const EchoOp *owner = echo_block_parent(block);
  for (const EchoUse *use = result->first_use; use != NULL; use = use->next) {
    size_t position = echo_use_operand_index(use);
    if (use->owner != block->last)
      continue;
    if (echo_hlo_opcode(owner) == ECHO_HLO_WHILE && position < block->n_args)
      return echo_block_arg(block, position);
    for (size_t i = 0; i < block->n_args && echo_op_has_trait(owner, ECHO_FUNCTION); ++i) {
      const EchoAttr *alias = echo_func_arg_attr_or_null(owner, i, "tf.aliasing_output");
      if (alias != NULL && alias->kind == ECHO_ATTR_INTEGER &&
          alias->as.integer.value == (int64_t)position)
        return echo_block_arg(block, i);
    }
  }
  return NULL;
}

/* Ops that are there for what moves alone: their slices are computed in the loop, too. From the
 * last to the first: all readers of an op are known when it is looked at. */
static void find_going(Sinker *sinker)
{
  for (size_t i = sinker->behind.size; i-- > 0;) {
    EchoOp *op = sinker->behind.data[i];
    bool goes = moves(sinker, op);
    if (!goes && is_slicewise(sinker, op) && !has(&sinker->is_late, echo_op_result(op, 0))) {
      goes = true;
      for (const EchoUse *use = echo_op_result(op, 0)->first_use; use != NULL; use = use->next)
        goes &= has(&sinker->goes, use->owner);
    }
    if (goes)
      echo_map_set(&sinker->goes, echo_key(op), 1);
  }
}

/* Whether what reads `array` from the loop on are its slices in the loop, and what moves there. */
static bool may_be_overwritten(const Sinker *sinker, EchoValue *array)
{
  const EchoOp *loop = sinker->loop;
  for (const EchoUse *use = array->first_use; use != NULL; use = use->next) {
    EchoOp *op = echo_op_ancestor_in_block(use->owner, loop->block);
    size_t k = echo_use_operand_index(use);
    if (op == NULL || (op != loop && !echo_op_is_before(op, loop) &&
                       !(op == use->owner && has(&sinker->goes, op))))
      return false;
    if (use->owner == loop &&
        (!echo_loop_is_invariant(loop, k) || !echo_value_is_unused(echo_op_result(loop, k)) ||
         !echo_value_is_unused(echo_block_arg(echo_op_body(loop, 0), k)) ||
         !echo_loop_reads_own_slices(loop, echo_block_arg(sinker->body, k), sinker->like)))
      return false;
  }
  return echo_loop_reads_own_slices(loop, array, sinker->like);
}

static EchoValue *overwritten_or_null(const Sinker *sinker, const EchoValue *result)
{
  EchoValue *array = replaced_or_null(result, sinker->loop->block);
  return array != NULL && array->type == result->type && may_be_overwritten(sinker, array) ? array
                                                                                           : NULL;
}

/* No more stacks than before, in bytes. */
static bool is_worth_it(const Sinker *sinker)
{
  uint64_t gone = 0, made = 0;
  for (size_t i = 0; i < sinker->stacks.size; ++i)
    if (!sinker->stacks.data[i].stays)
      gone += echo_type_static_bytes(result_of(sinker, &sinker->stacks.data[i])->type);
  for (size_t i = 0; i < sinker->behind.size; ++i) {
    const EchoOp *op = sinker->behind.data[i];
    if (moves(sinker, op) && is_read_behind(sinker, echo_op_result(op, 0)) &&
        overwritten_or_null(sinker, echo_op_result(op, 0)) == NULL)
      made += echo_type_static_bytes(echo_op_result_type(op, 0));
  }
  return made <= gone;
}

/* ---- moving ---- */

static const EchoType *slice_type(EchoContext *ctx, const EchoType *type)
{
  int64_t dims[ECHO_MAX_RANK] = {1};
  size_t rank = echo_type_rank(type);
  for (size_t d = 1; d < rank; ++d)
    dims[d] = echo_type_dim(type, d);
  return echo_type_tensor(ctx, dims, rank, type->as.shaped.element, type->as.shaped.encoding);
}

/* The op behind the loop that makes it; NULL for what is there before. */
static EchoOp *maker_behind_or_null(const Sinker *sinker, const EchoValue *value)
{
  EchoOp *op = echo_value_def_or_null(value);
  bool is_behind =
      op != NULL && op->block == sinker->loop->block && !echo_op_is_before(op, sinker->loop);
  return is_behind ? op : NULL;
}

/* Moves the op that makes it, and what that reads, in front of the loop; each op moves once. */
static void hoist(const Sinker *sinker, EchoValue *value)
{
  OpList waiting = {0};
  EchoOp *op = maker_behind_or_null(sinker, value);
  if (op != NULL)
    echo_vector_push(&waiting, op);
  while (waiting.size != 0) {
    EchoOp *first = NULL;
    op = echo_vector_last(&waiting);
    for (size_t i = 0; i < op->n_operands && first == NULL; ++i)
      first = maker_behind_or_null(sinker, echo_op_operand(op, i));
    if (first != NULL) {
      echo_vector_push(&waiting, first);
      continue;
    }
    echo_op_move_before(op, sinker->loop);
    (void)echo_vector_pop(&waiting);
  }
  echo_vector_destroy(&waiting);
}

static EchoValue *slice_of(Sinker *sinker, EchoBuilder *builder, EchoValue *value, int depth);

static EchoValue *clone_slice(Sinker *sinker, EchoBuilder *builder, EchoOp *op, int depth)
{
  EchoMap operands = {0};
  for (size_t i = 0; i < op->n_operands; ++i) {
    EchoValue *operand = echo_op_operand(op, i);
    if (!reads_slice(op, i))
      hoist(sinker, operand);
    else
      echo_map_set_ptr(&operands, operand, slice_of(sinker, builder, operand, depth));
  }
  EchoOp *clone = echo_op_clone(op, &operands);
  echo_map_destroy(&operands);
  echo_value_set_type(echo_op_result(clone, 0),
                      slice_type(builder->ctx, echo_op_result_type(op, 0)));
  echo_builder_insert(builder, clone);
  return echo_op_result(clone, 0);
}

/* Of an array that is there before the loop, or of what is computed from such arrays. */
static EchoValue *slice_of(Sinker *sinker, EchoBuilder *builder, EchoValue *value, int depth)
{
  EchoValue *known = echo_map_get_ptr(&sinker->slices, value);
  if (known != NULL)
    return known;
  EchoOp *op = maker_behind_or_null(sinker, value);
  EchoValue *slice;
  if (is_splat(value)) {
    const EchoAttr *attr = echo_value_constant_or_null(value);
    slice = echo_hlo_constant(
        builder, echo_attr_elements(builder->ctx, slice_type(builder->ctx, value->type),
                                    attr->as.elements.data, attr->as.elements.size_bytes, true));
  } else if (op != NULL && depth > 0 && is_slicewise(sinker, op)) {
    slice = clone_slice(sinker, builder, op, depth - 1);
  } else {
    hoist(sinker, value);
    slice = echo_loop_read_slice(builder, value, echo_op_operand(sinker->like, 2));
  }
  echo_map_set_ptr(&sinker->slices, value, slice);
  return slice;
}

/* A carried value that `slice` is written into, in place of `result`. */
static EchoValue *stack_slice(Sinker *sinker, EchoBuilder *builder, EchoValue *slice,
                              EchoValue *result)
{
  EchoValue *first = overwritten_or_null(sinker, result);
  EchoBuilder outside = echo_builder_before(sinker->loop);
  outside.attrs = builder->attrs;
  if (first == NULL)
    first = echo_hlo_constant_i64(&outside, result->type, 0);
  EchoValue *argument = echo_loop_add_carried(sinker->loop, result->type);
  echo_loop_yield(sinker->loop, echo_loop_write_slice(builder, argument, slice,
                                                      echo_op_operand(sinker->like, 2)));
  return first;
}

static EchoOp *rebuild(EchoOp *loop, const Sinker *sinker)
{
  bool *is_gone = echo_alloc_zero(loop->n_operands + 1u, sizeof *is_gone);
  for (size_t i = 0; i < sinker->stacks.size; ++i) {
    const Written *stack = &sinker->stacks.data[i];
    if (stack->stays)
      continue;
    is_gone[stack->carried] = true;
    echo_op_set_operand(sinker->body->last, stack->carried, echo_op_operand(stack->update, 0));
    echo_op_erase(stack->update);
  }
  loop = echo_loop_rebuild(loop, is_gone, NULL, 0);
  echo_free(is_gone);
  echo_loop_redirect_own_slices(loop);
  return echo_loop_drop_unread(loop);
}

static EchoOp *sink(Sinker *sinker)
{
  ECHO_VECTOR(EchoValue *) added = {0};
  ECHO_VECTOR(EchoValue *) replaced = {0};
  EchoBuilder builder = echo_builder_before(sinker->body->last);
  for (size_t i = 0; i < sinker->stacks.size; ++i) {
    const Written *stack = &sinker->stacks.data[i];
    if (!stack->stays)
      echo_map_set_ptr(&sinker->slices, result_of(sinker, stack),
                       echo_op_operand(stack->update, 1));
  }
  for (size_t i = 0; i < sinker->behind.size; ++i) {
    EchoOp *op = sinker->behind.data[i];
    if (!moves(sinker, op))
      continue;
    builder.attrs = op->attrs;
    EchoValue *result = echo_op_result(op, 0),
              *slice = clone_slice(sinker, &builder, op, MAX_DEPTH);
    echo_map_set_ptr(&sinker->slices, result, slice);
    if (!is_read_behind(sinker, result))
      continue;
    echo_vector_push(&replaced, result);
    echo_vector_push(&added, stack_slice(sinker, &builder, slice, result));
  }
  /* The results stand behind those that were there: what goes goes with the first rebuilding. */
  size_t n_old = sinker->loop->n_operands;
  bool *nothing = echo_alloc_zero(n_old + added.size + 1, sizeof *nothing);
  EchoOp *loop = echo_loop_rebuild(sinker->loop, nothing, added.data, added.size);
  echo_free(nothing);
  for (size_t i = 0; i < replaced.size; ++i)
    echo_value_replace_all_uses(replaced.data[i], echo_op_result(loop, n_old + i));
  for (size_t i = sinker->behind.size; i-- > 0;)
    if (moves(sinker, sinker->behind.data[i]))
      echo_op_erase(sinker->behind.data[i]);
  loop = rebuild(loop, sinker);
  echo_vector_destroy(&added);
  echo_vector_destroy(&replaced);
  return loop;
}

/* ---- the function ---- */

/* The loop, or the one that took its place. */
static EchoOp *visit_loop(EchoPassRun *pass, EchoOp *loop)
{
  Sinker sinker = {.loop = loop, .body = echo_op_body(loop, 1)};
  if (!echo_hlo_counted_loop(loop, &sinker.counted))
    return loop;
  find_stacks(&sinker);
  for (EchoOp *op = loop->next; op != NULL && op->next != NULL && sinker.stacks.size != 0;
       op = op->next)
    echo_vector_push(&sinker.behind, op);
  find_late(&sinker);
  bool any = settle(&sinker);
  find_going(&sinker);
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
  echo_map_destroy(&sinker.slices);
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
