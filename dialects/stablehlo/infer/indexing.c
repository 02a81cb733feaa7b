/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shapes of ops whose places come from operands: dynamic_slice, dynamic_update_slice, gather,
 * scatter. Numbers in comments are the constraints of the specification. */
#include "dialects/stablehlo/infer/infer_t.h"

static const char *text(const EchoOpState *state, const EchoType *type)
{
  return echo_type_text(state->ctx, type);
}

/* One integer scalar a dimension, all of one type. */
static bool check_starts(const EchoOpState *state, size_t first, size_t rank)
{
  if (state->n_operands - first != rank)
    return echo_hlo_error(state, "has %zu start indices for an operand of rank %zu",
                          state->n_operands - first, rank);
  for (size_t i = first + 1; i < state->n_operands; ++i)
    if (echo_hlo_state_type(state, i) != echo_hlo_state_type(state, first))
      return echo_hlo_error(state, "start indices have different types: '%s', '%s'",
                            text(state, echo_hlo_state_type(state, first)),
                            text(state, echo_hlo_state_type(state, i)));
  return true;
}

bool echo_hlo_infer_dynamic_slice(const EchoOpState *state, const EchoRegion *regions,
                                  const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *operand = echo_hlo_state_tensor_or_null(state, 0);
  EchoDimList sizes = echo_hlo_state_dims(state, "slice_sizes");
  if (operand == NULL || !check_starts(state, 1, echo_type_rank(operand)) ||
      !echo_hlo_check_size(state, sizes.size, echo_type_rank(operand), "slice_sizes"))
    return false;
  for (size_t d = 0; d < sizes.size; ++d) {
    int64_t whole = echo_type_dim(operand, d);
    if (sizes.dims[d] < 0 || (whole != ECHO_DYNAMIC && sizes.dims[d] > whole))
      return echo_hlo_error(state, "slice size %lld of dimension %zu is not in [0, %lld]",
                            (long long)sizes.dims[d], d, (long long)whole);
  }
  return echo_hlo_infer_one(
      types, n_types,
      echo_hlo_make_tensor(state, sizes.dims, sizes.size, operand->as.shaped.element));
}

bool echo_hlo_infer_dynamic_update_slice(const EchoOpState *state, const EchoRegion *regions,
                                         const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *operand, *update;
  if (!echo_hlo_state_tensor_pair(state, &operand, &update) ||
      !check_starts(state, 2, echo_type_rank(operand)))
    return false;
  if (echo_type_rank(update) != echo_type_rank(operand) ||
      !echo_hlo_elements_agree(operand, update))
    return echo_hlo_error(state, "operand and update differ in rank or element type: '%s', '%s'",
                          text(state, operand), text(state, update));
  for (size_t d = 0; d < echo_type_rank(operand); ++d) {
    int64_t size = echo_type_dim(update, d), whole = echo_type_dim(operand, d);
    if (size != ECHO_DYNAMIC && whole != ECHO_DYNAMIC && size > whole)
      return echo_hlo_error(state, "update is larger than the operand in dimension %zu: '%s', '%s'",
                            d, text(state, update), text(state, operand));
  }
  return echo_hlo_infer_one(types, n_types, operand);
}

/* What gather and scatter have in common: the operand's dimensions are window dimensions,
 * dimensions left out of windows, or batching dimensions; index vectors lie along index_vector_dim
 * of the indices. */
typedef struct Indexing {
  const EchoType *operand, *indices;
  EchoDimList windows;          /* offset_dims, update_window_dims: of the result or updates */
  EchoDimList left_out;         /* collapsed_slice_dims, inserted_window_dims */
  EchoDimList operand_batching; /* operand_batching_dims, input_batching_dims */
  EchoDimList indices_batching;
  EchoDimList index_map; /* start_index_map, scatter_dims_to_operand_dims */
  int64_t vector_dim;
} Indexing;

static bool check_disjoint(const EchoOpState *state, EchoDimList a, EchoDimList b, const char *what)
{
  for (size_t i = 0; i < a.size; ++i)
    if (echo_dim_list_has(b, a.dims[i]))
      return echo_hlo_error(state, "dimension %lld is both %s", (long long)a.dims[i], what);
  return true;
}

static bool check_batching(const EchoOpState *state, const Indexing *in)
{
  if (in->operand_batching.size != in->indices_batching.size)
    return echo_hlo_error(state,
                          "has %zu batching dimensions of the operand, but %zu of the indices",
                          in->operand_batching.size, in->indices_batching.size);
  for (size_t i = 0; i < in->operand_batching.size; ++i) {
    int64_t a = echo_type_dim(in->operand, (size_t)in->operand_batching.dims[i]);
    int64_t b = echo_type_dim(in->indices, (size_t)in->indices_batching.dims[i]);
    if (!echo_hlo_dims_agree(a, b))
      return echo_hlo_error(state,
                            "batching dimension %zu has size %lld in the operand, %lld in the "
                            "indices",
                            i, (long long)a, (long long)b);
  }
  return true;
}

static bool check_indexing(const EchoOpState *state, const Indexing *in)
{
  int64_t rank = echo_type_rank(in->operand), indices_rank = echo_type_rank(in->indices);
  if ((size_t)rank != in->windows.size + in->left_out.size + in->operand_batching.size)
    return echo_hlo_error(state,
                          "rank %lld of the operand is not the number of window, left out and "
                          "batching dimensions (%zu + %zu + %zu)",
                          (long long)rank, in->windows.size, in->left_out.size,
                          in->operand_batching.size);
  if (in->vector_dim < 0 || in->vector_dim > indices_rank)
    return echo_hlo_error(state, "index_vector_dim %lld is out of range [0, %lld]",
                          (long long)in->vector_dim, (long long)indices_rank);
  if (!echo_hlo_check_dims(state, in->left_out, rank, "list of left out dimensions") ||
      !echo_hlo_check_ascending(state, in->left_out, "list of left out dimensions") ||
      !echo_hlo_check_dims(state, in->operand_batching, rank, "list of batching dimensions") ||
      !echo_hlo_check_ascending(state, in->operand_batching, "list of batching dimensions") ||
      !echo_hlo_check_dims(state, in->indices_batching, indices_rank,
                           "list of batching dimensions of the indices") ||
      !echo_hlo_check_dims(state, in->index_map, rank, "index map") ||
      !check_disjoint(state, in->left_out, in->operand_batching, "left out and batching") ||
      !check_disjoint(state, in->index_map, in->operand_batching, "indexed and batching"))
    return false;
  if (echo_dim_list_has(in->indices_batching, in->vector_dim))
    return echo_hlo_error(state, "index_vector_dim %lld is a batching dimension",
                          (long long)in->vector_dim);
  int64_t vector_size =
      in->vector_dim < indices_rank ? echo_type_dim(in->indices, (size_t)in->vector_dim) : 1;
  if (!echo_hlo_dims_agree(vector_size, (int64_t)in->index_map.size))
    return echo_hlo_error(state, "index vectors have %lld entries, the index map has %zu",
                          (long long)vector_size, in->index_map.size);
  return check_batching(state, in);
}

/* Dimensions of the indices without the index vector's. */
static size_t batch_sizes(const Indexing *in, int64_t *sizes)
{
  size_t n = 0;
  for (size_t d = 0; d < echo_type_rank(in->indices); ++d)
    if ((int64_t)d != in->vector_dim)
      sizes[n++] = echo_type_dim(in->indices, d);
  return n;
}

static bool infer_gather_with(const EchoOpState *state, EchoDimList sizes, const EchoType **types,
                              size_t *n_types)
{
  const EchoHloPayload *payload =
      echo_hlo_state_payload_or_null(state, "dimension_numbers", ECHO_HLO_ATTR_GATHER);
  Indexing in = {.operand = echo_hlo_state_tensor_or_null(state, 0),
                 .indices = echo_hlo_state_tensor_or_null(state, 1)};
  if (payload == NULL || in.operand == NULL || in.indices == NULL)
    return false;
  const EchoGatherDims *dims = &payload->as.gather;
  in.windows = dims->offset_dims;
  in.left_out = dims->collapsed_slice_dims;
  in.operand_batching = dims->operand_batching_dims;
  in.indices_batching = dims->start_indices_batching_dims;
  in.index_map = dims->start_index_map;
  in.vector_dim = dims->index_vector_dim;
  if (!check_indexing(state, &in) ||
      !echo_hlo_check_size(state, sizes.size, echo_type_rank(in.operand), "slice_sizes"))
    return false;
  int64_t batch[ECHO_MAX_RANK], result[ECHO_MAX_RANK];
  size_t n_batch = batch_sizes(&in, batch), rank = n_batch + in.windows.size;
  if (rank > ECHO_MAX_RANK)
    return echo_hlo_error(state, "result has more than %d dimensions", ECHO_MAX_RANK);
  if (!echo_hlo_check_dims(state, in.windows, (int64_t)rank, "offset_dims") ||
      !echo_hlo_check_ascending(state, in.windows, "offset_dims"))
    return false;
  size_t next_window = 0, next_batch = 0;
  for (size_t d = 0; d < sizes.size; ++d) {
    int64_t whole = echo_type_dim(in.operand, d), size = sizes.dims[d];
    bool no_window = echo_dim_list_has(in.left_out, (int64_t)d) ||
                     echo_dim_list_has(in.operand_batching, (int64_t)d);
    if (size != ECHO_DYNAMIC && (size < 0 || (whole != ECHO_DYNAMIC && size > whole)))
      return echo_hlo_error(state, "slice size %lld of dimension %zu is not in [0, %lld]",
                            (long long)size, d, (long long)whole);
    if (no_window && size > 1)
      return echo_hlo_error(state,
                            "slice size %lld of collapsed or batching dimension %zu is not 0 or 1",
                            (long long)size, d);
    if (!no_window)
      result[in.windows.dims[next_window++]] = size;
  }
  for (size_t d = 0; d < rank; ++d)
    if (!echo_dim_list_has(in.windows, (int64_t)d))
      result[d] = batch[next_batch++];
  return echo_hlo_infer_one(
      types, n_types, echo_hlo_make_tensor(state, result, rank, in.operand->as.shaped.element));
}

bool echo_hlo_infer_gather(const EchoOpState *state, const EchoRegion *regions,
                           const EchoType **types, size_t *n_types)
{
  (void)regions;
  return infer_gather_with(state, echo_hlo_state_dims(state, "slice_sizes"), types, n_types);
}

bool echo_hlo_verify_dynamic_gather(const EchoOp *op)
{
  EchoValue **operands;
  EchoOpState state = echo_hlo_state_of(op, &operands);
  const EchoType *type = NULL;
  size_t n_types = 1;
  int64_t sizes[ECHO_MAX_RANK];
  int64_t n = echo_type_dim(echo_op_operand_type(op, 2), 0);
  size_t n_said;
  if (!echo_hlo_constant_dims(op, 2, sizes, &n_said))
    for (size_t i = 0; i < ECHO_MAX_RANK; ++i)
      sizes[i] = ECHO_DYNAMIC;
  bool ok = (n >= 0 && n <= ECHO_MAX_RANK) || echo_op_error(op, "slice_sizes has a wrong shape");
  ok = ok && infer_gather_with(&state, (EchoDimList){sizes, (size_t)n}, &type, &n_types);
  if (ok && !echo_hlo_types_agree(type, echo_op_result_type(op, 0)))
    ok = echo_op_error(op, "result has type '%s', inferred '%s'",
                       echo_type_text(state.ctx, echo_op_result_type(op, 0)),
                       echo_type_text(state.ctx, type));
  echo_free(operands);
  return ok;
}

/* updates[i]: scatter dimensions as in the indices, window dimensions no larger than the operand's.
 */
static bool check_updates(const EchoOpState *state, const Indexing *in, const EchoType *updates)
{
  int64_t batch[ECHO_MAX_RANK];
  size_t n_batch = batch_sizes(in, batch), rank = echo_type_rank(updates);
  if (rank != n_batch + in->windows.size)
    return echo_hlo_error(state,
                          "updates of rank %zu have not %zu scatter and %zu window dimensions",
                          rank, n_batch, in->windows.size);
  if (!echo_hlo_check_dims(state, in->windows, (int64_t)rank, "update_window_dims") ||
      !echo_hlo_check_ascending(state, in->windows, "update_window_dims"))
    return false;
  size_t next_window = 0, next_batch = 0;
  for (size_t d = 0; d < echo_type_rank(in->operand); ++d) {
    if (echo_dim_list_has(in->left_out, (int64_t)d) ||
        echo_dim_list_has(in->operand_batching, (int64_t)d))
      continue;
    int64_t size = echo_type_dim(updates, (size_t)in->windows.dims[next_window++]);
    int64_t whole = echo_type_dim(in->operand, d);
    if (size != ECHO_DYNAMIC && whole != ECHO_DYNAMIC && size > whole)
      return echo_hlo_error(state,
                            "update window is larger than the operand in dimension %zu (%lld > "
                            "%lld)",
                            d, (long long)size, (long long)whole);
  }
  for (size_t d = 0; d < rank; ++d)
    if (!echo_dim_list_has(in->windows, (int64_t)d)) {
      int64_t size = echo_type_dim(updates, d), wanted = batch[next_batch++];
      if (!echo_hlo_dims_agree(size, wanted))
        return echo_hlo_error(state,
                              "scatter dimension %zu of updates has size %lld, indices have "
                              "%lld",
                              d, (long long)size, (long long)wanted);
    }
  return true;
}

static bool scatter_groups(const EchoOpState *state, const EchoHloPayload *payload, size_t n)
{
  const EchoScatterDims *dims = &payload->as.scatter;
  const EchoType *first = echo_hlo_state_tensor_or_null(state, 0);
  for (size_t i = 0; i < n; ++i) {
    const EchoType *operand = echo_hlo_state_tensor_or_null(state, i);
    const EchoType *indices = echo_hlo_state_tensor_or_null(state, n);
    const EchoType *updates = echo_hlo_state_tensor_or_null(state, n + 1 + i);
    if (operand == NULL || indices == NULL || updates == NULL)
      return false;
    if (!echo_hlo_shapes_agree(first, operand))
      return echo_hlo_error(state, "inputs have different shapes: '%s', '%s'", text(state, first),
                            text(state, operand));
    if (!echo_hlo_elements_agree(operand, updates))
      return echo_hlo_error(state,
                            "input %zu and its updates have different element types: '%s', '%s'", i,
                            text(state, operand), text(state, updates));
    Indexing in = {operand,
                   indices,
                   dims->update_window_dims,
                   dims->inserted_window_dims,
                   dims->input_batching_dims,
                   dims->scatter_indices_batching_dims,
                   dims->scatter_dims_to_operand_dims,
                   dims->index_vector_dim};
    if (!check_indexing(state, &in) || !check_updates(state, &in, updates))
      return false;
  }
  return true;
}

bool echo_hlo_infer_scatter(const EchoOpState *state, const EchoRegion *regions,
                            const EchoType **types, size_t *n_types)
{
  if (state->n_operands % 2 == 0 || state->n_operands < 3)
    return echo_hlo_error(state, "expects n inputs, indices and n updates, got %u operands",
                          state->n_operands);
  size_t n = state->n_operands / 2;
  const EchoHloPayload *payload =
      echo_hlo_state_payload_or_null(state, "scatter_dimension_numbers", ECHO_HLO_ATTR_SCATTER);
  if (payload == NULL || !scatter_groups(state, payload, n))
    return false;
  const EchoType *const *inputs = types; /* filled below; the reducer's checks read them */
  for (size_t i = 0; i < n; ++i)
    types[i] = echo_hlo_state_type(state, i);
  *n_types = n;
  if (regions == NULL || echo_region_is_empty(&regions[0]))
    return true;
  const EchoType **scalars = echo_alloc_array(n, sizeof *scalars);
  const EchoType **elements = echo_alloc_array(n, sizeof *elements);
  for (size_t i = 0; i < n; ++i)
    scalars[i] = echo_hlo_make_tensor(state, NULL, 0, inputs[i]->as.shaped.element);
  bool ok = echo_hlo_check_reducer(state, &regions[0], inputs, scalars, n, (EchoDimList){NULL, 0},
                                   elements);
  for (size_t i = 0; ok && i < n; ++i)
    types[i] = echo_type_with_element(state->ctx, types[i], elements[i]);
  echo_free(elements);
  echo_free(scalars);
  return ok;
}
