/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gradients of gather, scatter and sort: places that are data. gather moves starts that lie outside
 * to the edge, scatter leaves out what lies outside, and their gradients do the same. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks_t.h"

/* ---- gather ---- */

static const EchoType *i64_like(EchoBuilder *b, const EchoValue *value)
{
  return echo_type_with_element(b->ctx, value->type, echo_type_integer(b->ctx, 64, ECHO_SIGNLESS));
}

/* Component k of every index vector is bounds[k]; of the type of `indices`. */
static EchoValue *of_components(EchoBuilder *b, EchoValue *indices, int64_t vector_dim,
                                const int64_t *bounds, size_t n)
{
  const EchoType *vector =
      echo_hlo_tensor(b->ctx, &(int64_t){(int64_t)n}, 1, echo_type_element(indices->type));
  if (vector_dim == echo_type_rank(indices->type)) /* every element is an index vector */
    return echo_hlo_constant_i64(b, indices->type, bounds[0]);
  EchoTensor *tensor = echo_tensor_create(vector, false);
  for (size_t k = 0; k < n; k++)
    echo_tensor_set_i64(tensor, (int64_t)k, bounds[k]);
  EchoValue *constant = echo_hlo_constant(b, echo_tensor_to_elements(b->ctx, tensor));
  echo_tensor_destroy(tensor);
  return echo_hlo_broadcast_in_dim(b, constant, indices->type, &vector_dim, 1);
}

/* The largest number of an index type. */
static int64_t largest_index(const EchoType *element)
{
  uint32_t width = element->as.integer.width - (element->as.integer.signedness != ECHO_UNSIGNED);
  return width >= 63 ? INT64_MAX : (INT64_C(1) << width) - 1;
}

/* Starts as gather moves them: so that slices lie inside the operand. */
static EchoValue *clamped_starts(EchoBuilder *b, const EchoOp *gather)
{
  const EchoGatherDims *dims = echo_stablehlo_gather_dims(gather);
  EchoDimList sizes = echo_stablehlo_dims(gather, "slice_sizes");
  EchoValue *indices = echo_op_operand(gather, 1);
  const EchoType *x = echo_op_operand_type(gather, 0), *element = echo_type_element(indices->type);
  int64_t last[ECHO_MAX_RANK];
  size_t n = dims->start_index_map.size;
  if (n == 0)
    return indices;
  for (size_t k = 0; k < n; k++) {
    int64_t d = dims->start_index_map.dims[k];
    last[k] = echo_type_dim(x, (size_t)d) - sizes.dims[d];
    if (last[k] > largest_index(element))
      last[k] = largest_index(element);
  }
  const EchoType *scalar = echo_hlo_scalar_type(b->ctx, element);
  EchoValue *first = echo_hlo_constant_i64(b, scalar, 0);
  if (n == 1)
    return echo_hlo_clamp(b, first, indices, echo_hlo_constant_i64(b, scalar, last[0]));
  return echo_hlo_clamp(b, first, indices,
                        of_components(b, indices, dims->index_vector_dim, last, n));
}

bool echo_hlo_differentiate_gather(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0)), *x = echo_op_operand(op, 0);
  if (gy == NULL || !echo_gradient_needs(g, x))
    return true;
  const EchoGatherDims *dims = echo_stablehlo_gather_dims(op);
  const EchoScatterDims backwards = {.update_window_dims = dims->offset_dims,
                                     .inserted_window_dims = dims->collapsed_slice_dims,
                                     .input_batching_dims = dims->operand_batching_dims,
                                     .scatter_indices_batching_dims =
                                         dims->start_indices_batching_dims,
                                     .scatter_dims_to_operand_dims = dims->start_index_map,
                                     .index_vector_dim = dims->index_vector_dim};
  EchoValue *zero = echo_hlo_constant_like(b, x, 0);
  const EchoAttr *sorted = echo_op_attr_or_null(op, "indices_are_sorted");
  echo_gradient_add(g, x,
                    echo_hlo_scatter(b, zero, clamped_starts(b, op), gy, &backwards,
                                     "stablehlo.add",
                                     sorted != NULL && sorted->as.integer.value != 0, false));
  return true;
}

/* ---- scatter ---- */

/* For each element of the updates, the element of `value` (of the operand's shape) that it goes to,
 * 0 where it goes nowhere: gathered from `value` with a margin of zeros as wide as a window. */
static EchoValue *at_updates(EchoBuilder *b, const EchoOp *scatter, EchoValue *value)
{
  const EchoScatterDims *dims = echo_stablehlo_scatter_dims(scatter);
  const EchoType *updates = echo_op_operand_type(scatter, 2);
  const EchoGatherDims backwards = {.offset_dims = dims->update_window_dims,
                                    .collapsed_slice_dims = dims->inserted_window_dims,
                                    .operand_batching_dims = dims->input_batching_dims,
                                    .start_indices_batching_dims =
                                        dims->scatter_indices_batching_dims,
                                    .start_index_map = dims->scatter_dims_to_operand_dims,
                                    .index_vector_dim = dims->index_vector_dim};
  int64_t sizes[ECHO_MAX_RANK], margin[ECHO_MAX_RANK] = {0};
  size_t window = 0, n = dims->scatter_dims_to_operand_dims.size;
  for (uint32_t d = 0; d < echo_type_rank(value->type); d++) {
    bool is_one = echo_dim_list_has(dims->inserted_window_dims, d) ||
                  echo_dim_list_has(dims->input_batching_dims, d);
    sizes[d] = is_one ? 1 : echo_type_dim(updates, (size_t)dims->update_window_dims.dims[window++]);
  }
  EchoValue *indices = echo_op_operand(scatter, 1);
  indices = echo_hlo_convert(b, indices, echo_type_element(i64_like(b, indices)));
  if (n != 0) {
    int64_t before[ECHO_MAX_RANK], behind[ECHO_MAX_RANK], shift[ECHO_MAX_RANK];
    for (size_t k = 0; k < n; k++) {
      int64_t d = dims->scatter_dims_to_operand_dims.dims[k];
      margin[d] = shift[k] = sizes[d];
      before[k] = -sizes[d];
      behind[k] = echo_type_dim(value->type, (size_t)d);
    }
    int64_t at = dims->index_vector_dim;
    indices = echo_hlo_clamp(b, of_components(b, indices, at, before, n), indices,
                             of_components(b, indices, at, behind, n));
    indices = echo_hlo_add(b, indices, of_components(b, indices, at, shift, n));
    EchoValue *zero =
        echo_hlo_constant_i64(b, echo_hlo_scalar_type(b->ctx, echo_type_element(value->type)), 0);
    if (echo_element_is_float(echo_type_element_kind(value->type)))
      zero = echo_hlo_scalar_f64(b, echo_type_element(value->type), 0);
    value = echo_hlo_pad(b, value, zero, margin, margin, NULL);
  }
  return echo_hlo_gather(b, value, indices, &backwards, sizes, false);
}

/* Of updates that go to one place, the one that stays: each is numbered, the numbers are scattered
 * in the same way, and those that come back are the ones that stayed. */
static EchoValue *which_stayed(EchoBuilder *b, const EchoOp *scatter)
{
  EchoValue *updates = echo_op_operand(scatter, 2), *x = echo_op_operand(scatter, 0);
  const EchoType *numbers = i64_like(b, updates);
  int64_t n = echo_type_static_n_elements(updates->type);
  EchoValue *line = echo_hlo_iota(b, echo_hlo_tensor(b->ctx, &n, 1, echo_type_element(numbers)), 0);
  EchoValue *number = echo_hlo_reshape(b, line, numbers->as.shaped.dims, echo_type_rank(numbers));
  number = echo_hlo_add(b, number, echo_hlo_constant_i64(b, numbers, 1));
  EchoValue *none = echo_hlo_constant_i64(b, i64_like(b, x), 0);
  EchoValue *winners = echo_hlo_scatter(b, none, echo_op_operand(scatter, 1), number,
                                        echo_stablehlo_scatter_dims(scatter), NULL, false, false);
  return echo_hlo_compare(b, ECHO_COMPARE_EQ, at_updates(b, scatter, winners), number);
}

typedef enum Combination {
  ADDS,
  MULTIPLIES,
  TAKES_EXTREME, /* maximum or minimum */
  OVERWRITES,
  COMBINES_OTHERWISE
} Combination;

/* What an update computation on two scalars does. */
static Combination combination_of(const EchoRegion *region)
{
  const EchoBlock *block = region->first;
  const EchoOp *first = block->first, *end = block->last;
  if (block->n_args != 2 || end->n_operands != 1)
    return COMBINES_OTHERWISE;
  const EchoValue *old = echo_block_arg(block, 0), *update = echo_block_arg(block, 1);
  if (first == end)
    return echo_op_operand(end, 0) == update ? OVERWRITES : COMBINES_OTHERWISE;
  if (first->next != end || first->n_operands != 2 || first->n_results != 1 ||
      echo_op_operand(end, 0) != echo_op_result(first, 0))
    return COMBINES_OTHERWISE;
  const EchoValue *lhs = echo_op_operand(first, 0), *rhs = echo_op_operand(first, 1);
  if (!(lhs == old && rhs == update) && !(lhs == update && rhs == old))
    return COMBINES_OTHERWISE;
  EchoHloOpcode opcode = echo_hlo_opcode(first);
  bool is_extreme = opcode == ECHO_HLO_MAXIMUM || opcode == ECHO_HLO_MINIMUM;
  return opcode == ECHO_HLO_ADD        ? ADDS
         : opcode == ECHO_HLO_MULTIPLY ? MULTIPLIES
         : is_extreme                  ? TAKES_EXTREME
                                       : COMBINES_OTHERWISE;
}

/* A scatter of `updates` into `x` with this one's indices. */
static EchoValue *scatter_like(EchoBuilder *b, const EchoOp *scatter, EchoValue *x,
                               EchoValue *updates, const char *combine)
{
  const EchoAttr *unique = echo_op_attr_or_null(scatter, "unique_indices");
  return echo_hlo_scatter(b, x, echo_op_operand(scatter, 1), updates,
                          echo_stablehlo_scatter_dims(scatter), combine, false,
                          unique != NULL && unique->as.integer.value != 0);
}

/* y = x times the updates that meet there. By an update: gy x times the other updates, which is
 * what all of them but zeros give, divided by this one; one zero is the product of the others by
 * itself, and two leave nothing. */
static void multiplied_gradient(EchoGradient *g, EchoOp *op, EchoValue *gy)
{
  EchoBuilder *b = g->builder;
  EchoValue *x = echo_op_operand(op, 0), *updates = echo_op_operand(op, 2);
  if (echo_gradient_needs(g, x))
    echo_gradient_add(g, x, scatter_like(b, op, gy, updates, "stablehlo.multiply"));
  if (!echo_gradient_needs(g, updates))
    return;
  EchoValue *zero = echo_hlo_constant_like(b, updates, 0),
            *one = echo_hlo_constant_like(b, updates, 1);
  EchoValue *is_zero = echo_hlo_compare(b, ECHO_COMPARE_EQ, updates, zero);
  EchoValue *nonzero = echo_hlo_select(b, is_zero, one, updates);
  EchoValue *start = echo_hlo_multiply(b, gy, x);
  EchoValue *all = at_updates(b, op, scatter_like(b, op, start, nonzero, "stablehlo.multiply"));
  EchoValue *count = scatter_like(b, op, echo_hlo_constant_like(b, x, 0),
                                  echo_hlo_select(b, is_zero, one, zero), "stablehlo.add");
  EchoValue *zeros = at_updates(b, op, count);
  EchoValue *other_zeros = echo_hlo_subtract(b, zeros, echo_hlo_select(b, is_zero, one, zero));
  EchoValue *alone = echo_hlo_compare(b, ECHO_COMPARE_LE, other_zeros, zero);
  echo_gradient_add(g, updates, echo_hlo_select(b, alone, echo_hlo_divide(b, all, nonzero), zero));
}

/* Of all that meet, those that equal the extreme share its gradient, as in a reduction. */
static void extreme_gradient(EchoGradient *g, EchoOp *op, EchoValue *gy)
{
  EchoBuilder *b = g->builder;
  EchoValue *x = echo_op_operand(op, 0), *updates = echo_op_operand(op, 2);
  EchoValue *y = echo_op_result(op, 0);
  const EchoType *element = echo_type_element(x->type);
  EchoValue *kept = echo_hlo_convert(b, echo_hlo_compare(b, ECHO_COMPARE_EQ, x, y), element);
  EchoValue *won = echo_hlo_convert(
      b, echo_hlo_compare(b, ECHO_COMPARE_EQ, updates, at_updates(b, op, y)), element);
  EchoValue *count = scatter_like(b, op, kept, won, "stablehlo.add");
  EchoValue *share = echo_hlo_divide(b, gy, count);
  if (echo_gradient_needs(g, x))
    echo_gradient_add(g, x, echo_hlo_multiply(b, kept, share));
  if (echo_gradient_needs(g, updates))
    echo_gradient_add(g, updates, echo_hlo_multiply(b, won, at_updates(b, op, share)));
}

bool echo_hlo_differentiate_scatter(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  if (gy == NULL)
    return true;
  Combination combination = combination_of(&op->regions[0]);
  if (op->n_operands != 3 || combination == COMBINES_OTHERWISE)
    return echo_op_error(op,
                         "has no gradient: only scatters of one operand that add, multiply, take "
                         "the maximum or minimum, or overwrite are differentiated");
  EchoValue *x = echo_op_operand(op, 0), *updates = echo_op_operand(op, 2);
  if (combination == MULTIPLIES || combination == TAKES_EXTREME) {
    (combination == MULTIPLIES ? multiplied_gradient : extreme_gradient)(g, op, gy);
    return true;
  }
  const EchoAttr *unique = echo_op_attr_or_null(op, "unique_indices");
  bool is_unique = unique != NULL && unique->as.integer.value != 0;
  if (echo_gradient_needs(g, x)) {
    EchoValue *zero = echo_hlo_constant_like(b, updates, 0);
    echo_gradient_add(g, x, combination == OVERWRITES ? scatter_like(b, op, gy, zero, NULL) : gy);
  }
  if (!echo_gradient_needs(g, updates))
    return true;
  EchoValue *at = at_updates(b, op, gy);
  if (combination == OVERWRITES && !is_unique)
    at = echo_hlo_select(b, which_stayed(b, op), at, echo_hlo_constant_like(b, at, 0));
  echo_gradient_add(g, updates, at);
  return true;
}

/* ---- sort ---- */

/* An empty sort of these values along `dimension`, its comparator's block at *body. */
static EchoOp *begin_sort(EchoBuilder *b, EchoValue *const *operands, size_t n, int64_t dimension,
                          EchoBlock **body)
{
  const EchoType **types = echo_alloc_array(n + 1, sizeof *types);
  for (size_t i = 0; i < n; i++)
    types[i] = operands[i]->type;
  const EchoAttrArg attrs[] = {{"dimension", echo_attr_i64(b->ctx, dimension)},
                               {"is_stable", echo_attr_bool(b->ctx, true)}};
  EchoOp *sort =
      echo_build_op_with_regions(b, "stablehlo.sort", operands, n, types, n, attrs, 2, 1);
  *body = echo_block_create(b->ctx);
  echo_region_append(&sort->regions[0], *body);
  for (size_t i = 0; i < 2 * n; i++)
    echo_block_add_arg(b->ctx, *body, echo_hlo_scalar_type(b->ctx, echo_type_element(types[i / 2])),
                       b->loc);
  echo_free(types);
  return sort;
}

/* Where each element of the sorted operands stood: the same sort once more, with the places. */
static EchoValue *places(EchoBuilder *b, EchoOp *op, int64_t dimension)
{
  size_t n = op->n_operands;
  EchoValue **operands = echo_alloc_array(n + 1, sizeof *operands);
  for (size_t i = 0; i < n; i++)
    operands[i] = echo_op_operand(op, i);
  operands[n] = echo_hlo_iota(b, i64_like(b, operands[0]), dimension);
  EchoBlock *body, *comparator = op->regions[0].first;
  EchoOp *sort = begin_sort(b, operands, n + 1, dimension, &body);
  EchoMap values = {0};
  for (size_t i = 0; i < 2 * n; i++)
    echo_map_set_ptr(&values, echo_block_arg(comparator, i), echo_block_arg(body, i));
  for (EchoOp *inner = comparator->first; inner != NULL; inner = inner->next)
    echo_block_append(body, echo_op_clone(inner, &values));
  echo_map_destroy(&values);
  echo_free(operands);
  return echo_op_result(sort, n);
}

/* The gradients go back to where the elements stood, which is a sort by their places. */
bool echo_hlo_differentiate_sort(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  size_t n = 1;
  EchoValue **operands = echo_alloc_array(op->n_operands + 1u, sizeof *operands);
  EchoValue **sources = echo_alloc_array(op->n_operands + 1u, sizeof *sources);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, i));
    if (gy == NULL || !echo_gradient_needs(g, echo_op_operand(op, i)))
      continue;
    sources[n] = echo_op_operand(op, i);
    operands[n++] = gy;
  }
  uint32_t rank = echo_type_rank(echo_op_operand_type(op, 0));
  int64_t dimension = echo_op_attr_i64(op, "dimension", -1);
  dimension = dimension < 0 ? dimension + rank : dimension;
  for (size_t i = 1; rank == 0 && i < n; i++) /* one element is where it was */
    echo_gradient_add(g, sources[i], operands[i]);
  if (n > 1 && rank != 0) {
    operands[0] = places(b, op, dimension);
    EchoBlock *body;
    EchoOp *unsort = begin_sort(b, operands, n, dimension, &body);
    EchoBuilder inside = echo_builder_at_end(b->ctx, body);
    inside.loc = b->loc;
    EchoValue *before = echo_hlo_compare(&inside, ECHO_COMPARE_LT, echo_block_arg(body, 0),
                                         echo_block_arg(body, 1));
    echo_hlo_return(&inside, &before, 1);
    for (size_t i = 1; i < n; i++)
      echo_gradient_add(g, sources[i], echo_op_result(unsort, i));
  }
  echo_free(operands);
  echo_free(sources);
  return true;
}
