/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shapes of ops that combine elements through a region: reduce, reduce_window, select_and_scatter,
 * sort, map. */
#include "dialects/stablehlo/infer/infer_t.h"

static const char *text(const EchoOpState *state, const EchoType *type)
{
  return echo_type_text(state->ctx, type);
}

/* Operands are n inputs of one shape and n initial values. */
static bool check_inputs_and_inits(const EchoOpState *state, size_t *n)
{
  *n = state->n_operands / 2;
  if (state->n_operands == 0 || state->n_operands % 2 != 0)
    return echo_hlo_error(state, "expects as many inputs as initial values, got %u operands",
                          state->n_operands);
  const EchoType *first = echo_hlo_state_tensor_or_null(state, 0);
  for (size_t i = 0; first != NULL && i < 2 * *n; ++i) {
    const EchoType *type = echo_hlo_state_tensor_or_null(state, i);
    if (type == NULL)
      return false;
    if (i < *n && !echo_hlo_shapes_agree(first, type))
      return echo_hlo_error(state, "inputs have different shapes: '%s', '%s'", text(state, first),
                            text(state, type));
  }
  return first != NULL;
}

/* The result element types, from the region where it is there (it may accumulate in a wider type),
 * else of the initial values. elements has room for n. */
static bool reducer_elements(const EchoOpState *state, const EchoRegion *region, size_t n,
                             EchoDimList kept, const EchoType **elements)
{
  const EchoType **inputs = echo_alloc_array(2 * n, sizeof *inputs), **inits = inputs + n;
  for (size_t i = 0; i < 2 * n; ++i)
    inputs[i] = echo_hlo_state_type(state, i);
  for (size_t i = 0; i < n; ++i)
    elements[i] = inits[i]->as.shaped.element;
  bool ok = region == NULL || echo_region_is_empty(region) ||
            echo_hlo_check_reducer(state, region, inputs, inits, n, kept, elements);
  echo_free(inputs);
  return ok;
}

static bool infer_reduced(const EchoOpState *state, const EchoRegion *region, size_t n,
                          EchoDimList kept, const int64_t *dims, size_t rank,
                          const EchoType **types, size_t *n_types)
{
  if (!reducer_elements(state, region, n, kept, types))
    return false;
  for (size_t i = 0; i < n; ++i)
    types[i] = echo_hlo_make_tensor(state, dims, rank, types[i]);
  *n_types = n;
  return true;
}

bool echo_hlo_infer_reduce(const EchoOpState *state, const EchoRegion *regions,
                           const EchoType **types, size_t *n_types)
{
  size_t n, rank = 0;
  if (!check_inputs_and_inits(state, &n))
    return false;
  const EchoType *input = echo_hlo_state_type(state, 0);
  EchoDimList reduced = echo_hlo_state_dims(state, "dimensions");
  if (!echo_hlo_check_dims(state, reduced, echo_type_rank(input), "dimensions"))
    return false;
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(input); ++d) {
    if (echo_dim_list_has(reduced, (int64_t)d))
      continue;
    dims[rank] = echo_type_dim(input, d);
    for (size_t i = 1; i < n; ++i)
      dims[rank] = echo_hlo_merge_dim(dims[rank], echo_type_dim(echo_hlo_state_type(state, i), d));
    ++rank;
  }
  return infer_reduced(state, regions, n, (EchoDimList){dims, rank}, dims, rank, types, n_types);
}

static const EchoHloWindowNames WINDOW_NAMES = {"window_strides", "base_dilations",
                                                "window_dilations", NULL};

/* Windows of an op, one a dimension of the operand. */
static bool state_windows(const EchoOpState *state, const EchoType *operand, EchoWindowDim *windows)
{
  EchoDimList sizes = echo_hlo_state_dims(state, "window_dimensions");
  return echo_hlo_check_size(state, sizes.size, echo_type_rank(operand), "window_dimensions") &&
         echo_hlo_state_windows(state, sizes, &WINDOW_NAMES, windows);
}

bool echo_hlo_infer_reduce_window(const EchoOpState *state, const EchoRegion *regions,
                                  const EchoType **types, size_t *n_types)
{
  size_t n;
  EchoWindowDim windows[ECHO_MAX_RANK];
  int64_t dims[ECHO_MAX_RANK];
  if (!check_inputs_and_inits(state, &n))
    return false;
  const EchoType *input = echo_hlo_state_type(state, 0);
  if (!state_windows(state, input, windows))
    return false;
  for (size_t d = 0; d < echo_type_rank(input); ++d)
    if (!echo_hlo_window_dim(state, &windows[d], echo_type_dim(input, d), &dims[d]))
      return false;
  return infer_reduced(state, regions, n, echo_hlo_state_dims(state, "window_dimensions"), dims,
                       echo_type_rank(input), types, n_types);
}

static bool is_scalar_predicate(const EchoType *type)
{
  return echo_type_is_tensor(type) && echo_type_rank(type) == 0 &&
         echo_type_is_integer(type->as.shaped.element, 1);
}

static bool check_select(const EchoOpState *state, const EchoRegion *region,
                         const EchoType *operand)
{
  if (region->first == NULL || region->first->n_args != 2)
    return echo_hlo_error(state, "expects 2 arguments in the select region");
  for (size_t i = 0; i < 2; ++i) {
    const EchoType *type = echo_block_arg(region->first, i)->type;
    if (!echo_type_is_tensor(type) || echo_type_rank(type) != 0 ||
        !echo_hlo_elements_agree(type, operand))
      return echo_hlo_error(state,
                            "argument %zu of the select region must be a scalar of the element "
                            "type of '%s', but got '%s'",
                            i, text(state, operand), text(state, type));
  }
  const EchoOp *end = echo_hlo_terminator_or_null(region);
  if (end == NULL || end->n_operands != 1 || !is_scalar_predicate(echo_op_operand_type(end, 0)))
    return echo_hlo_error(state, "expects one result of type tensor<i1> of the select region");
  return true;
}

bool echo_hlo_infer_select_and_scatter(const EchoOpState *state, const EchoRegion *regions,
                                       const EchoType **types, size_t *n_types)
{
  EchoWindowDim windows[ECHO_MAX_RANK];
  const EchoType *operand, *source;
  if (!echo_hlo_state_tensor_pair(state, &operand, &source))
    return false;
  const EchoType *init = source != NULL ? echo_hlo_state_tensor_or_null(state, 2) : NULL;
  if (init == NULL || !state_windows(state, operand, windows))
    return false;
  if (echo_type_rank(source) != echo_type_rank(operand) ||
      !echo_hlo_elements_agree(operand, source))
    return echo_hlo_error(state, "operand and source differ in rank or element type: '%s', '%s'",
                          text(state, operand), text(state, source));
  for (size_t d = 0; d < echo_type_rank(operand); ++d) {
    int64_t size;
    if (!echo_hlo_window_dim(state, &windows[d], echo_type_dim(operand, d), &size))
      return false;
    if (!echo_hlo_dims_agree(size, echo_type_dim(source, d)))
      return echo_hlo_error(state, "source has size %lld in dimension %zu, windows give %lld",
                            (long long)echo_type_dim(source, d), d, (long long)size);
  }
  const EchoType *element = init->as.shaped.element;
  if (!echo_region_is_empty(&regions[0]) && !echo_region_is_empty(&regions[1]) &&
      (!check_select(state, &regions[0], operand) ||
       !echo_hlo_check_reducer(state, &regions[1], &source, &init, 1, (EchoDimList){NULL, 0},
                               &element)))
    return false;
  return echo_hlo_infer_one(types, n_types, echo_type_with_element(state->ctx, operand, element));
}

static bool check_comparator(const EchoOpState *state, const EchoRegion *region)
{
  if (region->first == NULL || region->first->n_args != 2 * state->n_operands)
    return echo_hlo_error(state, "expects %u arguments in the comparator", 2 * state->n_operands);
  for (size_t i = 0; i < region->first->n_args; ++i) {
    const EchoType *type = echo_block_arg(region->first, i)->type;
    const EchoType *input = echo_hlo_state_type(state, i / 2);
    if (!echo_type_is_tensor(type) || echo_type_rank(type) != 0 ||
        !echo_hlo_elements_agree(type, input))
      return echo_hlo_error(
          state,
          "argument %zu of the comparator must be a scalar of the element type of "
          "'%s', but got '%s'",
          i, text(state, input), text(state, type));
  }
  const EchoOp *end = echo_hlo_terminator_or_null(region);
  if (end == NULL || end->n_operands != 1 || !is_scalar_predicate(echo_op_operand_type(end, 0)))
    return echo_hlo_error(state, "expects one result of type tensor<i1> of the comparator");
  return true;
}

bool echo_hlo_infer_sort(const EchoOpState *state, const EchoRegion *regions,
                         const EchoType **types, size_t *n_types)
{
  const EchoType *first = echo_hlo_state_tensor_or_null(state, 0);
  if (first == NULL)
    return false;
  int64_t rank = echo_type_rank(first), dimension = echo_hlo_state_i64(state, "dimension", -1);
  if (rank != 0 && (dimension < -rank || dimension >= rank))
    return echo_hlo_error(state, "dimension %lld is out of range [-%lld, %lld)",
                          (long long)dimension, (long long)rank, (long long)rank);
  for (size_t i = 0; i < state->n_operands; ++i) {
    types[i] = echo_hlo_state_type(state, i);
    if (!echo_hlo_shapes_agree(first, types[i]))
      return echo_hlo_error(state, "inputs have different shapes: '%s', '%s'", text(state, first),
                            text(state, types[i]));
  }
  *n_types = state->n_operands;
  return echo_region_is_empty(&regions[0]) || check_comparator(state, &regions[0]);
}

bool echo_hlo_infer_map(const EchoOpState *state, const EchoRegion *regions, const EchoType **types,
                        size_t *n_types)
{
  const EchoType *first = echo_hlo_state_tensor_or_null(state, 0);
  if (first == NULL)
    return false;
  for (size_t i = 1; i < state->n_operands; ++i)
    if (!echo_hlo_shapes_agree(first, echo_hlo_state_type(state, i)))
      return echo_hlo_error(state, "inputs have different shapes: '%s', '%s'", text(state, first),
                            text(state, echo_hlo_state_type(state, i)));
  EchoDimList dims = echo_hlo_state_dims(state, "dimensions");
  if (!echo_hlo_check_size(state, dims.size, echo_type_rank(first), "dimensions"))
    return false;
  for (size_t i = 0; i < dims.size; ++i)
    if (dims.dims[i] != (int64_t)i)
      return echo_hlo_error(state, "dimensions must be 0, 1, … in order");
  if (echo_region_is_empty(&regions[0]))
    return echo_hlo_infer_one(types, n_types, first);
  const EchoBlock *block = regions[0].first;
  if (block->n_args != state->n_operands)
    return echo_hlo_error(state, "expects %u arguments in the computation, got %u",
                          state->n_operands, block->n_args);
  for (size_t i = 0; i < block->n_args; ++i) {
    const EchoType *type = echo_block_arg(block, i)->type;
    if (!echo_type_is_tensor(type) || echo_type_rank(type) != 0 ||
        !echo_hlo_elements_agree(type, echo_hlo_state_type(state, i)))
      return echo_hlo_error(state,
                            "argument %zu of the computation must be a scalar of the element type "
                            "of '%s', but got '%s'",
                            i, text(state, echo_hlo_state_type(state, i)), text(state, type));
  }
  const EchoOp *end = echo_hlo_terminator_or_null(&regions[0]);
  if (end == NULL || end->n_operands != 1 || !echo_type_is_tensor(echo_op_operand_type(end, 0)) ||
      echo_type_rank(echo_op_operand_type(end, 0)) != 0)
    return echo_hlo_error(state, "expects one scalar result of the computation");
  return echo_hlo_infer_one(
      types, n_types,
      echo_type_with_element(state->ctx, first, echo_op_operand_type(end, 0)->as.shaped.element));
}
