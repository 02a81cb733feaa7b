/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads of known places that go through a dimension evenly: x[0], x[0], x[1], x[1], … of an image
 * that is made twice as large, x[0], x[2], x[4], … of one that is made half as large. As a gather
 * each element looks up where it is; as a slice that is broadcast, and reshaped, it is seen. The
 * gradient of the former, a scatter, is a reduction. */
#include "dialects/interfaces/denormals.h"
#include "dialects/interfaces/evaluate.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/canonicalize_t.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/attributes/tensor.h"

/* Indices are known that so many exact ops make, each of so many bytes, of nothing but constants
 * and counts. */
enum { MAX_OPS = 48, MAX_BYTES = 1 << 16 };

typedef struct Known {
  const EchoOp *ops[MAX_OPS];
  EchoTensor *tensors[MAX_OPS]; /* owned; NULL: not yet */
  size_t n;
} Known;

static bool is_plain(const EchoType *type)
{
  uint64_t bytes;
  return echo_type_is_tensor(type) && echo_type_element_kind(type) != ECHO_ELEMENT_NONE &&
         type->as.shaped.encoding == NULL && echo_type_bytes(type, &bytes) && bytes <= MAX_BYTES;
}

/* Whether the op's only result is made of what is known; ops behind what they read. */
static bool list_known(Known *known, const EchoValue *value)
{
  const EchoOp *op = echo_value_def_or_null(value);
  if (op == NULL || op->n_results != 1 || op->n_regions != 0 || !is_plain(value->type))
    return false;
  for (size_t i = 0; i < known->n; ++i)
    if (known->ops[i] == op)
      return true;
  bool is_leaf = echo_value_constant_or_null(value) != NULL || echo_hlo_opcode(op) == ECHO_HLO_IOTA;
  if (!is_leaf && (!echo_op_has_trait(op, ECHO_EXACT) || op->n_operands == 0))
    return false;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (!list_known(known, echo_op_operand(op, i)))
      return false;
  if (known->n == MAX_OPS || op->info->evaluate == NULL)
    return false;
  known->ops[known->n++] = op;
  return true;
}

static EchoTensor *tensor_of(const Known *known, const EchoValue *value)
{
  size_t i = 0;
  while (known->ops[i] != echo_value_def_or_null(value))
    ++i;
  return known->tensors[i];
}

static bool evaluate(Known *known, size_t i)
{
  const EchoOp *op = known->ops[i];
  EchoEvaluator evaluator = {.ctx = echo_op_context(op)};
  const EchoTensor *operands[MAX_OPS];
  if (op->n_operands > MAX_OPS)
    return false;
  for (uint32_t k = 0; k < op->n_operands; ++k)
    operands[k] = tensor_of(known, echo_op_operand(op, k));
  EchoFloatMode before = echo_float_mode_set(echo_op_flushes_denormals(op));
  bool ok = op->info->evaluate(&evaluator, op, operands, &known->tensors[i]);
  echo_float_mode_restore(before);
  return ok;
}

/* The caller destroys it. */
static EchoTensor *known_or_null(const EchoValue *value)
{
  Known known = {.n = 0};
  bool ok = list_known(&known, value);
  for (size_t i = 0; i < known.n && ok; ++i)
    ok = evaluate(&known, i);
  EchoTensor *result = ok ? known.tensors[known.n - 1] : NULL;
  for (size_t i = 0; i < known.n; ++i)
    if (known.tensors[i] != result)
      echo_tensor_destroy(known.tensors[i]);
  return result;
}

/* Place k is first + k / repeats * step, of n_places * repeats of them. */
typedef struct Places {
  int64_t first, step, repeats, n_places;
} Places;

static int64_t place(const EchoTensor *indices, int64_t k, int64_t size)
{
  int64_t index = echo_tensor_get_i64(indices, k);
  bool is_beyond = index < 0 && indices->kind == ECHO_ELEMENT_UI64;
  return is_beyond || index >= size ? size - 1 : index < 0 ? 0 : index;
}

static bool are_inside(const EchoTensor *indices, int64_t size)
{
  bool inside = true;
  for (int64_t k = 0; k < indices->n_elements && inside; ++k)
    inside = echo_tensor_get_i64(indices, k) == place(indices, k, size);
  return inside;
}

/* In a dimension of `size` places: what a gather reads outside of it is its end, what a scatter
 * writes there is nothing. */
static bool find_places(const EchoTensor *indices, int64_t size, bool clamps, Places *places)
{
  int64_t n = indices->n_elements;
  if (!clamps && !are_inside(indices, size))
    return false;
  if (n < 2 || size < 1)
    return false;
  *places = (Places){.first = place(indices, 0, size), .step = 1, .repeats = 1};
  while (places->repeats < n && place(indices, places->repeats, size) == places->first)
    ++places->repeats;
  if (places->repeats < n)
    places->step = place(indices, places->repeats, size) - places->first;
  places->n_places = n / places->repeats;
  bool fits = n % places->repeats == 0 && places->step > 0;
  for (int64_t k = 0; k < n && fits; ++k)
    fits = place(indices, k, size) == places->first + k / places->repeats * places->step;
  return fits;
}

/* What a gather and a scatter of rows call differently: rows of dimension `dim` of the array, whole
 * in all others, by the other operand, in which the indices' dimensions stand in its place. */
typedef struct RowAccess {
  const EchoType *array, *rows;
  EchoDimList offsets, collapsed, batching, map;
  int64_t vector_dim;
  bool clamps;
} RowAccess;

static bool finds_rows(const EchoOp *op, const RowAccess *access, Places *places, int64_t *dim)
{
  const EchoType *indices = echo_op_operand_type(op, 1);
  if (access->map.size != 1 || access->collapsed.size != 1 || access->batching.size != 0 ||
      access->map.dims[0] != access->collapsed.dims[0] ||
      !echo_type_has_static_shape(access->array) || !echo_type_has_static_shape(access->rows) ||
      access->array->as.shaped.encoding != NULL || access->rows->as.shaped.encoding != NULL)
    return false;
  *dim = access->map.dims[0];
  int64_t n_array = (int64_t)echo_type_rank(access->array);
  int64_t n_rows = (int64_t)echo_type_rank(access->rows);
  int64_t n_indices = n_rows - n_array + 1; /* dimensions that stand in for `dim` */
  if (n_indices < 1 || echo_type_static_n_elements(access->rows) == 0)
    return false;
  for (int64_t d = 0; d < n_array; ++d) {
    int64_t at = d < *dim ? d : d - 1 + n_indices;
    if (d != *dim &&
        (!echo_dim_list_has(access->offsets, at) ||
         echo_type_dim(access->array, (size_t)d) != echo_type_dim(access->rows, (size_t)at)))
      return false;
  }
  bool has_vectors = access->vector_dim < (int64_t)echo_type_rank(indices);
  if (has_vectors && access->vector_dim != (int64_t)echo_type_rank(indices) - 1)
    return false;
  EchoTensor *known = known_or_null(echo_op_operand(op, 1));
  bool fits = known != NULL && find_places(known, echo_type_dim(access->array, (size_t)*dim),
                                           access->clamps, places);
  echo_tensor_destroy(known);
  return fits;
}

/* The array's dimensions with `dim` as places and repeats. */
static size_t split_sizes(const EchoType *array, int64_t dim, const Places *places, int64_t *sizes)
{
  size_t n = 0;
  for (size_t d = 0; d < echo_type_rank(array); ++d) {
    sizes[n++] = (int64_t)d == dim ? places->n_places : echo_type_dim(array, d);
    if ((int64_t)d == dim)
      sizes[n++] = places->repeats;
  }
  return n;
}

bool echo_hlo_gather_repeated_rows(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoGatherDims *dims = echo_stablehlo_gather_dims(op);
  const RowAccess access = {echo_op_operand_type(op, 0), echo_op_result_type(op, 0),
                            dims->offset_dims,           dims->collapsed_slice_dims,
                            dims->operand_batching_dims, dims->start_index_map,
                            dims->index_vector_dim,      true};
  Places places;
  int64_t dim;
  if (echo_type_rank(access.array) >= ECHO_MAX_RANK || !finds_rows(op, &access, &places, &dim))
    return false;
  EchoBuilder *b = &rewriter->builder;
  int64_t starts[ECHO_MAX_RANK], limits[ECHO_MAX_RANK], strides[ECHO_MAX_RANK];
  int64_t sizes[ECHO_MAX_RANK], to[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(access.array);
  for (size_t d = 0; d < rank; ++d) {
    bool is_dim = (int64_t)d == dim;
    starts[d] = is_dim ? places.first : 0;
    limits[d] = is_dim ? places.first + (places.n_places - 1) * places.step + 1
                       : echo_type_dim(access.array, d);
    strides[d] = is_dim && places.n_places > 1 ? places.step : 1;
    to[d] = (int64_t)d <= dim ? (int64_t)d : (int64_t)d + 1;
  }
  EchoValue *value = echo_hlo_slice(b, echo_op_operand(op, 0), starts, limits, strides);
  if (places.repeats > 1) {
    size_t n = split_sizes(access.array, dim, &places, sizes);
    const EchoType *type = echo_hlo_tensor(b->ctx, sizes, n, echo_type_element(access.array));
    value = echo_hlo_broadcast_in_dim(b, value, type, to, rank);
  }
  value = echo_hlo_reshape(b, value, access.rows->as.shaped.dims, echo_type_rank(access.rows));
  echo_rewriter_replace(rewriter, op, &value);
  return true;
}

static bool is_zero(const EchoValue *value)
{
  const EchoAttr *constant = echo_value_constant_or_null(value);
  if (constant == NULL || constant->kind != ECHO_ATTR_DENSE_ELEMENTS ||
      !constant->as.elements.is_splat)
    return false;
  if (!echo_element_is_float(echo_type_element_kind(constant->type)))
    return echo_elements_i64(constant, 0) == 0;
  double number = echo_elements_f64(constant, 0), zero = 0.0;
  return memcmp(&number, &zero, sizeof zero) == 0; /* not -0 */
}

/* Two rows added to each of zeros: 0 + (a + b), which is (0 + a) + b to the bit. Of more, the order
 * would be another. */
bool echo_hlo_scatter_repeated_rows(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoScatterDims *dims = echo_stablehlo_scatter_dims(op);
  if (op->n_operands != 3 || echo_hlo_combiner(&op->regions[0]) != ECHO_HLO_ADD ||
      !is_zero(echo_op_operand(op, 0)))
    return false;
  const RowAccess access = {echo_op_operand_type(op, 0), echo_op_operand_type(op, 2),
                            dims->update_window_dims,    dims->inserted_window_dims,
                            dims->input_batching_dims,   dims->scatter_dims_to_operand_dims,
                            dims->index_vector_dim,      false};
  Places places;
  int64_t dim, sizes[ECHO_MAX_RANK];
  if (echo_type_rank(access.array) >= ECHO_MAX_RANK || !finds_rows(op, &access, &places, &dim) ||
      places.repeats != 2 || places.step != 1 ||
      places.n_places != echo_type_dim(access.array, (size_t)dim))
    return false;
  EchoBuilder *b = &rewriter->builder;
  size_t n = split_sizes(access.array, dim, &places, sizes);
  const int64_t repeats = dim + 1;
  EchoValue *value = echo_hlo_reshape(b, echo_op_operand(op, 2), sizes, n);
  value = echo_hlo_reduce_sum(b, value, &repeats, 1);
  echo_rewriter_replace(rewriter, op, &value);
  return true;
}
