/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An op whose rows were several dimensions, on rows that are one dimension: dimension numbers in
 * its attributes are counted anew. One case a kind of op that row_roles.c knows. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/step/row_roles_t.h"

const EchoType *echo_flat_type(EchoContext *ctx, const EchoType *type, EchoRowDims rows,
                               int64_t n_rows)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = 0;
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    if (d <= rows.first || d >= (size_t)rows.first + rows.n)
      dims[rank++] = rows.n != 0 && d == rows.first ? n_rows : echo_type_dim(type, d);
  return echo_type_tensor(ctx, dims, rank, echo_type_element(type), type->as.shaped.encoding);
}

/* A dimension's number among flattened ones; of the rows, that of their first. */
static int64_t flat_dim(EchoRowDims rows, int64_t dim)
{
  if (rows.n == 0 || dim < rows.first)
    return dim;
  return dim < rows.first + rows.n ? rows.first : dim - (rows.n - 1);
}

/* Whether the dimension is taken into another one. */
static bool is_absorbed(EchoRowDims rows, int64_t dim)
{
  return rows.n != 0 && dim > rows.first && dim < rows.first + rows.n;
}

/* A list of dimensions, in `storage`. */
static EchoDimList flat_list(EchoDimList list, EchoRowDims rows, int64_t *storage)
{
  EchoDimList flat = {storage, 0};
  for (size_t i = 0; i < list.size; ++i)
    if (!is_absorbed(rows, list.dims[i]))
      storage[flat.size++] = flat_dim(rows, list.dims[i]);
  return flat;
}

/* A list of one number a dimension; `at_rows` is that of the rows. */
static void set_numbers(EchoOp *op, const char *name, EchoRowDims rows, int64_t at_rows)
{
  EchoDimList list = echo_stablehlo_dims(op, name);
  int64_t flat[ECHO_MAX_RANK];
  size_t n = 0;
  for (size_t d = 0; d < list.size; ++d)
    if (!is_absorbed(rows, (int64_t)d))
      flat[n++] = rows.n != 0 && d == rows.first ? at_rows : list.dims[d];
  echo_op_set_attr(op, name, echo_attr_i64_array(echo_op_context(op), flat, n));
}

/* A list that is indexed by dimensions of one shape and holds those of another. */
static void set_map(EchoOp *op, const char *name, EchoRowDims from, EchoRowDims to)
{
  EchoDimList list = echo_stablehlo_dims(op, name);
  int64_t flat[ECHO_MAX_RANK];
  size_t n = 0;
  for (size_t d = 0; d < list.size; ++d)
    if (!is_absorbed(from, (int64_t)d))
      flat[n++] = flat_dim(to, list.dims[d]);
  echo_op_set_attr(op, name, echo_attr_i64_array(echo_op_context(op), flat, n));
}

static void set_list(EchoOp *op, const char *name, EchoRowDims rows)
{
  int64_t storage[ECHO_MAX_RANK];
  EchoDimList flat = flat_list(echo_stablehlo_dims(op, name), rows, storage);
  echo_op_set_attr(op, name, echo_attr_i64_array(echo_op_context(op), flat.dims, flat.size));
}

static void set_dim(EchoOp *op, const char *name, EchoRowDims rows)
{
  EchoContext *ctx = echo_op_context(op);
  int64_t dim = echo_op_attr_i64(op, name, -1); /* of a sort, the last */
  dim += dim < 0 ? (int64_t)echo_type_rank(echo_op_result_type(op, 0)) : 0;
  echo_op_set_attr(op, name, echo_attr_i64(ctx, flat_dim(rows, dim)));
}

static void flatten_dot(EchoOp *op, const EchoRowUse *use)
{
  const EchoDotDims *dims = echo_stablehlo_dot_dims(op);
  EchoRowDims left = use->operands[0], right = use->operands[1];
  int64_t lists[4][ECHO_MAX_RANK];
  EchoDotDims flat = {.lhs_batching = flat_list(dims->lhs_batching, left, lists[0]),
                      .rhs_batching = flat_list(dims->rhs_batching, right, lists[1]),
                      .lhs_contracting = flat_list(dims->lhs_contracting, left, lists[2]),
                      .rhs_contracting = flat_list(dims->rhs_contracting, right, lists[3])};
  echo_op_set_attr(op, "dot_dimension_numbers",
                   echo_stablehlo_dot_dims_attr(echo_op_context(op), &flat));
}

static void flatten_gather(EchoOp *op, const EchoRowUse *use)
{
  const EchoGatherDims *dims = echo_stablehlo_gather_dims(op);
  EchoRowDims operand = use->operands[0], indices = use->operands[1];
  int64_t lists[5][ECHO_MAX_RANK];
  EchoGatherDims flat = {
      .offset_dims = flat_list(dims->offset_dims, use->result, lists[0]),
      .collapsed_slice_dims = flat_list(dims->collapsed_slice_dims, operand, lists[1]),
      .operand_batching_dims = flat_list(dims->operand_batching_dims, operand, lists[2]),
      .start_indices_batching_dims =
          flat_list(dims->start_indices_batching_dims, indices, lists[3]),
      .start_index_map = flat_list(dims->start_index_map, operand, lists[4]),
      .index_vector_dim = flat_dim(indices, dims->index_vector_dim)};
  const EchoType *type = echo_op_operand_type(op, 0);
  bool is_batched = echo_dim_list_has(flat.operand_batching_dims, operand.first);
  set_numbers(op, "slice_sizes", operand,
              operand.n == 0 || is_batched ? 1 : echo_type_dim(type, operand.first));
  echo_op_set_attr(op, "dimension_numbers",
                   echo_stablehlo_gather_dims_attr(echo_op_context(op), &flat));
}

static void flatten_attributes(EchoOp *op, const EchoRowUse *use, int64_t n_rows)
{
  EchoRowDims operand = use->operands[0];
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_BROADCAST_IN_DIM:
    set_map(op, "broadcast_dimensions", operand, use->result);
    break;
  case ECHO_HLO_TRANSPOSE:
    set_map(op, "permutation", use->result, operand);
    break;
  case ECHO_HLO_IOTA:
    set_dim(op, "iota_dimension", use->result);
    break;
  case ECHO_HLO_REDUCE:
    set_list(op, "dimensions", operand);
    break;
  case ECHO_HLO_SORT:
  case ECHO_HLO_CONCATENATE:
    set_dim(op, "dimension", use->result);
    break;
  case ECHO_HLO_SLICE:
    set_numbers(op, "start_indices", operand, 0);
    set_numbers(op, "limit_indices", operand, n_rows);
    set_numbers(op, "strides", operand, 1);
    break;
  case ECHO_HLO_PAD:
    set_numbers(op, "edge_padding_low", operand, 0);
    set_numbers(op, "edge_padding_high", operand, 0);
    set_numbers(op, "interior_padding", operand, 0);
    break;
  case ECHO_HLO_DOT_GENERAL:
    flatten_dot(op, use);
    break;
  case ECHO_HLO_GATHER:
    flatten_gather(op, use);
    break;
  default: /* elementwise, reshape: no dimension has a number in them */
    break;
  }
}

void echo_flatten_op(EchoOp *op, const EchoRowUse *use, int64_t n_rows)
{
  flatten_attributes(op, use, n_rows);
  for (uint32_t i = 0; i < op->n_results && use->result.n != 0; ++i) {
    EchoValue *result = echo_op_result(op, i);
    echo_value_set_type(result,
                        echo_flat_type(echo_op_context(op), result->type, use->result, n_rows));
  }
}
