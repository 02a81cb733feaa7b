/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads of a constant place. x[2] is a dynamic slice or a gather in many texts, with a constant
 * where it starts: it is a slice, which says which elements are read without a look at operands. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/canonicalize_t.h"
#include "dialects/stablehlo/opcode.h"

static bool is_static(const EchoType *type)
{
  return echo_type_has_static_shape(type) && type->as.shaped.encoding == NULL;
}

/* Element `i` of a constant index, moved so that a window of `size` lies in a dimension of `n`;
 * false for what is not constant. */
static bool find_start(const EchoValue *index, size_t i, int64_t n, int64_t size, int64_t *start)
{
  const EchoAttr *constant = echo_value_constant_or_null(index);
  if (constant == NULL || constant->kind != ECHO_ATTR_DENSE_ELEMENTS)
    return false;
  int64_t number = echo_elements_i64(constant, i), last = n - size;
  bool is_beyond = number < 0 && echo_type_element_kind(index->type) == ECHO_ELEMENT_UI64;
  *start = is_beyond || number > last ? last : number < 0 ? 0 : number;
  return true;
}

static void replace_by_slice(EchoRewriter *rewriter, EchoOp *op, const int64_t *starts,
                             const int64_t *limits)
{
  EchoBuilder *b = &rewriter->builder;
  const EchoType *type = echo_op_result_type(op, 0);
  EchoValue *slice = echo_hlo_slice(b, echo_op_operand(op, 0), starts, limits, NULL);
  slice = echo_hlo_reshape(b, slice, type->as.shaped.dims, echo_type_rank(type));
  echo_rewriter_replace(rewriter, op, &slice);
}

bool echo_hlo_slice_constant_place(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoType *array = echo_op_operand_type(op, 0), *type = echo_op_result_type(op, 0);
  int64_t starts[ECHO_MAX_RANK], limits[ECHO_MAX_RANK];
  if (!is_static(array) || !is_static(type))
    return false;
  for (uint32_t d = 0; d < echo_type_rank(array); ++d) {
    int64_t size = echo_type_dim(type, d);
    if (!find_start(echo_op_operand(op, d + 1), 0, echo_type_dim(array, d), size, &starts[d]))
      return false;
    limits[d] = starts[d] + size;
  }
  replace_by_slice(rewriter, op, starts, limits);
  return true;
}

bool echo_hlo_gather_constant_place(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoGatherDims *dims = echo_stablehlo_gather_dims(op);
  const EchoType *array = echo_op_operand_type(op, 0), *type = echo_op_result_type(op, 0);
  const EchoType *indices = echo_op_operand_type(op, 1);
  EchoDimList sizes = echo_stablehlo_dims(op, "slice_sizes");
  int64_t starts[ECHO_MAX_RANK] = {0}, limits[ECHO_MAX_RANK], n_windows = 1;
  if (!is_static(array) || !is_static(type) || !is_static(indices) ||
      dims->operand_batching_dims.size != 0)
    return false;
  for (int64_t d = 0; d < (int64_t)echo_type_rank(indices); ++d)
    n_windows *= d == dims->index_vector_dim ? 1 : echo_type_dim(indices, (size_t)d);
  if (n_windows != 1)
    return false;
  for (size_t k = 0; k < dims->start_index_map.size; ++k) {
    size_t d = (size_t)dims->start_index_map.dims[k];
    if (!find_start(echo_op_operand(op, 1), k, echo_type_dim(array, d), sizes.dims[d], &starts[d]))
      return false;
  }
  for (size_t d = 0; d < sizes.size; ++d)
    limits[d] = starts[d] + sizes.dims[d];
  replace_by_slice(rewriter, op, starts, limits);
  return true;
}
