/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/loops/share.h"

#include "base/vector.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/change.h"
#include "planning/loops/slices.h"
#include "planning/schedule/graph.h"

/* A stack of the writer that has a row for each iteration. */
typedef struct Stack {
  uint32_t carried;
  EchoOp *update;
  const EchoValue *value; /* what is stacked */
} Stack;

/* How the rows of one stack are found in another: in iteration t stands what the other has of
 * iteration t + n_later. */
typedef struct Relation {
  int n_later;
  bool is_reversed; /* row r of the one is row offset + r of the other, or offset - r, but for */
  int64_t offset;
  int64_t row;     /* this one, where n_later is not 0, */
  EchoValue *edge; /* which is this value */
} Relation;

/* A slice that is read, and the loop that reads it. */
typedef struct Reading {
  EchoOp *loop, *slice;
} Reading;

typedef struct Sharer {
  EchoOp *writer;
  EchoCountedLoop counted;
  ECHO_VECTOR(Stack) stacks;
  ECHO_VECTOR(Reading) readings; /* of the stack that is looked at */
} Sharer;

static EchoBlock *body_of(const EchoOp *loop)
{
  return echo_op_body(loop, 1);
}

/* ---- stacks ---- */

static bool row_at(const Sharer *sharer, const Stack *stack, int64_t trip, int64_t *row)
{
  return echo_loop_index_at(echo_op_operand(stack->update, 2),
                            echo_block_arg(body_of(sharer->writer), sharer->counted.counter),
                            sharer->counted.start + trip * sharer->counted.step, row);
}

static void find_stacks(Sharer *sharer)
{
  for (uint32_t i = 0; i < sharer->writer->n_operands; ++i) {
    EchoOp *update = echo_loop_stacking_or_null(sharer->writer, i);
    int64_t n_rows =
        update != NULL ? echo_type_dim(echo_op_operand_type(sharer->writer, i), 0) : -1;
    if (update != NULL &&
        echo_loop_visits_all(sharer->writer, &sharer->counted, echo_op_operand(update, 2), n_rows))
      echo_vector_push(&sharer->stacks, ((Stack){i, update, echo_loop_stacked_value(update)}));
  }
}

/* ---- relations ---- */

/* Whether `after` is what a carried value becomes in the iteration that begins with `before`. */
static bool is_next(const Sharer *sharer, const EchoValue *before, const EchoValue *after)
{
  const EchoBlock *body = body_of(sharer->writer);
  return before->is_block_arg && echo_value_block(before) == body && before != after &&
         echo_op_operand(body->last, before->index) == after;
}

/* The same distance in all iterations, or the same sum. */
static bool find_rows(const Sharer *sharer, const Stack *gone, const Stack *kept,
                      Relation *relation)
{
  int64_t n = sharer->counted.n_trips, n_later = relation->n_later, at, other;
  int64_t sum = INT64_MIN, distance = INT64_MIN;
  bool holds = n > 2, has_sum = true, has_distance = true;
  for (int64_t t = 0; t < n && holds; ++t) {
    holds = row_at(sharer, gone, t, &at);
    if (t + n_later < 0 || t + n_later >= n) {
      relation->row = at;
      continue;
    }
    holds = holds && row_at(sharer, kept, t + n_later, &other);
    has_sum &= sum == INT64_MIN || sum == other + at;
    has_distance &= distance == INT64_MIN || distance == other - at;
    sum = other + at;
    distance = other - at;
  }
  relation->is_reversed = !has_distance;
  relation->offset = has_distance ? distance : sum;
  return holds && (has_distance || has_sum);
}

static bool find_relation(const Sharer *sharer, const Stack *gone, const Stack *kept,
                          Relation *relation)
{
  *relation = (Relation){0};
  if (gone == kept || echo_op_operand_type(sharer->writer, gone->carried) !=
                          echo_op_operand_type(sharer->writer, kept->carried))
    return false;
  if (is_next(sharer, gone->value, kept->value)) {
    relation->n_later = -1;
    relation->edge = echo_op_operand(sharer->writer, gone->value->index);
  } else if (is_next(sharer, kept->value, gone->value)) {
    relation->n_later = 1;
    relation->edge = echo_op_result(sharer->writer, kept->value->index);
  } else if (gone->value != kept->value) {
    return false;
  }
  return find_rows(sharer, gone, kept, relation);
}

/* ---- readers ---- */

static bool is_counted_reader(const Sharer *sharer, const EchoOp *loop, EchoCountedLoop *counted)
{
  return loop->block == sharer->writer->block && echo_hlo_opcode(loop) == ECHO_HLO_WHILE &&
         echo_hlo_counted_loop(loop, counted) && counted->n_trips <= ECHO_LOOP_MAX_TRIPS;
}

/* A whole slice in the loop's body, of a row that there is, in every iteration. */
static bool add_reading(Sharer *sharer, const EchoUse *use, EchoOp *loop,
                        const EchoCountedLoop *counted)
{
  EchoOp *op = use->owner;
  const EchoBlock *body = body_of(loop);
  bool holds =
      op->block == body && echo_hlo_opcode(op) == ECHO_HLO_DYNAMIC_SLICE &&
      echo_use_operand_index(use) == 0 &&
      echo_loop_is_whole_slice(op, 1, echo_op_operand_type(op, 0), echo_op_result_type(op, 0));
  int64_t n_rows = holds ? echo_type_dim(echo_op_operand_type(op, 0), 0) : 0, row;
  holds = holds && echo_hlo_number_fits(echo_op_operand_type(op, 1), n_rows);
  for (int64_t t = 0; t < counted->n_trips && holds; ++t)
    holds = echo_loop_index_at(echo_op_operand(op, 1), echo_block_arg(body, counted->counter),
                               counted->start + t * counted->step, &row) &&
            row >= 0 && row < n_rows;
  if (holds)
    echo_vector_push(&sharer->readings, ((Reading){loop, op}));
  return holds;
}

/* The loop carries the stack in place `k`, hands it on as it is, and reads slices of it. */
static bool add_carried(Sharer *sharer, EchoOp *loop, const EchoCountedLoop *counted, size_t k)
{
  const EchoBlock *body = body_of(loop);
  bool holds = echo_loop_is_invariant(loop, k) && echo_value_is_unused(echo_op_result(loop, k)) &&
               echo_value_is_unused(echo_block_arg(echo_op_body(loop, 0), k));
  for (const EchoUse *use = echo_block_arg(body, k)->first_use; use != NULL && holds;
       use = use->next)
    if (use->owner != body->last)
      holds = add_reading(sharer, use, loop, counted);
  return holds;
}

/* All that reads the stack; false where that is anything else. */
static bool find_readings(Sharer *sharer, const Stack *stack)
{
  bool holds = true;
  sharer->readings.size = 0;
  for (const EchoUse *use = echo_op_result(sharer->writer, stack->carried)->first_use;
       use != NULL && holds; use = use->next) {
    EchoOp *loop = echo_op_ancestor_in_block(use->owner, sharer->writer->block);
    EchoCountedLoop counted;
    holds = loop != NULL && is_counted_reader(sharer, loop, &counted) &&
            (use->owner == loop ? add_carried(sharer, loop, &counted, echo_use_operand_index(use))
                                : add_reading(sharer, use, loop, &counted));
  }
  return holds && sharer->readings.size != 0;
}

bool echo_loop_is_shared_stack(EchoOp *loop, uint32_t i)
{
  Sharer sharer = {.writer = loop};
  const Stack *kept = NULL;
  bool any = false;
  if (echo_loop_stacking_or_null(loop, i) != NULL && echo_hlo_counted_loop(loop, &sharer.counted))
    find_stacks(&sharer);
  for (size_t k = 0; k < sharer.stacks.size; ++k)
    if (sharer.stacks.data[k].carried == i)
      kept = &sharer.stacks.data[k];
  for (size_t k = 0; kept != NULL && k < sharer.stacks.size && !any; ++k) {
    Relation relation;
    any = find_relation(&sharer, &sharer.stacks.data[k], kept, &relation) &&
          find_readings(&sharer, &sharer.stacks.data[k]);
  }
  echo_vector_destroy(&sharer.stacks);
  echo_vector_destroy(&sharer.readings);
  return any;
}

/* ---- one in place of two ---- */

/* The stack as the loop's body sees it. */
static EchoValue *seen_in(const Sharer *sharer, const EchoOp *loop, const Stack *stack)
{
  EchoValue *result = echo_op_result(sharer->writer, stack->carried);
  for (size_t k = 0; k < loop->n_operands; ++k)
    if (echo_op_operand(loop, k) == result && echo_loop_is_invariant(loop, k))
      return echo_block_arg(body_of(loop), k);
  return result;
}

static EchoValue *reshape_to(EchoBuilder *builder, EchoValue *value, const EchoType *type)
{
  const EchoOp *op = echo_value_def_or_null(value);
  if (op != NULL && echo_value_constant_or_null(value) != NULL) {
    EchoOp *clone = echo_op_clone(op, NULL);
    echo_builder_insert(builder, clone);
    value = echo_op_result(clone, 0);
  }
  if (value->type == type)
    return value;
  int64_t dims[ECHO_MAX_RANK + 1] = {0};
  size_t rank = echo_type_rank(type);
  for (size_t d = 0; d < rank; ++d)
    dims[d] = echo_type_dim(type, d);
  return echo_hlo_reshape(builder, value, dims, rank);
}

/* Row `at` of the stack that goes, in the other; of the row that is not there, any. */
static EchoValue *row_in_other(EchoBuilder *builder, EchoValue *at, const Relation *relation,
                               int64_t n_rows)
{
  const EchoType *element = echo_type_element(at->type);
  int64_t offset = relation->offset, last = n_rows - 1;
  int64_t least = relation->is_reversed ? offset - last : -offset;
  int64_t most = relation->is_reversed ? offset : last - offset;
  if (least > 0)
    at = echo_hlo_maximum(builder, at, echo_hlo_scalar_i64(builder, element, least));
  if (most < last)
    at = echo_hlo_minimum(builder, at, echo_hlo_scalar_i64(builder, element, most));
  if (offset == 0 && !relation->is_reversed)
    return at;
  EchoValue *distance = echo_hlo_scalar_i64(builder, element, offset < 0 ? -offset : offset);
  if (relation->is_reversed)
    return echo_hlo_subtract(builder, distance, at);
  return offset < 0 ? echo_hlo_subtract(builder, at, distance)
                    : echo_hlo_add(builder, at, distance);
}

static void read_other(const Sharer *sharer, const Reading *reading, const Stack *kept,
                       const Relation *relation)
{
  EchoOp *slice = reading->slice;
  EchoValue *at = echo_op_operand(slice, 1);
  const EchoType *type = echo_op_result_type(slice, 0);
  EchoBuilder builder = echo_builder_before(slice);
  builder.attrs = slice->attrs;
  EchoValue *row = echo_loop_read_slice(
      &builder, seen_in(sharer, reading->loop, kept),
      row_in_other(&builder, at, relation, echo_type_dim(echo_op_operand_type(slice, 0), 0)));
  if (relation->n_later != 0) {
    EchoValue *number = echo_hlo_scalar_i64(&builder, echo_type_element(at->type), relation->row);
    EchoValue *is_edge = echo_hlo_compare(&builder, ECHO_COMPARE_EQ, at, number);
    EchoValue *edge = reshape_to(&builder, relation->edge, type);
    row = echo_hlo_select(&builder, is_edge, edge, row);
  }
  echo_value_replace_all_uses(echo_op_result(slice, 0), row);
  echo_op_erase(slice);
}

/* The loops are rebuilt without the stack; returns the writer, or what took its place. */
static EchoOp *drop(const Sharer *sharer, const Stack *gone)
{
  ECHO_VECTOR(EchoOp *) loops = {0};
  for (size_t i = 0; i < sharer->readings.size; ++i) {
    bool is_new = true;
    for (size_t k = 0; k < loops.size; ++k)
      is_new &= loops.data[k] != sharer->readings.data[i].loop;
    if (is_new)
      echo_vector_push(&loops, sharer->readings.data[i].loop);
  }
  for (size_t i = 0; i < loops.size; ++i)
    echo_loop_drop_unread(loops.data[i]);
  echo_vector_destroy(&loops);
  EchoValue *slice = echo_op_operand(gone->update, 1);
  EchoOp *made = echo_value_def_or_null(slice);
  EchoOp *writer = echo_loop_drop_unread(sharer->writer);
  if (made != NULL && made->n_results == 1 && echo_value_is_unused(slice) &&
      echo_op_is_dead_if_unused(made))
    echo_op_erase(made);
  return writer;
}

/* Of the stack and what stands in the others; true where it is gone. */
static bool share(Sharer *sharer, const Stack *gone, int n_later)
{
  bool any = false;
  for (size_t i = 0; i < sharer->stacks.size && !any; ++i) {
    const Stack *kept = &sharer->stacks.data[i];
    Relation relation;
    any = find_relation(sharer, gone, kept, &relation) && relation.n_later == n_later &&
          find_readings(sharer, gone);
    for (size_t k = 0; any && k < sharer->readings.size; ++k)
      read_other(sharer, &sharer->readings.data[k], kept, &relation);
  }
  return any;
}

/* What the loop ends with has to stay until it is read; what it begins with is a constant mostly,
 * so that comes before. */
static EchoOp *visit_loop(EchoOp *loop, size_t *n)
{
  static const int ORDER[] = {0, -1, 1};
  for (bool goes_on = true; goes_on;) {
    Sharer sharer = {.writer = loop};
    goes_on = false;
    if (echo_hlo_counted_loop(loop, &sharer.counted))
      find_stacks(&sharer);
    for (size_t k = 0; k < sizeof ORDER / sizeof ORDER[0] && !goes_on; ++k)
      for (size_t i = 0; i < sharer.stacks.size && !goes_on; ++i) {
        goes_on = share(&sharer, &sharer.stacks.data[i], ORDER[k]);
        if (goes_on)
          loop = drop(&sharer, &sharer.stacks.data[i]);
      }
    *n += goes_on;
    echo_vector_destroy(&sharer.stacks);
    echo_vector_destroy(&sharer.readings);
  }
  return loop;
}

size_t echo_loop_share_stacks(EchoOp *function)
{
  return echo_loop_change_all(function, visit_loop);
}
