/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Indices that count. x[arange(n), label] is a gather with two columns of indices, the first of
 * which is an iota: it says "of each row its own", as a batching dimension does. Written as one,
 * its gradient is a scatter of one element a row (canonicalize.c), and both go row by row. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/canonicalize_t.h"
#include "dialects/stablehlo/opcode.h"

/* What a gather and a scatter call differently. `map`: the operand's dimension that each column of
 * the indices is for. */
typedef struct Indexing {
  EchoDimList collapsed, operand_batching, index_batching, map;
  int64_t vector_dim;
} Indexing;

static Indexing indexing_of(const EchoOp *op)
{
  if (echo_hlo_opcode(op) == ECHO_HLO_GATHER) {
    const EchoGatherDims *dims = echo_stablehlo_gather_dims(op);
    return (Indexing){dims->collapsed_slice_dims, dims->operand_batching_dims,
                      dims->start_indices_batching_dims, dims->start_index_map,
                      dims->index_vector_dim};
  }
  const EchoScatterDims *dims = echo_stablehlo_scatter_dims(op);
  return (Indexing){dims->inserted_window_dims, dims->input_batching_dims,
                    dims->scatter_indices_batching_dims, dims->scatter_dims_to_operand_dims,
                    dims->index_vector_dim};
}

static void set_indexing(EchoOp *op, const Indexing *to)
{
  EchoContext *ctx = echo_op_context(op);
  if (echo_hlo_opcode(op) == ECHO_HLO_GATHER) {
    EchoGatherDims dims = *echo_stablehlo_gather_dims(op);
    dims.collapsed_slice_dims = to->collapsed;
    dims.operand_batching_dims = to->operand_batching;
    dims.start_indices_batching_dims = to->index_batching;
    dims.start_index_map = to->map;
    echo_op_set_attr(op, "dimension_numbers", echo_stablehlo_gather_dims_attr(ctx, &dims));
    return;
  }
  EchoScatterDims dims = *echo_stablehlo_scatter_dims(op);
  dims.inserted_window_dims = to->collapsed;
  dims.input_batching_dims = to->operand_batching;
  dims.scatter_indices_batching_dims = to->index_batching;
  dims.scatter_dims_to_operand_dims = to->map;
  echo_op_set_attr(op, "scatter_dimension_numbers", echo_stablehlo_scatter_dims_attr(ctx, &dims));
}

/* ---- what counts ---- */

/* Of an integer type: this number throughout. */
static bool is_splat_of(const EchoValue *value, int64_t number)
{
  const EchoAttr *constant = echo_value_constant_or_null(value);
  return constant != NULL && constant->kind == ECHO_ATTR_DENSE_ELEMENTS &&
         constant->as.elements.is_splat && echo_elements_i64(constant, 0) == number;
}

/* Dimension `dim` of a reshape, in what was reshaped: as large, with as much before it. -1: none.
 */
static int64_t unreshaped_dim(const EchoType *from, const EchoType *to, int64_t dim)
{
  int64_t before = 1, product = 1;
  for (int64_t d = 0; d < dim; ++d)
    before *= echo_type_dim(to, (size_t)d);
  for (size_t d = 0; d < echo_type_rank(from) && product <= before; ++d) {
    if (product == before && echo_type_dim(from, d) == echo_type_dim(to, (size_t)dim))
      return (int64_t)d;
    product *= echo_type_dim(from, d);
  }
  return -1;
}

/* Operand dimension that a broadcast spreads to `dim` as it is; -1: none. */
static int64_t unspread_dim(const EchoOp *op, int64_t dim)
{
  EchoDimList dims = echo_stablehlo_dims(op, "broadcast_dimensions");
  for (size_t d = 0; d < dims.size; ++d)
    if (dims.dims[d] == dim && echo_type_dim(echo_op_operand_type(op, 0), d) ==
                                   echo_type_dim(echo_op_result_type(op, 0), (size_t)dim))
      return (int64_t)d;
  return -1;
}

/* select(x < 0, x + n, x), which is how a negative index is made to count from the end: x. */
static EchoValue *unwrapped_or_null(const EchoOp *select)
{
  EchoValue *index = echo_op_operand(select, 2);
  const EchoOp *compare = echo_value_def_or_null(echo_op_operand(select, 0));
  bool is_wrapped = compare != NULL && echo_hlo_opcode(compare) == ECHO_HLO_COMPARE &&
                    echo_stablehlo_compare_direction(compare) == ECHO_COMPARE_LT &&
                    echo_op_operand(compare, 0) == index &&
                    is_splat_of(echo_op_operand(compare, 1), 0);
  return is_wrapped ? index : NULL;
}

/* Whether each element is its own number along dimension `dim`, of size 1: zero. */
static bool is_zero(const EchoValue *value)
{
  while (value != NULL && !is_splat_of(value, 0)) {
    const EchoOp *def = echo_value_def_or_null(value);
    if (def == NULL)
      return false;
    switch (echo_hlo_opcode(def)) {
    case ECHO_HLO_IOTA:
      return echo_type_dim(value->type, (size_t)echo_op_attr_i64(def, "iota_dimension", 0)) == 1;
    case ECHO_HLO_BROADCAST_IN_DIM:
    case ECHO_HLO_RESHAPE:
      value = echo_op_operand(def, 0);
      break;
    case ECHO_HLO_SELECT:
      value = unwrapped_or_null(def);
      break;
    default:
      return false;
    }
  }
  return value != NULL;
}

/* The same for any size. */
static bool counts_along(const EchoValue *value, int64_t dim)
{
  if (echo_type_dim(value->type, (size_t)dim) == 1)
    return is_zero(value);
  while (value != NULL && dim >= 0) {
    const EchoOp *def = echo_value_def_or_null(value);
    const EchoType *type = value->type;
    if (def == NULL)
      return false;
    switch (echo_hlo_opcode(def)) {
    case ECHO_HLO_IOTA:
      return echo_op_attr_i64(def, "iota_dimension", -1) == dim &&
             echo_hlo_counts_to(echo_type_element(type), echo_type_dim(type, (size_t)dim));
    case ECHO_HLO_BROADCAST_IN_DIM:
      dim = unspread_dim(def, dim);
      value = echo_op_operand(def, 0);
      break;
    case ECHO_HLO_RESHAPE:
      dim = unreshaped_dim(echo_op_operand_type(def, 0), type, dim);
      value = echo_op_operand(def, 0);
      break;
    case ECHO_HLO_SELECT:
      value = unwrapped_or_null(def);
      break;
    default:
      return false;
    }
  }
  return false;
}

/* ---- columns that become batching dimensions ---- */

/* The indices' dimension that their column counts along, as long as the operand's; -1: none. */
static int64_t counted_dim(const Indexing *in, const EchoType *indices, const EchoValue *column,
                           int64_t size)
{
  for (int64_t d = 0; d < (int64_t)echo_type_rank(indices); ++d)
    if (d != in->vector_dim && !echo_dim_list_has(in->index_batching, d) &&
        echo_type_dim(indices, (size_t)d) == size && counts_along(column, d))
      return d;
  return -1;
}

static size_t place_of(EchoDimList list, int64_t dim)
{
  size_t i = 0;
  while (i < list.size && list.dims[i] < dim)
    ++i;
  return i;
}

static void insert_dim(int64_t *dims, size_t *n, size_t at, int64_t dim)
{
  memmove(dims + at + 1, dims + at, (*n - at) * sizeof *dims);
  dims[at] = dim;
  ++*n;
}

static void remove_dim(int64_t *dims, size_t *n, int64_t dim)
{
  size_t kept = 0;
  for (size_t i = 0; i < *n; ++i)
    if (dims[i] != dim)
      dims[kept++] = dims[i];
  *n = kept;
}

/* The indices' columns, one a dimension of the operand; NULL when they were not put together. */
static const EchoOp *columns_or_null(const EchoOp *op, const Indexing *in)
{
  const EchoOp *columns = echo_value_def_or_null(echo_op_operand(op, 1));
  if (columns == NULL || echo_hlo_opcode(columns) != ECHO_HLO_CONCATENATE ||
      echo_op_attr_i64(columns, "dimension", -1) != in->vector_dim ||
      columns->n_operands != in->map.size || columns->n_operands > ECHO_MAX_RANK)
    return NULL;
  return columns;
}

bool echo_hlo_batch_counted_indices(EchoRewriter *rewriter, EchoOp *op)
{
  Indexing in = indexing_of(op);
  const EchoDimList map = in.map;
  const EchoType *operand = echo_op_operand_type(op, 0), *indices = echo_op_operand_type(op, 1);
  const EchoOp *columns = columns_or_null(op, &in);
  bool is_scatter = echo_hlo_opcode(op) == ECHO_HLO_SCATTER;
  if (columns == NULL || (is_scatter && op->n_operands != 3) ||
      !echo_type_has_static_shape(operand) || !echo_type_has_static_shape(indices))
    return false;
  int64_t lists[4][ECHO_MAX_RANK];
  EchoDimList *list[4] = {&in.collapsed, &in.operand_batching, &in.index_batching, &in.map};
  for (size_t i = 0; i < 4; ++i) {
    for (size_t k = 0; k < list[i]->size; ++k)
      lists[i][k] = list[i]->dims[k];
    list[i]->dims = lists[i];
  }
  EchoValue *kept[ECHO_MAX_RANK];
  size_t n_kept = 0;
  for (uint32_t c = 0; c < columns->n_operands; ++c) {
    EchoValue *column = echo_op_operand(columns, c);
    int64_t dim = map.dims[c], counted = -1;
    bool is_last = c + 1 == columns->n_operands && n_kept == 0; /* one column stays */
    if (!is_last && echo_dim_list_has(in.collapsed, dim))
      counted = counted_dim(&in, indices, column, echo_type_dim(operand, (size_t)dim));
    if (counted < 0) {
      kept[n_kept++] = column;
      continue;
    }
    size_t at = place_of(in.operand_batching, dim);
    insert_dim(lists[1], &in.operand_batching.size, at, dim);
    insert_dim(lists[2], &in.index_batching.size, at, counted);
    remove_dim(lists[0], &in.collapsed.size, dim);
    remove_dim(lists[3], &in.map.size, dim);
  }
  if (n_kept == columns->n_operands)
    return false;
  EchoValue *rest =
      n_kept == 1 ? kept[0] : echo_hlo_concatenate(&rewriter->builder, kept, n_kept, in.vector_dim);
  echo_op_set_operand(op, 1, rest);
  set_indexing(op, &in);
  echo_rewriter_changed(rewriter, op);
  return true;
}
