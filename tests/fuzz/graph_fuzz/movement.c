/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ops that move elements, and those that move them by indices that are values. */
#include "ir/attributes/type.h"
#include "tests/fuzz/graph_fuzz/generate.h"

static size_t rank_of(const EchoValue *value)
{
  return echo_type_rank(value->type);
}

static int64_t dim_of(const EchoValue *value, size_t d)
{
  return echo_type_dim(value->type, d);
}

static bool has_dims(const EchoValue *value)
{
  return rank_of(value) != 0 && n_elements(value) != 0;
}

static bool is_float_with_dims(const EchoValue *value)
{
  return is_float(value) && has_dims(value);
}

/* Into a shape with one dimension more, or over a dimension of one. */
static void add_broadcast(Generator *generator)
{
  const int64_t *sizes = generator->scale->n_broadcast;
  EchoValue *x = pick_or_null(generator, is_anything);
  int64_t dims[ECHO_MAX_RANK], where[ECHO_MAX_RANK];
  size_t rank = rank_of(x), added = draw(&generator->bytes, (uint32_t)rank + 1), to = 0;
  if (rank >= 4)
    return;
  for (size_t d = 0; d <= rank; d++) {
    if (d == added)
      dims[to++] = sizes[draw(&generator->bytes, 6)];
    if (d == rank)
      break;
    where[d] = (int64_t)to;
    dims[to++] = dim_of(x, d) == 1 ? sizes[draw(&generator->bytes, 6)] : dim_of(x, d);
  }
  const EchoType *type = echo_type_tensor(generator->ctx, dims, to, element_of(x), NULL);
  if (echo_type_static_n_elements(type) <= generator->scale->max_elements)
    add_value(generator, echo_hlo_broadcast_in_dim(&generator->builder, x, type, where, rank));
}

static void add_reshape(Generator *generator)
{
  EchoValue *x = pick_or_null(generator, is_anything);
  int64_t n = n_elements(x), dims[4];
  size_t rank = 0;
  for (uint32_t i = draw(&generator->bytes, 4); i != 0 && n > 1; i--) {
    int64_t factor = draw_between(&generator->bytes, 1, 8);
    while (n % factor != 0)
      factor--;
    dims[rank++] = factor;
    n /= factor;
  }
  dims[rank++] = n;
  add_value(generator, echo_hlo_reshape(&generator->builder, x, dims, rank));
}

static void add_transpose(Generator *generator)
{
  EchoValue *x = pick_or_null(generator, has_dims);
  int64_t permutation[ECHO_MAX_RANK];
  if (x == NULL)
    return;
  for (size_t d = 0; d < rank_of(x); d++) {
    size_t at = draw(&generator->bytes, (uint32_t)d + 1);
    permutation[d] = permutation[at];
    permutation[at] = (int64_t)d;
  }
  add_value(generator, echo_hlo_transpose(&generator->builder, x, permutation));
}

static void add_slice(Generator *generator)
{
  EchoValue *x = pick_or_null(generator, has_dims);
  int64_t start[ECHO_MAX_RANK], limit[ECHO_MAX_RANK], strides[ECHO_MAX_RANK];
  if (x == NULL)
    return;
  for (size_t d = 0; d < rank_of(x); d++) {
    start[d] = draw_between(&generator->bytes, 0, dim_of(x, d) - 1);
    limit[d] = draw_between(&generator->bytes, start[d] + 1, dim_of(x, d));
    strides[d] = draw(&generator->bytes, 4) == 3 ? 2 : 1;
  }
  add_value(generator, echo_hlo_slice(&generator->builder, x, start, limit, strides));
}

static void add_pad(Generator *generator)
{
  EchoValue *x = pick_or_null(generator, has_dims);
  int64_t low[ECHO_MAX_RANK], high[ECHO_MAX_RANK], interior[ECHO_MAX_RANK], n = 1;
  if (x == NULL)
    return;
  for (size_t d = 0; d < rank_of(x); d++) {
    interior[d] = draw(&generator->bytes, 6) == 5;
    low[d] = draw_between(&generator->bytes, -1, 2);
    high[d] = draw_between(&generator->bytes, -1, 2);
    int64_t size = dim_of(x, d) + (dim_of(x, d) - 1) * interior[d];
    if (size + low[d] + high[d] < 1)
      low[d] = high[d] = 0;
    n *= size + low[d] + high[d];
  }
  if (n > generator->scale->max_elements)
    return;
  EchoValue *filling = pick_of_type(generator, echo_hlo_scalar_type(generator->ctx, element_of(x)));
  add_value(generator, echo_hlo_pad(&generator->builder, x, filling, low, high, interior));
}

static void add_concatenate(Generator *generator)
{
  EchoValue *x = pick_or_null(generator, has_dims), *parts[3];
  if (x == NULL)
    return;
  size_t n = 1 + draw(&generator->bytes, 3);
  parts[0] = x;
  for (size_t i = 1; i < n; i++)
    parts[i] = pick_of_type(generator, x->type);
  if ((int64_t)n * n_elements(x) <= generator->scale->max_elements)
    add_value(generator, echo_hlo_concatenate(&generator->builder, parts, n,
                                              draw(&generator->bytes, (uint32_t)rank_of(x))));
}

static void add_reverse_or_iota(Generator *generator)
{
  EchoValue *x = pick_or_null(generator, has_dims);
  if (x == NULL)
    return;
  int64_t d = draw(&generator->bytes, (uint32_t)rank_of(x));
  if (draw(&generator->bytes, 2) == 0)
    add_value(generator, echo_hlo_reverse(&generator->builder, x, &d, 1));
  else if (!is_predicate(x))
    add_value(generator, echo_hlo_iota(&generator->builder, x->type, d));
}

void add_movement(Generator *generator)
{
  static void (*const MAKERS[])(Generator *) = {add_broadcast,   add_broadcast,      add_reshape,
                                                add_transpose,   add_slice,          add_pad,
                                                add_concatenate, add_reverse_or_iota};
  MAKERS[draw(&generator->bytes, sizeof MAKERS / sizeof MAKERS[0])](generator);
}

/* ---- by indices ---- */

static EchoValue *const *starts(Generator *generator, size_t rank, EchoValue **storage)
{
  for (size_t d = 0; d < rank; d++)
    storage[d] = index_scalar(generator);
  return storage;
}

static void add_dynamic_slice(Generator *generator, bool updates)
{
  EchoValue *x = pick_or_null(generator, has_dims), *at[ECHO_MAX_RANK];
  int64_t sizes[ECHO_MAX_RANK];
  if (x == NULL)
    return;
  for (size_t d = 0; d < rank_of(x); d++)
    sizes[d] = draw_between(&generator->bytes, 1, dim_of(x, d));
  starts(generator, rank_of(x), at);
  if (!updates) {
    add_value(generator, echo_hlo_dynamic_slice(&generator->builder, x, at, sizes));
    return;
  }
  const EchoType *type = echo_type_tensor(generator->ctx, sizes, rank_of(x), element_of(x), NULL);
  add_value(generator, echo_hlo_dynamic_update_slice(&generator->builder, x,
                                                     pick_of_type(generator, type), at));
}

/* Rows by a list of row numbers, as an embedding reads them; or added to, as its gradient does. */
static void add_rows(Generator *generator, bool scatters)
{
  EchoContext *ctx = generator->ctx;
  EchoValue *x = pick_or_null(generator, is_float_with_dims);
  if (x == NULL)
    return;
  int64_t n = draw_between(&generator->bytes, 1, generator->scale->max_rows),
          offsets[ECHO_MAX_RANK];
  int64_t sizes[ECHO_MAX_RANK], dims[ECHO_MAX_RANK] = {n};
  const int64_t zero = 0;
  size_t rank = rank_of(x);
  for (size_t d = 0; d < rank; d++) {
    sizes[d] = d == 0 ? 1 : dim_of(x, d);
    dims[d] = d == 0 ? n : dim_of(x, d);
    offsets[d] = (int64_t)d + 1;
  }
  EchoValue *rows = pick_of_type(generator, echo_type_tensor(ctx, &n, 1, echo_type_i32(ctx), NULL));
  if (!scatters) {
    EchoGatherDims gather = {.offset_dims = {offsets, rank - 1},
                             .collapsed_slice_dims = {&zero, 1},
                             .start_index_map = {&zero, 1},
                             .index_vector_dim = 1};
    add_value(generator, echo_hlo_gather(&generator->builder, x, rows, &gather, sizes, false));
    return;
  }
  EchoScatterDims scatter = {.update_window_dims = {offsets, rank - 1},
                             .inserted_window_dims = {&zero, 1},
                             .scatter_dims_to_operand_dims = {&zero, 1},
                             .index_vector_dim = 1};
  EchoValue *updates =
      pick_of_type(generator, echo_type_tensor(ctx, dims, rank, element_of(x), NULL));
  add_value(generator, echo_hlo_scatter(&generator->builder, x, rows, updates, &scatter,
                                        "stablehlo.add", false, false));
}

/* Which NaN an operation gives is not promised, and sorts tell them apart. */
static EchoValue *without_nans(EchoBuilder *b, EchoValue *x)
{
  if (!is_float(x))
    return x;
  EchoValue *is_number = echo_hlo_compare(b, ECHO_COMPARE_EQ, x, x);
  return echo_hlo_select(b, is_number, x, echo_hlo_constant_like(b, x, 0));
}

/* Up or down along a dimension; with where each element stood, or alone. */
static void add_sort(Generator *generator)
{
  EchoBuilder *b = &generator->builder, inside;
  EchoContext *ctx = generator->ctx;
  EchoValue *x = pick_or_null(generator, has_dims);
  if (x == NULL || is_predicate(x))
    return;
  int64_t dim = draw(&generator->bytes, (uint32_t)rank_of(x));
  size_t n = 1 + draw(&generator->bytes, 2);
  const EchoType *i32 = echo_type_i32(ctx);
  EchoValue *operands[] = {without_nans(b, x),
                           echo_hlo_iota(b, echo_type_with_element(ctx, x->type, i32), dim)};
  const EchoType *types[] = {x->type, operands[1]->type};
  EchoAttrArg attrs[] = {{"dimension", echo_attr_i64(ctx, dim)},
                         {"is_stable", echo_attr_bool(ctx, true)}};
  EchoOp *sort =
      echo_build_op_with_regions(b, "stablehlo.sort", operands, n, types, n, attrs, 2, 1);
  EchoBlock *body = echo_block_create(ctx);
  echo_region_append(&sort->regions[0], body);
  for (size_t i = 0; i < 2 * n; i++)
    echo_block_add_arg(ctx, body, echo_hlo_scalar_type(ctx, echo_type_element(types[i / 2])),
                       echo_loc_unknown());
  inside = echo_builder_at_end(ctx, body);
  EchoCompareDirection way = draw(&generator->bytes, 2) == 0 ? ECHO_COMPARE_LT : ECHO_COMPARE_GT;
  EchoValue *is_first =
      echo_hlo_compare_as(&inside, way, is_float(x) ? ECHO_COMPARE_TOTALORDER : ECHO_COMPARE_NOTYPE,
                          echo_block_arg(body, 0), echo_block_arg(body, 1));
  echo_hlo_return(&inside, &is_first, 1);
  for (uint32_t i = 0; i < n; i++)
    add_value(generator, echo_op_result(sort, i));
}

void add_indexing(Generator *generator)
{
  switch (draw(&generator->bytes, 6)) {
  case 0:
    add_dynamic_slice(generator, false);
    break;
  case 1:
    add_dynamic_slice(generator, true);
    break;
  case 2:
    add_rows(generator, true);
    break;
  case 3:
    add_sort(generator);
    break;
  default:
    add_rows(generator, false);
  }
}
