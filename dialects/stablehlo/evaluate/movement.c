/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reference evaluation of ops that create and move elements, straight from the specification's
 * index formulas. */
#include "dialects/stablehlo/evaluate/evaluate_t.h"
#include "ir/diagnostics.h"
#include "ir/text/text.h"

void echo_hlo_copy_element(EchoTensor *target, int64_t to, const EchoTensor *source, int64_t from)
{
  size_t size = echo_type_element_bytes(source->type);
  memcpy((char *)target->data + (size_t)to * size, (const char *)source->data + (size_t)from * size,
         size);
}

bool echo_hlo_evaluate_constant(EchoEvaluator *evaluator, const EchoOp *op,
                                const EchoTensor *const *operands, EchoTensor **results)
{
  (void)operands;
  const EchoAttr *value =
      echo_dense_elements_or_null(evaluator->ctx, echo_op_attr_or_null(op, "value"));
  if (value == NULL)
    return echo_op_error(op, "cannot be interpreted: its value is no list of numbers");
  results[0] = echo_tensor_from_elements(value);
  return true;
}

bool echo_hlo_evaluate_iota(EchoEvaluator *evaluator, const EchoOp *op,
                            const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator, (void)operands;
  EchoTensor *y = results[0] = echo_hlo_new_result(op, 0);
  int64_t dimension = echo_op_attr_i64(op, "iota_dimension", 0), index[ECHO_MAX_RANK] = {0};
  for (int64_t i = 0; i < y->n_elements; i++) {
    if (echo_element_is_float(y->kind))
      echo_tensor_set_f64(y, i, (double)index[dimension]);
    else
      echo_tensor_set_i64(y, i, index[dimension]);
    echo_hlo_next_index(y->type->as.shaped.dims, echo_type_rank(y->type), index);
  }
  return true;
}

bool echo_hlo_evaluate_reshape(EchoEvaluator *evaluator, const EchoOp *op,
                               const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  results[0] = echo_hlo_new_result(op, 0);
  if (operands[0]->n_elements != 0)
    memcpy(results[0]->data, operands[0]->data, (size_t)echo_type_static_bytes(operands[0]->type));
  return true;
}

bool echo_hlo_evaluate_optimization_barrier(EchoEvaluator *evaluator, const EchoOp *op,
                                            const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  for (uint32_t i = 0; i < op->n_results; i++)
    results[i] = echo_tensor_clone(operands[i]);
  return true;
}

/* Fills result 0 by copying: where each result index comes from is `source`'s answer, as an operand
 * index. */
typedef void SourceFn(const EchoOp *op, const EchoType *operand, const int64_t *index,
                      int64_t *source);

static bool copy_from(const EchoOp *op, const EchoTensor *x, EchoTensor **results, SourceFn *source)
{
  EchoTensor *y = results[0] = echo_hlo_new_result(op, 0);
  int64_t index[ECHO_MAX_RANK] = {0}, from[ECHO_MAX_RANK] = {0};
  for (int64_t i = 0; i < y->n_elements; i++) {
    source(op, x->type, index, from);
    echo_hlo_copy_element(y, i, x, echo_hlo_linear(x->type, from));
    echo_hlo_next_index(y->type->as.shaped.dims, echo_type_rank(y->type), index);
  }
  return true;
}

static void broadcast_in_dim_source(const EchoOp *op, const EchoType *operand, const int64_t *index,
                                    int64_t *source)
{
  EchoDimList dims = echo_stablehlo_dims(op, "broadcast_dimensions");
  for (uint32_t d = 0; d < echo_type_rank(operand); d++)
    source[d] = echo_type_dim(operand, d) == 1 ? 0 : index[dims.dims[d]];
}

bool echo_hlo_evaluate_broadcast_in_dim(EchoEvaluator *evaluator, const EchoOp *op,
                                        const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  return copy_from(op, operands[0], results, broadcast_in_dim_source);
}

static void broadcast_source(const EchoOp *op, const EchoType *operand, const int64_t *index,
                             int64_t *source)
{
  size_t n_new = echo_stablehlo_dims(op, "broadcast_sizes").size;
  for (uint32_t d = 0; d < echo_type_rank(operand); d++)
    source[d] = index[n_new + d];
}

bool echo_hlo_evaluate_broadcast(EchoEvaluator *evaluator, const EchoOp *op,
                                 const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  return copy_from(op, operands[0], results, broadcast_source);
}

static void transpose_source(const EchoOp *op, const EchoType *operand, const int64_t *index,
                             int64_t *source)
{
  (void)operand;
  EchoDimList permutation = echo_stablehlo_dims(op, "permutation");
  for (size_t d = 0; d < permutation.size; d++)
    source[permutation.dims[d]] = index[d];
}

bool echo_hlo_evaluate_transpose(EchoEvaluator *evaluator, const EchoOp *op,
                                 const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  return copy_from(op, operands[0], results, transpose_source);
}

static void reverse_source(const EchoOp *op, const EchoType *operand, const int64_t *index,
                           int64_t *source)
{
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  for (uint32_t d = 0; d < echo_type_rank(operand); d++)
    source[d] = echo_dim_list_has(dims, d) ? echo_type_dim(operand, d) - 1 - index[d] : index[d];
}

bool echo_hlo_evaluate_reverse(EchoEvaluator *evaluator, const EchoOp *op,
                               const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  return copy_from(op, operands[0], results, reverse_source);
}

static void slice_source(const EchoOp *op, const EchoType *operand, const int64_t *index,
                         int64_t *source)
{
  EchoDimList start = echo_stablehlo_dims(op, "start_indices");
  EchoDimList strides = echo_stablehlo_dims(op, "strides");
  for (uint32_t d = 0; d < echo_type_rank(operand); d++)
    source[d] = start.dims[d] + index[d] * strides.dims[d];
}

bool echo_hlo_evaluate_slice(EchoEvaluator *evaluator, const EchoOp *op,
                             const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  return copy_from(op, operands[0], results, slice_source);
}

bool echo_hlo_evaluate_pad(EchoEvaluator *evaluator, const EchoOp *op,
                           const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  const EchoTensor *x = operands[0];
  EchoTensor *y = results[0] = echo_hlo_new_result(op, 0);
  EchoDimList low = echo_stablehlo_dims(op, "edge_padding_low");
  EchoDimList interior = echo_stablehlo_dims(op, "interior_padding");
  for (int64_t i = 0; i < y->n_elements; i++)
    echo_hlo_copy_element(y, i, operands[1], 0);
  uint32_t rank = echo_type_rank(x->type);
  int64_t index[ECHO_MAX_RANK] = {0}, to[ECHO_MAX_RANK] = {0};
  for (int64_t i = 0; i < x->n_elements; i++) {
    bool is_inside = true;
    for (uint32_t d = 0; d < rank; d++) {
      to[d] = low.dims[d] + index[d] * (interior.dims[d] + 1);
      is_inside &= to[d] >= 0 && to[d] < echo_type_dim(y->type, d);
    }
    if (is_inside)
      echo_hlo_copy_element(y, echo_hlo_linear(y->type, to), x, i);
    echo_hlo_next_index(x->type->as.shaped.dims, rank, index);
  }
  return true;
}

bool echo_hlo_evaluate_concatenate(EchoEvaluator *evaluator, const EchoOp *op,
                                   const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  EchoTensor *y = results[0] = echo_hlo_new_result(op, 0);
  int64_t dimension = echo_op_attr_i64(op, "dimension", 0), start = 0;
  for (uint32_t k = 0; k < op->n_operands; k++) {
    const EchoTensor *x = operands[k];
    int64_t index[ECHO_MAX_RANK] = {0}, to[ECHO_MAX_RANK];
    for (int64_t i = 0; i < x->n_elements; i++) {
      memcpy(to, index, sizeof to);
      to[dimension] += start;
      echo_hlo_copy_element(y, echo_hlo_linear(y->type, to), x, i);
      echo_hlo_next_index(x->type->as.shaped.dims, echo_type_rank(x->type), index);
    }
    start += echo_type_dim(x->type, (size_t)dimension);
  }
  return true;
}

bool echo_hlo_evaluate_get_dimension_size(EchoEvaluator *evaluator, const EchoOp *op,
                                          const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  results[0] = echo_hlo_new_result(op, 0);
  echo_tensor_set_i64(
      results[0], 0,
      echo_type_dim(operands[0]->type, (size_t)echo_op_attr_i64(op, "dimension", 0)));
  return true;
}

/* ---- indices as data ---- */

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
  return x < low ? low : x > high ? high : x;
}

/* Unsigned 64-bit indices beyond int64 lie behind the end of everything. */
static int64_t index_value(const EchoTensor *indices, int64_t i)
{
  int64_t index = echo_tensor_get_i64(indices, i);
  return indices->kind == ECHO_ELEMENT_UI64 && index < 0 ? INT64_MAX : index;
}

/* Start index d, moved so that the slice lies inside. */
static void clamped_starts(const EchoTensor *const *starts, const EchoType *whole,
                           const EchoType *part, int64_t *clamped)
{
  for (uint32_t d = 0; d < echo_type_rank(whole); d++) {
    int64_t last = echo_type_dim(whole, d) - echo_type_dim(part, d);
    clamped[d] = clamp(index_value(starts[d], 0), 0, last);
  }
}

bool echo_hlo_evaluate_dynamic_slice(EchoEvaluator *evaluator, const EchoOp *op,
                                     const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  const EchoTensor *x = operands[0];
  EchoTensor *y = results[0] = echo_hlo_new_result(op, 0);
  int64_t start[ECHO_MAX_RANK], index[ECHO_MAX_RANK] = {0}, from[ECHO_MAX_RANK];
  clamped_starts(operands + 1, x->type, y->type, start);
  for (int64_t i = 0; i < y->n_elements; i++) {
    for (uint32_t d = 0; d < echo_type_rank(x->type); d++)
      from[d] = start[d] + index[d];
    echo_hlo_copy_element(y, i, x, echo_hlo_linear(x->type, from));
    echo_hlo_next_index(y->type->as.shaped.dims, echo_type_rank(y->type), index);
  }
  return true;
}

bool echo_hlo_evaluate_dynamic_update_slice(EchoEvaluator *evaluator, const EchoOp *op,
                                            const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator, (void)op;
  const EchoTensor *update = operands[1];
  EchoTensor *y = results[0] = echo_tensor_clone(operands[0]);
  int64_t start[ECHO_MAX_RANK], index[ECHO_MAX_RANK] = {0}, to[ECHO_MAX_RANK];
  clamped_starts(operands + 2, y->type, update->type, start);
  for (int64_t i = 0; i < update->n_elements; i++) {
    for (uint32_t d = 0; d < echo_type_rank(y->type); d++)
      to[d] = start[d] + index[d];
    echo_hlo_copy_element(y, echo_hlo_linear(y->type, to), update, i);
    echo_hlo_next_index(update->type->as.shaped.dims, echo_type_rank(update->type), index);
  }
  return true;
}

/* Component k of the index vector that `batch` (the batch position, in order of the batch
 * dimensions) selects. */
static int64_t read_index(const EchoTensor *indices, int64_t vector_dim, const int64_t *batch,
                          int64_t k)
{
  int64_t at[ECHO_MAX_RANK] = {0};
  uint32_t rank = echo_type_rank(indices->type), n = 0;
  for (uint32_t d = 0; d < rank; d++)
    at[d] = d == vector_dim ? k : batch[n++];
  return index_value(indices, echo_hlo_linear(indices->type, at));
}

bool echo_hlo_evaluate_gather(EchoEvaluator *evaluator, const EchoOp *op,
                              const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  const EchoTensor *x = operands[0], *indices = operands[1];
  const EchoGatherDims *dims = echo_stablehlo_gather_dims(op);
  EchoDimList sizes = echo_stablehlo_dims(op, "slice_sizes");
  EchoTensor *y = results[0] = echo_hlo_new_result(op, 0);
  int64_t index[ECHO_MAX_RANK] = {0}, batch[ECHO_MAX_RANK], offset[ECHO_MAX_RANK];
  for (int64_t i = 0; i < y->n_elements; i++) {
    size_t n_batch = 0, n_offset = 0;
    for (uint32_t d = 0; d < echo_type_rank(y->type); d++) {
      if (echo_dim_list_has(dims->offset_dims, d))
        offset[n_offset++] = index[d];
      else
        batch[n_batch++] = index[d];
    }
    int64_t from[ECHO_MAX_RANK] = {0};
    for (size_t k = 0; k < dims->start_index_map.size; k++) {
      int64_t d = dims->start_index_map.dims[k];
      from[d] = clamp(read_index(indices, dims->index_vector_dim, batch, (int64_t)k), 0,
                      echo_type_dim(x->type, (size_t)d) - sizes.dims[d]);
    }
    for (size_t k = 0; k < dims->operand_batching_dims.size; k++) {
      int64_t at = dims->start_indices_batching_dims.dims[k];
      from[dims->operand_batching_dims.dims[k]] = batch[at - (at > dims->index_vector_dim)];
    }
    size_t next_offset = 0;
    for (uint32_t d = 0; d < echo_type_rank(x->type); d++)
      if (!echo_dim_list_has(dims->collapsed_slice_dims, d) &&
          !echo_dim_list_has(dims->operand_batching_dims, d))
        from[d] += offset[next_offset++];
    echo_hlo_copy_element(y, i, x, echo_hlo_linear(x->type, from));
    echo_hlo_next_index(y->type->as.shaped.dims, echo_type_rank(y->type), index);
  }
  return true;
}

/* Updates are applied in row-major order of the update indices; elements that fall outside are
 * skipped one by one. */
bool echo_hlo_evaluate_scatter(EchoEvaluator *evaluator, const EchoOp *op,
                               const EchoTensor *const *operands, EchoTensor **results)
{
  size_t n = op->n_results;
  const EchoTensor *indices = operands[n], *const *updates = operands + n + 1;
  const EchoScatterDims *dims = echo_stablehlo_scatter_dims(op);
  for (size_t k = 0; k < n; k++)
    results[k] = echo_tensor_clone(operands[k]);
  const EchoType *whole = results[0]->type, *part = updates[0]->type;
  int64_t index[ECHO_MAX_RANK] = {0}, batch[ECHO_MAX_RANK], window[ECHO_MAX_RANK];
  bool ok = true;
  for (int64_t i = 0; i < updates[0]->n_elements && ok; i++) {
    size_t n_batch = 0, n_window = 0;
    for (uint32_t d = 0; d < echo_type_rank(part); d++) {
      if (echo_dim_list_has(dims->update_window_dims, d))
        window[n_window++] = index[d];
      else
        batch[n_batch++] = index[d];
    }
    int64_t to[ECHO_MAX_RANK] = {0};
    for (size_t k = 0; k < dims->scatter_dims_to_operand_dims.size; k++)
      to[dims->scatter_dims_to_operand_dims.dims[k]] =
          read_index(indices, dims->index_vector_dim, batch, (int64_t)k);
    for (size_t k = 0; k < dims->input_batching_dims.size; k++) {
      int64_t at = dims->scatter_indices_batching_dims.dims[k];
      to[dims->input_batching_dims.dims[k]] = batch[at - (at > dims->index_vector_dim)];
    }
    size_t next_window = 0;
    bool is_inside = true;
    for (uint32_t d = 0; d < echo_type_rank(whole); d++) {
      if (!echo_dim_list_has(dims->inserted_window_dims, d) &&
          !echo_dim_list_has(dims->input_batching_dims, d) &&
          __builtin_add_overflow(to[d], window[next_window++], &to[d]))
        to[d] = -1;
      is_inside &= to[d] >= 0 && to[d] < echo_type_dim(whole, d);
    }
    if (is_inside)
      ok = echo_hlo_fold_in(evaluator, &op->regions[0], ECHO_N_HLO_OPCODES, results,
                            echo_hlo_linear(whole, to), updates, i, n);
    echo_hlo_next_index(part->as.shaped.dims, echo_type_rank(part), index);
  }
  return ok;
}
