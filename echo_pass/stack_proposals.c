/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a reader computes again as it was written: jax.checkpoint around a loop's body. Its ops are
 * those of the writer's body, on slices of stacks, on what does not change between the loops, and
 * on each other, behind barriers. Where that runs anything heavy again, what comes of it is stacked
 * instead, and whether it runs again is decided like everything else (stack_cut.c). */
#include "base/map.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "echo_pass/stacks_t.h"
#include "ir/pass/equivalence.h"
#include "planning/loops/slices.h"

typedef struct Matcher {
  EchoLoopPair *pair;
  const EchoStack *like; /* iterations are matched as its are */
  EchoEquivalence equivalence;
  EchoMap ops;    /* hash -> op of the writer's body, the last one; */
  EchoMap before; /* op -> the one before it with the same hash */
  EchoMap same;   /* value of the reader's body -> the writer's */
  EchoMap dear;   /* value of the reader's body -> 1: something heavy runs again for it */
  ECHO_VECTOR(EchoStacked) stacked;
  ECHO_VECTOR(EchoOp *) barriers; /* that keep what runs again apart from what ran */
} Matcher;

/* ---- values ---- */

/* One of the writer's body, or from outside of both loops; NULL for what is the reader's alone. */
static EchoValue *writers_or_null(const Matcher *matcher, EchoValue *value)
{
  const EchoLoopPair *pair = matcher->pair;
  EchoValue *outer = echo_loop_pair_outer_or_null(pair, value);
  if (echo_value_block(value) == pair->from)
    return outer != NULL ? outer : value;
  if (echo_value_block(value) != pair->to)
    return value;
  if (value->is_block_arg && echo_loop_is_invariant(pair->reader, value->index))
    return echo_op_operand(pair->reader, value->index);
  return echo_map_get_ptr(&matcher->same, value);
}

/* The array that the reader updates slice by slice, where `slice` takes what it is about to write
 * over: that is as it was before the loop. NULL for others. */
static EchoValue *updated_or_null(const Matcher *matcher, const EchoOp *slice)
{
  const EchoLoopPair *pair = matcher->pair;
  const EchoValue *array = slice->n_operands != 0 ? echo_op_operand(slice, 0) : NULL;
  if (echo_hlo_opcode(slice) != ECHO_HLO_DYNAMIC_SLICE || !array->is_block_arg ||
      echo_value_block(array) != pair->to || echo_loop_is_invariant(pair->reader, array->index))
    return NULL;
  EchoLoopSlot written = echo_loop_written_slot(pair->reader, &pair->read, array->index);
  EchoLoopSlot read = echo_loop_slot(slice, 1, array->type, echo_op_result_type(slice, 0));
  bool holds = written.n != 0 && read.n >= written.n;
  for (size_t d = 0; d < written.n && holds; ++d)
    holds = read.at[d] == written.at[d];
  return holds ? echo_op_operand(pair->reader, array->index) : NULL;
}

/* Operand `i` of an op of either body, as the writer has it; NULL for what is the reader's alone.
 */
static EchoValue *operand_or_null(const Matcher *matcher, const EchoOp *op, size_t i)
{
  EchoValue *own = writers_or_null(matcher, echo_op_operand(op, i));
  return own == NULL && i == 0 ? updated_or_null(matcher, op) : own;
}

static const EchoValue *root_of(const EchoValue *value)
{
  const EchoOp *op = echo_value_def_or_null(value);
  while (op != NULL && echo_op_node_kind(op) == ECHO_NODE_RESHAPE) {
    value = echo_op_operand(op, 0);
    op = echo_value_def_or_null(value);
  }
  return value;
}

/* ---- broadcasts of the same under another shape ---- */

/* Dimensions of one element say nothing. */
typedef struct Spread {
  const EchoValue *root;
  int64_t places[ECHO_MAX_RANK];
  size_t n;
} Spread;

/* False where the op is no broadcast, or what it spreads was reshaped by more than that. */
static bool find_spread(const Matcher *matcher, const EchoOp *op, Spread *spread)
{
  *spread = (Spread){0};
  if (echo_hlo_opcode(op) != ECHO_HLO_BROADCAST_IN_DIM)
    return false;
  EchoValue *operand = echo_op_operand(op, 0), *own = writers_or_null(matcher, operand);
  if (own == NULL || own->type != operand->type)
    return false;
  spread->root = root_of(own);
  const EchoType *type = operand->type, *from = spread->root->type;
  EchoDimList places = echo_stablehlo_dims(op, "broadcast_dimensions");
  size_t k = 0;
  for (size_t d = 0; d < echo_type_rank(type); ++d) {
    if (echo_type_dim(type, d) == 1)
      continue;
    while (k < echo_type_rank(from) && echo_type_dim(from, k) == 1)
      ++k;
    if (k == echo_type_rank(from) || echo_type_dim(from, k++) != echo_type_dim(type, d))
      return false;
    spread->places[spread->n++] = places.dims[d];
  }
  return true;
}

static bool same_spread(const Spread *a, const Spread *b)
{
  bool same = a->root == b->root && a->n == b->n;
  for (size_t i = 0; same && i < a->n; ++i)
    same = a->places[i] == b->places[i];
  return same;
}

/* ---- ops ---- */

static bool may_match(const EchoOp *op)
{
  return op->n_results != 0 && echo_op_is_pure(op) && echo_op_node_kind(op) != ECHO_NODE_BARRIER;
}

/* 0: an operand is the reader's alone. */
static uint64_t hash_of(Matcher *matcher, const EchoOp *op)
{
  Spread spread;
  if (find_spread(matcher, op, &spread)) {
    uint64_t hash = echo_hash_combine(echo_key(spread.root), echo_key(echo_op_result_type(op, 0)));
    for (size_t i = 0; i < spread.n; ++i)
      hash = echo_hash_combine(hash, (uint64_t)spread.places[i]);
    return hash | 1;
  }
  uint64_t hash = echo_equivalence_hash_inside(&matcher->equivalence, op, 0);
  for (size_t i = 0; i < op->n_operands; ++i) {
    const EchoValue *own = operand_or_null(matcher, op, i);
    if (own == NULL)
      return 0;
    hash = echo_hash_combine(hash, echo_key(own));
  }
  return hash | 1;
}

static bool is_same(Matcher *matcher, const EchoOp *a, const EchoOp *b)
{
  Spread spreads[2];
  if (find_spread(matcher, a, &spreads[0]) && find_spread(matcher, b, &spreads[1]))
    return echo_op_result_type(a, 0) == echo_op_result_type(b, 0) &&
           same_spread(&spreads[0], &spreads[1]);
  bool same =
      a->n_operands == b->n_operands && echo_op_bodies_are_equivalent(&matcher->equivalence, a, b);
  for (size_t i = 0; same && i < a->n_operands; ++i)
    same = operand_or_null(matcher, a, i) == operand_or_null(matcher, b, i);
  return same;
}

static void know_writer(Matcher *matcher)
{
  for (EchoOp *op = matcher->pair->from->first; op != NULL; op = op->next) {
    if (!may_match(op))
      continue;
    uint64_t hash = hash_of(matcher, op);
    EchoOp *before = (EchoOp *)(uintptr_t)echo_map_get_or(&matcher->ops, hash, 0);
    if (before != NULL)
      echo_map_set_ptr(&matcher->before, op, before);
    echo_map_set(&matcher->ops, hash, (uint64_t)(uintptr_t)op);
  }
}

static const EchoOp *writers_op_or_null(Matcher *matcher, const EchoOp *op)
{
  uint64_t hash = may_match(op) ? hash_of(matcher, op) : 0;
  const EchoOp *own =
      hash != 0 ? (EchoOp *)(uintptr_t)echo_map_get_or(&matcher->ops, hash, 0) : NULL;
  while (own != NULL && !is_same(matcher, own, op))
    own = echo_map_get_ptr(&matcher->before, own);
  return own;
}

/* ---- what the reader runs again ---- */

static bool is_dear(const Matcher *matcher, const EchoOp *op)
{
  bool dear = echo_op_has_trait(op, ECHO_HEAVY) || echo_op_node_kind(op) == ECHO_NODE_CONTROL;
  for (size_t i = 0; i < op->n_operands && !dear; ++i)
    dear = echo_map_has(&matcher->dear, echo_key(echo_op_operand(op, i)));
  return dear;
}

static void match_value(Matcher *matcher, EchoValue *value, const EchoValue *own, bool dear)
{
  echo_map_set_ptr(&matcher->same, value, own);
  if (dear)
    echo_map_set(&matcher->dear, echo_key(value), 1);
}

/* A view of a slice is what the writer made a slice of. */
static const EchoValue *unsliced_or_null(const Matcher *matcher, const EchoOp *op)
{
  if (echo_op_node_kind(op) != ECHO_NODE_RESHAPE)
    return NULL;
  const EchoValue *own = writers_or_null(matcher, echo_op_operand(op, 0));
  for (size_t i = 0; own != NULL && i < matcher->pair->stacks.size; ++i) {
    const EchoStack *stack = &matcher->pair->stacks.data[i];
    if (own == echo_op_operand(stack->update, 1) &&
        stack->value->type == echo_op_result_type(op, 0))
      return stack->value;
  }
  return NULL;
}

static void match_slices(Matcher *matcher)
{
  const EchoLoopPair *pair = matcher->pair;
  for (size_t i = 0; i < pair->stacks.size; ++i) {
    const EchoStack *stack = &pair->stacks.data[i];
    if (stack->trip_hash != matcher->like->trip_hash)
      continue;
    for (const EchoUse *use = stack->inside->first_use; use != NULL; use = use->next)
      if (use->owner != pair->to->last)
        match_value(matcher, echo_op_result(use->owner, 0), echo_op_operand(stack->update, 1),
                    false);
  }
  if (matcher->like->counts)
    match_value(matcher, echo_op_operand(matcher->like->slice, 1),
                echo_block_arg(pair->from, pair->written.counter), false);
}

static void match_reader(Matcher *matcher)
{
  match_slices(matcher);
  for (EchoOp *op = matcher->pair->to->first; op != matcher->pair->to->last; op = op->next) {
    const EchoOp *own = NULL;
    const EchoValue *value = unsliced_or_null(matcher, op);
    if (echo_op_node_kind(op) == ECHO_NODE_BARRIER) {
      echo_vector_push(&matcher->barriers, op);
      for (size_t i = 0; i < op->n_results; ++i) {
        EchoValue *operand = echo_op_operand(op, i);
        const EchoValue *handed = writers_or_null(matcher, operand);
        if (handed != NULL)
          match_value(matcher, echo_op_result(op, i), handed,
                      echo_map_has(&matcher->dear, echo_key(operand)));
      }
    } else if (value != NULL) {
      match_value(matcher, echo_op_result(op, 0), value, false);
    } else if (echo_map_get_ptr(&matcher->same, echo_op_result(op, 0)) == NULL) {
      own = writers_op_or_null(matcher, op);
    }
    for (size_t i = 0; own != NULL && i < op->n_results; ++i)
      match_value(matcher, echo_op_result(op, i), echo_op_result(own, i), is_dear(matcher, op));
  }
}

/* Something that the writer does not do reads it. */
static bool is_read(const Matcher *matcher, const EchoValue *value)
{
  bool any = false;
  for (const EchoUse *use = value->first_use; use != NULL && !any; use = use->next) {
    const EchoOp *op = echo_op_ancestor_in_block(use->owner, matcher->pair->to);
    any = op->n_results == 0 || (echo_op_node_kind(op) != ECHO_NODE_BARRIER &&
                                 echo_map_get_ptr(&matcher->same, echo_op_result(op, 0)) == NULL);
  }
  return any;
}

static bool has_stack(const Matcher *matcher, const EchoValue *value)
{
  bool any = false;
  for (size_t i = 0; i < matcher->pair->stacks.size; ++i)
    any |= matcher->pair->stacks.data[i].value == value;
  return any;
}

static void find_stacked(Matcher *matcher)
{
  for (EchoOp *op = matcher->pair->to->first; op != NULL; op = op->next)
    for (size_t i = 0; i < op->n_results; ++i) {
      EchoValue *value = echo_op_result(op, i);
      EchoValue *own = echo_map_get_ptr(&matcher->same, value);
      if (own != NULL && echo_value_block(own) == matcher->pair->from && own->type == value->type &&
          echo_map_has(&matcher->dear, echo_key(value)) && is_read(matcher, value) &&
          !has_stack(matcher, own))
        echo_vector_push(&matcher->stacked, (EchoStacked){own, value});
    }
}

/* What it holds apart is stacked from now on. */
static void dissolve(Matcher *matcher, EchoOp *barrier)
{
  for (size_t i = 0; i < barrier->n_results; ++i) {
    EchoValue *result = echo_op_result(barrier, i), *operand = echo_op_operand(barrier, i);
    for (size_t k = 0; k < matcher->stacked.size; ++k)
      if (matcher->stacked.data[k].again == result)
        matcher->stacked.data[k].again = operand;
    echo_value_replace_all_uses(result, operand);
  }
  echo_op_erase(barrier);
}

size_t echo_loop_pair_stack_proposals(EchoLoopPair *pair)
{
  const EchoStr ignored[] = {ECHO_STR("echo.phase"), ECHO_STR("echo.recompute")};
  Matcher matcher = {.pair = pair,
                     .equivalence = {.ignored_attrs = ignored,
                                     .n_ignored_attrs = sizeof ignored / sizeof ignored[0]}};
  for (size_t i = 0; i < pair->stacks.size; ++i)
    if (matcher.like == NULL || (pair->stacks.data[i].counts && !matcher.like->counts))
      matcher.like = &pair->stacks.data[i];
  if (matcher.like != NULL) {
    know_writer(&matcher);
    match_reader(&matcher);
    find_stacked(&matcher);
  }
  size_t n = matcher.stacked.size;
  for (size_t i = matcher.barriers.size; n != 0 && i-- > 0;)
    dissolve(&matcher, matcher.barriers.data[i]);
  if (n != 0)
    echo_loop_pair_add_stacks(pair, matcher.like, matcher.stacked.data, n);
  echo_equivalence_destroy(&matcher.equivalence);
  echo_map_destroy(&matcher.ops);
  echo_map_destroy(&matcher.before);
  echo_map_destroy(&matcher.same);
  echo_map_destroy(&matcher.dear);
  echo_vector_destroy(&matcher.stacked);
  echo_vector_destroy(&matcher.barriers);
  return n;
}
