/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lowering/step/dim_map_t.h"

#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"

static void map_all(int *to, size_t rank, int place)
{
  for (size_t d = 0; d < rank; ++d)
    to[d] = place;
}

static void map_same(int *to, size_t rank)
{
  for (size_t d = 0; d < rank; ++d)
    to[d] = (int)d;
}

/* dim < 0 counts from the end. */
static void map_same_but(int *to, size_t rank, int64_t dim)
{
  dim += dim < 0 ? (int64_t)rank : 0;
  map_same(to, rank);
  if ((size_t)dim < rank)
    to[dim] = ECHO_DIM_MIXED;
}

static void map_same_but_all(int *to, size_t rank, EchoDimList dims)
{
  map_same(to, rank);
  for (size_t k = 0; k < dims.size; ++k)
    to[dims.dims[k]] = ECHO_DIM_MIXED;
}

/* Place of `dim` in the list, which has it. */
static int index_in(EchoDimList list, int64_t dim)
{
  int k = 0;
  while (list.dims[k] != dim)
    ++k;
  return k;
}

/* Those that are in neither list come out one behind the other from `next` on. */
static void map_kept(int *to, size_t rank, EchoDimList gone, EchoDimList batching, int next)
{
  for (size_t d = 0; d < rank; ++d)
    if (echo_dim_list_has(gone, (int64_t)d))
      to[d] = ECHO_DIM_GONE - index_in(gone, (int64_t)d);
    else if (echo_dim_list_has(batching, (int64_t)d))
      to[d] = index_in(batching, (int64_t)d);
    else
      to[d] = next++;
}

/* Whole dimensions of operand 0, whose size is that of the other tensor. */
static void map_whole(const EchoType *from, const EchoType *other, int *to, size_t rank)
{
  map_same(to, rank);
  for (size_t d = 0; d < rank; ++d)
    if (echo_type_dim(from, d) != echo_type_dim(other, d))
      to[d] = ECHO_DIM_MIXED;
}

static void map_slice(const EchoOp *op, int *to, size_t rank)
{
  map_whole(echo_op_operand_type(op, 0), echo_op_result_type(op, 0), to, rank);
}

static void map_pad(const EchoOp *op, int *to, size_t rank)
{
  EchoDimList low = echo_stablehlo_dims(op, "edge_padding_low");
  EchoDimList high = echo_stablehlo_dims(op, "edge_padding_high");
  map_slice(op, to, rank);
  for (size_t d = 0; d < rank; ++d)
    if (low.dims[d] != 0 || high.dims[d] != 0)
      to[d] = ECHO_DIM_MIXED;
}

static void map_dot(const EchoOp *op, uint32_t i, int *to, size_t rank)
{
  const EchoDotDims *dims = echo_stablehlo_dot_dims(op);
  size_t n_left = echo_type_rank(echo_op_operand_type(op, 0)) - dims->lhs_contracting.size;
  if (i == 0)
    map_kept(to, rank, dims->lhs_contracting, dims->lhs_batching, (int)dims->lhs_batching.size);
  else
    map_kept(to, rank, dims->rhs_contracting, dims->rhs_batching, (int)n_left);
}

/* Dimension `number` of those of a gather's result that come from its indices, counted from 0. */
static int nth_batch_dim(const EchoGatherDims *dims, int number)
{
  int d = 0;
  for (;; ++d)
    if (!echo_dim_list_has(dims->offset_dims, d) && number-- == 0)
      return d;
}

static void map_gather_indices(const EchoGatherDims *dims, int *to, size_t rank)
{
  int number = 0;
  for (size_t d = 0; d < rank; ++d)
    to[d] = (int64_t)d == dims->index_vector_dim ? ECHO_DIM_MIXED : nth_batch_dim(dims, number++);
}

/* Batching dimensions come out where those of the indices do, whole ones where the slices are. */
static void map_gather_operand(const EchoOp *op, const EchoGatherDims *dims, int *to, size_t rank)
{
  int indices[ECHO_MAX_RANK];
  size_t n_offset = 0;
  map_gather_indices(dims, indices, echo_type_rank(echo_op_operand_type(op, 1)));
  map_all(to, rank, ECHO_DIM_MIXED);
  for (size_t k = 0; k < dims->operand_batching_dims.size; ++k)
    to[dims->operand_batching_dims.dims[k]] = indices[dims->start_indices_batching_dims.dims[k]];
  EchoDimList sizes = echo_stablehlo_dims(op, "slice_sizes");
  for (size_t d = 0; d < rank; ++d) {
    if (echo_dim_list_has(dims->collapsed_slice_dims, (int64_t)d) ||
        echo_dim_list_has(dims->operand_batching_dims, (int64_t)d))
      continue;
    int64_t place = dims->offset_dims.dims[n_offset++];
    if (sizes.dims[d] == echo_type_dim(echo_op_operand_type(op, 0), d) &&
        !echo_dim_list_has(dims->start_index_map, (int64_t)d))
      to[d] = (int)place;
  }
}

/* The dimension of an update that is the operand's `dim`; -1 where there is none, or a part. */
static int64_t window_dim(const EchoOp *op, const EchoScatterDims *dims, int64_t dim)
{
  size_t n_windows = 0;
  for (int64_t d = 0; d < dim; ++d)
    n_windows += !echo_dim_list_has(dims->inserted_window_dims, d) &&
                 !echo_dim_list_has(dims->input_batching_dims, d);
  if (echo_dim_list_has(dims->inserted_window_dims, dim) ||
      echo_dim_list_has(dims->input_batching_dims, dim) ||
      echo_dim_list_has(dims->scatter_dims_to_operand_dims, dim))
    return -1;
  int64_t place = dims->update_window_dims.dims[n_windows];
  const EchoType *update = echo_op_operand_type(op, op->n_operands - 1);
  bool is_whole = echo_type_dim(update, (size_t)place) ==
                  echo_type_dim(echo_op_operand_type(op, 0), (size_t)dim);
  return is_whole ? place : -1;
}

/* Inputs and results have one shape; dimensions of the indices are added up, but batching ones;
 * those of updates that are no window's follow those of the indices. */
static void map_scatter(const EchoOp *op, uint32_t i, int *to, size_t rank)
{
  const EchoScatterDims *dims = echo_stablehlo_scatter_dims(op);
  int indices[ECHO_MAX_RANK], n_indices = 0, next = 0;
  EchoDimList batching = dims->scatter_indices_batching_dims;
  const EchoType *index_type = echo_op_operand_type(op, op->n_results);
  for (size_t d = 0; d < echo_type_rank(index_type); ++d)
    if ((int64_t)d != dims->index_vector_dim) {
      bool is_batching = echo_dim_list_has(batching, (int64_t)d);
      indices[n_indices] = is_batching
                               ? (int)dims->input_batching_dims.dims[index_in(batching, (int64_t)d)]
                               : ECHO_DIM_GONE - n_indices;
      ++n_indices;
    }
  map_all(to, rank, ECHO_DIM_MIXED);
  if (i < op->n_results) {
    for (size_t d = 0; d < rank; ++d)
      if (echo_dim_list_has(dims->input_batching_dims, (int64_t)d) ||
          window_dim(op, dims, (int64_t)d) >= 0)
        to[d] = (int)d;
  } else if (i == op->n_results) {
    for (size_t d = 0; d < rank; ++d)
      if ((int64_t)d != dims->index_vector_dim)
        to[d] = indices[next++];
  } else {
    for (size_t d = 0; d < rank; ++d)
      if (!echo_dim_list_has(dims->update_window_dims, (int64_t)d))
        to[d] = indices[next++];
    for (size_t d = 0; d < echo_type_rank(echo_op_operand_type(op, 0)); ++d)
      if (window_dim(op, dims, (int64_t)d) >= 0)
        to[window_dim(op, dims, (int64_t)d)] = (int)d;
  }
}

/* Features meet the kernel's where there are no groups of them. */
static void map_convolution(const EchoOp *op, uint32_t i, int *to, size_t rank)
{
  const EchoConvDims *dims = echo_stablehlo_conv_dims(op);
  bool has_batches = echo_stablehlo_batch_group_count(op) != 1;
  bool has_features = echo_stablehlo_feature_group_count(op) != 1;
  map_all(to, rank, ECHO_DIM_MIXED);
  if (i == 0) {
    if (!has_batches)
      to[dims->input_batch] = (int)dims->output_batch;
    if (!has_features)
      to[dims->input_feature] = ECHO_DIM_GONE;
  } else {
    if (!has_features)
      to[dims->kernel_input_feature] = ECHO_DIM_GONE;
    if (!has_features && !has_batches)
      to[dims->kernel_output_feature] = (int)dims->output_feature;
  }
}

/* Dimensions whose windows are single elements. */
static void map_windows(const EchoOp *op, int *to, size_t rank)
{
  EchoWindowDim windows[ECHO_MAX_RANK];
  size_t n = echo_stablehlo_windows(op, windows);
  map_same(to, rank);
  for (size_t d = 0; d < rank && d < n; ++d)
    if (windows[d].size != 1 || windows[d].stride != 1 || windows[d].base_dilation != 1 ||
        windows[d].padding_low != 0 || windows[d].padding_high != 0)
      to[d] = ECHO_DIM_MIXED;
}

bool echo_dim_map(const EchoOp *op, uint32_t i, int *to)
{
  size_t rank = echo_type_rank(echo_op_operand_type(op, i));
  EchoDimList list;
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_BROADCAST_IN_DIM:
    list = echo_stablehlo_dims(op, "broadcast_dimensions");
    for (size_t d = 0; d < rank; ++d)
      to[d] = (int)list.dims[d];
    return true;
  case ECHO_HLO_IOTA:
    return true;
  case ECHO_HLO_TRANSPOSE:
    list = echo_stablehlo_dims(op, "permutation");
    for (size_t d = 0; d < rank; ++d)
      to[list.dims[d]] = (int)d;
    return true;
  case ECHO_HLO_REDUCE:
    map_kept(to, rank, echo_stablehlo_dims(op, "dimensions"), (EchoDimList){0}, 0);
    return true;
  case ECHO_HLO_REVERSE:
    map_same_but_all(to, rank, echo_stablehlo_dims(op, "dimensions"));
    return true;
  case ECHO_HLO_SORT:
  case ECHO_HLO_CONCATENATE:
    map_same_but(to, rank, echo_op_attr_i64(op, "dimension", -1));
    return true;
  case ECHO_HLO_BITCAST_CONVERT: /* to elements of another size: of another rank */
    map_same(to, rank);
    return rank == echo_type_rank(echo_op_result_type(op, 0));
  case ECHO_HLO_SLICE:
    map_slice(op, to, rank);
    return true;
  case ECHO_HLO_DYNAMIC_SLICE:
    map_slice(op, to, i == 0 ? rank : 0);
    return true;
  case ECHO_HLO_DYNAMIC_UPDATE_SLICE:
    map_whole(echo_op_operand_type(op, 0), echo_op_operand_type(op, 1), to, i < 2 ? rank : 0);
    return true;
  case ECHO_HLO_PAD:
    map_pad(op, to, rank);
    return true;
  case ECHO_HLO_DOT_GENERAL:
    map_dot(op, i, to, rank);
    return true;
  case ECHO_HLO_CONVOLUTION:
    map_convolution(op, i, to, rank);
    return true;
  case ECHO_HLO_GATHER:
    if (i == 0)
      map_gather_operand(op, echo_stablehlo_gather_dims(op), to, rank);
    else
      map_gather_indices(echo_stablehlo_gather_dims(op), to, rank);
    return true;
  case ECHO_HLO_SCATTER:
    map_scatter(op, i, to, rank);
    return true;
  case ECHO_HLO_REDUCE_WINDOW:
  case ECHO_HLO_SELECT_AND_SCATTER:
    map_windows(op, to, rank);
    return true;
  default:
    map_same(to, rank);
    return echo_op_has_trait(op, ECHO_ELEMENTWISE) || echo_hlo_opcode(op) == ECHO_HLO_MAP;
  }
}
