/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Indices and rows of blocks, in a loop that may be rolled up. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/roll_t.h"
#include "planning/loops/slices.h"

#include <string.h>

#define MAX_DEPTH 64 /* of ops that are taken apart row by row: an optimizer's update is twenty */

/* ---- indices ---- */

static EchoRollLine find_line(const EchoRoll *roll, const EchoValue *value)
{
  EchoRollLine line = {0};
  const EchoValue *counter = echo_block_arg(roll->body, roll->counted.counter);
  bool is_integer = echo_type_is_tensor(value->type) && echo_type_rank(value->type) == 0 &&
                    echo_type_element(value->type)->kind == ECHO_TYPE_INTEGER;
  line.is_line = is_integer && roll->counted.n_trips > 0;
  for (int64_t t = 0; t < roll->counted.n_trips && line.is_line; ++t) {
    int64_t at;
    line.is_line =
        echo_loop_index_at(value, counter, roll->counted.start + t * roll->counted.step, &at);
    if (t == 0)
      line.start = at;
    else if (t == 1)
      line.slope = at - line.start;
    else
      line.is_line = line.is_line && at == line.start + t * line.slope;
  }
  return line.is_line ? line : (EchoRollLine){0};
}

EchoRollLine echo_roll_line(EchoRoll *roll, const EchoValue *value)
{
  uint64_t at;
  if (echo_map_get(&roll->lines, echo_key(value), &at))
    return roll->known.data[at];
  EchoRollLine line = find_line(roll, value);
  echo_map_set(&roll->lines, echo_key(value), roll->known.size);
  echo_vector_push(&roll->known, line);
  return line;
}

/* ---- blocks ---- */

/* One block after the other, forwards or backwards, never past the ends, where an index would be
 * moved. */
static bool is_block_line(const EchoRoll *roll, const EchoRollLine *line, int64_t n_blocks)
{
  int64_t last = line->start + (roll->counted.n_trips - 1) * line->slope;
  return line->is_line && (line->slope == 1 || line->slope == -1) && line->start >= 0 &&
         line->start < n_blocks && last >= 0 && last < n_blocks;
}

/* [blocks, k, …], of which [1, k, …] at [index, 0, …] is meant. */
static bool is_block_of(EchoRoll *roll, const EchoOp *op, size_t first, const EchoType *array,
                        const EchoType *block, EchoRollLine *line)
{
  if (echo_type_rank(array) < 2 || echo_type_dim(array, 1) != roll->n_copies ||
      !echo_loop_is_whole_slice(op, first, array, block))
    return false;
  *line = echo_roll_line(roll, echo_op_operand(op, first));
  return is_block_line(roll, line, echo_type_dim(array, 0));
}

EchoValue *echo_roll_written_block(EchoRoll *roll, uint32_t i, EchoRollLine *line)
{
  const EchoValue *argument = echo_block_arg(roll->body, i);
  const EchoValue *next = echo_op_operand(roll->body->last, i);
  const EchoOp *update = echo_value_def_or_null(next);
  bool holds = update != NULL && update->block == roll->body &&
               echo_hlo_opcode(update) == ECHO_HLO_DYNAMIC_UPDATE_SLICE &&
               echo_op_operand(update, 0) == argument && echo_value_has_one_use(next) &&
               is_block_of(roll, update, 2, argument->type, echo_op_operand_type(update, 1), line);
  return holds ? echo_op_operand(update, 1) : NULL;
}

/* From outside, or handed on as it is; or a stack that is written at that block, too. */
static bool may_be_read(const EchoRoll *roll, const EchoValue *array, const EchoRollLine *line)
{
  if (echo_value_block(array) != roll->body)
    return !echo_op_is_ancestor(roll->loop, echo_block_parent(echo_value_block(array)));
  if (!array->is_block_arg)
    return false;
  const EchoRollCarried *carried = &roll->carried[array->index];
  return carried->kind == ECHO_ROLL_INVARIANT ||
         (carried->kind == ECHO_ROLL_STACK && carried->line.start == line->start &&
          carried->line.slope == line->slope);
}

bool echo_roll_reads_row(EchoRoll *roll, const EchoValue *value, EchoRollRows *rows)
{
  const EchoOp *slice = echo_value_def_or_null(value);
  if (slice == NULL || echo_hlo_opcode(slice) != ECHO_HLO_SLICE)
    return false;
  const EchoOp *read = echo_value_def_or_null(echo_op_operand(slice, 0));
  if (read == NULL || read->block != roll->body || echo_hlo_opcode(read) != ECHO_HLO_DYNAMIC_SLICE)
    return false;
  rows->array = echo_op_operand(read, 0);
  const EchoType *array = rows->array->type, *block = echo_op_result_type(read, 0);
  if (!is_block_of(roll, read, 1, array, block, &rows->line) ||
      !may_be_read(roll, rows->array, &rows->line))
    return false;
  EchoDimList start = echo_stablehlo_dims(slice, "start_indices");
  bool holds = echo_type_dim(value->type, 1) == 1;
  for (size_t d = 0; d < echo_type_rank(array) && holds; ++d)
    holds = d == 1 || echo_type_dim(value->type, d) == echo_type_dim(block, d);
  rows->row = holds ? start.dims[1] : 0;
  return holds;
}

/* ---- rows ---- */

static const EchoType *row_type(EchoContext *ctx, const EchoType *block, size_t axis)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(block);
  for (size_t d = 0; d < rank; ++d)
    dims[d] = d == axis ? 1 : echo_type_dim(block, d);
  return echo_type_tensor(ctx, dims, rank, block->as.shaped.element, NULL);
}

/* The dimension of `type` that counts what dimension `axis` of `block` counts, where a reshape
 * makes the one of the other; the rank where there is none. */
static size_t same_axis(const EchoType *block, size_t axis, const EchoType *type)
{
  int64_t before = 1, so_far = 1;
  for (size_t d = 0; d < axis; ++d)
    before *= echo_type_dim(block, d);
  size_t rank = echo_type_rank(type);
  for (size_t d = 0; d < rank; so_far *= echo_type_dim(type, d), ++d)
    if (so_far == before && echo_type_dim(type, d) == echo_type_dim(block, axis))
      return d;
  return rank;
}

static EchoValue *row_of_map(EchoRoll *roll, EchoBuilder *builder, const EchoOp *op, size_t axis,
                             int64_t row, int depth)
{
  EchoValue *operands[8];
  if (op->n_operands > 8)
    return NULL;
  for (size_t i = 0; i < op->n_operands; ++i) {
    EchoValue *operand = echo_op_operand(op, i);
    operands[i] = echo_type_rank(operand->type) == 0
                      ? operand
                      : echo_roll_row(roll, builder, operand, axis, row, depth + 1);
  }
  const EchoType *type = row_type(builder->ctx, echo_op_result_type(op, 0), axis);
  EchoOpState state = {.ctx = builder->ctx,
                       .info = op->info,
                       .loc = op->loc,
                       .operands = operands,
                       .result_types = &type,
                       .properties = op->properties,
                       .attrs = op->attrs,
                       .n_operands = op->n_operands,
                       .n_results = 1};
  return echo_op_result(echo_builder_insert(builder, echo_op_create(&state)), 0);
}

/* NULL: of what it is made tells nothing. */
static EchoValue *row_or_null(EchoRoll *roll, EchoBuilder *builder, EchoValue *block, size_t axis,
                              int64_t row, int depth)
{
  const EchoOp *op = echo_value_def_or_null(block);
  if (op == NULL || op->block != roll->body || op->n_results != 1 || op->n_regions != 0 ||
      depth == MAX_DEPTH)
    return NULL;
  const EchoType *type = row_type(builder->ctx, block->type, axis);
  const EchoAttr *constant = echo_value_constant_or_null(block);
  if (constant != NULL)
    return constant->kind == ECHO_ATTR_DENSE_ELEMENTS && constant->as.elements.is_splat
               ? echo_hlo_constant(
                     builder,
                     echo_attr_elements(builder->ctx, type, constant->as.elements.data,
                                        echo_type_element_bytes(echo_type_element(type)), true))
               : NULL;
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_CONCATENATE:
    return echo_op_attr_i64(op, "dimension", -1) == (int64_t)axis &&
                   op->n_operands == roll->n_copies && echo_op_operand_type(op, (size_t)row) == type
               ? echo_op_operand(op, (size_t)row)
               : NULL;
  case ECHO_HLO_RESHAPE: {
    const EchoType *from = echo_op_operand_type(op, 0);
    size_t other = same_axis(block->type, axis, from);
    if (other == echo_type_rank(from))
      return NULL;
    EchoValue *made = echo_roll_row(roll, builder, echo_op_operand(op, 0), other, row, depth + 1);
    int64_t dims[ECHO_MAX_RANK];
    for (size_t d = 0; d < echo_type_rank(type); ++d)
      dims[d] = echo_type_dim(type, d);
    return echo_hlo_reshape(builder, made, dims, echo_type_rank(type));
  }
  default:
    return echo_op_has_trait(op, ECHO_ELEMENTWISE) ? row_of_map(roll, builder, op, axis, row, depth)
                                                   : NULL;
  }
}

EchoValue *echo_roll_row(EchoRoll *roll, EchoBuilder *builder, EchoValue *block, size_t axis,
                         int64_t row, int depth)
{
  EchoValue *made = row_or_null(roll, builder, block, axis, row, depth);
  return made != NULL ? made : echo_hlo_slice_dim(builder, block, (int64_t)axis, row, row + 1);
}
