/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shapes of ops that move or create elements: broadcast, concatenate, constant, iota, pad, reshape,
 * reverse, slice, transpose. */
#include "dialects/stablehlo/infer/infer_t.h"

static const char *text(const EchoOpState *state, const EchoType *type)
{
  return echo_type_text(state->ctx, type);
}

static bool check_dimension(const EchoOpState *state, int64_t dimension, const EchoType *type)
{
  uint32_t rank = echo_type_rank(type);
  return (dimension >= 0 && dimension < (int64_t)rank) ||
         echo_hlo_error(state, "dimension %lld is out of range [0, %u)", (long long)dimension,
                        rank);
}

bool echo_hlo_infer_broadcast(const EchoOpState *state, const EchoRegion *regions,
                              const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *operand = echo_hlo_state_tensor_or_null(state, 0);
  if (operand == NULL)
    return false;
  EchoDimList sizes = echo_hlo_state_dims(state, "broadcast_sizes");
  size_t rank = sizes.size + echo_type_rank(operand);
  int64_t dims[ECHO_MAX_RANK];
  if (rank > ECHO_MAX_RANK)
    return echo_hlo_error(state, "result has more than %d dimensions", ECHO_MAX_RANK);
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = i < sizes.size ? sizes.dims[i] : echo_type_dim(operand, i - sizes.size);
    if (dims[i] < 0 && dims[i] != ECHO_DYNAMIC)
      return echo_hlo_error(state, "broadcast_sizes has negative size %lld", (long long)dims[i]);
  }
  return echo_hlo_infer_shape(state, operand, dims, rank, types, n_types);
}

/* Operand dimension i goes to result dimension map[i]; sizes are equal or the operand's is 1. */
static bool check_broadcast(const EchoOp *op, const EchoOpState *state, const EchoType *operand,
                            EchoDimList map)
{
  const EchoType *result = echo_op_result_type(op, 0);
  if (!echo_hlo_elements_agree(operand, result))
    return echo_op_error(op, "requires the same element type for operand and result");
  if (!echo_hlo_check_size(state, map.size, echo_type_rank(operand), "broadcast_dimensions") ||
      !echo_hlo_check_dims(state, map, echo_type_rank(result), "broadcast_dimensions"))
    return false;
  for (size_t i = 0; i < map.size; ++i) {
    int64_t from = echo_type_dim(operand, i), to = echo_type_dim(result, (size_t)map.dims[i]);
    if (from != 1 && !echo_hlo_dims_agree(from, to))
      return echo_op_error(
          op,
          "size of operand dimension %zu (%lld) is not 1 and not the size of result "
          "dimension %lld (%lld)",
          i, (long long)from, (long long)map.dims[i], (long long)to);
  }
  return echo_hlo_check_quantized_broadcast(op, map);
}

bool echo_hlo_verify_broadcast_in_dim(const EchoOp *op)
{
  EchoValue **operands;
  EchoOpState state = echo_hlo_state_of(op, &operands);
  bool ok = check_broadcast(op, &state, echo_op_operand_type(op, 0),
                            echo_hlo_state_dims(&state, "broadcast_dimensions"));
  echo_free(operands);
  return ok;
}

/* A 1-dimensional operand that gives the result's shape has as many entries as the result
 * dimensions. */
static bool check_shape_operand(const EchoOp *op, size_t operand)
{
  int64_t size = echo_type_dim(echo_op_operand_type(op, operand), 0);
  const EchoType *result = echo_op_result_type(op, 0);
  return echo_hlo_dims_agree(size, echo_type_rank(result)) ||
         echo_op_error(op, "operand #%zu has %lld entries for a result of rank %u", operand,
                       (long long)size, echo_type_rank(result));
}

bool echo_hlo_verify_dynamic_broadcast_in_dim(const EchoOp *op)
{
  EchoValue **operands;
  EchoOpState state = echo_hlo_state_of(op, &operands);
  EchoDimList map = echo_hlo_state_dims(&state, "broadcast_dimensions");
  bool ok = check_shape_operand(op, 1) && echo_hlo_check_said_shape(op, 1) &&
            check_broadcast(op, &state, echo_op_operand_type(op, 0), map) &&
            echo_hlo_check_said_broadcast(op, 1, map);
  EchoDimList expanding = echo_hlo_state_dims(&state, "known_expanding_dimensions");
  EchoDimList others = echo_hlo_state_dims(&state, "known_nonexpanding_dimensions");
  int64_t rank = echo_type_rank(echo_op_operand_type(op, 0));
  ok = ok && echo_hlo_check_dims(&state, expanding, rank, "known_expanding_dimensions") &&
       echo_hlo_check_dims(&state, others, rank, "known_nonexpanding_dimensions");
  for (size_t i = 0; ok && i < expanding.size; ++i)
    if (echo_dim_list_has(others, expanding.dims[i]))
      ok = echo_op_error(op, "dimension %lld is known to expand and not to",
                         (long long)expanding.dims[i]);
  echo_free(operands);
  return ok;
}

bool echo_hlo_infer_concatenate(const EchoOpState *state, const EchoRegion *regions,
                                const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *first = echo_hlo_state_tensor_or_null(state, 0);
  if (first == NULL)
    return false;
  int64_t dimension = echo_hlo_state_i64(state, "dimension", -1);
  size_t rank = echo_type_rank(first);
  if (!check_dimension(state, dimension, first))
    return false;
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0; d < rank; ++d)
    dims[d] = echo_type_dim(first, d);
  for (size_t i = 1; i < state->n_operands; ++i) {
    const EchoType *type = echo_hlo_state_tensor_or_null(state, i);
    if (type == NULL)
      return false;
    if (!echo_hlo_elements_agree(first, type) || echo_type_rank(type) != rank)
      return echo_hlo_error(state,
                            "operands #0 and #%zu differ in rank or element type: '%s', '%s'", i,
                            text(state, first), text(state, type));
    for (size_t d = 0; d < rank; ++d) {
      int64_t size = echo_type_dim(type, d);
      if ((int64_t)d == dimension) {
        if (dims[d] == ECHO_DYNAMIC || size == ECHO_DYNAMIC)
          dims[d] = ECHO_DYNAMIC;
        else if (__builtin_add_overflow(dims[d], size, &dims[d]))
          return echo_hlo_error(state, "the size of the concatenated dimension overflows");
      } else if (!echo_hlo_dims_agree(dims[d], size)) {
        return echo_hlo_error(state, "operands #0 and #%zu differ in dimension %zu: '%s', '%s'", i,
                              d, text(state, first), text(state, type));
      } else {
        dims[d] = echo_hlo_merge_dim(dims[d], size);
      }
    }
  }
  return echo_hlo_infer_shape(state, first, dims, rank, types, n_types);
}

bool echo_hlo_infer_constant(const EchoOpState *state, const EchoRegion *regions,
                             const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoAttr *value = echo_hlo_state_attr_or_null(state, "value");
  if (value == NULL || value->type == NULL)
    return echo_hlo_error(state, "requires attribute 'value'");
  return echo_hlo_infer_one(types, n_types, value->type);
}

bool echo_hlo_verify_iota(const EchoOp *op)
{
  int64_t dimension = echo_op_attr_i64(op, "iota_dimension", 0);
  uint32_t rank = echo_type_rank(echo_op_result_type(op, 0));
  if (rank == 0)
    return echo_op_error(op, "result must have at least one dimension");
  return dimension < (int64_t)rank ||
         echo_op_error(op, "iota_dimension %lld is out of range [0, %u)", (long long)dimension,
                       rank);
}

bool echo_hlo_verify_dynamic_iota(const EchoOp *op)
{
  return check_shape_operand(op, 0) && echo_hlo_check_said_shape(op, 0) && echo_hlo_verify_iota(op);
}

bool echo_hlo_infer_pad(const EchoOpState *state, const EchoRegion *regions, const EchoType **types,
                        size_t *n_types)
{
  (void)regions;
  const EchoType *operand, *value;
  if (!echo_hlo_state_tensor_pair(state, &operand, &value))
    return false;
  if (value == NULL)
    return false;
  EchoDimList low = echo_hlo_state_dims(state, "edge_padding_low");
  EchoDimList high = echo_hlo_state_dims(state, "edge_padding_high");
  EchoDimList interior = echo_hlo_state_dims(state, "interior_padding");
  size_t rank = echo_type_rank(operand);
  if (!echo_hlo_elements_agree(operand, value))
    return echo_hlo_error(state, "padding value '%s' is not of the element type of '%s'",
                          text(state, value), text(state, operand));
  if (!echo_hlo_check_size(state, low.size, rank, "edge_padding_low") ||
      !echo_hlo_check_size(state, high.size, rank, "edge_padding_high") ||
      !echo_hlo_check_size(state, interior.size, rank, "interior_padding"))
    return false;
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0; d < rank; ++d) {
    int64_t size = echo_type_dim(operand, d), holes = 0, between;
    if (interior.dims[d] < 0)
      return echo_hlo_error(state, "interior_padding must not be negative, got %lld",
                            (long long)interior.dims[d]);
    dims[d] = ECHO_DYNAMIC;
    if (size == ECHO_DYNAMIC)
      continue;
    if (!echo_mul_i64(size > 1 ? size - 1 : 0, interior.dims[d], &holes) ||
        __builtin_add_overflow(size, holes, &between) ||
        __builtin_add_overflow(between, low.dims[d], &between) ||
        __builtin_add_overflow(between, high.dims[d], &dims[d]))
      return echo_hlo_error(state, "the size of padded dimension %zu overflows", d);
    if (dims[d] < 0)
      return echo_hlo_error(state, "padding makes the size of dimension %zu negative (%lld)", d,
                            (long long)dims[d]);
  }
  return echo_hlo_infer_shape(state, operand, dims, rank, types, n_types);
}

bool echo_hlo_verify_dynamic_pad(const EchoOp *op)
{
  const EchoType *operand = echo_op_operand_type(op, 0), *result = echo_op_result_type(op, 0);
  if (echo_type_rank(operand) != echo_type_rank(result) ||
      !echo_hlo_elements_agree(operand, result) ||
      !echo_hlo_elements_agree(operand, echo_op_operand_type(op, 1)))
    return echo_op_error(op, "operand, padding value and result differ in rank or element type");
  for (size_t i = 2; i < 5; ++i)
    if (!check_shape_operand(op, i))
      return false;
  return echo_hlo_check_said_padding(op);
}

bool echo_hlo_verify_reshape(const EchoOp *op)
{
  const EchoType *operand = echo_op_operand_type(op, 0), *result = echo_op_result_type(op, 0);
  int64_t from, to;
  if (!echo_hlo_elements_agree(operand, result))
    return echo_op_error(op, "requires the same element type for operand and result");
  if (!echo_hlo_check_quantized_reshape(op))
    return false;
  if (!echo_type_has_static_shape(operand) || !echo_type_has_static_shape(result))
    return true;
  if (!echo_type_n_elements(operand, &from) || !echo_type_n_elements(result, &to))
    return echo_op_error(op, "the number of elements overflows");
  return from == to || echo_op_error(op, "operand has %lld elements, result has %lld",
                                     (long long)from, (long long)to);
}

bool echo_hlo_verify_dynamic_reshape(const EchoOp *op)
{
  if (!echo_hlo_elements_agree(echo_op_operand_type(op, 0), echo_op_result_type(op, 0)))
    return echo_op_error(op, "requires the same element type for operand and result");
  return echo_hlo_check_quantized_reshape(op) && check_shape_operand(op, 1) &&
         echo_hlo_check_said_shape(op, 1) && echo_hlo_check_said_count(op, 1);
}

bool echo_hlo_infer_reverse(const EchoOpState *state, const EchoRegion *regions,
                            const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *operand = echo_hlo_state_tensor_or_null(state, 0);
  return operand != NULL &&
         echo_hlo_check_dims(state, echo_hlo_state_dims(state, "dimensions"),
                             echo_type_rank(operand), "dimensions") &&
         echo_hlo_infer_one(types, n_types, operand);
}

bool echo_hlo_infer_slice(const EchoOpState *state, const EchoRegion *regions,
                          const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *operand = echo_hlo_state_tensor_or_null(state, 0);
  if (operand == NULL)
    return false;
  EchoDimList start = echo_hlo_state_dims(state, "start_indices");
  EchoDimList limit = echo_hlo_state_dims(state, "limit_indices");
  EchoDimList stride = echo_hlo_state_dims(state, "strides");
  size_t rank = echo_type_rank(operand);
  if (!echo_hlo_check_size(state, start.size, rank, "start_indices") ||
      !echo_hlo_check_size(state, limit.size, rank, "limit_indices") ||
      !echo_hlo_check_size(state, stride.size, rank, "strides"))
    return false;
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0; d < rank; ++d) {
    int64_t size = echo_type_dim(operand, d), from = start.dims[d], to = limit.dims[d];
    if (stride.dims[d] <= 0)
      return echo_hlo_error(state, "stride %lld of dimension %zu is not positive",
                            (long long)stride.dims[d], d);
    if (from < 0 || from > to || (size != ECHO_DYNAMIC && to > size))
      return echo_hlo_error(state, "[%lld, %lld) is not a range in dimension %zu of '%s'",
                            (long long)from, (long long)to, d, text(state, operand));
    dims[d] = (to - from) / stride.dims[d] + ((to - from) % stride.dims[d] != 0);
  }
  return echo_hlo_infer_shape(state, operand, dims, rank, types, n_types);
}

bool echo_hlo_infer_transpose(const EchoOpState *state, const EchoRegion *regions,
                              const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *operand = echo_hlo_state_tensor_or_null(state, 0);
  if (operand == NULL)
    return false;
  EchoDimList permutation = echo_hlo_state_dims(state, "permutation");
  size_t rank = echo_type_rank(operand);
  if (!echo_hlo_check_size(state, permutation.size, rank, "permutation") ||
      !echo_hlo_check_dims(state, permutation, (int64_t)rank, "permutation"))
    return false;
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0; d < rank; ++d)
    dims[d] = echo_type_dim(operand, (size_t)permutation.dims[d]);
  return echo_hlo_infer_shape(state, operand, dims, rank, types, n_types);
}

bool echo_hlo_infer_get_dimension_size(const EchoOpState *state, const EchoRegion *regions,
                                       const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *operand = echo_hlo_state_tensor_or_null(state, 0);
  int64_t dimension = echo_hlo_state_i64(state, "dimension", 0);
  if (operand == NULL || !check_dimension(state, dimension, operand))
    return false;
  return echo_hlo_infer_one(types, n_types,
                            echo_hlo_make_tensor(state, NULL, 0, echo_type_i32(state->ctx)));
}

bool echo_hlo_infer_set_dimension_size(const EchoOpState *state, const EchoRegion *regions,
                                       const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *operand = echo_hlo_state_tensor_or_null(state, 0);
  int64_t dimension = echo_hlo_state_i64(state, "dimension", 0);
  if (operand == NULL || !check_dimension(state, dimension, operand))
    return false;
  if (echo_type_rank(echo_hlo_state_type(state, 1)) != 0)
    return echo_hlo_error(state, "size must be a scalar, but got '%s'",
                          text(state, echo_hlo_state_type(state, 1)));
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(operand); ++d)
    dims[d] = (int64_t)d == dimension ? ECHO_DYNAMIC : echo_type_dim(operand, d);
  return echo_hlo_infer_shape(state, operand, dims, echo_type_rank(operand), types, n_types);
}

bool echo_hlo_verify_real_dynamic_slice(const EchoOp *op)
{
  const EchoType *operand = echo_op_operand_type(op, 0), *result = echo_op_result_type(op, 0);
  if (echo_type_rank(operand) != echo_type_rank(result) ||
      !echo_hlo_elements_agree(operand, result))
    return echo_op_error(op, "operand and result differ in rank or element type");
  for (size_t i = 1; i < 4; ++i)
    if (!check_shape_operand(op, i))
      return false;
  return true;
}
