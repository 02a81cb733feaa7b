/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The longer loop in the place of one that goes on: its stacks and what it reads row by row have
 * more rows. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/roll_tail_t.h"
#include "planning/loops/slices.h"

typedef ECHO_VECTOR(EchoValue *) Values;

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
  if (!echo_tail_takes_rows(op, &start))
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
static bool lies_inside(const EchoTail *tail, const EchoValue *array, const EchoRollLine *line)
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

bool echo_tail_can_extend(EchoTail *tail)
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
    if (op->n_results != 1 || !echo_tail_reads_row(tail, echo_op_result(op, 0), &array, &line) ||
        echo_tail_is_stack(tail, array) || lies_inside(tail, array, &line))
      continue;
    array = echo_tail_outside_of(tail, array);
    holds = echo_tail_is_full(tail, array->type, &line) &&
            has_room(array, line.slope, tail->n_more, &first);
  }
  return holds;
}

/* The limit that the condition compares with, moved on; false where the type does not hold it. */
static bool move_limit(const EchoTail *tail, EchoOp *loop)
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
static void extend_read(EchoTail *tail, EchoBuilder *builder, const EchoOp *read, EchoOp *copy)
{
  EchoValue *array;
  EchoRollLine line;
  if (!echo_tail_reads_row(tail, echo_op_result(read, 0), &array, &line))
    return;
  bool goes_on = !echo_tail_is_stack(tail, array) && !lies_inside(tail, array, &line);
  if (goes_on)
    echo_op_set_operand(
        copy, 0, extend(builder, echo_tail_outside_of(tail, array), line.slope, tail->n_more));
  if (line.slope < 0 && (goes_on || echo_tail_is_stack(tail, array)))
    move_index(copy, 1, tail->n_more);
}

static void extend_stack(EchoTail *tail, EchoBuilder *builder, EchoOp *made, uint32_t i)
{
  const EchoTailCarried *carried = &tail->carried[i];
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
static void replace_stack(EchoTail *tail, EchoOp *made, uint32_t i)
{
  const EchoTailCarried *carried = &tail->carried[i];
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

bool echo_tail_write(EchoTail *tail)
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
    const EchoTailCarried *carried = &tail->carried[i];
    if (carried->update != NULL)
      replace_stack(tail, made, i);
    else if (echo_tail_is_handed_on(tail, echo_block_arg(tail->roll.body, i)))
      echo_value_replace_all_uses(echo_op_result(loop, i), echo_op_result(made, i));
    else if (carried->now != NULL)
      echo_value_replace_all_uses(carried->now, echo_op_result(made, i));
  }
  return true;
}
