/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reference evaluation of contractions, reductions and windows. Sums of floats below f64 are taken
 * in double and rounded once at the end, so the reference is closer to the true sum than any order
 * of summation in the element type. */
#include "base/vector.h"
#include "dialects/stablehlo/evaluate/evaluate_t.h"
#include "dialects/stablehlo/precision.h"
#include "dialects/stablehlo/rows/elementwise_t.h"
#include "ir/diagnostics.h"

EchoHloOpcode echo_hlo_region_opcode(const EchoRegion *region)
{
  const EchoBlock *block = region->first;
  const EchoOp *op = block->first;
  bool is_one = block->n_args == 2 && op != NULL && op->next != NULL && op->next == block->last &&
                op->n_operands == 2 && op->n_results == 1 &&
                echo_op_operand(op, 0) == echo_block_arg(block, 0) &&
                echo_op_operand(op, 1) == echo_block_arg(block, 1) &&
                echo_op_operand(block->last, 0) == echo_op_result(op, 0);
  return is_one && echo_hlo_elementwise(op)->n_operands == 2 ? echo_hlo_opcode(op)
                                                             : ECHO_N_HLO_OPCODES;
}

/* ---- dot_general ---- */

/* Strides with which one operand moves through batching, free and contracting positions. */
typedef struct DotWalk {
  int64_t dims[ECHO_MAX_RANK], strides[ECHO_MAX_RANK];
  size_t n;
} DotWalk;

static void add_axis(DotWalk *walk, const EchoTensor *x, const int64_t *strides, int64_t axis)
{
  walk->dims[walk->n] = echo_type_dim(x->type, (size_t)axis);
  walk->strides[walk->n++] = strides[axis];
}

/* Offsets of all positions of the walk, row-major. The caller frees them. */
static int64_t *walk_offsets(const DotWalk *walk, int64_t *n_positions)
{
  *n_positions = 1;
  for (size_t d = 0; d < walk->n; d++)
    *n_positions *= walk->dims[d];
  int64_t *offsets = echo_alloc_array((size_t)*n_positions + 1, sizeof *offsets);
  int64_t index[ECHO_MAX_RANK] = {0};
  for (int64_t i = 0; i < *n_positions; i++) {
    offsets[i] = 0;
    for (size_t d = 0; d < walk->n; d++)
      offsets[i] += index[d] * walk->strides[d];
    echo_hlo_next_index(walk->dims, walk->n, index);
  }
  return offsets;
}

typedef struct DotOffsets {
  int64_t *batch, *rest, *contracted;
  int64_t n_batch, n_rest, n_contracted;
} DotOffsets;

static void dot_offsets(const EchoTensor *x, EchoDimList batching, EchoDimList contracting,
                        DotOffsets *offsets)
{
  int64_t strides[ECHO_MAX_RANK];
  echo_shape_strides(x->type->as.shaped.dims, echo_type_rank(x->type), strides);
  DotWalk batch = {.n = 0}, rest = {.n = 0}, contracted = {.n = 0};
  for (size_t i = 0; i < batching.size; i++)
    add_axis(&batch, x, strides, batching.dims[i]);
  for (uint32_t d = 0; d < echo_type_rank(x->type); d++)
    if (!echo_dim_list_has(batching, d) && !echo_dim_list_has(contracting, d))
      add_axis(&rest, x, strides, d);
  for (size_t i = 0; i < contracting.size; i++)
    add_axis(&contracted, x, strides, contracting.dims[i]);
  offsets->batch = walk_offsets(&batch, &offsets->n_batch);
  offsets->rest = walk_offsets(&rest, &offsets->n_rest);
  offsets->contracted = walk_offsets(&contracted, &offsets->n_contracted);
}

static void free_offsets(DotOffsets *offsets)
{
  echo_free(offsets->batch);
  echo_free(offsets->rest);
  echo_free(offsets->contracted);
}

/* A sum of products: floats in double, integers modulo 2^64, predicates as or of ands. */
typedef struct ProductSum {
  bool is_float, is_predicate;
  double real;
  uint64_t integer;
} ProductSum;

static ProductSum product_sum(const EchoTensor *y)
{
  return (ProductSum){.is_float = echo_element_is_float(y->kind),
                      .is_predicate = y->kind == ECHO_ELEMENT_I1};
}

static void add_product(ProductSum *sum, const EchoTensor *lhs, int64_t i, const EchoTensor *rhs,
                        int64_t k)
{
  if (sum->is_float) {
    sum->real += echo_hlo_get_number(lhs, i) * echo_hlo_get_number(rhs, k);
    return;
  }
  uint64_t product = (uint64_t)echo_tensor_get_i64(lhs, i) * (uint64_t)echo_tensor_get_i64(rhs, k);
  sum->integer = sum->is_predicate ? sum->integer | product : sum->integer + product;
}

static void store_sum(const ProductSum *sum, EchoTensor *y, int64_t to)
{
  if (sum->is_float)
    echo_hlo_set_number(y, to, sum->real);
  else
    echo_tensor_set_i64(y, to, (int64_t)sum->integer);
}

/* Sum over k of lhs[a + la[k]] * rhs[b + lb[k]] into element `to`. */
static void dot_element(EchoTensor *y, int64_t to, const EchoTensor *lhs, const EchoTensor *rhs,
                        int64_t a, int64_t b, const DotOffsets *left, const DotOffsets *right)
{
  ProductSum sum = product_sum(y);
  for (int64_t k = 0; k < left->n_contracted; k++)
    add_product(&sum, lhs, a + left->contracted[k], rhs, b + right->contracted[k]);
  store_sum(&sum, y, to);
}

void echo_hlo_contract(EchoTensor *y, const EchoTensor *lhs, const EchoTensor *rhs,
                       const EchoDotDims *dims)
{
  DotOffsets left, right;
  dot_offsets(lhs, dims->lhs_batching, dims->lhs_contracting, &left);
  dot_offsets(rhs, dims->rhs_batching, dims->rhs_contracting, &right);
  int64_t to = 0;
  for (int64_t n = 0; n < left.n_batch; n++)
    for (int64_t i = 0; i < left.n_rest; i++)
      for (int64_t k = 0; k < right.n_rest; k++)
        dot_element(y, to++, lhs, rhs, left.batch[n] + left.rest[i], right.batch[n] + right.rest[k],
                    &left, &right);
  free_offsets(&left);
  free_offsets(&right);
}

/* The operand as the op's algorithm has it rounded; NULL: it is multiplied as it is. */
static EchoTensor *rounded_or_null(const EchoOp *op, size_t operand, const EchoTensor *tensor)
{
  const EchoType *element = echo_stablehlo_rounded_element_or_null(op, operand);
  if (element == NULL)
    return NULL;
  const EchoType *type = echo_op_operand_type(op, operand);
  EchoTensor *rounded =
      echo_tensor_create(echo_type_tensor(echo_op_context(op), type->as.shaped.dims,
                                          type->as.shaped.rank, element, NULL),
                         false);
  int64_t n = echo_type_static_n_elements(type);
  for (int64_t i = 0; i < n; i++)
    echo_hlo_set_number(rounded, i, echo_hlo_get_number(tensor, i));
  return rounded;
}

bool echo_hlo_evaluate_dot_general(EchoEvaluator *evaluator, const EchoOp *op,
                                   const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  results[0] = echo_hlo_new_result(op, 0);
  EchoTensor *lhs = rounded_or_null(op, 0, operands[0]);
  EchoTensor *rhs = rounded_or_null(op, 1, operands[1]);
  echo_hlo_contract(results[0], lhs != NULL ? lhs : operands[0], rhs != NULL ? rhs : operands[1],
                    echo_stablehlo_dot_dims(op));
  echo_tensor_destroy(lhs);
  echo_tensor_destroy(rhs);
  return true;
}

bool echo_hlo_evaluate_dot(EchoEvaluator *evaluator, const EchoOp *op,
                           const EchoTensor *const *operands, EchoTensor **results)
{
  return echo_hlo_evaluate_dot_general(evaluator, op, operands, results);
}

/* ---- convolution ---- */

/* Where a window position falls in the base: -1 when in padding or in a hole of the base dilation.
 */
static int64_t window_source(const EchoWindowDim *w, int64_t output, int64_t k, int64_t size)
{
  int64_t at = output * w->stride - w->padding_low +
               (w->reversed ? w->size - 1 - k : k) * w->window_dilation;
  if (at < 0 || at % w->base_dilation != 0 || at / w->base_dilation >= size)
    return -1;
  return at / w->base_dilation;
}

/* One convolution, unpacked. */
typedef struct Conv {
  const EchoConvDims *dims;
  const EchoTensor *x, *kernel;
  EchoWindowDim windows[ECHO_MAX_RANK];
  int64_t kernel_spatial[ECHO_MAX_RANK];
  size_t n_spatial;
  int64_t feature_groups, batch_groups;
} Conv;

/* One output element. `index` is its position in the result. */
static void conv_element(const Conv *conv, const EchoType *y, const int64_t *index, ProductSum *sum)
{
  const EchoConvDims *dims = conv->dims;
  int64_t n_out = echo_type_dim(y, (size_t)dims->output_feature);
  int64_t out = index[dims->output_feature];
  int64_t n_in = echo_type_dim(conv->kernel->type, (size_t)dims->kernel_input_feature);
  int64_t feature_group = out / (n_out / conv->feature_groups);
  int64_t batch_group = out / (n_out / conv->batch_groups);
  int64_t n_batch = echo_type_dim(y, (size_t)dims->output_batch);
  int64_t from[ECHO_MAX_RANK] = {0}, weight[ECHO_MAX_RANK] = {0}, k[ECHO_MAX_RANK] = {0};
  from[dims->input_batch] = index[dims->output_batch] + batch_group * n_batch;
  weight[dims->kernel_output_feature] = out;
  do {
    bool is_inside = true;
    for (size_t s = 0; s < conv->n_spatial; s++) {
      int64_t axis = dims->input_spatial.dims[s];
      from[axis] = window_source(&conv->windows[s], index[dims->output_spatial.dims[s]], k[s],
                                 echo_type_dim(conv->x->type, (size_t)axis));
      is_inside &= from[axis] >= 0;
      weight[dims->kernel_spatial.dims[s]] = k[s];
    }
    for (int64_t i = 0; is_inside && i < n_in; i++) {
      from[dims->input_feature] = feature_group * n_in + i;
      weight[dims->kernel_input_feature] = i;
      add_product(sum, conv->x, echo_hlo_linear(conv->x->type, from), conv->kernel,
                  echo_hlo_linear(conv->kernel->type, weight));
    }
  } while (echo_hlo_next_index(conv->kernel_spatial, conv->n_spatial, k));
}

bool echo_hlo_evaluate_convolution(EchoEvaluator *evaluator, const EchoOp *op,
                                   const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  Conv conv = {.dims = echo_stablehlo_conv_dims(op),
               .x = operands[0],
               .kernel = operands[1],
               .feature_groups = echo_stablehlo_feature_group_count(op),
               .batch_groups = echo_stablehlo_batch_group_count(op)};
  conv.n_spatial = echo_stablehlo_windows(op, conv.windows);
  for (size_t s = 0; s < conv.n_spatial; s++)
    conv.kernel_spatial[s] = conv.windows[s].size;
  EchoTensor *y = results[0] = echo_hlo_new_result(op, 0);
  int64_t index[ECHO_MAX_RANK] = {0};
  bool is_empty = conv.kernel->n_elements == 0;
  for (int64_t i = 0; i < y->n_elements; i++) {
    ProductSum sum = product_sum(y);
    if (!is_empty)
      conv_element(&conv, y->type, index, &sum);
    store_sum(&sum, y, i);
    echo_hlo_next_index(y->type->as.shaped.dims, echo_type_rank(y->type), index);
  }
  return true;
}

/* ---- reduce ---- */

bool echo_hlo_fold_in(EchoEvaluator *evaluator, const EchoRegion *region, EchoHloOpcode opcode,
                      EchoTensor **accumulators, int64_t to, const EchoTensor *const *x,
                      int64_t from, size_t n)
{
  if (opcode != ECHO_N_HLO_OPCODES && x[0]->kind != ECHO_ELEMENT_NONE &&
      x[0]->type->as.shaped.element == accumulators[0]->type->as.shaped.element) {
    echo_hlo_binary_element(opcode, accumulators[0], to, accumulators[0], to, x[0], from);
    return true;
  }
  EchoTensor **scalars = echo_alloc_array(2 * n + 1, sizeof *scalars);
  EchoTensor **combined = echo_alloc_zero(n + 1, sizeof *combined);
  for (size_t k = 0; k < n; k++) {
    scalars[k] = echo_tensor_create(echo_block_arg(region->first, k)->type, false);
    scalars[n + k] = echo_tensor_create(echo_block_arg(region->first, n + k)->type, false);
    echo_hlo_copy_element(scalars[k], 0, accumulators[k], to);
    echo_hlo_copy_element(scalars[n + k], 0, x[k], from);
  }
  bool ok = evaluator->run_region(evaluator, region, (const EchoTensor *const *)scalars, 2 * n,
                                  combined, n);
  for (size_t k = 0; k < n; k++) {
    if (ok)
      echo_hlo_copy_element(accumulators[k], to, combined[k], 0);
    echo_tensor_destroy(combined[k]);
    echo_tensor_destroy(scalars[k]);
    echo_tensor_destroy(scalars[n + k]);
  }
  echo_free(scalars);
  echo_free(combined);
  return ok;
}

/* Position in the result of the operand's `index`. */
static int64_t reduced_position(const EchoType *result, const EchoType *operand,
                                const int64_t *index, EchoDimList dims)
{
  int64_t kept[ECHO_MAX_RANK];
  size_t n = 0;
  for (uint32_t d = 0; d < echo_type_rank(operand); d++)
    if (!echo_dim_list_has(dims, d))
      kept[n++] = index[d];
  return echo_hlo_linear(result, kept);
}

/* A float sum, in double. */
static void reduce_sum(const EchoOp *op, const EchoTensor *x, const EchoTensor *init, EchoTensor *y,
                       EchoDimList dims)
{
  double *sums = echo_alloc_array((size_t)y->n_elements + 1, sizeof *sums);
  for (int64_t i = 0; i < y->n_elements; i++)
    sums[i] = echo_hlo_get_number(init, 0);
  int64_t index[ECHO_MAX_RANK] = {0};
  for (int64_t i = 0; i < x->n_elements; i++) {
    sums[reduced_position(echo_op_result_type(op, 0), x->type, index, dims)] +=
        echo_hlo_get_number(x, i);
    echo_hlo_next_index(x->type->as.shaped.dims, echo_type_rank(x->type), index);
  }
  for (int64_t i = 0; i < y->n_elements; i++)
    echo_hlo_set_number(y, i, sums[i]);
  echo_free(sums);
}

bool echo_hlo_evaluate_reduce(EchoEvaluator *evaluator, const EchoOp *op,
                              const EchoTensor *const *operands, EchoTensor **results)
{
  size_t n = op->n_results;
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  EchoHloOpcode opcode = n == 1 ? echo_hlo_region_opcode(&op->regions[0]) : ECHO_N_HLO_OPCODES;
  for (size_t k = 0; k < n; k++) {
    results[k] = echo_hlo_new_result(op, k);
    for (int64_t i = 0; i < results[k]->n_elements; i++)
      echo_hlo_copy_element(results[k], i, operands[n + k], 0);
  }
  const EchoTensor *x = operands[0];
  if (opcode == ECHO_HLO_ADD && echo_element_is_float(x->kind)) {
    reduce_sum(op, x, operands[1], results[0], dims);
    return true;
  }
  int64_t index[ECHO_MAX_RANK] = {0};
  bool ok = true;
  for (int64_t i = 0; i < x->n_elements && ok; i++) {
    int64_t to = reduced_position(results[0]->type, x->type, index, dims);
    ok = echo_hlo_fold_in(evaluator, &op->regions[0], opcode, results, to, operands, i, n);
    echo_hlo_next_index(x->type->as.shaped.dims, echo_type_rank(x->type), index);
  }
  return ok;
}

bool echo_hlo_evaluate_map(EchoEvaluator *evaluator, const EchoOp *op,
                           const EchoTensor *const *operands, EchoTensor **results)
{
  size_t n = op->n_operands;
  results[0] = echo_hlo_new_result(op, 0);
  EchoTensor **scalars = echo_alloc_array(n + 1, sizeof *scalars);
  for (size_t k = 0; k < n; k++)
    scalars[k] = echo_tensor_create(echo_block_arg(op->regions[0].first, k)->type, false);
  bool ok = true;
  for (int64_t i = 0; i < results[0]->n_elements && ok; i++) {
    EchoTensor *value = NULL;
    for (size_t k = 0; k < n; k++)
      echo_hlo_copy_element(scalars[k], 0, operands[k], i);
    ok = evaluator->run_region(evaluator, &op->regions[0], (const EchoTensor *const *)scalars, n,
                               &value, 1);
    if (ok)
      echo_hlo_copy_element(results[0], i, value, 0);
    echo_tensor_destroy(value);
  }
  for (size_t k = 0; k < n; k++)
    echo_tensor_destroy(scalars[k]);
  echo_free(scalars);
  return ok;
}

/* ---- windows ---- */

bool echo_hlo_evaluate_reduce_window(EchoEvaluator *evaluator, const EchoOp *op,
                                     const EchoTensor *const *operands, EchoTensor **results)
{
  size_t n = op->n_results;
  EchoWindowDim windows[ECHO_MAX_RANK];
  size_t rank = echo_stablehlo_windows(op, windows);
  int64_t sizes[ECHO_MAX_RANK], index[ECHO_MAX_RANK] = {0};
  EchoHloOpcode opcode = n == 1 ? echo_hlo_region_opcode(&op->regions[0]) : ECHO_N_HLO_OPCODES;
  for (size_t d = 0; d < rank; d++)
    sizes[d] = windows[d].size;
  for (size_t k = 0; k < n; k++)
    results[k] = echo_hlo_new_result(op, k);
  EchoWindowScan scan = echo_hlo_window_scan(op);
  if (scan.form != ECHO_WINDOW_DIRECT)
    return echo_hlo_evaluate_window_scan(evaluator, op, &scan, operands, results);
  const EchoType *base = operands[0]->type;
  bool ok = true;
  for (int64_t i = 0; i < results[0]->n_elements && ok; i++) {
    for (size_t k = 0; k < n; k++)
      echo_hlo_copy_element(results[k], i, operands[n + k], 0);
    int64_t at[ECHO_MAX_RANK] = {0}, from[ECHO_MAX_RANK];
    do {
      bool is_inside = true;
      for (size_t d = 0; d < rank; d++) {
        from[d] = window_source(&windows[d], index[d], at[d], echo_type_dim(base, d));
        is_inside &= from[d] >= 0;
      }
      /* padding, at the edges and between elements, is the initial values */
      ok = echo_hlo_fold_in(evaluator, &op->regions[0], opcode, results, i,
                            is_inside ? operands : operands + n,
                            is_inside ? echo_hlo_linear(base, from) : 0, n);
    } while (ok && echo_hlo_next_index(sizes, rank, at));
    echo_hlo_next_index(results[0]->type->as.shaped.dims, rank, index);
  }
  return ok;
}

/* Whether the select region keeps `a` over `b`. */
static bool keeps_first(EchoEvaluator *evaluator, const EchoRegion *select, const EchoTensor *x,
                        int64_t a, int64_t b, bool *keeps)
{
  EchoTensor *scalars[2], *answer = NULL;
  int64_t at[2] = {a, b};
  for (size_t k = 0; k < 2; k++) {
    scalars[k] = echo_tensor_create(echo_block_arg(select->first, k)->type, false);
    echo_hlo_copy_element(scalars[k], 0, x, at[k]);
  }
  bool ok =
      evaluator->run_region(evaluator, select, (const EchoTensor *const *)scalars, 2, &answer, 1);
  *keeps = ok && echo_tensor_get_i64(answer, 0) != 0;
  echo_tensor_destroy(answer);
  echo_tensor_destroy(scalars[0]);
  echo_tensor_destroy(scalars[1]);
  return ok;
}

bool echo_hlo_evaluate_select_and_scatter(EchoEvaluator *evaluator, const EchoOp *op,
                                          const EchoTensor *const *operands, EchoTensor **results)
{
  const EchoTensor *x = operands[0], *source = operands[1];
  EchoTensor *y = results[0] = echo_hlo_new_result(op, 0);
  EchoWindowDim windows[ECHO_MAX_RANK];
  size_t rank = echo_stablehlo_windows(op, windows);
  int64_t sizes[ECHO_MAX_RANK], index[ECHO_MAX_RANK] = {0};
  for (size_t d = 0; d < rank; d++)
    sizes[d] = windows[d].size;
  for (int64_t i = 0; i < y->n_elements; i++)
    echo_hlo_copy_element(y, i, operands[2], 0);
  EchoHloOpcode scatter = echo_hlo_region_opcode(&op->regions[1]);
  bool ok = true;
  for (int64_t i = 0; i < source->n_elements && ok; i++) {
    int64_t selected = -1, at[ECHO_MAX_RANK] = {0}, from[ECHO_MAX_RANK];
    do {
      bool is_inside = true, keeps = true;
      for (size_t d = 0; d < rank; d++) {
        from[d] = window_source(&windows[d], index[d], at[d], echo_type_dim(x->type, d));
        is_inside &= from[d] >= 0;
      }
      if (!is_inside)
        continue;
      int64_t candidate = echo_hlo_linear(x->type, from);
      if (selected >= 0)
        ok = keeps_first(evaluator, &op->regions[0], x, selected, candidate, &keeps);
      if (selected < 0 || !keeps)
        selected = candidate;
    } while (ok && echo_hlo_next_index(sizes, rank, at));
    if (ok && selected >= 0)
      ok = echo_hlo_fold_in(evaluator, &op->regions[1], scatter, results, selected, &source, i, 1);
    echo_hlo_next_index(source->type->as.shaped.dims, rank, index);
  }
  return ok;
}

/* ---- sort ---- */

typedef struct Sorter {
  EchoEvaluator *evaluator;
  const EchoRegion *comparator;
  const EchoTensor *const *operands;
  size_t n;
  bool ok;
} Sorter;

/* Whether element a of the operands goes before element b. */
static bool goes_before(Sorter *sorter, int64_t a, int64_t b)
{
  size_t n = sorter->n;
  EchoTensor **scalars = echo_alloc_array(2 * n + 1, sizeof *scalars), *answer = NULL;
  for (size_t k = 0; k < 2 * n; k++) { /* arguments come in pairs: lhs and rhs of operand k / 2 */
    scalars[k] = echo_tensor_create(echo_block_arg(sorter->comparator->first, k)->type, false);
    echo_hlo_copy_element(scalars[k], 0, sorter->operands[k / 2], k % 2 == 0 ? a : b);
  }
  sorter->ok &= sorter->evaluator->run_region(
      sorter->evaluator, sorter->comparator, (const EchoTensor *const *)scalars, 2 * n, &answer, 1);
  bool before = sorter->ok && echo_tensor_get_i64(answer, 0) != 0;
  echo_tensor_destroy(answer);
  for (size_t k = 0; k < 2 * n; k++)
    echo_tensor_destroy(scalars[k]);
  echo_free(scalars);
  return before;
}

/* Stable merge sort of element positions. */
static void sort_positions(Sorter *sorter, int64_t *positions, int64_t *scratch, int64_t n)
{
  if (n < 2)
    return;
  int64_t half = n / 2, i = 0, k = half;
  sort_positions(sorter, positions, scratch, half);
  sort_positions(sorter, positions + half, scratch, n - half);
  for (int64_t at = 0; at < n; at++) {
    bool takes_right = i == half || (k < n && goes_before(sorter, positions[k], positions[i]));
    scratch[at] = takes_right ? positions[k++] : positions[i++];
  }
  memcpy(positions, scratch, (size_t)n * sizeof *positions);
}

bool echo_hlo_evaluate_sort(EchoEvaluator *evaluator, const EchoOp *op,
                            const EchoTensor *const *operands, EchoTensor **results)
{
  Sorter sorter = {evaluator, &op->regions[0], operands, op->n_operands, true};
  for (uint32_t k = 0; k < op->n_results; k++)
    results[k] = echo_hlo_new_result(op, k);
  const EchoType *type = operands[0]->type;
  uint32_t rank = echo_type_rank(type);
  int64_t dimension = echo_op_attr_i64(op, "dimension", -1);
  dimension = dimension < 0 ? dimension + rank : dimension;
  int64_t size = rank == 0 ? 1 : echo_type_dim(type, (size_t)dimension);
  int64_t strides[ECHO_MAX_RANK + 1] = {1}, index[ECHO_MAX_RANK] = {0};
  echo_shape_strides(type->as.shaped.dims, rank, strides);
  int64_t stride = rank == 0 ? 1 : strides[dimension];
  int64_t *positions = echo_alloc_array((size_t)size + 1, sizeof *positions);
  int64_t *scratch = echo_alloc_array((size_t)size + 1, sizeof *scratch);
  for (int64_t start = 0; start < operands[0]->n_elements && sorter.ok; start++) {
    bool is_start = rank == 0 || index[dimension] == 0;
    for (int64_t i = 0; is_start && i < size; i++)
      positions[i] = start + i * stride;
    if (is_start)
      sort_positions(&sorter, positions, scratch, size);
    for (int64_t i = 0; is_start && i < size; i++)
      for (uint32_t k = 0; k < op->n_results; k++)
        echo_hlo_copy_element(results[k], start + i * stride, operands[k], positions[i]);
    echo_hlo_next_index(type->as.shaped.dims, rank, index);
  }
  echo_free(positions);
  echo_free(scratch);
  return sorter.ok;
}
