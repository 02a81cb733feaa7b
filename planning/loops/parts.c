/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/loops/parts.h"

#include "base/vector.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/change.h"
#include "planning/loops/slices.h"
#include "planning/schedule/graph.h"

/* A part of a slice that somebody reads: rows [start, limit) of it. */
typedef struct PartRead {
  EchoOp *slice; /* that takes the slice out of the stack */
  EchoOp *part;  /* and the part out of that */
  int64_t start, limit;
} PartRead;

typedef ECHO_VECTOR(PartRead) PartReads;

/* Of a stack, all that is read of it, behind the loop that writes it. */
typedef struct PartedStack {
  EchoOp *writer;
  uint32_t carried;
  EchoOp *update;
  EchoStackParts parts;
  PartReads reads;
  ECHO_VECTOR(EchoOp *) loops; /* that carry the stack, unchanged */
  ECHO_VECTOR(EchoOp *) gone;  /* room for erase_reads */
} PartedStack;

static EchoBlock *body_of(const EchoOp *loop)
{
  return echo_op_body(loop, 1);
}

static int64_t product_of_dims(const EchoType *type, size_t first, size_t end)
{
  int64_t product = 1;
  for (size_t d = first; d < end; ++d)
    product *= echo_type_dim(type, d);
  return product;
}

/* ---- what is read ---- */

/* A slice op that takes a range of one dimension. */
static bool find_range(const EchoOp *op, EchoStackParts *place, int64_t *start, int64_t *limit)
{
  const EchoType *type = echo_op_operand_type(op, 0);
  EchoDimList starts = echo_stablehlo_dims(op, "start_indices");
  EchoDimList limits = echo_stablehlo_dims(op, "limit_indices");
  EchoDimList strides = echo_stablehlo_dims(op, "strides");
  size_t rank = echo_type_rank(type), cut = rank;
  for (size_t d = 0; d < rank; ++d) {
    if (strides.dims[d] != 1)
      return false;
    if (starts.dims[d] == 0 && limits.dims[d] == echo_type_dim(type, d))
      continue;
    if (cut != rank)
      return false;
    cut = d;
  }
  if (cut == rank)
    return false;
  *place = (EchoStackParts){.before = product_of_dims(type, 0, cut),
                            .n_rows = echo_type_dim(type, cut),
                            .after = product_of_dims(type, cut + 1, rank)};
  *start = starts.dims[cut];
  *limit = limits.dims[cut];
  return true;
}

/* All that reads `value`, a slice or another shape of it. Recursion is bounded by reshapes of
 * reshapes. */
static bool add_parts(PartedStack *stack, EchoOp *slice, const EchoValue *value)
{
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
    PartRead read = {.slice = slice, .part = use->owner};
    EchoStackParts place, *parts = &stack->parts;
    EchoHloOpcode opcode = echo_hlo_opcode(use->owner);
    if (use->owner->block == slice->block && opcode == ECHO_HLO_RESHAPE) {
      if (!add_parts(stack, slice, echo_op_result(use->owner, 0)))
        return false;
      continue;
    }
    if (use->owner->block != slice->block || opcode != ECHO_HLO_SLICE ||
        !find_range(use->owner, &place, &read.start, &read.limit))
      return false;
    if (stack->reads.size == 0)
      *parts = place;
    if (place.before != parts->before || place.n_rows != parts->n_rows)
      return false;
    if (read.start == 0)
      parts->rows_a_part = read.limit;
    echo_vector_push(&stack->reads, read);
  }
  return true;
}

/* A slice of the stack as the loops behind the writer know it. */
static bool add_slice(PartedStack *stack, const EchoUse *use)
{
  EchoOp *op = use->owner;
  return echo_hlo_opcode(op) == ECHO_HLO_DYNAMIC_SLICE && echo_use_operand_index(use) == 0 &&
         echo_loop_is_whole_slice(op, 1, echo_op_operand_type(op, 0), echo_op_result_type(op, 0)) &&
         add_parts(stack, op, echo_op_result(op, 0));
}

/* A loop hands the stack on as it is. */
static bool add_loop(PartedStack *stack, EchoOp *loop, size_t k)
{
  if (echo_hlo_opcode(loop) != ECHO_HLO_WHILE)
    return false;
  const EchoBlock *body = body_of(loop);
  bool holds = echo_loop_is_invariant(loop, k) && echo_value_is_unused(echo_op_result(loop, k)) &&
               echo_value_is_unused(echo_block_arg(echo_op_body(loop, 0), k));
  for (size_t i = 0; i < stack->loops.size; ++i)
    holds &= stack->loops.data[i] != loop;
  for (const EchoUse *use = holds ? echo_block_arg(body, k)->first_use : NULL; use != NULL && holds;
       use = use->next)
    if (use->owner != body->last)
      holds = use->owner->block == body && add_slice(stack, use);
  echo_vector_push(&stack->loops, loop);
  return holds;
}

static bool find_reads(PartedStack *stack)
{
  bool holds = true;
  for (const EchoUse *use = echo_op_result(stack->writer, stack->carried)->first_use;
       use != NULL && holds; use = use->next)
    holds = use->owner->block == stack->writer->block
                ? add_loop(stack, use->owner, echo_use_operand_index(use))
                : add_slice(stack, use);
  const EchoStackParts *parts = &stack->parts;
  holds = holds && parts->rows_a_part > 0;
  for (size_t i = 0; i < stack->reads.size && holds; ++i) {
    const PartRead *read = &stack->reads.data[i];
    int64_t end = read->start + parts->rows_a_part;
    holds = read->start % parts->rows_a_part == 0 &&
            read->limit == (end < parts->n_rows ? end : parts->n_rows);
  }
  return holds;
}

/* The stack in place `carried` of a loop. Destroy it in either case. */
static bool find_stack(PartedStack *stack, EchoOp *loop, uint32_t carried)
{
  *stack = (PartedStack){.writer = loop, .carried = carried};
  stack->update = echo_loop_stacking_or_null(loop, carried);
  return stack->update != NULL && find_reads(stack);
}

static void stack_destroy(PartedStack *stack)
{
  echo_vector_destroy(&stack->reads);
  echo_vector_destroy(&stack->loops);
  echo_vector_destroy(&stack->gone);
}

bool echo_loop_is_read_in_parts(const EchoOp *update, EchoStackParts *parts)
{
  EchoOp *loop = echo_op_parent(update);
  const EchoValue *argument = echo_op_operand(update, 0);
  if (loop == NULL || echo_hlo_opcode(loop) != ECHO_HLO_WHILE || !argument->is_block_arg ||
      echo_value_block(argument) != body_of(loop))
    return false;
  PartedStack stack;
  bool is_read = find_stack(&stack, loop, argument->index) && stack.update == update;
  *parts = stack.parts;
  stack_destroy(&stack);
  return is_read;
}

/* ---- what is written ---- */

static EchoOp *concatenation_or_null(const EchoOp *update)
{
  EchoOp *op = echo_value_def_or_null(echo_op_operand(update, 1));
  while (op != NULL && echo_hlo_opcode(op) == ECHO_HLO_RESHAPE)
    op = echo_value_def_or_null(echo_op_operand(op, 0));
  return op != NULL && op->block == update->block && echo_hlo_opcode(op) == ECHO_HLO_CONCATENATE
             ? op
             : NULL;
}

/* Its operands are the parts that are read. */
static bool is_made_of(const EchoOp *concatenation, const EchoStackParts *parts)
{
  const EchoType *type = echo_op_result_type(concatenation, 0);
  size_t dim = (size_t)echo_op_attr_i64(concatenation, "dimension", 0);
  int64_t n_parts = (parts->n_rows + parts->rows_a_part - 1) / parts->rows_a_part;
  if (product_of_dims(type, 0, dim) != parts->before || echo_type_dim(type, dim) != parts->n_rows ||
      concatenation->n_operands != n_parts)
    return false;
  for (uint32_t i = 0; i + 1 < concatenation->n_operands; ++i)
    if (echo_type_dim(echo_op_operand_type(concatenation, i), dim) != parts->rows_a_part)
      return false;
  return true;
}

/* ---- several stacks in place of one ---- */

/* A stack of as many slices as `stack` has, each of the shape of `part`, which begins as the stack
 * does: a number throughout. */
static EchoValue *begin_stack(const PartedStack *stack, const EchoAttr *begin, const EchoType *part)
{
  EchoBuilder builder = echo_builder_before(stack->writer);
  const EchoType *whole = echo_op_operand_type(stack->writer, stack->carried);
  int64_t dims[ECHO_MAX_RANK + 1] = {echo_type_dim(whole, 0)};
  size_t rank = echo_type_rank(part);
  for (size_t d = 0; d < rank; ++d)
    dims[d + 1] = echo_type_dim(part, d);
  const EchoType *type =
      echo_type_tensor(builder.ctx, dims, rank + 1, echo_type_element(part), NULL);
  builder.attrs = stack->writer->attrs;
  return echo_hlo_constant(&builder, echo_attr_elements(builder.ctx, type, begin->as.elements.data,
                                                        begin->as.elements.size_bytes, true));
}

/* Of a loop that carries the stack (NULL: outside of those), one that reads it there. */
static bool is_read_in(const PartRead *read, const EchoOp *loop)
{
  const EchoValue *from = echo_op_operand(read->slice, 0);
  return from->is_block_arg ? loop != NULL && echo_value_block(from) == body_of(loop)
                            : loop == NULL;
}

/* What reads part `c` reads `stack_of_parts` in its place. */
static void read_part(const PartedStack *stack, const EchoOp *loop, int64_t c,
                      EchoValue *stack_of_parts)
{
  for (size_t i = 0; i < stack->reads.size; ++i) {
    const PartRead *read = &stack->reads.data[i];
    if (read->start != c * stack->parts.rows_a_part || !is_read_in(read, loop))
      continue;
    EchoBuilder builder = echo_builder_before(read->part);
    builder.attrs = read->part->attrs;
    builder.loc = read->part->loc;
    EchoValue *slice =
        echo_loop_read_slice(&builder, stack_of_parts, echo_op_operand(read->slice, 1));
    const EchoType *type = echo_op_result_type(read->part, 0);
    echo_value_replace_all_uses(
        echo_op_result(read->part, 0),
        echo_hlo_reshape(&builder, slice, type->as.shaped.dims, echo_type_rank(type)));
  }
}

/* The slices of the whole, which nobody reads any more, leave the list with their ops. */
static void erase_reads(PartedStack *stack, const EchoOp *loop)
{
  size_t n = 0;
  for (size_t i = 0; i < stack->reads.size; ++i) {
    PartRead read = stack->reads.data[i];
    if (!is_read_in(&read, loop))
      stack->reads.data[n++] = read;
    else
      echo_vector_push(&stack->gone, read.part);
  }
  stack->reads.size = n;
  for (EchoOp *op; stack->gone.size != 0;) {
    op = echo_vector_pop(&stack->gone);
    EchoOp *def = echo_value_def_or_null(echo_op_operand(op, 0));
    bool is_slice = echo_hlo_opcode(op) == ECHO_HLO_DYNAMIC_SLICE;
    echo_op_erase(op);
    if (!is_slice && echo_value_is_unused(echo_op_result(def, 0)))
      echo_vector_push(&stack->gone, def);
  }
}

/* A loop behind the writer carries the parts, its results from `first` on, in place of the whole.
 */
static void carry_parts(PartedStack *stack, EchoOp *loop, const EchoOp *writer, uint32_t first)
{
  uint32_t n = writer->n_results - first, n_old = loop->n_operands;
  EchoValue **added = echo_alloc_array(n + 1, sizeof *added);
  bool *is_gone = echo_alloc_zero(n_old + n + 1, sizeof *is_gone);
  for (uint32_t i = 0; i < n_old; ++i)
    is_gone[i] = echo_op_operand(loop, i) == echo_op_result(writer, stack->carried);
  for (uint32_t c = 0; c < n; ++c) {
    added[c] = echo_op_result(writer, first + c);
    EchoValue *argument = echo_loop_add_carried(loop, added[c]->type);
    read_part(stack, loop, c, argument);
    echo_loop_yield(loop, argument);
  }
  erase_reads(stack, loop);
  echo_loop_rebuild(loop, is_gone, added, n);
  echo_free((void *)added);
  echo_free(is_gone);
}

/* Returns the loop that took the writer's place: it still writes the stack, which nobody reads. */
static EchoOp *part(PartedStack *stack, const EchoOp *concatenation, const EchoAttr *begin)
{
  EchoOp *writer = stack->writer;
  uint32_t n = concatenation->n_operands, n_old = writer->n_operands;
  EchoValue **added = echo_alloc_array(n + 1, sizeof *added);
  bool *is_gone = echo_alloc_zero(n_old + n + 1, sizeof *is_gone);
  EchoBuilder builder = echo_builder_before(stack->update);
  builder.attrs = stack->update->attrs;
  builder.loc = stack->update->loc;
  for (uint32_t c = 0; c < n; ++c) {
    EchoValue *row = echo_op_operand(concatenation, c);
    added[c] = begin_stack(stack, begin, row->type);
    EchoValue *argument = echo_loop_add_carried(writer, added[c]->type);
    echo_loop_yield(
        writer, echo_loop_write_slice(&builder, argument, row, echo_op_operand(stack->update, 2)));
  }
  writer = echo_loop_rebuild(writer, is_gone, added, n);
  for (uint32_t c = 0; c < n; ++c)
    read_part(stack, NULL, c, echo_op_result(writer, n_old + c));
  erase_reads(stack, NULL);
  for (size_t i = 0; i < stack->loops.size; ++i)
    carry_parts(stack, stack->loops.data[i], writer, n_old);
  echo_free((void *)added);
  echo_free(is_gone);
  return writer;
}

static EchoOp *visit_loop(EchoOp *loop, size_t *n)
{
  size_t n_before = *n;
  for (uint32_t i = 0, n_old = loop->n_operands; i < n_old; ++i) {
    PartedStack stack;
    const EchoAttr *begin = echo_value_constant_or_null(echo_op_operand(loop, i));
    bool is_parted = find_stack(&stack, loop, i);
    const EchoOp *made_of = is_parted ? concatenation_or_null(stack.update) : NULL;
    is_parted = made_of != NULL && is_made_of(made_of, &stack.parts) && begin != NULL &&
                begin->kind == ECHO_ATTR_DENSE_ELEMENTS && begin->as.elements.is_splat;
    if (is_parted)
      loop = part(&stack, made_of, begin);
    stack_destroy(&stack);
    *n += is_parted;
  }
  return *n > n_before ? echo_loop_drop_unread(loop) : loop;
}

size_t echo_loop_part_stacks(EchoOp *function)
{
  return echo_loop_change_all(function, visit_loop);
}
