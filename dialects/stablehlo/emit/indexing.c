/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One element of ops that read at computed positions: dynamic_slice, dynamic_update_slice, gather.
 */
#include "dialects/arith/arith.h"
#include "dialects/stablehlo/emit/scalar.h"
#include "dialects/stablehlo/hooks_t.h"

/* An integer element as an index. */
static EchoValue *to_index(EchoElementEmitter *emitter, EchoValue *tensor, EchoValue *scalar)
{
  EchoElementKind kind = echo_type_element_kind(tensor->type);
  bool is_unsigned = echo_element_is_unsigned(kind) || kind == ECHO_ELEMENT_I1;
  EchoValue *operands[] = {scalar};
  return emitter->pure_op(emitter, is_unsigned ? "arith.index_castui" : "arith.index_cast", -1,
                          operands, 1, echo_type_index(emitter->builder->ctx));
}

/* start, clamped to [0, last]. */
static EchoValue *clamped_start(EchoElementEmitter *emitter, EchoValue *tensor, EchoValue *scalar,
                                int64_t last)
{
  EchoValue *zero = echo_index_constant(emitter, 0);
  if (last == 0)
    return zero;
  EchoValue *start = to_index(emitter, tensor, scalar);
  /* an unsigned 64-bit start beyond 2^63 is negative as an index: it clamps high */
  if (echo_type_element_kind(tensor->type) == ECHO_ELEMENT_UI64) {
    EchoValue *is_large = echo_index_compare(emitter, ECHO_CMPI_SLT, start, zero);
    start = echo_index_select(emitter, is_large, echo_index_constant(emitter, last), start);
  }
  return echo_index_min(emitter, echo_index_max(emitter, start, zero),
                        echo_index_constant(emitter, last));
}

EchoValue *echo_hlo_emit_dynamic_slice(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                                       EchoValue *const *indices)
{
  (void)result;
  const EchoType *from = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  EchoValue *operand_indices[ECHO_MAX_RANK];
  for (uint32_t i = 0; i < to->as.shaped.rank; ++i) {
    EchoValue *scalar = echo_emit_element(emitter, echo_op_operand(op, i + 1), NULL);
    if (scalar == NULL)
      return NULL;
    EchoValue *start = clamped_start(emitter, echo_op_operand(op, i + 1), scalar,
                                     echo_type_dim(from, i) - echo_type_dim(to, i));
    operand_indices[i] = echo_index_add(emitter, indices[i], start);
  }
  return echo_emit_element(emitter, echo_op_operand(op, 0), operand_indices);
}

EchoValue *echo_hlo_emit_update_start(EchoElementEmitter *emitter, const EchoOp *op, size_t dim)
{
  EchoValue *operand = echo_op_operand(op, dim + 2);
  EchoValue *scalar = echo_emit_element(emitter, operand, NULL);
  int64_t size = echo_type_dim(echo_op_operand_type(op, 1), dim);
  int64_t last = echo_type_dim(echo_op_result_type(op, 0), dim) - size;
  return scalar == NULL ? NULL : clamped_start(emitter, operand, scalar, last);
}

EchoValue *echo_hlo_emit_dynamic_update_slice(EchoElementEmitter *emitter, const EchoOp *op,
                                              size_t result, EchoValue *const *indices)
{
  (void)result;
  const EchoType *type = echo_op_result_type(op, 0), *update = echo_op_operand_type(op, 1);
  EchoValue *update_indices[ECHO_MAX_RANK], *inside = NULL;
  for (uint32_t i = 0; i < type->as.shaped.rank; ++i) {
    EchoValue *start = echo_hlo_emit_update_start(emitter, op, i);
    if (start == NULL)
      return NULL;
    int64_t size = echo_type_dim(update, i), last = echo_type_dim(type, i) - size;
    EchoValue *position = echo_index_sub(emitter, indices[i], start);
    if (last != 0) { /* one unsigned comparison checks both ends */
      EchoValue *in_dim =
          echo_index_compare(emitter, ECHO_CMPI_ULT, position, echo_index_constant(emitter, size));
      position = echo_index_select(emitter, in_dim, position, echo_index_constant(emitter, 0));
      EchoValue *operands[] = {inside, in_dim};
      inside = inside == NULL
                   ? in_dim
                   : emitter->pure_op(emitter, "arith.andi", -1, operands, 2, in_dim->type);
    }
    update_indices[i] = position;
  }
  if (echo_type_static_n_elements(update) == 0)
    return echo_emit_element(emitter, echo_op_operand(op, 0), indices);
  EchoValue *updated = echo_emit_element(emitter, echo_op_operand(op, 1), update_indices);
  if (updated == NULL || inside == NULL)
    return updated;
  EchoValue *kept = echo_emit_element(emitter, echo_op_operand(op, 0), indices);
  return kept != NULL ? echo_arith_select(emitter->builder, inside, updated, kept) : NULL;
}

/* The specification's gather: batch indices pick a start index vector; offset indices walk the
 * slice. */
EchoValue *echo_hlo_emit_gather(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                                EchoValue *const *indices)
{
  (void)result;
  const EchoGatherDims *dims = echo_stablehlo_gather_dims(op);
  EchoDimList sizes = echo_stablehlo_dims(op, "slice_sizes");
  const EchoType *operand = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  const EchoType *starts = echo_op_operand_type(op, 1);
  EchoValue *batch[ECHO_MAX_RANK], *offset[ECHO_MAX_RANK];
  size_t n_batch = 0, n_offset = 0;
  for (uint32_t i = 0; i < to->as.shaped.rank; ++i) {
    if (echo_dim_list_has(dims->offset_dims, (int64_t)i))
      offset[n_offset++] = indices[i];
    else
      batch[n_batch++] = indices[i];
  }

  EchoValue *operand_indices[ECHO_MAX_RANK];
  size_t next_offset = 0;
  for (uint32_t d = 0; d < operand->as.shaped.rank; ++d) {
    bool is_dropped = echo_dim_list_has(dims->collapsed_slice_dims, (int64_t)d) ||
                      echo_dim_list_has(dims->operand_batching_dims, (int64_t)d);
    operand_indices[d] = is_dropped ? echo_index_constant(emitter, 0) : offset[next_offset++];
  }
  /* start_indices is indexed by the batch indices, with the vector's position put in between */
  size_t vector_dim = (size_t)dims->index_vector_dim;
  EchoValue *start_indices[ECHO_MAX_RANK];
  for (size_t i = 0, next = 0; i < starts->as.shaped.rank; ++i)
    if (i != vector_dim)
      start_indices[i] = batch[next++];
  for (size_t k = 0; k < dims->start_index_map.size; ++k) {
    size_t d = (size_t)dims->start_index_map.dims[k];
    if (vector_dim < starts->as.shaped.rank)
      start_indices[vector_dim] = echo_index_constant(emitter, (int64_t)k);
    EchoValue *scalar = echo_emit_element(emitter, echo_op_operand(op, 1), start_indices);
    if (scalar == NULL)
      return NULL;
    EchoValue *start = clamped_start(emitter, echo_op_operand(op, 1), scalar,
                                     echo_type_dim(operand, d) - sizes.dims[d]);
    operand_indices[d] = echo_index_add(emitter, operand_indices[d], start);
  }
  for (size_t k = 0; k < dims->operand_batching_dims.size; ++k) {
    size_t from = (size_t)dims->start_indices_batching_dims.dims[k];
    operand_indices[dims->operand_batching_dims.dims[k]] = start_indices[from];
  }
  return echo_emit_element(emitter, echo_op_operand(op, 0), operand_indices);
}
