/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* @cpu_csr_sparse_dense_ffi, which JAX calls on a CPU for a matrix of compressed rows (BCSR) times
 * a dense matrix or vector, as a scatter: elements times the rows of the other that they meet,
 * added up in the order of the elements. */
#include "lowering/calls/custom_calls_t.h"
#include "lowering/model/chlo_to_stablehlo_t.h"
#include "lowering/model/lapack_calls_t.h"

/* What is handed over: element e stands in column columns[e], row i's are [ends[i], ends[i + 1]).
 */
typedef struct Product {
  EchoValue *elements, *columns, *ends, *dense;
  const EchoType *result;
} Product;

static bool is_list(const EchoType *type, int64_t n)
{
  return echo_type_rank(type) == 1 && echo_type_dim(type, 0) == n;
}

/* All values row by row in memory. */
static bool lies_by_rows(const EchoOp *op)
{
  int64_t order[ECHO_MAX_RANK];
  for (uint32_t i = 0; i < op->n_operands + op->n_results; i++) {
    const bool is_operand = i < op->n_operands;
    const uint32_t at = is_operand ? i : i - op->n_operands;
    const EchoType *type = is_operand ? echo_op_operand_type(op, at) : echo_op_result_type(op, at);
    if (!echo_layout_order(op, is_operand ? "operand_layouts" : "result_layouts", at,
                           echo_type_rank(type), order))
      return false;
    for (size_t d = 0; d < echo_type_rank(type); d++)
      if (order[d] != (int64_t)d)
        return false;
  }
  return true;
}

/* False where it has other shapes or types than the call can have. */
static bool read_product(const EchoOp *op, Product *product)
{
  if (op->n_operands != 4 || op->n_results != 1)
    return false;
  *product = (Product){echo_op_operand(op, 0), echo_op_operand(op, 1), echo_op_operand(op, 2),
                       echo_op_operand(op, 3), op->results[0].type};
  const EchoType *columns = product->columns->type, *dense = product->dense->type;
  const EchoType *element = echo_type_element(dense), *index = echo_type_element(columns);
  const size_t rank = echo_type_rank(dense);
  return echo_type_rank(columns) == 1 && (rank == 1 || rank == 2) &&
         echo_type_rank(product->result) == rank &&
         is_list(product->elements->type, echo_type_dim(columns, 0)) &&
         is_list(product->ends->type, echo_type_dim(product->result, 0) + 1) &&
         echo_type_element(product->ends->type) == index && index->kind == ECHO_TYPE_INTEGER &&
         echo_type_element(product->elements->type) == element &&
         echo_type_element(product->result) == element &&
         (rank == 1 || echo_type_dim(dense, 1) == echo_type_dim(product->result, 1));
}

/* The row of each element: how many rows have begun by then, less one. What stands behind the last
 * row's end comes out behind the last row, what stands before the first in front of it: in none. */
static EchoValue *rows_of(EchoBuilder *b, const Product *product)
{
  static const int64_t FIRST = 0;
  const EchoType *type = product->columns->type;
  const int64_t n = echo_type_dim(type, 0), n_ends = echo_type_dim(product->ends->type, 0);
  const int64_t list[] = {n_ends, 1};
  const EchoScatterDims dims = {.inserted_window_dims = {&FIRST, 1},
                                .scatter_dims_to_operand_dims = {&FIRST, 1},
                                .index_vector_dim = 1};
  EchoValue *begin = echo_hlo_scatter(
      b, echo_hlo_constant_i64(b, type, 0), echo_hlo_reshape(b, product->ends, list, 2),
      echo_hlo_constant_i64(b, product->ends->type, 1), &dims, "stablehlo.add", true, false);
  const EchoWindowDim window = {
      .size = n, .stride = 1, .padding_low = n - 1, .base_dilation = 1, .window_dilation = 1};
  EchoValue *zero = echo_hlo_scalar_i64(b, echo_type_element(type), 0);
  EchoValue *begun = echo_hlo_reduce_window(b, begin, zero, &window, "stablehlo.add");
  return echo_hlo_subtract(b, begun, echo_hlo_constant_i64(b, type, 1));
}

static bool lower_call(EchoBuilder *b, const EchoOp *op, EchoValue **results)
{
  static const int64_t FIRST = 0, SECOND = 1;
  Product product;
  if (!echo_str_is(echo_op_attr_string(op, "call_target_name"), "cpu_csr_sparse_dense_ffi") ||
      !read_product(op, &product) || !lies_by_rows(op))
    return false;
  results[0] = echo_chlo_zeros(b, product.result);
  const int64_t n = echo_type_dim(product.columns->type, 0), list[] = {n, 1};
  if (n == 0)
    return true;
  const size_t n_window = echo_type_rank(product.result) - 1;
  const int64_t sizes[] = {1, n_window != 0 ? echo_type_dim(product.result, 1) : 1};
  const EchoDimList window = {&SECOND, n_window}, first = {&FIRST, 1};
  const EchoGatherDims gather = {.offset_dims = window,
                                 .collapsed_slice_dims = first,
                                 .start_index_map = first,
                                 .index_vector_dim = 1};
  EchoValue *met = echo_hlo_gather(b, product.dense, echo_hlo_reshape(b, product.columns, list, 2),
                                   &gather, sizes, false);
  EchoValue *terms = echo_hlo_multiply(
      b, echo_hlo_broadcast_in_dim(b, product.elements, met->type, &FIRST, 1), met);
  const EchoScatterDims scatter = {.update_window_dims = window,
                                   .inserted_window_dims = first,
                                   .scatter_dims_to_operand_dims = first,
                                   .index_vector_dim = 1};
  results[0] = echo_hlo_scatter(b, results[0], echo_hlo_reshape(b, rows_of(b, &product), list, 2),
                                terms, &scatter, "stablehlo.add", true, false);
  return true;
}

static bool lower_sparse_call(EchoRewriter *rewriter, EchoOp *op)
{
  return echo_replace_call(rewriter, op, lower_call);
}

const EchoPattern ECHO_SPARSE_CALLS_PATTERNS[] = {
    {"stablehlo.custom_call", 0, lower_sparse_call, "a scatter"},
};
const size_t ECHO_N_SPARSE_CALLS_PATTERNS =
    sizeof ECHO_SPARSE_CALLS_PATTERNS / sizeof ECHO_SPARSE_CALLS_PATTERNS[0];
