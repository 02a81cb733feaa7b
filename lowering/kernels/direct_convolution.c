/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Convolutions on the CPU. A task has a box of places of the result and some of its features. For
 * each block of the sum it copies the part of the input that the box sees (the slab; padding and
 * holes are zeros there, so a product needs no checks) and the part of the kernel (the panel, a
 * row a product), and multiplies: rows of the slab at a fixed distance by vectors of the panel. No
 * window is ever written out. Of depthwise convolutions the slab's rows are vectors too. */
#include "dialects/vector/vector.h"
#include "lowering/kernels/contraction_t.h"
#include "lowering/kernels/direct_convolution_t.h"

enum { MAX_PRODUCT = 32 };

/* Of one spatial dimension in a task and a block. */
typedef struct Place {
  EchoValue *residue, *first_tap; /* of the phase: places and taps are these modulo phases */
  EchoValue *origin;              /* input position of place 0 under tap 0 */
  EchoValue *n_out, *n_taps;      /* of the phase */
  EchoValue *out, *out_size;      /* first place of the task, and how many */
  EchoValue *tap, *tap_size;      /* first tap of the block, and how many */
} Place;

typedef struct Direct {
  EchoKernelEmitter *emitter;
  const EchoConvTiles *t;
  const EchoType *scalar, *vector;
  EchoValue *zero;
  EchoValue *group, *batch, *batch_size, *n, *n_size;
  EchoValue *feature, *feature_size;
  Place places[ECHO_MAX_RANK];
  EchoValue *slab, *panel, *sums;
} Direct;

/* ---- index arithmetic ---- */

static EchoElementEmitter *base_of(const Direct *d)
{
  d->emitter->base.builder = echo_kernel_builder(d->emitter);
  return &d->emitter->base;
}

static EchoValue *constant(const Direct *d, int64_t value)
{
  return echo_index_constant(base_of(d), value);
}

static EchoValue *add(const Direct *d, EchoValue *a, EchoValue *b)
{
  return echo_index_add(base_of(d), a, b);
}

/* sum + a * factor */
static EchoValue *add_scaled(const Direct *d, EchoValue *sum, EchoValue *a, int64_t factor)
{
  return add(d, sum, echo_index_mul_constant(base_of(d), a, factor));
}

static EchoValue *shifted(const Direct *d, EchoValue *a, int64_t by)
{
  return echo_index_add_constant(base_of(d), a, by);
}

static EchoValue *from_constant(const Direct *d, int64_t value, EchoValue *minus)
{
  return echo_index_sub(base_of(d), constant(d, value), minus);
}

static EchoValue *not_negative(const Direct *d, EchoValue *a)
{
  return echo_index_max(base_of(d), a, constant(d, 0));
}

static EchoValue *quotient(const Direct *d, EchoValue *a, int64_t by)
{
  return echo_index_div_constant(base_of(d), a, by);
}

/* min(tile, total - start), where `total` is `static_total` or less. */
static EchoValue *clipped(const Direct *d, EchoValue *start, int64_t tile, EchoValue *total,
                          int64_t static_total, bool is_static)
{
  if (is_static && static_total % tile == 0)
    return constant(d, tile);
  return echo_index_min(base_of(d), echo_index_sub(base_of(d), total, start), constant(d, tile));
}

/* ---- loops ---- */

/* A loop over [0, size), or 0 itself where there is no more than one pass. */
static EchoValue *begin(const Direct *d, EchoValue *size, int64_t most, int64_t step,
                        bool is_parallel, size_t *n_open)
{
  if (most <= step)
    return constant(d, 0);
  ++*n_open;
  return echo_kernel_begin_for(d->emitter, constant(d, 0), size, step, is_parallel);
}

static void end(const Direct *d, size_t n_open)
{
  while (n_open-- > 0)
    echo_kernel_end_for(d->emitter);
}

/* Spatial dimension that lies at dimension `dim` of a tensor; n where none does. */
static size_t spatial_at(EchoDimList dims, size_t n, size_t dim)
{
  size_t i = 0;
  while (i < n && dims.dims[i] != (int64_t)dim)
    ++i;
  return i;
}

/* ---- the task ---- */

static void place_phase(const Direct *d, const EchoConvSpatial *s, Place *place)
{
  int64_t pad = s->padding_low, phases = echo_conv_task_phases(s);
  place->first_tap = constant(d, 0);
  place->origin = constant(d, -pad);
  place->n_out = constant(d, s->out);
  place->n_taps = constant(d, s->taps);
  if (phases == 1)
    return;
  int64_t rest = (pad % phases + phases) % phases, lift = pad > 0 ? echo_conv_ceil(pad, phases) : 0;
  place->first_tap =
      echo_index_rem_constant(base_of(d), from_constant(d, rest + phases, place->residue), phases);
  EchoValue *first = shifted(d, add(d, place->residue, place->first_tap), phases * lift - pad);
  place->origin = shifted(d, quotient(d, first, phases), -lift);
  place->n_out = quotient(d, from_constant(d, s->all_out + phases - 1, place->residue), phases);
  place->n_taps =
      quotient(d, from_constant(d, s->window.size + phases - 1, place->first_tap), phases);
}

static size_t task_grid(const EchoConvTiles *t, int64_t *grid)
{
  size_t n = 0;
  grid[n++] = t->n_groups;
  grid[n++] = echo_conv_ceil(t->batch, t->batch_tile);
  for (size_t i = 0; i < t->n_spatial; ++i) {
    grid[n++] = echo_conv_task_phases(&t->spatial[i]);
    grid[n++] = echo_conv_ceil(t->spatial[i].out, t->spatial[i].out_tile);
  }
  grid[n++] = echo_conv_ceil(t->n, t->n_tile);
  return n;
}

static EchoValue *alloca_of(const Direct *d, int64_t rows, int64_t columns)
{
  int64_t dims[] = {rows, columns};
  return echo_kernel_alloca(d->emitter, d->scalar, dims, 2);
}

static void place_task(Direct *d)
{
  const EchoConvTiles *t = d->t;
  int64_t grid[2 * ECHO_MAX_RANK + 3], n_tasks = 1;
  EchoValue *at[2 * ECHO_MAX_RANK + 3];
  size_t n = task_grid(t, grid), next = 0;
  for (size_t i = 0; i < n; ++i)
    n_tasks *= grid[i];
  EchoValue *task = echo_kernel_begin_tasks(d->emitter, n_tasks, d->emitter->work_ns);
  echo_index_delinearize(base_of(d), task, grid, n, at);
  d->group = at[next++];
  d->batch = echo_index_mul_constant(base_of(d), at[next++], t->batch_tile);
  d->batch_size = clipped(d, d->batch, t->batch_tile, constant(d, t->batch), t->batch, true);
  for (size_t i = 0; i < t->n_spatial; ++i) {
    const EchoConvSpatial *s = &t->spatial[i];
    Place *place = &d->places[i];
    place->residue = at[next++];
    place_phase(d, s, place);
    place->out = echo_index_mul_constant(base_of(d), at[next++], s->out_tile);
    place->out_size = clipped(d, place->out, s->out_tile, place->n_out, s->out,
                              s->all_out % echo_conv_task_phases(s) == 0);
  }
  d->n = echo_index_mul_constant(base_of(d), at[next], t->n_tile);
  d->n_size = clipped(d, d->n, t->n_tile, constant(d, t->n), t->n, true);
  d->slab =
      t->lanes_are_groups ? alloca_of(d, t->slab_size, t->n_tile) : alloca_of(d, 1, t->slab_size);
  d->panel = alloca_of(d, t->depth, t->n_tile);
  d->sums = alloca_of(d, t->n_sums, t->n_tile);
}

static void fill_zero(const Direct *d, EchoValue *memory, int64_t rows, int64_t columns)
{
  size_t n_open = 0;
  EchoValue *row = begin(d, constant(d, rows), rows, 1, false, &n_open);
  EchoValue *at[] = {row, begin(d, constant(d, columns), columns, 1, true, &n_open)};
  echo_memref_store(echo_kernel_builder(d->emitter), d->zero, memory, at, 2);
  end(d, n_open);
}

/* ---- a block of the sum ---- */

static bool is_one_block(const EchoConvTiles *t)
{
  bool is_one = t->feature_tile == t->features;
  for (size_t i = 0; i < t->n_spatial; ++i)
    is_one &= t->spatial[i].tap_tile == t->spatial[i].taps;
  return is_one;
}

static size_t begin_blocks(Direct *d)
{
  const EchoConvTiles *t = d->t;
  size_t n_open = 0;
  for (size_t i = 0; i < t->n_spatial; ++i) {
    const EchoConvSpatial *s = &t->spatial[i];
    Place *place = &d->places[i];
    place->tap = begin(d, place->n_taps, s->taps, s->tap_tile, false, &n_open);
    place->tap_size = clipped(d, place->tap, s->tap_tile, place->n_taps, s->taps,
                              s->window.size % echo_conv_task_phases(s) == 0);
  }
  EchoValue *features = constant(d, t->features);
  d->feature = begin(d, features, t->features, t->feature_tile, false, &n_open);
  d->feature_size = clipped(d, d->feature, t->feature_tile, features, t->features, true);
  return n_open;
}

/* A loop over the places of the slab that hold elements of the input: fills the input's index and
 * returns the place. */
static EchoValue *begin_extent(const Direct *d, size_t i, bool is_parallel, EchoValue **index,
                               size_t *n_open)
{
  const EchoConvSpatial *s = &d->t->spatial[i];
  const Place *place = &d->places[i];
  EchoValue *first = add_scaled(d, place->origin, place->out, s->stride);
  first = add_scaled(d, first, place->tap, s->dilation);
  if (!s->leaves) {
    EchoValue *at = begin(d, constant(d, s->extent), s->extent, 1, is_parallel, n_open);
    *index = add_scaled(d, first, at, s->unit);
    return at;
  }
  ++*n_open;
  int64_t step = s->base_dilation > 1 ? s->base_dilation : s->unit;
  EchoValue *before = s->base_dilation > 1 ? first : from_constant(d, 0, first);
  EchoValue *low = quotient(d, shifted(d, not_negative(d, before), step - 1), step);
  EchoValue *after = s->base_dilation > 1 ? shifted(d, first, s->extent - 1 + step)
                                          : from_constant(d, s->input - 1 + step, first);
  EchoValue *high = quotient(d, not_negative(d, after), step);
  int64_t most = s->base_dilation > 1 ? s->input : s->extent;
  high = echo_index_min(base_of(d), high, constant(d, most));
  EchoValue *at = echo_kernel_begin_for(d->emitter, low, high, 1, is_parallel);
  if (s->base_dilation == 1) {
    *index = add_scaled(d, first, at, s->unit);
    return at;
  }
  *index = at;
  EchoValue *scaled = echo_index_mul_constant(base_of(d), at, s->base_dilation);
  return echo_index_sub(base_of(d), scaled, first);
}

static EchoValue *converted(const Direct *d, EchoValue *tensor, EchoValue *const *indices)
{
  EchoValue *value = echo_kernel_element(d->emitter, tensor, indices);
  return value == NULL
             ? NULL
             : echo_scalar_convert(echo_kernel_builder(d->emitter),
                                   echo_type_element_kind(tensor->type), d->t->sum_kind, value);
}

/* Whether rows beyond the box, or places outside of the input, would be read as they were. */
static bool has_gaps(const EchoConvTiles *t)
{
  bool gaps = t->row_dim == 0 && t->batch % t->batch_tile != 0;
  for (size_t i = 0; i < t->n_spatial; ++i)
    gaps |= t->spatial[i].leaves;
  return gaps;
}

/* A column a group, where those are the lanes. */
static void place_in_slab(const Direct *d, EchoValue *place, EchoValue *column,
                          EchoValue **position)
{
  position[0] = d->t->lanes_are_groups ? place : constant(d, 0);
  position[1] = d->t->lanes_are_groups ? column : place;
}

static void fill_slab(const Direct *d)
{
  const EchoConvTiles *t = d->t;
  const EchoConvDims *dims = t->dims;
  EchoValue *tensor = echo_op_operand(t->op, 0), *indices[ECHO_MAX_RANK], *at = constant(d, 0);
  EchoValue *column = constant(d, 0);
  bool by_groups = t->lanes_are_groups;
  size_t groups_dim = (size_t)(t->batch_groups > 1 ? dims->input_batch : dims->input_feature);
  if (has_gaps(t))
    fill_zero(d, d->slab, by_groups ? t->slab_size : 1, by_groups ? t->n_tile : t->slab_size);
  size_t n_open = 0, rank = t->n_spatial + 2;
  for (size_t dim = 0; dim < rank; ++dim) {
    bool is_last = dim + 1 == rank;
    EchoValue *place;
    if (by_groups && dim == groups_dim) {
      column = begin(d, d->n_size, t->n_tile, 1, is_last, &n_open);
      indices[dim] = add(d, d->n, column);
      continue;
    }
    if ((int64_t)dim == dims->input_batch) {
      place = begin(d, d->batch_size, t->batch_tile, 1, is_last, &n_open);
      indices[dim] = add(d, d->batch, place);
      if (t->batch_groups > 1)
        indices[dim] = add_scaled(d, indices[dim], d->group, t->batch);
    } else if ((int64_t)dim == dims->input_feature) {
      place = begin(d, d->feature_size, t->feature_tile, 1, is_last, &n_open);
      indices[dim] = add(d, d->feature, place);
      if (t->feature_groups > 1)
        indices[dim] = add_scaled(d, indices[dim], d->group, t->features);
    } else {
      size_t i = spatial_at(dims->input_spatial, t->n_spatial, dim);
      place = begin_extent(d, i, is_last, &indices[dim], &n_open);
    }
    at = add_scaled(d, at, place, t->input_steps[dim]);
  }
  EchoValue *position[2], *value = converted(d, tensor, indices);
  place_in_slab(d, at, column, position);
  if (value != NULL)
    echo_memref_store(echo_kernel_builder(d->emitter), value, d->slab, position, 2);
  end(d, n_open);
}

/* Row of the panel for these taps of the block and feature of the block. */
static EchoValue *panel_row(const Direct *d, EchoValue *const *taps, EchoValue *feature)
{
  EchoValue *row = constant(d, 0);
  for (size_t i = 0; i < d->t->n_spatial; ++i)
    row = add_scaled(d, taps[i], row, d->t->spatial[i].tap_tile);
  return add_scaled(d, feature, row, d->t->feature_tile);
}

static bool has_residues(const EchoConvTiles *t)
{
  return t->n != t->n_features;
}

/* The tap of the kernel that is `tap` of the phase. */
static EchoValue *tap_in_kernel(const Direct *d, size_t i, EchoValue *tap, EchoValue **residues,
                                size_t *n_open)
{
  const EchoConvSpatial *s = &d->t->spatial[i];
  if (s->column_step == 0)
    return add_scaled(d, d->places[i].first_tap, tap, s->phases);
  EchoValue *residue = begin(d, constant(d, s->phases), s->phases, 1, false, n_open);
  *residues = add_scaled(d, *residues, residue, s->column_step);
  return add_scaled(d, from_constant(d, s->phases - 1, residue), tap, s->phases);
}

/* A loop over features where residues are columns, too, given the columns of outer loops' residues.
 */
static EchoValue *begin_features(const Direct *d, EchoValue *residues, size_t *n_open,
                                 EchoValue **column)
{
  const EchoConvTiles *t = d->t;
  EchoValue *at = begin(d, constant(d, t->n_features), t->n_features, 1, false, n_open);
  *column = add_scaled(d, residues, at, t->feature_step);
  return add_scaled(d, at, d->group, t->n_features);
}

static void fill_panel(const Direct *d)
{
  const EchoConvTiles *t = d->t;
  const EchoConvDims *dims = t->dims;
  EchoValue *tensor = echo_op_operand(t->op, 1), *indices[ECHO_MAX_RANK];
  EchoValue *taps[ECHO_MAX_RANK], *feature = NULL, *column = NULL, *columns = NULL;
  EchoValue *residues = constant(d, 0);
  size_t n_open = 0, rank = t->n_spatial + 2, out = (size_t)dims->kernel_output_feature;
  bool by_residues = has_residues(t), transposes = out + 1 != rank && t->n_tile > 1 && !by_residues;
  for (size_t dim = 0; dim < rank; ++dim) {
    bool is_last = dim + 1 == rank && !transposes && !by_residues;
    if (dim == out && by_residues)
      continue;
    if ((int64_t)dim == dims->kernel_input_feature) {
      feature = begin(d, d->feature_size, t->feature_tile, 1, is_last, &n_open);
      indices[dim] = add(d, d->feature, feature);
    } else if (dim == out) {
      columns = begin(d, d->n_size, t->n_tile, transposes ? t->lanes : 1, is_last, &n_open);
    } else {
      size_t i = spatial_at(dims->kernel_spatial, t->n_spatial, dim);
      const EchoConvSpatial *s = &t->spatial[i];
      const Place *place = &d->places[i];
      bool may_be_none = echo_conv_task_phases(s) > 1; /* a phase may have no tap at all */
      int64_t most = may_be_none ? INT64_MAX : s->tap_tile;
      taps[i] = begin(d, place->tap_size, most, 1, is_last, &n_open);
      EchoValue *tap = tap_in_kernel(d, i, add(d, place->tap, taps[i]), &residues, &n_open);
      indices[dim] = s->window.reversed ? from_constant(d, s->window.size - 1, tap) : tap;
    }
  }
  column = columns;
  if (by_residues) {
    indices[out] = begin_features(d, residues, &n_open, &column);
  } else if (transposes) { /* a line of the panel at a time, out of lines that are read on */
    EchoValue *size = clipped(d, columns, t->lanes, d->n_size, t->n, t->n % t->n_tile == 0);
    column = add(d, columns, begin(d, size, t->lanes, 1, true, &n_open));
  }
  if (!by_residues)
    indices[out] = add_scaled(d, add(d, d->n, column), d->group, t->n);
  EchoValue *position[] = {panel_row(d, taps, feature), column};
  EchoValue *value = converted(d, tensor, indices);
  if (value != NULL)
    echo_memref_store(echo_kernel_builder(d->emitter), value, d->panel, position, 2);
  end(d, n_open);
}

/* ---- the product ---- */

/* Of the input: one for all lanes, or one each. */
static EchoValue *load_factor(const Direct *d, EchoValue *place, EchoValue *column)
{
  EchoBuilder *builder = echo_kernel_builder(d->emitter);
  EchoValue *at[2];
  place_in_slab(d, place, column, at);
  if (d->t->lanes_are_groups)
    return echo_vector_load(builder, d->vector, d->slab, at, 2);
  return echo_vector_broadcast(builder, d->vector, echo_memref_load(builder, d->slab, at, 2));
}

/* One step: all rows and vectors. `slab` is the place of row 0, `row` the panel's. */
static void multiply_step(const Direct *d, EchoValue *slab, EchoValue *row, EchoValue *column,
                          EchoValue *const *carried, EchoValue **next)
{
  const EchoConvTiles *t = d->t;
  EchoValue *panel[MAX_PRODUCT];
  for (int64_t v = 0; v < t->vectors; ++v) {
    EchoValue *at[] = {row, shifted(d, column, v * t->lanes)};
    panel[v] = echo_vector_load(echo_kernel_builder(d->emitter), d->vector, d->panel, at, 2);
  }
  EchoValue *a = NULL;
  for (int64_t r = 0; r < t->rows; ++r)
    for (int64_t v = 0; v < t->vectors; ++v) {
      if (v == 0 || t->lanes_are_groups)
        a = load_factor(d, shifted(d, slab, r * t->row_step), shifted(d, column, v * t->lanes));
      next[r * t->vectors + v] =
          echo_multiply_add(d->emitter, t->sum_kind, a, panel[v], carried[r * t->vectors + v]);
    }
}

/* A nest of loops over the block: taps from dimension i on, then features. */
static void multiply_nest(const Direct *d, size_t i, EchoValue *slab, EchoValue *row,
                          EchoValue *column, EchoValue *const *inits, EchoValue **results)
{
  const EchoConvTiles *t = d->t;
  if (i > t->n_spatial) {
    multiply_step(d, slab, row, column, inits, results);
    return;
  }
  bool is_feature = i == t->n_spatial;
  const EchoConvSpatial *s = &t->spatial[i];
  int64_t tile = is_feature ? t->feature_tile : s->tap_tile;
  size_t dim = (size_t)(is_feature ? t->dims->input_feature : t->dims->input_spatial.dims[i]);
  int64_t step = t->input_steps[dim] * (is_feature ? 1 : s->tap_step);
  EchoValue *size = is_feature ? d->feature_size : d->places[i].tap_size;
  EchoValue *carried[MAX_PRODUCT], *next[MAX_PRODUCT];
  if (tile == 1 && (is_feature || echo_conv_task_phases(s) == 1)) {
    multiply_nest(d, i + 1, slab, row, column, inits, results);
    return;
  }
  size_t n = (size_t)(t->rows * t->vectors);
  EchoValue *k = echo_kernel_begin_carried_to(d->emitter, size, inits, n, carried);
  multiply_nest(d, i + 1, add_scaled(d, slab, k, step), add_scaled(d, k, row, tile), column,
                carried, next);
  echo_kernel_end_carried(d->emitter, next, n, results);
}

static void multiply_rows(const Direct *d, EchoValue *slab, EchoValue *sums, EchoValue *column)
{
  const EchoConvTiles *t = d->t;
  EchoValue *values[MAX_PRODUCT], *results[MAX_PRODUCT];
  bool begins = is_one_block(t);
  for (int64_t j = 0; j < t->rows * t->vectors; ++j) {
    EchoValue *at[] = {shifted(d, sums, j / t->vectors * t->row_places),
                       shifted(d, column, j % t->vectors * t->lanes)};
    EchoBuilder *builder = echo_kernel_builder(d->emitter);
    values[j] = begins ? echo_vector_broadcast(builder, d->vector, d->zero)
                       : echo_vector_load(builder, d->vector, d->sums, at, 2);
  }
  multiply_nest(d, 0, slab, constant(d, 0), column, values, results);
  for (int64_t j = 0; j < t->rows * t->vectors; ++j) {
    EchoValue *at[] = {shifted(d, sums, j / t->vectors * t->row_places),
                       shifted(d, column, j % t->vectors * t->lanes)};
    echo_vector_store(echo_kernel_builder(d->emitter), results[j], d->sums, at, 2);
  }
}

static void multiply_block(const Direct *d)
{
  const EchoConvTiles *t = d->t;
  EchoValue *slab = constant(d, 0), *sums = constant(d, 0);
  size_t n_open = 0;
  for (size_t dim = 0; dim <= t->n_spatial; ++dim) {
    const EchoConvSpatial *s = dim > 0 ? &t->spatial[dim - 1] : NULL;
    EchoValue *size = dim > 0 ? d->places[dim - 1].out_size : d->batch_size;
    int64_t tile = dim > 0 ? s->out_tile : t->batch_tile, rows = dim == t->row_dim ? t->rows : 1;
    EchoValue *at = begin(d, size, tile, rows, false, &n_open);
    size_t input = (size_t)(dim > 0 ? t->dims->input_spatial.dims[dim - 1] : t->dims->input_batch);
    slab = add_scaled(d, slab, at, t->input_steps[input] * (dim > 0 ? s->out_step : 1));
    sums = add_scaled(d, sums, at, t->sum_steps[dim]);
  }
  EchoValue *column =
      echo_kernel_begin_tile(d->emitter, d->n_size, t->vectors * t->lanes, t->rows, t->vectors);
  multiply_rows(d, slab, sums, column);
  end(d, n_open + 1);
}

static void store_sums(const Direct *d)
{
  const EchoConvTiles *t = d->t;
  const EchoConvDims *dims = t->dims;
  EchoValue *indices[ECHO_MAX_RANK], *row = constant(d, 0), *column = constant(d, 0);
  size_t n_open = 0, rank = t->n_spatial + 2;
  for (size_t dim = 0; dim < rank; ++dim) {
    bool is_last = dim + 1 == rank;
    if ((int64_t)dim == dims->output_feature && has_residues(t)) {
      indices[dim] = begin_features(d, column, &n_open, &column);
    } else if ((int64_t)dim == dims->output_feature) {
      column = begin(d, d->n_size, t->n_tile, 1, is_last, &n_open);
      indices[dim] = add_scaled(d, add(d, d->n, column), d->group, t->n);
    } else if ((int64_t)dim == dims->output_batch) {
      EchoValue *at = begin(d, d->batch_size, t->batch_tile, 1, is_last, &n_open);
      indices[dim] = add(d, d->batch, at);
      row = add_scaled(d, row, at, t->sum_steps[0]);
    } else {
      size_t i = spatial_at(dims->output_spatial, t->n_spatial, dim);
      const Place *place = &d->places[i];
      const EchoConvSpatial *s = &t->spatial[i];
      bool may_be_none = s->all_out % s->phases != 0; /* in the last task of a smaller phase */
      int64_t most = may_be_none ? INT64_MAX : s->out_tile;
      EchoValue *at = begin(d, place->out_size, most, 1, is_last, &n_open);
      EchoValue *residue = place->residue;
      if (s->column_step > 0) {
        residue = begin(d, constant(d, s->phases), s->phases, 1, false, &n_open);
        column = add_scaled(d, column, residue, s->column_step);
      }
      indices[dim] = add_scaled(d, residue, add(d, place->out, at), s->phases);
      row = add_scaled(d, row, at, t->sum_steps[i + 1]);
    }
  }
  EchoValue *at[] = {row, column};
  EchoBuilder *builder = echo_kernel_builder(d->emitter);
  EchoValue *sum = echo_memref_load(builder, d->sums, at, 2);
  EchoElementKind kind = echo_type_element_kind(echo_op_result_type(t->op, 0));
  echo_kernel_store(d->emitter, echo_scalar_convert(builder, t->sum_kind, kind, sum),
                    echo_kernel_output(d->emitter, 0), indices);
  end(d, n_open);
}

void echo_emit_direct_convolution(EchoKernelEmitter *emitter, const EchoOp *op)
{
  EchoConvTiles tiles;
  echo_conv_tiles(op, &tiles);
  Direct d = {.emitter = emitter, .t = &tiles};
  d.scalar = echo_scalar_type(emitter->ctx, tiles.sum_kind);
  d.vector = echo_type_vector(emitter->ctx, &tiles.lanes, 1, d.scalar, 0);
  const EchoAttr *zero = echo_element_is_float(tiles.sum_kind)
                             ? echo_attr_float(emitter->ctx, d.scalar, 0.0)
                             : echo_attr_integer(emitter->ctx, d.scalar, 0);
  d.zero = emitter->base.constant(base_of(&d), zero);
  place_task(&d);
  if (!is_one_block(&tiles))
    fill_zero(&d, d.sums, tiles.n_sums, tiles.n_tile);
  size_t n_open = begin_blocks(&d);
  fill_slab(&d);
  fill_panel(&d);
  multiply_block(&d);
  end(&d, n_open);
  store_sums(&d);
  echo_kernel_end_tasks(emitter);
}
