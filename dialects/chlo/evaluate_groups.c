/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reference evaluation of what goes through a dimension piece by piece: scan, ragged_dot. */
#include "dialects/chlo/chlo_t.h"
#include "dialects/stablehlo/evaluate/evaluate_t.h"

/* Where in a stack element i of its slice `at` of one dimension is. */
static int64_t in_stack(const EchoType *stack, int64_t dimension, int64_t at, int64_t i)
{
  int64_t inner = 1;
  for (uint32_t d = (uint32_t)dimension + 1; d < echo_type_rank(stack); d++)
    inner *= echo_type_dim(stack, d);
  return (i / inner * echo_type_dim(stack, (uint32_t)dimension) + at) * inner + i % inner;
}

static void take(EchoTensor *slice, const EchoTensor *stack, int64_t dimension, int64_t at)
{
  for (int64_t i = 0; i < slice->n_elements; i++)
    echo_hlo_copy_element(slice, i, stack, in_stack(stack->type, dimension, at, i));
}

static void put(EchoTensor *stack, const EchoTensor *slice, int64_t dimension, int64_t at)
{
  for (int64_t i = 0; i < slice->n_elements; i++)
    echo_hlo_copy_element(stack, in_stack(stack->type, dimension, at, i), slice, i);
}

static void destroy_all(EchoTensor **tensors, size_t n)
{
  for (size_t i = 0; i < n; i++)
    echo_tensor_destroy(tensors[i]);
}

/* ---- scan ---- */

typedef struct Scan {
  EchoEvaluator *evaluator;
  const EchoOp *op;
  size_t n_inputs, n_carries, n_outputs;
  int64_t dimension;
} Scan;

/* results: outputs, then carries, which are the step's and are replaced by its own. */
static bool step(const Scan *scan, const EchoTensor *const *operands, EchoTensor **results,
                 int64_t at)
{
  const EchoBlock *body = scan->op->regions[0].first;
  size_t n_args = scan->op->n_operands, n_results = scan->op->n_results;
  EchoTensor **args = echo_alloc_array(n_args + 1, sizeof *args);
  EchoTensor **made = echo_alloc_zero(n_results + 1, sizeof *made);
  for (size_t i = 0; i < scan->n_inputs; i++) {
    args[i] = echo_tensor_create(echo_block_arg(body, (uint32_t)i)->type, false);
    take(args[i], operands[i], scan->dimension, at);
  }
  memcpy(args + scan->n_inputs, results + scan->n_outputs, scan->n_carries * sizeof *args);
  bool ok = scan->evaluator->run_region(scan->evaluator, &scan->op->regions[0],
                                        (const EchoTensor *const *)args, n_args, made, n_results);
  destroy_all(args, scan->n_inputs);
  for (size_t i = 0; ok && i < scan->n_outputs; i++)
    put(results[i], made[i], scan->dimension, at);
  if (ok) {
    destroy_all(made, scan->n_outputs);
    destroy_all(results + scan->n_outputs, scan->n_carries);
    memcpy(results + scan->n_outputs, made + scan->n_outputs, scan->n_carries * sizeof *made);
  }
  echo_free(args);
  echo_free(made);
  return ok;
}

bool echo_chlo_evaluate_scan(EchoEvaluator *evaluator, const EchoOp *op,
                             const EchoTensor *const *operands, EchoTensor **results)
{
  Scan scan = {.evaluator = evaluator, .op = op, .dimension = echo_op_attr_i64(op, "dimension", 0)};
  echo_op_operand_group(op, 1, &scan.n_inputs, &scan.n_carries);
  scan.n_outputs = op->n_results - scan.n_carries;
  int64_t n_steps = echo_op_attr_i64(op, "scan_dim_size", 0);
  if (scan.n_inputs != 0)
    n_steps = echo_type_dim(operands[0]->type, (uint32_t)scan.dimension);
  else if (scan.n_outputs != 0)
    n_steps = echo_type_dim(echo_op_result_type(op, 0), (uint32_t)scan.dimension);
  for (size_t i = 0; i < scan.n_outputs; i++)
    results[i] = echo_hlo_new_result(op, i);
  for (size_t i = 0; i < scan.n_carries; i++)
    results[scan.n_outputs + i] = echo_tensor_clone(operands[scan.n_inputs + i]);
  bool is_reverse = echo_op_attr_i64(op, "is_reverse", 0) != 0, ok = true;
  for (int64_t i = 0; ok && i < n_steps; i++)
    ok = step(&scan, operands, results, is_reverse ? n_steps - 1 - i : i);
  return ok;
}

/* ---- ragged_dot ---- */

/* The group of position `at` of lhs's ragged dimension, -1 = none; `sizes` from `from` on are those
 * of its groups, in order. */
static int64_t group_of(const EchoTensor *sizes, int64_t from, int64_t n_groups, int64_t at)
{
  int64_t end = 0;
  for (int64_t g = 0; g < n_groups; g++) {
    end += echo_tensor_get_i64(sizes, from + g);
    if (at < end)
      return g;
  }
  return -1;
}

typedef struct Ragged {
  EchoContext *ctx;
  const EchoRaggedDotDims *dims;
  const EchoTensor *sizes;
  int64_t n_groups, dim;
  bool in_contraction;
} Ragged;

/* The group of an element of lhs; group sizes of more than one dimension are those of the batching
 * dimensions, then of the contracting or the free ones before the ragged one. */
static int64_t group_at(const Ragged *r, const int64_t *index)
{
  EchoDimList batching = r->dims->dot.lhs_batching, contracting = r->dims->dot.lhs_contracting;
  int64_t from[ECHO_MAX_RANK] = {0};
  size_t n = 0;
  if (echo_type_rank(r->sizes->type) > 1) {
    for (size_t i = 0; i < batching.size; i++)
      from[n++] = index[batching.dims[i]];
    for (size_t i = 0; r->in_contraction && contracting.dims[i] != r->dim; i++)
      from[n++] = index[contracting.dims[i]];
    for (int64_t d = 0; !r->in_contraction && d < r->dim; d++)
      if (!echo_dim_list_has(batching, d) && !echo_dim_list_has(contracting, d))
        from[n++] = index[d];
  }
  return group_of(r->sizes, echo_hlo_linear(r->sizes->type, from), r->n_groups, index[r->dim]);
}

/* Moves the dimensions `from` of an index to `to`. */
static void move(const int64_t *index, EchoDimList from, int64_t *moved, EchoDimList to)
{
  for (size_t i = 0; i < from.size; i++)
    moved[to.dims[i]] = index[from.dims[i]];
}

/* An operand with zeros outside of the group, which its batching and contracting dimensions say. */
static EchoTensor *part_of(const Ragged *r, const EchoTensor *x, EchoDimList batching,
                           EchoDimList contracting, int64_t group)
{
  EchoTensor *part = echo_tensor_create(x->type, true);
  int64_t index[ECHO_MAX_RANK] = {0}, in_lhs[ECHO_MAX_RANK] = {0};
  for (int64_t at = 0; at < x->n_elements; at++) {
    move(index, batching, in_lhs, r->dims->dot.lhs_batching);
    move(index, contracting, in_lhs, r->dims->dot.lhs_contracting);
    if (group_at(r, in_lhs) == group)
      echo_hlo_copy_element(part, at, x, at);
    echo_hlo_next_index(x->type->as.shaped.dims, echo_type_rank(x->type), index);
  }
  return part;
}

/* A product for each group, one after the other in `y`. */
static void stack_groups(const Ragged *r, const EchoTensor *lhs, const EchoTensor *rhs,
                         EchoTensor *y)
{
  const EchoDotDims *dot = &r->dims->dot;
  const EchoType *type =
      echo_type_tensor(r->ctx, y->type->as.shaped.dims + 1, echo_type_rank(y->type) - 1,
                       echo_type_element(y->type), NULL);
  EchoTensor *product = echo_tensor_create(type, false);
  for (int64_t g = 0; g < r->n_groups; g++) {
    EchoTensor *a = part_of(r, lhs, dot->lhs_batching, dot->lhs_contracting, g);
    EchoTensor *b = part_of(r, rhs, dot->rhs_batching, dot->rhs_contracting, g);
    echo_hlo_contract(product, a, b, dot);
    put(y, product, 0, g);
    echo_tensor_destroy(a);
    echo_tensor_destroy(b);
  }
  echo_tensor_destroy(product);
}

static EchoDimList without(EchoDimList list, int64_t gone, int64_t *dims)
{
  for (size_t i = 0; i < list.size; i++)
    dims[i] = list.dims[i] - (list.dims[i] > gone);
  return (EchoDimList){dims, list.size};
}

/* Where a row of the result is in lhs: batching dimensions come first, then what is free. */
static void index_in_lhs(const Ragged *r, const EchoType *lhs, const int64_t *index,
                         int64_t *in_lhs)
{
  EchoDimList batching = r->dims->dot.lhs_batching;
  size_t next = batching.size;
  for (size_t i = 0; i < batching.size; i++)
    in_lhs[batching.dims[i]] = index[i];
  for (int64_t d = 0; d < echo_type_rank(lhs); d++)
    if (!echo_dim_list_has(batching, d) && !echo_dim_list_has(r->dims->dot.lhs_contracting, d))
      in_lhs[d] = index[next++];
}

/* The rows of each group from lhs's product with the group's rhs. */
static void gather_rows(const Ragged *r, const EchoTensor *lhs, const EchoTensor *rhs,
                        EchoTensor *y)
{
  int64_t gone = r->dims->rhs_group.dims[0], batching[ECHO_MAX_RANK], contracting[ECHO_MAX_RANK];
  EchoDotDims dot = r->dims->dot;
  dot.rhs_batching = without(dot.rhs_batching, gone, batching);
  dot.rhs_contracting = without(dot.rhs_contracting, gone, contracting);
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = 0;
  for (uint32_t d = 0; d < echo_type_rank(rhs->type); d++)
    if ((int64_t)d != gone)
      dims[rank++] = echo_type_dim(rhs->type, d);
  EchoTensor *matrix = echo_tensor_create(
      echo_type_tensor(r->ctx, dims, rank, echo_type_element(rhs->type), NULL), false);
  EchoTensor *product = echo_tensor_create(y->type, false);
  for (int64_t g = 0; g < r->n_groups; g++) {
    int64_t index[ECHO_MAX_RANK] = {0}, in_lhs[ECHO_MAX_RANK] = {0};
    take(matrix, rhs, gone, g);
    echo_hlo_contract(product, lhs, matrix, &dot);
    for (int64_t i = 0; i < y->n_elements; i++) {
      index_in_lhs(r, lhs->type, index, in_lhs);
      if (group_at(r, in_lhs) == g)
        echo_hlo_copy_element(y, i, product, i);
      echo_hlo_next_index(y->type->as.shaped.dims, echo_type_rank(y->type), index);
    }
  }
  echo_tensor_destroy(matrix);
  echo_tensor_destroy(product);
}

bool echo_chlo_evaluate_ragged_dot(EchoEvaluator *evaluator, const EchoOp *op,
                                   const EchoTensor *const *operands, EchoTensor **results)
{
  const EchoTensor *lhs = operands[0], *sizes = operands[2];
  const EchoRaggedDotDims *dims = echo_chlo_ragged_dot_dims(op);
  Ragged r = {.ctx = evaluator->ctx, .dims = dims, .sizes = sizes};
  r.dim = dims->lhs_ragged.dims[0];
  r.n_groups = echo_type_dim(sizes->type, echo_type_rank(sizes->type) - 1);
  r.in_contraction = echo_dim_list_has(dims->dot.lhs_contracting, r.dim);
  results[0] = echo_tensor_create(echo_op_result_type(op, 0), true); /* zero outside of groups */
  if (echo_dim_list_has(dims->dot.lhs_batching, r.dim))
    echo_hlo_contract(results[0], lhs, operands[1], &dims->dot);
  else if (r.in_contraction)
    stack_groups(&r, lhs, operands[1], results[0]);
  else
    gather_rows(&r, lhs, operands[1], results[0]);
  return true;
}
