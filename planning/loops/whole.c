/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/loops/whole.h"

#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/change.h"
#include "planning/loops/slices.h"
#include "planning/schedule/graph.h"

#define MAX_DEPTH 8 /* ops that a stack is made of, one after the other */

/* ---- carried values that are equal ---- */

static bool is_same_constant(const EchoValue *a, const EchoValue *b)
{
  const EchoAttr *constant = echo_value_constant_or_null(a);
  return constant != NULL && a->type == b->type && constant == echo_value_constant_or_null(b);
}

/* Both begin equal, and one op makes the next of each, of itself and of the same values. */
static bool is_equal(const EchoOp *loop, uint32_t i, uint32_t k)
{
  const EchoBlock *body = echo_op_body(loop, 1);
  const EchoValue *a = echo_block_arg(body, i), *b = echo_block_arg(body, k);
  const EchoValue *next_a = echo_op_operand(body->last, i),
                  *next_b = echo_op_operand(body->last, k);
  const EchoOp *op = echo_value_def_or_null(next_a), *other = echo_value_def_or_null(next_b);
  if (a->type != b->type || (echo_op_operand(loop, i) != echo_op_operand(loop, k) &&
                             !is_same_constant(echo_op_operand(loop, i), echo_op_operand(loop, k))))
    return false;
  if (next_a == next_b || (next_a == a && next_b == b))
    return true;
  bool holds = op != NULL && other != NULL && op->block == body && other->block == body &&
               op->info == other->info && op->properties == other->properties &&
               op->n_operands == other->n_operands && op->n_results == 1 && op->n_regions == 0 &&
               echo_op_is_pure(op);
  for (size_t n = 0; holds && n < op->n_operands; ++n) {
    const EchoValue *x = echo_op_operand(op, n), *y = echo_op_operand(other, n);
    holds = x == y || (x == a && y == b);
  }
  return holds;
}

static void merge(EchoOp *loop, uint32_t i, uint32_t k)
{
  EchoOp *end = echo_op_body(loop, 1)->last;
  EchoValue *next = echo_op_operand(end, k);
  echo_op_set_operand(end, k, echo_op_operand(end, i));
  if (echo_value_is_unused(next) && !next->is_block_arg)
    echo_op_erase(echo_value_def_or_null(next));
  for (size_t r = 0; r < 2; ++r)
    echo_value_replace_all_uses(echo_block_arg(echo_op_body(loop, r), k),
                                echo_block_arg(echo_op_body(loop, r), i));
  echo_value_replace_all_uses(echo_op_result(loop, k), echo_op_result(loop, i));
}

static EchoOp *merge_equal(EchoOp *loop, size_t *n)
{
  bool *is_gone = echo_alloc_zero(loop->n_operands + 1u, sizeof *is_gone), any = false;
  for (uint32_t k = 1; k < loop->n_operands; ++k)
    for (uint32_t i = 0; i < k && !is_gone[k]; ++i) {
      is_gone[k] = !is_gone[i] && is_equal(loop, i, k);
      if (!is_gone[k])
        continue;
      any = true;
      ++*n;
      merge(loop, i, k);
    }
  if (any)
    loop = echo_loop_rebuild(loop, is_gone, NULL, 0);
  echo_free(is_gone);
  return loop;
}

/* ---- stacks of stacks ---- */

typedef struct Whole {
  EchoOp *loop;
  EchoBlock *body;
  EchoCountedLoop counted;
  const EchoValue *index; /* that all of these stacks are written at */
  int64_t n_rows;
  uint32_t made; /* the stack that is made of others */
} Whole;

/* All that reads it writes it as a slice of another stack, as it is or reshaped. */
static bool is_stacked_on(const EchoValue *value)
{
  bool holds = !echo_value_is_unused(value);
  for (const EchoUse *use = value->first_use; use != NULL && holds; use = use->next) {
    EchoHloOpcode opcode = echo_hlo_opcode(use->owner);
    holds = opcode == ECHO_HLO_RESHAPE
                ? is_stacked_on(echo_op_result(use->owner, 0))
                : opcode == ECHO_HLO_DYNAMIC_UPDATE_SLICE && echo_use_operand_index(use) == 1;
  }
  return holds;
}

/* Another stack that has the value in each of its rows, and stays; NULL without one. */
static EchoValue *stack_or_null(const Whole *whole, const EchoValue *value)
{
  for (uint32_t i = 0; i < whole->loop->n_operands; ++i) {
    const EchoOp *update = i != whole->made ? echo_loop_stacking_or_null(whole->loop, i) : NULL;
    if (update != NULL && echo_loop_stacked_value(update) == value &&
        echo_op_operand(update, 2) == whole->index &&
        echo_type_dim(echo_op_operand_type(whole->loop, i), 0) == whole->n_rows &&
        echo_type_rank(echo_op_operand_type(whole->loop, i)) == echo_type_rank(value->type) + 1)
      return echo_op_result(whole->loop, i);
  }
  return NULL;
}

static const EchoType *whole_type(const Whole *whole, const EchoType *type)
{
  int64_t dims[ECHO_MAX_RANK + 1] = {whole->n_rows};
  size_t rank = echo_type_rank(type);
  for (size_t d = 0; d < rank; ++d)
    dims[d + 1] = echo_type_dim(type, d);
  return echo_type_tensor(echo_op_context(whole->loop), dims, rank + 1, type->as.shaped.element,
                          NULL);
}

/* The same in all rows: it comes from outside. */
static EchoValue *outer_or_null(const Whole *whole, EchoValue *value)
{
  if (!echo_op_is_ancestor(whole->loop, echo_block_parent(echo_value_block(value))))
    return value;
  return value->is_block_arg && echo_value_block(value) == whole->body &&
                 echo_loop_is_invariant(whole->loop, value->index)
             ? echo_op_operand(whole->loop, value->index)
             : NULL;
}

static bool is_map(const EchoOp *op, const EchoValue *value)
{
  bool holds = op != NULL && op->n_results == 1 && op->n_regions == 0 && op->n_operands != 0 &&
               echo_op_has_trait(op, ECHO_ELEMENTWISE) && echo_op_is_pure(op);
  for (size_t i = 0; holds && i < op->n_operands; ++i)
    holds = echo_type_rank(echo_op_operand_type(op, i)) == echo_type_rank(value->type);
  return holds;
}

/* Whether all rows of `value` can be made behind the loop; some of what they are made of is a
 * stack. */
static bool can_make(const Whole *whole, EchoValue *value, int depth, bool *any)
{
  const EchoOp *op = echo_value_def_or_null(value);
  if (stack_or_null(whole, value) != NULL) {
    *any = true;
    return true;
  }
  if (echo_value_constant_or_null(value) != NULL || outer_or_null(whole, value) != NULL)
    return true;
  bool holds = depth < MAX_DEPTH && is_map(op, value) && op->block == whole->body;
  for (size_t i = 0; holds && i < op->n_operands; ++i)
    holds = can_make(whole, echo_op_operand(op, i), depth + 1, any);
  return holds;
}

static EchoValue *make(const Whole *whole, EchoBuilder *builder, EchoValue *value)
{
  EchoValue *stack = stack_or_null(whole, value);
  const EchoType *type = whole_type(whole, value->type);
  if (stack != NULL)
    return stack;
  const EchoOp *op = echo_value_def_or_null(value);
  EchoValue *outer = outer_or_null(whole, value);
  if (echo_value_constant_or_null(value) != NULL) {
    EchoOp *clone = echo_op_clone(op, NULL);
    echo_builder_insert(builder, clone);
    outer = echo_op_result(clone, 0);
  }
  if (outer != NULL) {
    int64_t places[ECHO_MAX_RANK + 1] = {0};
    size_t rank = echo_type_rank(value->type);
    for (size_t d = 0; d < rank; ++d)
      places[d] = (int64_t)d + 1;
    return echo_hlo_broadcast_in_dim(builder, outer, type, places, rank);
  }
  EchoMap operands = {0};
  for (size_t i = 0; i < op->n_operands; ++i)
    echo_map_set_ptr(&operands, echo_op_operand(op, i),
                     make(whole, builder, echo_op_operand(op, i)));
  EchoOp *clone = echo_op_clone(op, &operands);
  echo_map_destroy(&operands);
  echo_value_set_type(echo_op_result(clone, 0), type);
  echo_builder_insert(builder, clone);
  return echo_op_result(clone, 0);
}

/* ---- what the loop carries, a row aside ---- */

/* 1 or -1 where row r is written in the iteration before row r + 1, or r - 1; else 0. */
static int direction_of(const Whole *whole)
{
  const EchoValue *counter = echo_block_arg(whole->body, whole->counted.counter);
  int64_t at, before = 0;
  int direction = 0;
  for (int64_t t = 0; t < whole->counted.n_trips; ++t) {
    if (!echo_loop_index_at(whole->index, counter, whole->counted.start + t * whole->counted.step,
                            &at))
      return 0;
    if (t == 1)
      direction = at > before ? 1 : -1;
    if (t != 0 && at - before != direction)
      return 0;
    before = at;
  }
  return direction;
}

/* The stack of what the carried value is next; NULL where it is none. */
static EchoValue *next_or_null(const Whole *whole, const EchoValue *value)
{
  return value->is_block_arg && echo_value_block(value) == whole->body
             ? stack_or_null(whole, echo_op_operand(whole->body->last, value->index))
             : NULL;
}

static EchoValue *make_shifted(const Whole *whole, EchoBuilder *builder, const EchoValue *value,
                               int direction)
{
  EchoValue *next = next_or_null(whole, value);
  EchoValue *init = echo_op_operand(whole->loop, value->index);
  int64_t dims[ECHO_MAX_RANK + 1] = {1}, first = direction > 0 ? 0 : 1;
  size_t rank = echo_type_rank(value->type);
  for (size_t d = 0; d < rank; ++d)
    dims[d + 1] = echo_type_dim(value->type, d);
  init = echo_hlo_reshape(builder, init, dims, rank + 1);
  EchoValue *rest = echo_hlo_slice_dim(builder, next, 0, first, first + whole->n_rows - 1);
  EchoValue *parts[] = {direction > 0 ? init : rest, direction > 0 ? rest : init};
  return echo_hlo_concatenate(builder, parts, 2, 0);
}

/* The stack, made behind the loop; NULL where it is not made of others. */
static EchoValue *made_or_null(const Whole *whole, EchoValue *value)
{
  EchoBuilder builder = echo_builder_after(whole->loop);
  builder.attrs = whole->loop->attrs;
  bool any = false;
  if (can_make(whole, value, 0, &any) && any)
    return make(whole, &builder, value);
  int direction = next_or_null(whole, value) != NULL ? direction_of(whole) : 0;
  return direction != 0 ? make_shifted(whole, &builder, value, direction) : NULL;
}

static EchoOp *unstack(EchoOp *loop, size_t *n)
{
  Whole whole = {.loop = loop, .body = echo_op_body(loop, 1)};
  size_t n_before = *n;
  if (!echo_hlo_counted_loop(loop, &whole.counted))
    return loop;
  for (uint32_t i = loop->n_operands; i-- > 0;) {
    EchoOp *update = echo_loop_stacking_or_null(loop, i);
    EchoValue *result = echo_op_result(loop, i);
    if (update == NULL || !is_stacked_on(result))
      continue;
    EchoValue *value = echo_loop_stacked_value(update);
    whole.index = echo_op_operand(update, 2);
    whole.n_rows = echo_type_dim(result->type, 0);
    whole.made = i;
    if (whole.n_rows < 2 || echo_type_rank(value->type) + 1 != echo_type_rank(result->type) ||
        !echo_loop_visits_all(loop, &whole.counted, whole.index, whole.n_rows))
      continue;
    EchoValue *made = made_or_null(&whole, value);
    if (made == NULL)
      continue;
    echo_value_replace_all_uses(result, made);
    ++*n;
  }
  return *n != n_before ? echo_loop_drop_unread(loop) : loop;
}

/* ---- the function ---- */

size_t echo_loop_merge_carried(EchoOp *function)
{
  return echo_loop_change_all(function, merge_equal);
}

size_t echo_loop_make_whole(EchoOp *function)
{
  return echo_loop_change_all(function, unstack);
}
