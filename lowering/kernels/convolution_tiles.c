/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a convolution is cut: rows and vectors of the innermost product, what one task takes, and
 * blocks of the sum that fit a core's cache. */
#include "lowering/kernels/contraction_t.h"
#include "lowering/kernels/direct_convolution_t.h"

/* ROWS x vectors sums stay in registers (of 32), beside one row's vectors of the panel. A block of
 * DEPTH products and MAX_COLUMNS columns is 128 KB of f32, SLAB_SIZE elements are 256 KB, and
 * TASK_ROWS of sums 96 KB: what a core of this decade keeps beside it. An element of the panel is
 * copied in about a fifth of a cycle, or in one where that transposes, and used in rows / 32: a
 * task of COPY_ROWS spends a tenth of its time on copies. */
enum { MAX_ROWS = 12, MAX_SUMS = 24, MAX_COLUMNS = ECHO_CONVOLUTION_COLUMNS, LATENCY = 8 };
enum { LEAST_LANES = 4, LEAST_FEATURES = 4 };
enum { DEPTH = 512, SLAB_SIZE = 1 << 16, TASK_ROWS = 384 };
enum { COPY_ROWS = 64, TRANSPOSE_ROWS = 288 };
static const double TASK_PRODUCTS = 1e6, MAX_TASKS = 64;

static int64_t gcd(int64_t a, int64_t b)
{
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static int64_t least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

/* Parts of about equal size, none larger than `size`. */
static int64_t even_part(int64_t total, int64_t size)
{
  return echo_conv_ceil(total, echo_conv_ceil(total, size));
}

static void describe_spatial(EchoConvSpatial *s)
{
  const EchoWindowDim *w = &s->window;
  bool splits = w->base_dilation > 1 && w->stride == 1 && w->window_dilation == 1 &&
                s->all_out >= w->base_dilation;
  s->phases = splits ? w->base_dilation : 1;
  s->out = echo_conv_ceil(s->all_out, s->phases);
  s->taps = echo_conv_ceil(w->size, s->phases);
  s->stride = w->stride;
  s->dilation = w->window_dilation;
  s->base_dilation = splits ? 1 : w->base_dilation;
  s->padding_low = w->padding_low;
}

/* Residues as columns, in the result's order, as long as all columns are of one task. */
static void describe_columns(EchoConvTiles *t)
{
  bool is_column[ECHO_MAX_RANK] = {false};
  t->n_features = t->n;
  t->feature_step = 1;
  if (t->lanes_are_groups)
    return;
  for (size_t i = t->n_spatial; i-- > 0;) {
    EchoConvSpatial *s = &t->spatial[i];
    if (!echo_stablehlo_residues_meet(&s->window, s->all_out) || t->n * s->phases > MAX_COLUMNS)
      continue;
    t->n *= s->phases;
    s->padding_low = (s->window.padding_low + 1) / s->phases - 1; /* of the first tap of each */
    is_column[i] = true;
  }
  int64_t step = 1;
  for (int64_t dim = (int64_t)t->n_spatial + 1; dim >= 0; --dim) {
    if (dim == t->dims->output_feature) {
      t->feature_step = step;
      step *= t->n_features;
    }
    for (size_t i = 0; i < t->n_spatial; ++i)
      if (is_column[i] && t->dims->output_spatial.dims[i] == dim) {
        t->spatial[i].column_step = step;
        step *= t->spatial[i].phases;
      }
  }
}

/* One image a group where groups are of the batch: a kernel's gradient. */
static void describe_groups(EchoConvTiles *t)
{
  bool is_one = t->feature_groups > 1 ? t->features == 1 : t->batch == 1;
  t->lanes_are_groups = t->n == 1 && t->n_groups >= LEAST_LANES && is_one &&
                        (t->feature_groups == 1 || t->batch_groups == 1);
  if (!t->lanes_are_groups)
    return;
  t->n = t->n_groups;
  t->n_groups = 1;
}

static void describe(const EchoOp *op, EchoConvTiles *t)
{
  const EchoType *x = echo_op_operand_type(op, 0), *k = echo_op_operand_type(op, 1);
  const EchoType *y = echo_op_result_type(op, 0);
  EchoWindowDim windows[ECHO_MAX_RANK];
  *t = (EchoConvTiles){.op = op,
                       .dims = echo_stablehlo_conv_dims(op),
                       .n_spatial = echo_stablehlo_windows(op, windows),
                       .feature_groups = echo_stablehlo_feature_group_count(op),
                       .batch_groups = echo_stablehlo_batch_group_count(op)};
  t->n_groups = t->feature_groups * t->batch_groups;
  t->batch = echo_type_dim(y, (size_t)t->dims->output_batch);
  t->features = echo_type_dim(k, (size_t)t->dims->kernel_input_feature);
  t->n = echo_type_dim(y, (size_t)t->dims->output_feature) / t->n_groups;
  t->sum_kind = echo_sum_kind(echo_type_element_kind(y));
  for (size_t i = 0; i < t->n_spatial; ++i) {
    t->spatial[i].window = windows[i];
    t->spatial[i].input = echo_type_dim(x, (size_t)t->dims->input_spatial.dims[i]);
    t->spatial[i].all_out = echo_type_dim(y, (size_t)t->dims->output_spatial.dims[i]);
    describe_spatial(&t->spatial[i]);
  }
  describe_groups(t);
  describe_columns(t);
}

static int64_t row_size(const EchoConvTiles *t, size_t dim)
{
  return dim == 0 ? t->batch : t->spatial[dim - 1].out;
}

/* Half cycles a step of the innermost product takes (two multiply-adds or two loads a cycle, four
 * cycles from a sum to its next), for each row that is of use. */
static double step_cost(const EchoConvTiles *t, int64_t size, int64_t rows)
{
  int64_t factors = t->lanes_are_groups ? rows * t->vectors : rows;
  int64_t step = most(most(rows * t->vectors, factors + t->vectors), LATENCY);
  return (double)(echo_conv_ceil(size, rows) * step) / (double)size;
}

static void choose_vectors(EchoConvTiles *t)
{
  bool is_wide = echo_type_bit_width(echo_scalar_type(echo_op_context(t->op), t->sum_kind)) == 64;
  t->lanes = is_wide ? 8 : 16;
  while (t->lanes / 2 >= t->n && t->lanes > LEAST_LANES)
    t->lanes /= 2;
  int64_t n_vectors = echo_conv_ceil(t->n, t->lanes);
  t->vectors = n_vectors == 1 ? 1 : n_vectors % 2 != 0 && n_vectors % 3 == 0 ? 3 : 2;
  int64_t columns = t->vectors * t->lanes;
  int64_t wide = t->lanes_are_groups ? 1 : most(MAX_COLUMNS / columns, 1);
  t->n_tile = columns * least(wide, echo_conv_ceil(t->n, columns));
}

/* Rows of sums that a task is worth starting for, few enough to keep MAX_TASKS threads busy. */
static int64_t task_rows(const EchoConvTiles *t)
{
  double places = (double)t->batch, depth = (double)t->features;
  for (size_t i = 0; i < t->n_spatial; ++i) {
    places *= (double)(t->spatial[i].out * echo_conv_task_phases(&t->spatial[i]));
    depth *= (double)t->spatial[i].taps;
  }
  double columns = (double)(t->n_groups * t->n);
  double tasks = places * columns * depth / TASK_PRODUCTS;
  tasks = tasks > MAX_TASKS ? MAX_TASKS : tasks < 1 ? 1 : tasks;
  double rows = places * (double)(t->n_groups * echo_conv_ceil(t->n, t->n_tile)) / tasks;
  bool transposes = (size_t)t->dims->kernel_output_feature != t->n_spatial + 1;
  int64_t enough = transposes ? TRANSPOSE_ROWS : COPY_ROWS;
  return rows > (double)TASK_ROWS ? TASK_ROWS : most((int64_t)rows, enough);
}

static int64_t tile_of(const EchoConvTiles *t, size_t dim, int64_t budget)
{
  int64_t size = row_size(t, dim);
  if (dim != t->row_dim)
    return even_part(size, least(size, most(budget, 1)));
  int64_t units = echo_conv_ceil(size, t->rows);
  return t->rows * even_part(units, least(units, most(budget / t->rows, 1)));
}

/* The innermost dimensions first: their places share the slab. */
static void choose_task(EchoConvTiles *t)
{
  int64_t budget = task_rows(t), reserve = t->row_dim == 0 ? t->rows : 1;
  for (size_t i = t->n_spatial; i-- > 0;) {
    t->spatial[i].out_tile = tile_of(t, i + 1, budget / reserve);
    budget = most(budget / t->spatial[i].out_tile, 1);
  }
  t->batch_tile = tile_of(t, 0, budget);
}

static void choose_steps(EchoConvSpatial *s)
{
  s->unit = s->out_step = s->tap_step = 1;
  if (s->tap_tile == 1 && s->base_dilation == 1) {
    s->unit = s->stride;
    s->tap_step = 0;
  } else if (s->out_tile == 1 && s->base_dilation == 1) {
    s->unit = s->dilation;
    s->out_step = 0;
  } else {
    s->unit = s->base_dilation == 1 ? gcd(s->stride, s->dilation) : 1;
    s->out_step = s->stride / s->unit;
    s->tap_step = s->dilation / s->unit;
  }
  s->extent = (s->out_tile - 1) * s->out_step + (s->tap_tile - 1) * s->tap_step + 1;
}

static int64_t slab_size(EchoConvTiles *t)
{
  int64_t size = t->batch_tile * t->feature_tile * (t->lanes_are_groups ? t->n_tile : 1);
  for (size_t i = 0; i < t->n_spatial; ++i) {
    choose_steps(&t->spatial[i]);
    size *= t->spatial[i].extent;
  }
  return size;
}

/* Blocks of the sum: whole windows of some features where the window is small, else rows of the
 * window of one feature, or of a few that lie side by side, as the innermost loop goes through. */
static void choose_blocks(EchoConvTiles *t)
{
  bool side_by_side = (size_t)t->dims->input_feature == t->n_spatial + 1;
  int64_t depth = 1, taps = side_by_side ? DEPTH / least(t->features, LEAST_FEATURES) : DEPTH;
  for (size_t i = t->n_spatial; i-- > 0;) {
    EchoConvSpatial *s = &t->spatial[i];
    s->tap_tile = even_part(s->taps, least(s->taps, most(taps / depth, 1)));
    depth *= s->tap_tile;
  }
  t->feature_tile = even_part(t->features, least(t->features, most(DEPTH / depth, 1)));
  for (size_t i = 0; slab_size(t) > SLAB_SIZE;) {
    if (t->feature_tile > 1)
      t->feature_tile = even_part(t->features, t->feature_tile / 2);
    else if (i < t->n_spatial && t->spatial[i].tap_tile > 1)
      t->spatial[i].tap_tile = even_part(t->spatial[i].taps, t->spatial[i].tap_tile / 2);
    else if (++i >= t->n_spatial)
      break;
  }
}

/* Half cycles that copying the slab takes for each row of sums, where its places are vectors: each
 * is a zero stored and an element stored, and a store takes a cycle. Where its places are elements
 * that all columns share, it is next to nothing. */
static double copy_cost(EchoConvTiles *t)
{
  enum { STORES = 4 };
  if (!t->lanes_are_groups)
    return 0;
  choose_task(t);
  choose_blocks(t);
  int64_t places = slab_size(t) / t->n_tile * echo_conv_ceil(t->features, t->feature_tile);
  int64_t sums = t->batch_tile, products = t->features;
  for (size_t i = 0; i < t->n_spatial; ++i) {
    places *= echo_conv_ceil(t->spatial[i].taps, t->spatial[i].tap_tile);
    sums *= t->spatial[i].out_tile;
    products *= t->spatial[i].taps;
  }
  return (double)(STORES * t->vectors * places) / (double)sums / (double)products;
}

/* The rows of the innermost product, along which dimension, for which a product costs least. */
static void choose_rows(EchoConvTiles *t)
{
  double best = 0;
  size_t best_dim = 0;
  int64_t best_rows = 0;
  for (size_t dim = t->n_spatial + 1; dim-- > 0;)
    for (int64_t rows = least(MAX_SUMS / t->vectors, MAX_ROWS); rows > 0; --rows) {
      t->rows = rows;
      t->row_dim = dim;
      double cost = step_cost(t, row_size(t, dim), rows) + copy_cost(t);
      if (best_rows != 0 && cost >= best)
        continue;
      best = cost;
      best_rows = rows;
      best_dim = dim;
    }
  t->rows = best_rows;
  t->row_dim = best_dim;
}

/* By input dimension, what lies in the slab. */
static int64_t slab_extent(const EchoConvTiles *t, size_t dim)
{
  if ((int64_t)dim == t->dims->input_batch)
    return t->batch_tile;
  if ((int64_t)dim == t->dims->input_feature)
    return t->feature_tile;
  for (size_t i = 0; i < t->n_spatial; ++i)
    if (t->dims->input_spatial.dims[i] == (int64_t)dim)
      return t->spatial[i].extent;
  ECHO_UNREACHABLE("dimension %zu", dim);
}

/* Whether a place of any slab lies outside of the input: `first` and `last` are the positions of
 * the lowest and of the highest. */
static bool leaves_input(const EchoConvSpatial *s)
{
  if (s->base_dilation > 1 || echo_conv_task_phases(s) > 1)
    return true;
  int64_t last_out = (echo_conv_ceil(s->out, s->out_tile) - 1) * s->out_tile;
  int64_t last_tap = (echo_conv_ceil(s->taps, s->tap_tile) - 1) * s->tap_tile;
  int64_t last =
      last_out * s->stride + last_tap * s->dilation - s->padding_low + (s->extent - 1) * s->unit;
  return s->padding_low > 0 || last > s->input - 1;
}

static void choose_memory(EchoConvTiles *t)
{
  t->slab_size = t->depth = t->n_sums = 1;
  for (size_t dim = t->n_spatial + 2; dim-- > 0;) {
    t->input_steps[dim] = t->slab_size;
    t->slab_size *= slab_extent(t, dim);
  }
  for (size_t i = t->n_spatial + 1; i-- > 0;) {
    t->sum_steps[i] = t->n_sums;
    t->n_sums *= i == 0 ? t->batch_tile : t->spatial[i - 1].out_tile;
  }
  t->depth = t->feature_tile;
  for (size_t i = 0; i < t->n_spatial; ++i) {
    t->depth *= t->spatial[i].tap_tile;
    t->spatial[i].leaves = leaves_input(&t->spatial[i]);
  }
  t->row_places = t->sum_steps[t->row_dim];
  if (t->row_dim == 0) {
    t->row_step = t->input_steps[t->dims->input_batch];
    return;
  }
  size_t i = t->row_dim - 1;
  t->row_step = t->spatial[i].out_step * t->input_steps[t->dims->input_spatial.dims[i]];
}

void echo_conv_tiles(const EchoOp *op, EchoConvTiles *tiles)
{
  describe(op, tiles);
  choose_vectors(tiles);
  choose_rows(tiles);
  choose_task(tiles);
  choose_blocks(tiles);
  choose_memory(tiles);
}
