/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* More of a loop's iterations written out behind it, as lax.scan leaves those that unroll=k does
 * not divide: the loop goes on over them. What an iteration makes is compared with what stands
 * behind the loop, from what the loop ends with down to constants and rows of arrays; so a copy is
 * found by what it computes, wherever it stands. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/change.h"
#include "planning/loops/roll.h"
#include "planning/loops/roll_t.h"
#include "planning/loops/slices.h"

#include <string.h>

typedef struct Carried {
  EchoValue *now; /* behind the iterations found so far; NULL: not known */
  EchoOp *update; /* of a stack: what writes a row of it in each iteration */
  EchoOp
      *concatenation; /* of a stack: where the rows of more iterations stand beside it; or NULL */
  uint32_t place;     /* of the stack in it */
  EchoRollLine line;  /* of a stack: its row */
} Carried;

typedef struct Tail {
  EchoRoll roll; /* of one copy: for its lines */
  EchoBlock *outer;
  Carried *carried;
  int64_t n_more; /* iterations found */
} Tail;

typedef ECHO_VECTOR(EchoValue *) Values;

/* Row `row` of an array. */
typedef struct Row {
  EchoValue *array;
  int64_t row;
} Row;

/* ---- rows ---- */

/* Whether a slice takes rows from `*start` on, one after the other, and all of each. */
static bool takes_rows(const EchoOp *op, int64_t *start)
{
  if (op == NULL || echo_hlo_opcode(op) != ECHO_HLO_SLICE)
    return false;
  EchoDimList starts = echo_stablehlo_dims(op, "start_indices");
  EchoDimList strides = echo_stablehlo_dims(op, "strides");
  const EchoType *from = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  bool holds = starts.size != 0 && (strides.size == 0 || strides.dims[0] == 1);
  for (size_t d = 1; d < starts.size && holds; ++d)
    holds = echo_type_dim(from, d) == echo_type_dim(to, d);
  *start = holds ? starts.dims[0] : 0;
  return holds;
}

/* Where the row comes from. One that a slice would have if it were longer is a row, too; false
 * where there is none. */
static bool find_source(Row *row)
{
  for (;;) {
    const EchoOp *op = echo_value_def_or_null(row->array);
    int64_t start;
    if (takes_rows(op, &start)) {
      *row = (Row){echo_op_operand(op, 0), row->row + start};
      continue;
    }
    if (row->row < 0 || row->row >= echo_type_dim(row->array->type, 0))
      return false;
    if (op == NULL || echo_hlo_opcode(op) != ECHO_HLO_CONCATENATE ||
        echo_op_attr_i64(op, "dimension", -1) != 0)
      return true;
    size_t i = 0;
    for (; row->row >= echo_type_dim(echo_op_operand_type(op, i), 0); ++i)
      row->row -= echo_type_dim(echo_op_operand_type(op, i), 0);
    row->array = echo_op_operand(op, i);
  }
}

static EchoValue *outside_of(const Tail *tail, EchoValue *array)
{
  return echo_value_block(array) == tail->roll.body ? echo_op_operand(tail->roll.loop, array->index)
                                                    : array;
}

static bool is_outside(const Tail *tail, const EchoValue *value)
{
  return !echo_op_is_ancestor(tail->roll.loop, echo_block_parent(echo_value_block(value)));
}

static bool is_handed_on(const Tail *tail, const EchoValue *argument)
{
  return echo_op_operand(tail->roll.body->last, argument->index) == argument;
}

static bool is_stack(const Tail *tail, const EchoValue *array)
{
  return echo_value_block(array) == tail->roll.body && array->is_block_arg &&
         tail->carried[array->index].update != NULL;
}

/* A row a slice, of an array from outside, or of a stack before it is written. */
static bool reads_row(Tail *tail, const EchoValue *value, EchoValue **array, EchoRollLine *line)
{
  const EchoOp *op = echo_value_def_or_null(value);
  if (op == NULL || op->block != tail->roll.body || echo_hlo_opcode(op) != ECHO_HLO_DYNAMIC_SLICE ||
      !echo_loop_is_whole_slice(op, 1, echo_op_operand_type(op, 0), value->type))
    return false;
  *array = echo_op_operand(op, 0);
  *line = echo_roll_line(&tail->roll, echo_op_operand(op, 1));
  if (!line->is_line)
    return false;
  if (is_outside(tail, *array))
    return true;
  if (echo_value_block(*array) != tail->roll.body || !(*array)->is_block_arg)
    return false;
  const Carried *carried = &tail->carried[(*array)->index];
  return is_handed_on(tail, *array) ||
         (carried->update != NULL && carried->line.start == line->start &&
          carried->line.slope == line->slope);
}

/* ---- leaves ---- */

/* The dimensions that are not 1, in order. */
static size_t wide_dims(const EchoType *type, int64_t *dims)
{
  size_t n = 0;
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    if (echo_type_dim(type, d) != 1)
      dims[n++] = echo_type_dim(type, d);
  return n;
}

/* A broadcast as what is broadcast, without dimensions of 1 that a reshape added, and which
 * dimension of the result each of its others is. False for what is none. */
static bool find_broadcast(const EchoValue *value, const EchoValue **source, int64_t *places,
                           size_t *n)
{
  const EchoOp *op = echo_value_def_or_null(value);
  if (op == NULL || echo_hlo_opcode(op) != ECHO_HLO_BROADCAST_IN_DIM)
    return false;
  EchoDimList dims = echo_stablehlo_dims(op, "broadcast_dimensions");
  *source = echo_op_operand(op, 0);
  *n = 0;
  for (size_t d = 0; d < dims.size; ++d)
    if (echo_type_dim((*source)->type, d) != 1)
      places[(*n)++] = dims.dims[d];
  for (const EchoOp *made = echo_value_def_or_null(*source);
       made != NULL && echo_hlo_opcode(made) == ECHO_HLO_RESHAPE;
       made = echo_value_def_or_null(*source)) {
    int64_t from[ECHO_MAX_RANK], to[ECHO_MAX_RANK];
    size_t n_wide = wide_dims(echo_op_operand_type(made, 0), from);
    if (n_wide != wide_dims((*source)->type, to) || memcmp(from, to, n_wide * sizeof *from) != 0)
      break;
    *source = echo_op_operand(made, 0);
  }
  return true;
}

/* Of one value from outside: in front of a loop and in it they are simplified in different ways. */
static bool is_same_broadcast(const Tail *tail, const EchoValue *a, const EchoValue *b)
{
  const EchoValue *from, *to;
  int64_t places[ECHO_MAX_RANK], others[ECHO_MAX_RANK];
  size_t n, n_others;
  return a->type == b->type && find_broadcast(a, &from, places, &n) &&
         find_broadcast(b, &to, others, &n_others) && from == to && is_outside(tail, from) &&
         n == n_others && memcmp(places, others, n * sizeof *places) == 0;
}

static EchoShiftLeaf holds_if(bool holds)
{
  return holds ? ECHO_SHIFT_HOLDS : ECHO_SHIFT_FAILS;
}

/* In the iteration behind those found so far. */
static int64_t at_next(const Tail *tail, const EchoRollLine *line)
{
  return line->start + line->slope * (tail->roll.counted.n_trips + tail->n_more);
}

static bool is_same_row(Tail *tail, EchoValue *array, const EchoRollLine *line, EchoValue *to)
{
  Row from = {outside_of(tail, array), at_next(tail, line)}, other = {to, 0};
  return echo_type_dim(to->type, 0) == 1 && find_source(&from) && find_source(&other) &&
         from.array == other.array && from.row == other.row;
}

static EchoShiftLeaf leaf(void *user, EchoValue *from, EchoValue *to)
{
  Tail *tail = user;
  const EchoAttr *constant = echo_value_constant_or_null(from);
  EchoValue *array;
  if (constant != NULL)
    return holds_if(echo_value_constant_or_null(to) == constant);
  if (is_outside(tail, from))
    return holds_if(from == to);
  if (echo_value_block(from) != tail->roll.body)
    return echo_value_block(to) != tail->outer ? ECHO_SHIFT_LOOK_INSIDE : ECHO_SHIFT_FAILS;
  if (!is_outside(tail, to))
    return ECHO_SHIFT_FAILS;
  EchoRollLine line = echo_roll_line(&tail->roll, from);
  int64_t number;
  if (line.is_line)
    return holds_if(echo_loop_index_at(to, NULL, 0, &number) && number == at_next(tail, &line));
  if (from->is_block_arg && is_handed_on(tail, from))
    return holds_if(to == echo_op_operand(tail->roll.loop, from->index));
  if (from->is_block_arg)
    return holds_if(tail->carried[from->index].update == NULL &&
                    to == tail->carried[from->index].now);
  if (reads_row(tail, from, &array, &line))
    return holds_if(is_same_row(tail, array, &line, to));
  if (is_same_broadcast(tail, from, to))
    return ECHO_SHIFT_HOLDS;
  return ECHO_SHIFT_LOOK_INSIDE;
}

/* ---- what is carried ---- */

/* Nothing but its update and reads of the same row. */
static bool is_read_by_row(Tail *tail, const EchoValue *argument, const EchoOp *update)
{
  bool holds =
      echo_value_is_unused(echo_block_arg(echo_op_body(tail->roll.loop, 0), argument->index));
  for (const EchoUse *use = argument->first_use; use != NULL && holds; use = use->next) {
    EchoValue *array;
    EchoRollLine line;
    holds = use->owner == update ||
            (use->owner->n_results == 1 &&
             reads_row(tail, echo_op_result(use->owner, 0), &array, &line) && array == argument);
  }
  return holds;
}

/* As many rows as there are iterations, from one end to the other. */
static bool is_full(const Tail *tail, const EchoType *type, const EchoRollLine *line)
{
  int64_t n = tail->roll.counted.n_trips;
  return line->is_line && echo_type_dim(type, 0) == n &&
         ((line->slope == 1 && line->start == 0) || (line->slope == -1 && line->start == n - 1));
}

/* The one concatenation of rows that reads a stack; false where there are several. */
static bool find_concatenation(const EchoValue *stack, Carried *carried)
{
  for (const EchoUse *use = stack->first_use; use != NULL; use = use->next) {
    if (echo_hlo_opcode(use->owner) != ECHO_HLO_CONCATENATE ||
        echo_op_attr_i64(use->owner, "dimension", -1) != 0)
      continue;
    if (carried->concatenation != NULL)
      return false;
    carried->concatenation = use->owner;
    carried->place = (uint32_t)echo_use_operand_index(use);
  }
  return true;
}

/* False where the loop cannot go on. */
static bool find_carried(Tail *tail)
{
  const EchoOp *loop = tail->roll.loop;
  for (uint32_t i = 0; i < loop->n_operands; ++i) {
    Carried *carried = &tail->carried[i];
    const EchoValue *argument = echo_block_arg(tail->roll.body, i);
    const EchoOp *update = echo_value_def_or_null(echo_op_operand(tail->roll.body->last, i));
    carried->now = echo_op_result(loop, i);
    if (is_handed_on(tail, argument) || update == NULL || update->block != tail->roll.body ||
        echo_hlo_opcode(update) != ECHO_HLO_DYNAMIC_UPDATE_SLICE ||
        echo_op_operand(update, 0) != argument ||
        !echo_loop_is_whole_slice(update, 2, argument->type, echo_op_operand_type(update, 1)))
      continue;
    carried->line = echo_roll_line(&tail->roll, echo_op_operand(update, 2));
    if (!is_full(tail, argument->type, &carried->line) ||
        !echo_value_has_one_use(echo_op_result(update, 0)))
      continue;
    carried->update = (EchoOp *)update;
    if (!is_read_by_row(tail, argument, update)) {
      carried->update = NULL;
      continue;
    }
    if (!find_concatenation(echo_op_result(loop, i), carried))
      return false;
  }
  return true;
}

/* The row that stands beside the stack for the next iteration; NULL: none. */
static EchoValue *next_row(const Tail *tail, const Carried *carried)
{
  int64_t place = carried->place + (tail->n_more + 1) * carried->line.slope;
  if (carried->concatenation == NULL || place < 0 || place >= carried->concatenation->n_operands)
    return NULL;
  EchoValue *row = echo_op_operand(carried->concatenation, (size_t)place);
  return echo_type_dim(row->type, 0) == 1 ? row : NULL;
}

/* ---- one more iteration ---- */

static EchoValue *find_state(Tail *tail, EchoShift *shift, uint32_t i)
{
  EchoValue *last = echo_op_operand(tail->roll.body->last, i);
  EchoValue *known = echo_shift_next_or_null(shift, last);
  const EchoOp *end = echo_value_def_or_null(last);
  if (known != NULL || end == NULL)
    return known != NULL || is_outside(tail, last) ? known : tail->carried[last->index].now;
  for (EchoOp *op = tail->roll.loop->next; op != NULL; op = op->next)
    if (op->info == end->info && op->n_results > last->index &&
        echo_shift_match(shift, last, echo_op_result(op, last->index)))
      return echo_op_result(op, last->index);
  return NULL;
}

/* Whether all stacks have a row more, or there is a state more. */
static bool find_iteration(Tail *tail, uint64_t *n_pairs)
{
  const EchoOp *loop = tail->roll.loop;
  EchoShift shift;
  EchoValue **next = echo_alloc_zero(loop->n_operands + 1u, sizeof(EchoValue *));
  bool holds = true, any = false;
  echo_shift_create(&shift, *n_pairs, leaf, tail);
  for (uint32_t i = 0; i < loop->n_operands && holds; ++i) {
    const Carried *carried = &tail->carried[i];
    if (carried->update == NULL || echo_value_is_unused(echo_op_result(loop, i)))
      continue;
    EchoValue *row = next_row(tail, carried);
    holds = row != NULL && echo_shift_match(&shift, echo_op_operand(carried->update, 1), row);
    any |= holds;
  }
  for (uint32_t i = 0; i < loop->n_operands && holds; ++i) {
    const EchoValue *argument = echo_block_arg(tail->roll.body, i);
    if (tail->carried[i].update != NULL || is_handed_on(tail, argument) ||
        echo_roll_line(&tail->roll, argument).is_line)
      continue;
    next[i] = find_state(tail, &shift, i);
    any |= next[i] != NULL && echo_value_def_or_null(next[i]) != loop;
  }
  for (uint32_t i = 0; i < loop->n_operands && holds && any; ++i)
    if (tail->carried[i].update == NULL)
      tail->carried[i].now = next[i];
  *n_pairs = shift.n_left;
  echo_shift_destroy(&shift);
  echo_free(next);
  return holds && any;
}

/* ---- whether nothing is left of what stood there ---- */

/* What the longer loop makes, in the place of other values. */
static void find_replaced(const Tail *tail, EchoMap *replaced)
{
  for (uint32_t i = 0; i < tail->roll.loop->n_operands; ++i) {
    const Carried *carried = &tail->carried[i];
    if (carried->update != NULL) {
      echo_map_set(replaced, echo_key(echo_op_result(tail->roll.loop, i)), 1);
      if (carried->concatenation != NULL)
        echo_map_set(replaced, echo_key(echo_op_result(carried->concatenation, 0)), 1);
    } else if (carried->now != NULL) {
      echo_map_set(replaced, echo_key(carried->now), 1);
    }
    if (is_handed_on(tail, echo_block_arg(tail->roll.body, i)))
      echo_map_set(replaced, echo_key(echo_op_result(tail->roll.loop, i)), 1);
  }
}

/* Without those values nobody asks for what the loop made. O(ops of the block). */
static bool is_rest_dead(const Tail *tail)
{
  EchoMap replaced = {0}, seen = {0};
  Values left = {0};
  bool is_dead = true;
  find_replaced(tail, &replaced);
  for (EchoOp *op = tail->outer->first; op != NULL; op = op->next)
    if (op == tail->outer->last || !echo_op_is_pure(op))
      for (EchoOp *inside = op; inside != NULL; inside = echo_op_walk_next(op, inside))
        for (size_t i = 0; i < inside->n_operands; ++i)
          echo_vector_push(&left, echo_op_operand(inside, i));
  while (left.size != 0 && is_dead) {
    EchoValue *value = echo_vector_pop(&left);
    EchoOp *op = echo_value_def_or_null(value);
    if (op == NULL || op->block != tail->outer || echo_map_has(&replaced, echo_key(value)))
      continue;
    is_dead = op != tail->roll.loop;
    if (!is_dead || !echo_map_insert(&seen, echo_key(op), 1))
      continue;
    for (EchoOp *inside = op; inside != NULL; inside = echo_op_walk_next(op, inside))
      for (size_t i = 0; i < inside->n_operands; ++i)
        echo_vector_push(&left, echo_op_operand(inside, i));
  }
  echo_map_destroy(&replaced);
  echo_map_destroy(&seen);
  echo_vector_destroy(&left);
  return is_dead;
}

/* ---- the longer loop ---- */

static const EchoType *longer(EchoContext *ctx, const EchoType *type, int64_t n_more)
{
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    dims[d] = echo_type_dim(type, d) + (d == 0 ? n_more : 0);
  return echo_type_tensor(ctx, dims, echo_type_rank(type), type->as.shaped.element, NULL);
}

static const EchoAttr *splat_or_null(const EchoValue *array)
{
  const EchoAttr *constant = echo_value_constant_or_null(array);
  return constant != NULL && constant->kind == ECHO_ATTR_DENSE_ELEMENTS &&
                 constant->as.elements.is_splat
             ? constant
             : NULL;
}

/* Whether there are `n_more` rows more where the array comes from: behind it, or in front of its
 * first one; *first is where it begins with them. */
static bool has_room(const EchoValue *array, int64_t slope, int64_t n_more, int64_t *first)
{
  const EchoOp *op = echo_value_def_or_null(array);
  int64_t start;
  if (splat_or_null(array) != NULL)
    return true;
  if (!takes_rows(op, &start))
    return false;
  *first = slope > 0 ? start : start - n_more;
  return *first >= 0 && *first + echo_type_dim(array->type, 0) + n_more <=
                            echo_type_dim(echo_op_operand_type(op, 0), 0);
}

/* The array with those; it has room. */
static EchoValue *extend(EchoBuilder *builder, EchoValue *array, int64_t slope, int64_t n_more)
{
  const EchoType *type = longer(builder->ctx, array->type, n_more);
  const EchoAttr *splat = splat_or_null(array);
  int64_t first = 0, n_rows = echo_type_dim(type, 0);
  has_room(array, slope, n_more, &first);
  if (splat != NULL)
    return echo_hlo_constant(
        builder, echo_attr_elements(builder->ctx, type, splat->as.elements.data,
                                    echo_type_element_bytes(echo_type_element(type)), true));
  EchoValue *from = echo_op_operand(echo_value_def_or_null(array), 0);
  return n_rows == echo_type_dim(from->type, 0)
             ? from
             : echo_hlo_slice_dim(builder, from, 0, first, first + n_rows);
}

/* All rows that more iterations read lie in the array. */
static bool lies_inside(const Tail *tail, const EchoValue *array, const EchoRollLine *line)
{
  int64_t last = line->start + line->slope * (tail->roll.counted.n_trips + tail->n_more - 1);
  return last >= 0 && last < echo_type_dim(array->type, 0);
}

/* Rows that stand in front of a first one move its number. */
static void move_index(EchoOp *op, size_t operand, int64_t n_more)
{
  EchoBuilder builder = echo_builder_before(op);
  builder.attrs = op->attrs;
  EchoValue *index = echo_op_operand(op, operand);
  EchoValue *moved =
      echo_hlo_add(&builder, index, echo_hlo_constant_i64(&builder, index->type, n_more));
  echo_op_set_operand(op, operand, moved);
}

/* All stacks can begin longer, and all that is read row by row goes on. */
static bool can_extend(Tail *tail)
{
  const EchoOp *loop = tail->roll.loop;
  int64_t first;
  bool holds = true;
  for (uint32_t i = 0; i < loop->n_operands && holds; ++i)
    holds = tail->carried[i].update == NULL ||
            has_room(echo_op_operand(loop, i), tail->carried[i].line.slope, tail->n_more, &first);
  for (const EchoOp *op = tail->roll.body->first; op != NULL && holds; op = op->next) {
    EchoValue *array;
    EchoRollLine line;
    if (op->n_results != 1 || !reads_row(tail, echo_op_result(op, 0), &array, &line) ||
        is_stack(tail, array) || lies_inside(tail, array, &line))
      continue;
    array = outside_of(tail, array);
    holds = is_full(tail, array->type, &line) && has_room(array, line.slope, tail->n_more, &first);
  }
  return holds;
}

/* The limit that the condition compares with, moved on; false where the type does not hold it. */
static bool move_limit(const Tail *tail, EchoOp *loop)
{
  EchoOp *end = echo_op_body(loop, 0)->last;
  EchoOp *compare = echo_value_def_or_null(echo_op_operand(end, 0));
  size_t side = echo_op_operand(compare, 0)->is_block_arg ? 1 : 0;
  const EchoValue *limit = echo_op_operand(compare, side);
  int64_t number, more = tail->n_more * tail->roll.counted.step;
  if (!echo_loop_index_at(limit, NULL, 0, &number) ||
      !echo_hlo_number_fits(limit->type, number + more) ||
      !echo_hlo_number_fits(limit->type,
                            tail->roll.counted.start + (tail->roll.counted.n_trips + tail->n_more) *
                                                           tail->roll.counted.step))
    return false;
  EchoBuilder builder = echo_builder_before(compare);
  builder.attrs = compare->attrs;
  echo_op_set_operand(compare, side, echo_hlo_constant_i64(&builder, limit->type, number + more));
  return true;
}

/* `read` of the old loop's body, `copy` in the new one's. */
static void extend_read(Tail *tail, EchoBuilder *builder, const EchoOp *read, EchoOp *copy)
{
  EchoValue *array;
  EchoRollLine line;
  if (!reads_row(tail, echo_op_result(read, 0), &array, &line))
    return;
  bool goes_on = !is_stack(tail, array) && !lies_inside(tail, array, &line);
  if (goes_on)
    echo_op_set_operand(copy, 0,
                        extend(builder, outside_of(tail, array), line.slope, tail->n_more));
  if (line.slope < 0 && (goes_on || is_stack(tail, array)))
    move_index(copy, 1, tail->n_more);
}

static void extend_stack(Tail *tail, EchoBuilder *builder, EchoOp *made, uint32_t i)
{
  const Carried *carried = &tail->carried[i];
  EchoValue *init = extend(builder, echo_op_operand(made, i), carried->line.slope, tail->n_more);
  EchoOp *update = echo_value_def_or_null(echo_op_operand(echo_op_body(made, 1)->last, i));
  echo_op_set_operand(made, i, init);
  echo_value_set_type(echo_block_arg(echo_op_body(made, 0), i), init->type);
  echo_value_set_type(echo_block_arg(echo_op_body(made, 1), i), init->type);
  echo_value_set_type(echo_op_result(made, i), init->type);
  echo_value_set_type(echo_op_result(update, 0), init->type);
  if (carried->line.slope < 0)
    move_index(update, 2, tail->n_more);
}

/* The concatenation without the rows that the stack has now. */
static void replace_stack(Tail *tail, EchoOp *made, uint32_t i)
{
  const Carried *carried = &tail->carried[i];
  EchoOp *concatenation = carried->concatenation;
  EchoValue *stack = echo_op_result(made, i), *old = echo_op_result(tail->roll.loop, i);
  int64_t n = tail->roll.counted.n_trips, first = carried->line.slope > 0 ? 0 : tail->n_more;
  if (concatenation != NULL) {
    uint32_t n_more = (uint32_t)tail->n_more;
    uint32_t begin = carried->line.slope > 0 ? carried->place : carried->place - n_more;
    Values parts = {0};
    for (uint32_t k = 0; k < concatenation->n_operands; ++k)
      if (k == begin)
        echo_vector_push(&parts, stack);
      else if (k < begin || k > begin + n_more)
        echo_vector_push(&parts, echo_op_operand(concatenation, k));
    EchoBuilder builder = echo_builder_before(concatenation);
    builder.attrs = concatenation->attrs;
    echo_value_replace_all_uses(
        echo_op_result(concatenation, 0),
        parts.size == 1 ? stack : echo_hlo_concatenate(&builder, parts.data, parts.size, 0));
    echo_vector_destroy(&parts);
    echo_op_erase(concatenation);
  }
  EchoBuilder behind = echo_builder_before(tail->roll.loop);
  behind.attrs = tail->roll.loop->attrs;
  if (!echo_value_is_unused(old))
    echo_value_replace_all_uses(old, echo_hlo_slice_dim(&behind, stack, 0, first, first + n));
}

/* In the place of the old one, which is left without readers but for ops that nobody reads. */
static bool write(Tail *tail)
{
  EchoOp *loop = tail->roll.loop, *made = echo_op_clone(loop, NULL);
  EchoBuilder builder = echo_builder_before(loop);
  builder.attrs = loop->attrs;
  if (!move_limit(tail, made)) {
    echo_op_erase(made);
    return false;
  }
  echo_op_insert_before(made, loop);
  builder.before = made;
  EchoOp *copy = echo_op_body(made, 1)->first;
  for (EchoOp *op = tail->roll.body->first; op != NULL; op = op->next) {
    EchoOp *next = copy->next; /* before an index is moved in front of it */
    if (op->n_results == 1)
      extend_read(tail, &builder, op, copy);
    copy = next;
  }
  for (uint32_t i = 0; i < loop->n_operands; ++i)
    if (tail->carried[i].update != NULL)
      extend_stack(tail, &builder, made, i);
  for (uint32_t i = 0; i < loop->n_operands; ++i) {
    const Carried *carried = &tail->carried[i];
    if (carried->update != NULL)
      replace_stack(tail, made, i);
    else if (is_handed_on(tail, echo_block_arg(tail->roll.body, i)))
      echo_value_replace_all_uses(echo_op_result(loop, i), echo_op_result(made, i));
    else if (carried->now != NULL)
      echo_value_replace_all_uses(carried->now, echo_op_result(made, i));
  }
  return true;
}

static EchoOp *go_on(EchoOp *loop, size_t *n)
{
  Tail tail = {.roll = {.loop = loop, .body = echo_op_body(loop, 1), .n_copies = 1},
               .outer = loop->block};
  uint64_t n_pairs = ECHO_ROLL_MAX_PAIRS;
  if (!echo_hlo_counted_loop(loop, &tail.roll.counted) || tail.roll.counted.n_trips < 1 ||
      tail.roll.counted.n_trips > ECHO_LOOP_MAX_TRIPS || !echo_op_is_pure(loop))
    return loop;
  tail.carried = echo_alloc_zero(loop->n_operands + 1u, sizeof *tail.carried);
  if (find_carried(&tail)) {
    while (find_iteration(&tail, &n_pairs))
      ++tail.n_more;
    *n += tail.n_more != 0 && can_extend(&tail) && is_rest_dead(&tail) && write(&tail);
  }
  echo_free(tail.carried);
  echo_map_destroy(&tail.roll.lines);
  echo_vector_destroy(&tail.roll.known);
  return loop;
}

size_t echo_loop_roll_tails(EchoOp *function)
{
  return echo_loop_change_all(function, go_on);
}
