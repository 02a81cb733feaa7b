/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* chlo.scan as the counted loop it stands for: an iteration takes an element of each input, runs
 * the body and writes an element of each output. Gradients are those of the loop. */
#include "lowering/model/chlo_to_stablehlo_t.h"

typedef struct Scan {
  EchoOp *op;
  size_t n_inputs, n_carries, n_outputs;
  int64_t dimension, n_steps;
  bool is_reverse;
} Scan;

/* False where the number of steps or a shape is not known. */
static bool describe(EchoOp *op, Scan *scan)
{
  *scan = (Scan){.op = op, .dimension = echo_op_attr_i64(op, "dimension", 0)};
  echo_op_operand_group(op, 1, &scan->n_inputs, &scan->n_carries);
  scan->n_outputs = op->n_results - scan->n_carries;
  scan->is_reverse = echo_op_attr_i64(op, "is_reverse", 0) != 0;
  scan->n_steps = echo_op_attr_i64(op, "scan_dim_size", ECHO_DYNAMIC);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (!echo_type_has_static_shape(echo_op_operand_type(op, i)))
      return false;
    if (i < scan->n_inputs)
      scan->n_steps = echo_type_dim(echo_op_operand_type(op, i), (uint32_t)scan->dimension);
  }
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (!echo_type_has_static_shape(echo_op_result_type(op, i)))
      return false;
    if (i < scan->n_outputs && scan->n_steps == ECHO_DYNAMIC)
      scan->n_steps = echo_type_dim(echo_op_result_type(op, i), (uint32_t)scan->dimension);
  }
  return scan->n_steps != ECHO_DYNAMIC;
}

/* Where in `stack` the step's element begins. */
static void starts_at(EchoBuilder *b, const Scan *scan, const EchoType *stack, EchoValue *index,
                      EchoValue **starts)
{
  EchoValue *zero = echo_hlo_constant_like(b, index, 0);
  for (uint32_t d = 0; d < echo_type_rank(stack); d++)
    starts[d] = (int64_t)d == scan->dimension ? index : zero;
}

static EchoValue *take(EchoBuilder *b, const Scan *scan, EchoValue *stack, EchoValue *index,
                       const EchoType *type)
{
  EchoValue *starts[ECHO_MAX_RANK];
  int64_t sizes[ECHO_MAX_RANK];
  for (uint32_t d = 0; d < echo_type_rank(stack->type); d++)
    sizes[d] = (int64_t)d == scan->dimension ? 1 : echo_type_dim(stack->type, d);
  starts_at(b, scan, stack->type, index, starts);
  EchoValue *slice = echo_hlo_dynamic_slice(b, stack, starts, sizes);
  return echo_hlo_reshape(b, slice, type->as.shaped.dims, echo_type_rank(type));
}

static EchoValue *put(EchoBuilder *b, const Scan *scan, EchoValue *stack, EchoValue *index,
                      EchoValue *element)
{
  EchoValue *starts[ECHO_MAX_RANK];
  int64_t dims[ECHO_MAX_RANK];
  for (uint32_t d = 0; d < echo_type_rank(stack->type); d++)
    dims[d] = (int64_t)d == scan->dimension ? 1 : echo_type_dim(stack->type, d);
  starts_at(b, scan, stack->type, index, starts);
  EchoValue *slice = echo_hlo_reshape(b, element, dims, echo_type_rank(stack->type));
  return echo_hlo_dynamic_update_slice(b, stack, slice, starts);
}

/* The body of the loop, whose arguments are the counter, the carries and the outputs. */
static void fill_body(EchoBuilder *b, const Scan *scan, EchoBlock *block, EchoValue **next)
{
  const EchoOp *op = scan->op;
  EchoBlock *body = op->regions[0].first;
  EchoValue *step = echo_block_arg(block, 0), *index = step;
  if (scan->is_reverse)
    index = echo_hlo_subtract(b, echo_hlo_constant_like(b, step, (double)scan->n_steps - 1), step);
  EchoMap values = {0};
  for (size_t i = 0; i < op->n_operands; i++) {
    EchoValue *arg = echo_block_arg(body, (uint32_t)i);
    echo_map_set_ptr(&values, arg,
                     i < scan->n_inputs
                         ? take(b, scan, echo_op_operand(op, (uint32_t)i), index, arg->type)
                         : echo_block_arg(block, (uint32_t)(1 + i - scan->n_inputs)));
  }
  for (const EchoOp *inner = body->first; inner != body->last; inner = inner->next)
    echo_builder_insert(b, echo_op_clone(inner, &values));
  next[0] = echo_hlo_add(b, step, echo_hlo_constant_like(b, step, 1));
  for (size_t i = 0; i < op->n_results; i++) {
    EchoValue *value = echo_op_operand(body->last, (uint32_t)i);
    EchoValue *copy = echo_map_get_ptr(&values, value);
    bool is_output = i < scan->n_outputs;
    size_t at = is_output ? 1 + scan->n_carries + i : 1 + i - scan->n_outputs;
    next[at] = !is_output ? copy : put(b, scan, echo_block_arg(block, (uint32_t)at), index, copy);
  }
  echo_map_destroy(&values);
}

static bool lower_scan(EchoRewriter *rewriter, EchoOp *op)
{
  Scan scan;
  if (!describe(op, &scan))
    return false;
  EchoBuilder *b = &rewriter->builder, cond, body;
  size_t n = 1 + op->n_results;
  EchoValue **values = echo_alloc_array(n, sizeof *values);
  EchoValue **results = echo_alloc_array(n, sizeof *results);
  values[0] = echo_hlo_scalar_i64(b, echo_type_i64(b->ctx), 0);
  for (size_t i = 0; i < scan.n_carries; i++)
    values[1 + i] = echo_op_operand(op, (uint32_t)(scan.n_inputs + i));
  for (size_t i = 0; i < scan.n_outputs; i++)
    values[1 + scan.n_carries + i] = echo_chlo_zeros(b, echo_op_result_type(op, (uint32_t)i));
  if (scan.n_steps != 0) {
    EchoOp *loop = echo_hlo_while(b, values, n, &cond, &body);
    EchoValue *step = echo_block_arg(cond.block, 0);
    EchoValue *goes_on = echo_hlo_compare(
        &cond, ECHO_COMPARE_LT, step, echo_hlo_constant_like(&cond, step, (double)scan.n_steps));
    echo_hlo_return(&cond, &goes_on, 1);
    fill_body(&body, &scan, body.block, values);
    echo_hlo_return(&body, values, n);
    for (size_t i = 0; i < n; i++)
      values[i] = echo_op_result(loop, (uint32_t)i);
  }
  memcpy(results, values + 1 + scan.n_carries, scan.n_outputs * sizeof *results);
  memcpy(results + scan.n_outputs, values + 1, scan.n_carries * sizeof *results);
  echo_rewriter_replace(rewriter, op, results);
  echo_free(values);
  echo_free(results);
  return true;
}

const EchoPattern ECHO_CHLO_SCAN_PATTERNS[] = {
    {"chlo.scan", 0, lower_scan, "a counted loop"},
};
const size_t ECHO_N_CHLO_SCAN_PATTERNS =
    sizeof ECHO_CHLO_SCAN_PATTERNS / sizeof ECHO_CHLO_SCAN_PATTERNS[0];
