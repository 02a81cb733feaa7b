/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The loop of one copy. It counts copies from 0; what is an index of the body, or a row of a block,
 * is made from that. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/roll_t.h"
#include "planning/loops/slices.h"

#include <stdlib.h>

typedef ECHO_VECTOR(EchoValue *) Values;

typedef struct Writer {
  EchoRoll *roll;
  EchoMap is_needed; /* values of the body that one copy is made of */
  EchoMap values;    /* -> those of the new loop */
  EchoBuilder body;
  EchoOp *made;
  EchoValue *count; /* of copies */
} Writer;

static int64_t n_rolled(const EchoRoll *roll)
{
  return roll->counted.n_trips * roll->n_copies;
}

/* Of the copy: row `row` of the array as one of rows. */
static EchoRollLine row_line(const EchoRoll *roll, const EchoRollLine *blocks, int64_t row)
{
  return (EchoRollLine){blocks->start * roll->n_copies + row, blocks->slope, true};
}

/* ---- what one copy needs ---- */

/* A leaf of the copy: of an index, what it is in a copy. */
static bool index_of_copy(EchoRoll *roll, const EchoValue *value, EchoRollLine *line)
{
  *line = echo_roll_line(roll, value);
  line->slope /= roll->n_copies;
  return line->is_line;
}

/* What is held back of a stack is the row that this copy writes. */
static bool is_own_row(const EchoRoll *roll, const EchoRollRows *rows)
{
  return rows->row == echo_roll_row_of_copy(roll, &rows->line, 0);
}

static bool collect(Writer *writer, Values *left)
{
  EchoRoll *roll = writer->roll;
  while (left->size != 0) {
    EchoValue *value = echo_vector_pop(left);
    EchoRollRows rows;
    EchoRollLine line;
    if (!echo_op_is_ancestor(roll->loop, echo_block_parent(echo_value_block(value))) ||
        !echo_map_insert(&writer->is_needed, echo_key(value), 1) || value->is_block_arg ||
        echo_value_block(value) != roll->body || index_of_copy(roll, value, &line))
      continue;
    if (echo_roll_reads_row(roll, value, &rows)) {
      if (!is_own_row(roll, &rows))
        return false;
      continue;
    }
    EchoOp *op = echo_value_def_or_null(value);
    for (EchoOp *inside = op; inside != NULL; inside = echo_op_walk_next(op, inside))
      for (size_t i = 0; i < inside->n_operands; ++i)
        if (inside == op || !echo_op_is_ancestor(op, echo_block_parent(echo_value_block(
                                                         echo_op_operand(inside, i)))))
          echo_vector_push(left, echo_op_operand(inside, i));
  }
  return true;
}

/* What the copy makes of carried value `i`; NULL: nothing. */
static EchoValue *made_of(const EchoRoll *roll, uint32_t i)
{
  const EchoRollCarried *carried = &roll->carried[i];
  if (carried->kind == ECHO_ROLL_STACK)
    return carried->rows[0];
  return carried->kind == ECHO_ROLL_STATE
             ? echo_shift_next_or_null(&roll->shift, echo_block_arg(roll->body, i))
             : NULL;
}

static bool find_needed(Writer *writer)
{
  Values left = {0};
  for (uint32_t i = 0; i < writer->roll->loop->n_operands; ++i)
    if (made_of(writer->roll, i) != NULL)
      echo_vector_push(&left, made_of(writer->roll, i));
  bool holds = collect(writer, &left);
  echo_vector_destroy(&left);
  return holds;
}

/* ---- indices ---- */

static const EchoType *count_type(const EchoRoll *roll)
{
  return echo_block_arg(roll->body, roll->counted.counter)->type;
}

/* All that is made on the way has to be a number of the type. */
static bool fits(const EchoRoll *roll, const EchoType *type, const EchoRollLine *line)
{
  if (line->slope == 0)
    return echo_hlo_number_fits(type, line->start);
  int64_t last = line->slope * (n_rolled(roll) - 1);
  return echo_hlo_number_fits(type, n_rolled(roll)) && echo_hlo_number_fits(type, llabs(last)) &&
         echo_hlo_number_fits(type, line->start) && echo_hlo_number_fits(type, line->start + last);
}

static EchoValue *index_at_count(const Writer *writer, EchoBuilder *builder, const EchoType *type,
                                 const EchoRollLine *line)
{
  int64_t factor = llabs(line->slope);
  if (factor == 0)
    return echo_hlo_constant_i64(builder, type, line->start);
  EchoValue *count = echo_hlo_convert(builder, writer->count, type->as.shaped.element);
  if (factor != 1)
    count = echo_hlo_multiply(builder, count, echo_hlo_constant_i64(builder, type, factor));
  if (line->slope > 0 && line->start == 0)
    return count;
  EchoValue *start = echo_hlo_constant_i64(builder, type, line->start);
  return line->slope > 0 ? echo_hlo_add(builder, count, start)
                         : echo_hlo_subtract(builder, start, count);
}

/* What an index is behind the loop. */
static int64_t after_all(const EchoRoll *roll, uint32_t i)
{
  const EchoRollLine *line = &roll->carried[i].line;
  return line->start + roll->counted.n_trips * line->slope;
}

/* Before anything is written. */
static bool can_count(Writer *writer)
{
  EchoRoll *roll = writer->roll;
  const EchoType *type = count_type(roll);
  EchoRollLine all = {0, 1, true}, line;
  EchoMapEntry entry;
  bool holds = fits(roll, type, &all);
  for (size_t i = 0; echo_map_next(&writer->is_needed, &i, &entry) && holds;) {
    const EchoValue *value = (const EchoValue *)(uintptr_t)entry.key;
    EchoRollRows rows;
    if (echo_value_block(value) != roll->body)
      continue;
    if (index_of_copy(roll, value, &line))
      holds = fits(roll, value->type, &line);
    else if (echo_roll_reads_row(roll, value, &rows)) {
      line = row_line(roll, &rows.line, rows.row);
      holds = fits(roll, type, &line);
    }
  }
  for (uint32_t i = 0; i < roll->loop->n_operands && holds; ++i) {
    const EchoValue *result = echo_op_result(roll->loop, i);
    if (roll->carried[i].kind == ECHO_ROLL_INDEX && !echo_value_is_unused(result))
      holds = echo_hlo_number_fits(result->type, after_all(roll, i));
    if (roll->carried[i].kind == ECHO_ROLL_STACK) {
      line = row_line(roll, &roll->carried[i].line,
                      echo_roll_row_of_copy(roll, &roll->carried[i].line, 0));
      holds = fits(roll, type, &line);
    }
  }
  return holds;
}

/* ---- rows ---- */

/* [blocks, k, …] as [blocks * k, …]. */
static EchoValue *as_rows(EchoBuilder *builder, EchoValue *array)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(array->type);
  dims[0] = echo_type_dim(array->type, 0) * echo_type_dim(array->type, 1);
  for (size_t d = 2; d < rank; ++d)
    dims[d - 1] = echo_type_dim(array->type, d);
  return echo_hlo_reshape(builder, array, dims, rank - 1);
}

static EchoValue *as_type(EchoBuilder *builder, EchoValue *value, const EchoType *type)
{
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    dims[d] = echo_type_dim(type, d);
  return echo_hlo_reshape(builder, value, dims, echo_type_rank(type));
}

/* The array as it stands in front of the loop. */
static EchoValue *outside_of(const EchoRoll *roll, EchoValue *array)
{
  return echo_value_block(array) == roll->body ? echo_op_operand(roll->loop, array->index) : array;
}

static EchoValue *read_row(Writer *writer, const EchoValue *value, const EchoRollRows *rows)
{
  EchoRoll *roll = writer->roll;
  EchoValue *array = echo_map_get_ptr(&writer->values, rows->array);
  bool is_stack = rows->array->is_block_arg && echo_value_block(rows->array) == roll->body &&
                  roll->carried[rows->array->index].kind == ECHO_ROLL_STACK;
  if (!is_stack) {
    EchoBuilder outside = echo_builder_before(writer->made);
    outside.attrs = roll->loop->attrs;
    array = as_rows(&outside, outside_of(roll, rows->array));
  }
  EchoRollLine line = row_line(roll, &rows->line, rows->row);
  EchoValue *index = index_at_count(writer, &writer->body, count_type(roll), &line);
  return as_type(&writer->body, echo_loop_read_slice(&writer->body, array, index), value->type);
}

/* ---- the loop ---- */

static EchoOp *begin(Writer *writer)
{
  EchoRoll *roll = writer->roll;
  EchoBuilder builder = echo_builder_before(roll->loop), cond;
  builder.attrs = roll->loop->attrs;
  Values inits = {0};
  echo_vector_push(&inits, echo_hlo_constant_i64(&builder, count_type(roll), 0));
  for (uint32_t i = 0; i < roll->loop->n_operands; ++i) {
    EchoValue *init = echo_op_operand(roll->loop, i);
    if (made_of(roll, i) != NULL)
      echo_vector_push(&inits,
                       roll->carried[i].kind == ECHO_ROLL_STACK ? as_rows(&builder, init) : init);
  }
  EchoOp *loop = writer->made =
      echo_hlo_while(&builder, inits.data, inits.size, &cond, &writer->body);
  cond.attrs = writer->body.attrs = builder.attrs;
  EchoValue *goes_on =
      echo_hlo_compare(&cond, ECHO_COMPARE_LT, echo_block_arg(echo_op_body(loop, 0), 0),
                       echo_hlo_constant_i64(&cond, count_type(roll), n_rolled(roll)));
  echo_hlo_return(&cond, &goes_on, 1);
  writer->count = echo_block_arg(echo_op_body(loop, 1), 0);
  uint32_t at = 1;
  for (uint32_t i = 0; i < roll->loop->n_operands; ++i)
    if (made_of(roll, i) != NULL)
      echo_map_set_ptr(&writer->values, echo_block_arg(roll->body, i),
                       echo_block_arg(echo_op_body(loop, 1), at++));
    else if (roll->carried[i].kind == ECHO_ROLL_INVARIANT)
      echo_map_set_ptr(&writer->values, echo_block_arg(roll->body, i),
                       echo_op_operand(roll->loop, i));
  echo_vector_destroy(&inits);
  return loop;
}

static bool is_needed(const Writer *writer, const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (echo_map_has(&writer->is_needed, echo_key(echo_op_result(op, i))))
      return true;
  return false;
}

static void write_op(Writer *writer, EchoOp *op)
{
  EchoRollRows rows;
  EchoRollLine line;
  EchoValue *value = op->n_results == 1 ? echo_op_result(op, 0) : NULL, *made = NULL;
  if (value != NULL && index_of_copy(writer->roll, value, &line))
    made = index_at_count(writer, &writer->body, value->type, &line);
  else if (value != NULL && echo_roll_reads_row(writer->roll, value, &rows))
    made = read_row(writer, value, &rows);
  if (made != NULL)
    echo_map_set_ptr(&writer->values, value, made);
  else
    echo_builder_insert(&writer->body, echo_op_clone(op, &writer->values));
}

static void write_body(Writer *writer)
{
  EchoRoll *roll = writer->roll;
  for (uint32_t i = 0; i < roll->loop->n_operands; ++i) {
    const EchoValue *argument = echo_block_arg(roll->body, i);
    EchoRollLine line = roll->carried[i].line;
    line.slope /= roll->n_copies;
    if (roll->carried[i].kind == ECHO_ROLL_INDEX &&
        echo_map_has(&writer->is_needed, echo_key(argument)))
      echo_map_set_ptr(&writer->values, argument,
                       index_at_count(writer, &writer->body, argument->type, &line));
  }
  for (EchoOp *op = roll->body->first; op != roll->body->last; op = op->next)
    if (is_needed(writer, op))
      write_op(writer, op);
}

static void end(Writer *writer)
{
  EchoRoll *roll = writer->roll;
  EchoBuilder *body = &writer->body;
  Values all = {0};
  echo_vector_push(
      &all, echo_hlo_add(body, writer->count, echo_hlo_constant_i64(body, count_type(roll), 1)));
  for (uint32_t i = 0; i < roll->loop->n_operands; ++i) {
    EchoValue *made = made_of(roll, i), *copy = echo_map_get_ptr(&writer->values, made);
    if (made == NULL)
      continue;
    EchoValue *value = copy != NULL ? copy : made;
    if (roll->carried[i].kind == ECHO_ROLL_STACK) {
      EchoValue *stack = echo_map_get_ptr(&writer->values, echo_block_arg(roll->body, i));
      EchoRollLine line = row_line(roll, &roll->carried[i].line,
                                   echo_roll_row_of_copy(roll, &roll->carried[i].line, 0));
      EchoValue *index = index_at_count(writer, body, count_type(roll), &line);
      int64_t dims[ECHO_MAX_RANK] = {1};
      for (size_t d = 1; d < echo_type_rank(stack->type); ++d)
        dims[d] = echo_type_dim(stack->type, d);
      value = echo_hlo_reshape(body, value, dims, echo_type_rank(stack->type));
      value = echo_loop_write_slice(body, stack, value, index);
    }
    echo_vector_push(&all, value);
  }
  echo_hlo_return(body, all.data, all.size);
  echo_vector_destroy(&all);
}

static void replace(Writer *writer, EchoOp *made)
{
  EchoRoll *roll = writer->roll;
  EchoBuilder behind = echo_builder_before(roll->loop);
  behind.attrs = roll->loop->attrs;
  uint32_t at = 1;
  for (uint32_t i = 0; i < roll->loop->n_operands; ++i) {
    EchoValue *old = echo_op_result(roll->loop, i), *value = NULL;
    const EchoRollCarried *carried = &roll->carried[i];
    switch (carried->kind) {
    case ECHO_ROLL_INVARIANT:
      value = echo_op_operand(roll->loop, i);
      break;
    case ECHO_ROLL_INDEX:
      value = echo_value_is_unused(old)
                  ? NULL
                  : echo_hlo_constant_i64(&behind, old->type, after_all(roll, i));
      break;
    case ECHO_ROLL_STACK:
    case ECHO_ROLL_STATE:
      value = as_type(&behind, echo_op_result(made, at++), old->type);
      break;
    }
    if (value != NULL)
      echo_value_replace_all_uses(old, value);
  }
  echo_op_erase(roll->loop);
}

EchoOp *echo_roll_write(EchoRoll *roll)
{
  Writer writer = {.roll = roll};
  EchoOp *made = NULL;
  if (find_needed(&writer) && can_count(&writer)) {
    made = begin(&writer);
    write_body(&writer);
    end(&writer);
    replace(&writer, made);
  }
  echo_map_destroy(&writer.is_needed);
  echo_map_destroy(&writer.values);
  return made;
}
