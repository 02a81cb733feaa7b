/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Views: read off ops, composed, and built again. */
#include "planning/movement/view.h"

#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"

static EchoViewAxis *new_axes(EchoArena *arena, uint32_t n)
{
  return ECHO_ARENA_ARRAY(arena, EchoViewAxis, n + 1);
}

/* An axis in its one form: what reads one index only is fixed. */
static EchoViewAxis axis(const EchoType *type, int64_t start, int64_t step, uint32_t dim)
{
  if (dim == ECHO_VIEW_FIXED || step == 0 || echo_type_dim(type, dim) == 1)
    return (EchoViewAxis){start, 0, ECHO_VIEW_FIXED};
  return (EchoViewAxis){start, step, dim};
}

EchoView echo_view_identity(EchoArena *arena, const EchoType *type)
{
  uint32_t rank = echo_type_rank(type);
  EchoViewAxis *axes = new_axes(arena, rank);
  for (uint32_t d = 0; d < rank; ++d)
    axes[d] = axis(type, 0, 1, d);
  return (EchoView){type, axes, rank};
}

void echo_view_range(const EchoView *view, size_t axis_number, int64_t *first, int64_t *last)
{
  const EchoViewAxis *at = &view->axes[axis_number];
  int64_t end = at->start;
  if (at->dim != ECHO_VIEW_FIXED)
    end += at->step * (echo_type_dim(view->type, at->dim) - 1);
  *first = at->start < end ? at->start : end;
  *last = at->start < end ? end : at->start;
}

EchoView echo_view_moved(EchoArena *arena, const EchoView *view, const int64_t *offset)
{
  EchoViewAxis *axes = new_axes(arena, view->n_axes);
  for (uint32_t d = 0; d < view->n_axes; ++d) {
    axes[d] = view->axes[d];
    axes[d].start -= offset[d];
  }
  return (EchoView){view->type, axes, view->n_axes};
}

bool echo_view_is_identity(const EchoView *view, const EchoType *source)
{
  if (view->type != source)
    return false;
  for (uint32_t d = 0; d < view->n_axes; ++d)
    if (echo_type_dim(source, d) != 1 &&
        (view->axes[d].dim != d || view->axes[d].start != 0 || view->axes[d].step != 1))
      return false;
  return true;
}

/* ---- ops ---- */

/* Unsigned 64-bit indices beyond int64 lie behind the end of everything. */
static int64_t constant_index(const EchoAttr *constant, size_t i)
{
  int64_t index = echo_elements_i64(constant, i);
  return echo_type_element_kind(constant->type) == ECHO_ELEMENT_UI64 && index < 0 ? INT64_MAX
                                                                                  : index;
}

static int64_t clamp(int64_t x, int64_t last)
{
  return x < 0 ? 0 : x > last ? last : x;
}

static const EchoAttr *dense_or_null(const EchoValue *value)
{
  const EchoAttr *constant = echo_value_constant_or_null(value);
  return constant != NULL && constant->kind == ECHO_ATTR_DENSE_ELEMENTS ? constant : NULL;
}

bool echo_view_constant_starts(const EchoOp *op, size_t first, const EchoType *whole,
                               const EchoType *part, int64_t *starts)
{
  for (uint32_t d = 0; d < echo_type_rank(whole); ++d) {
    const EchoAttr *constant = dense_or_null(echo_op_operand(op, first + d));
    if (constant == NULL)
      return false;
    starts[d] =
        clamp(constant_index(constant, 0), echo_type_dim(whole, d) - echo_type_dim(part, d));
  }
  return true;
}

static bool slice_axes(const EchoOp *op, const EchoType *source, const EchoType *type,
                       EchoViewAxis *axes)
{
  EchoDimList start = echo_stablehlo_dims(op, "start_indices");
  EchoDimList strides = echo_stablehlo_dims(op, "strides");
  for (uint32_t d = 0; d < echo_type_rank(source); ++d)
    axes[d] = axis(type, start.dims[d], strides.dims[d], d);
  return true;
}

static bool dynamic_slice_axes(const EchoOp *op, const EchoType *source, const EchoType *type,
                               EchoViewAxis *axes)
{
  int64_t starts[ECHO_MAX_RANK];
  if (!echo_view_constant_starts(op, 1, source, type, starts))
    return false;
  for (uint32_t d = 0; d < echo_type_rank(source); ++d)
    axes[d] = axis(type, starts[d], 1, d);
  return true;
}

static bool transpose_axes(const EchoOp *op, const EchoType *source, const EchoType *type,
                           EchoViewAxis *axes)
{
  (void)source;
  EchoDimList permutation = echo_stablehlo_dims(op, "permutation");
  for (uint32_t d = 0; d < permutation.size; ++d)
    axes[permutation.dims[d]] = axis(type, 0, 1, d);
  return true;
}

static bool reverse_axes(const EchoOp *op, const EchoType *source, const EchoType *type,
                         EchoViewAxis *axes)
{
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  for (uint32_t d = 0; d < echo_type_rank(source); ++d)
    axes[d] = echo_dim_list_has(dims, d) ? axis(type, echo_type_dim(source, d) - 1, -1, d)
                                         : axis(type, 0, 1, d);
  return true;
}

static bool broadcast_in_dim_axes(const EchoOp *op, const EchoType *source, const EchoType *type,
                                  EchoViewAxis *axes)
{
  EchoDimList dims = echo_stablehlo_dims(op, "broadcast_dimensions");
  for (uint32_t d = 0; d < echo_type_rank(source); ++d)
    axes[d] = axis(type, 0, echo_type_dim(source, d) != 1, (uint32_t)dims.dims[d]);
  return true;
}

static bool broadcast_axes(const EchoOp *op, const EchoType *source, const EchoType *type,
                           EchoViewAxis *axes)
{
  uint32_t n_new = (uint32_t)echo_stablehlo_dims(op, "broadcast_sizes").size;
  for (uint32_t d = 0; d < echo_type_rank(source); ++d)
    axes[d] = axis(type, 0, 1, n_new + d);
  return true;
}

/* ---- gather: slices at places that a constant lists ---- */

/* The indices of one source dimension, each clamped: start + step * position along one dimension of
 * the indices. `k` is their place in the index vectors. */
typedef struct Count {
  int64_t start, step;
  uint32_t dim; /* of the indices */
} Count;

static bool counts_evenly(const EchoAttr *indices, const EchoGatherDims *dims, int64_t k,
                          int64_t last_start, Count *count)
{
  const EchoType *type = indices->type;
  uint32_t rank = echo_type_rank(type);
  int64_t at[ECHO_MAX_RANK] = {0}, n = echo_type_static_n_elements(type);
  *count = (Count){0, 0, ECHO_VIEW_FIXED};
  for (int64_t i = 0; i < n; ++i) {
    int64_t rest = i, expected = count->start;
    for (uint32_t d = rank; d-- > 0; rest /= echo_type_dim(type, d))
      at[d] = rest % echo_type_dim(type, d);
    if (dims->index_vector_dim < rank && at[dims->index_vector_dim] != k)
      continue;
    int64_t value = clamp(constant_index(indices, (size_t)i), last_start);
    uint32_t n_moved = 0, moved = 0;
    for (uint32_t d = 0; d < rank; ++d)
      if ((int64_t)d != dims->index_vector_dim && at[d] != 0) {
        ++n_moved;
        moved = d;
      }
    if (n_moved == 0)
      expected = count->start = value;
    else if (n_moved == 1 && at[moved] == 1 && value != count->start) {
      if (count->dim != ECHO_VIEW_FIXED)
        return false;
      *count = (Count){count->start, value - count->start, moved};
    }
    if (n_moved != 0)
      expected += count->dim == ECHO_VIEW_FIXED ? 0 : count->step * at[count->dim];
    if (value != expected)
      return false;
  }
  return true;
}

/* The result's dimension of dimension `d` of the indices. */
static uint32_t batch_dim(const EchoGatherDims *dims, uint32_t d)
{
  uint32_t n = d - ((int64_t)d > dims->index_vector_dim), result = 0;
  for (;; ++result) {
    if (echo_dim_list_has(dims->offset_dims, result))
      continue;
    if (n-- == 0)
      return result;
  }
}

static bool gather_axes(const EchoOp *op, const EchoType *source, const EchoType *type,
                        EchoViewAxis *axes)
{
  const EchoAttr *indices = dense_or_null(echo_op_operand(op, 1));
  const EchoGatherDims *dims = echo_stablehlo_gather_dims(op);
  EchoDimList sizes = echo_stablehlo_dims(op, "slice_sizes");
  size_t next_offset = 0;
  if (indices == NULL && dims->start_index_map.size != 0)
    return false;
  for (size_t k = 0; k < dims->operand_batching_dims.size; ++k)
    axes[dims->operand_batching_dims.dims[k]] =
        axis(type, 0, 1, batch_dim(dims, (uint32_t)dims->start_indices_batching_dims.dims[k]));
  for (uint32_t d = 0; d < echo_type_rank(source); ++d) {
    if (echo_dim_list_has(dims->operand_batching_dims, d))
      continue;
    Count count = {0, 0, ECHO_VIEW_FIXED};
    for (size_t k = 0; k < dims->start_index_map.size; ++k)
      if (dims->start_index_map.dims[k] == (int64_t)d &&
          !counts_evenly(indices, dims, (int64_t)k, echo_type_dim(source, d) - sizes.dims[d],
                         &count))
        return false;
    bool is_collapsed = echo_dim_list_has(dims->collapsed_slice_dims, d);
    uint32_t offset = is_collapsed ? 0 : (uint32_t)dims->offset_dims.dims[next_offset++];
    if (count.dim == ECHO_VIEW_FIXED)
      axes[d] = axis(type, count.start, !is_collapsed, is_collapsed ? ECHO_VIEW_FIXED : offset);
    else if (sizes.dims[d] == 1)
      axes[d] = axis(type, count.start, count.step, batch_dim(dims, count.dim));
    else
      return false;
  }
  for (uint32_t d = 0; d < echo_type_rank(source); ++d) /* two may count along the same */
    for (uint32_t e = 0; e < d; ++e)
      if (axes[d].dim != ECHO_VIEW_FIXED && axes[d].dim == axes[e].dim)
        return false;
  return true;
}

static bool is_plain(const EchoType *type)
{
  return echo_type_is_tensor(type) && echo_type_has_static_shape(type) &&
         type->as.shaped.encoding == NULL && echo_type_static_n_elements(type) != 0;
}

bool echo_view_of_op(EchoArena *arena, const EchoOp *op, EchoView *view)
{
  bool (*axes_of)(const EchoOp *, const EchoType *, const EchoType *, EchoViewAxis *) = NULL;
  switch ((int)echo_hlo_opcode(op)) {
  case ECHO_HLO_SLICE:
    axes_of = slice_axes;
    break;
  case ECHO_HLO_DYNAMIC_SLICE:
    axes_of = dynamic_slice_axes;
    break;
  case ECHO_HLO_TRANSPOSE:
    axes_of = transpose_axes;
    break;
  case ECHO_HLO_REVERSE:
    axes_of = reverse_axes;
    break;
  case ECHO_HLO_BROADCAST_IN_DIM:
    axes_of = broadcast_in_dim_axes;
    break;
  case ECHO_HLO_BROADCAST:
    axes_of = broadcast_axes;
    break;
  case ECHO_HLO_GATHER:
    axes_of = gather_axes;
    break;
  case ECHO_HLO_RESHAPE:
    break;
  default:
    return false;
  }
  const EchoType *source = echo_op_operand_type(op, 0), *type = echo_op_result_type(op, 0);
  if (!is_plain(source) || !is_plain(type))
    return false;
  if (axes_of == NULL) {
    EchoView whole = echo_view_identity(arena, type);
    return echo_view_through_reshape(arena, &whole, type, source, view);
  }
  EchoViewAxis *axes = new_axes(arena, echo_type_rank(source));
  *view = (EchoView){type, axes, echo_type_rank(source)};
  return axes_of(op, source, type, axes);
}

/* ---- composition ---- */

EchoView echo_view_compose(EchoArena *arena, const EchoView *outer, const EchoView *inner)
{
  EchoViewAxis *axes = new_axes(arena, inner->n_axes);
  for (uint32_t d = 0; d < inner->n_axes; ++d) {
    EchoViewAxis at = inner->axes[d];
    if (at.dim != ECHO_VIEW_FIXED) {
      const EchoViewAxis *through = &outer->axes[at.dim];
      at = axis(outer->type, at.start + at.step * through->start, at.step * through->step,
                through->dim);
    }
    axes[d] = at;
  }
  return (EchoView){outer->type, axes, inner->n_axes};
}

/* ---- reshapes ---- */

/* Dimensions [first, end) of one shape that hold the same elements as those of another, one run of
 * each. */
typedef struct Run {
  uint32_t first, end;
} Run;

/* The next run of both shapes from `a->end` and `b->end` on. */
static void next_run(const EchoType *a_type, const EchoType *b_type, Run *a, Run *b)
{
  int64_t a_size = 1, b_size = 1;
  uint32_t a_rank = echo_type_rank(a_type), b_rank = echo_type_rank(b_type);
  *a = (Run){a->end, a->end};
  *b = (Run){b->end, b->end};
  do {
    if (a->end < a_rank && (a_size <= b_size || b->end == b_rank))
      a_size *= echo_type_dim(a_type, a->end++);
    else if (b->end < b_rank)
      b_size *= echo_type_dim(b_type, b->end++);
  } while (a_size != b_size && (a->end < a_rank || b->end < b_rank));
}

/* Adds what moves by `by` elements of the run with each step along `dim` to the axis of the run
 * that it is a whole number of steps of. */
static bool spread(const EchoType *source, Run to, const EchoType *type, uint32_t dim, int64_t by,
                   EchoViewAxis *axes)
{
  int64_t weight = 1, distance = by < 0 ? -by : by;
  uint32_t found = ECHO_VIEW_FIXED;
  int64_t step = 0;
  for (uint32_t d = to.end; d-- > to.first; weight *= echo_type_dim(source, d))
    if (echo_type_dim(source, d) != 1 && distance % weight == 0) {
      found = d;
      step = by / weight;
    }
  if (found == ECHO_VIEW_FIXED || axes[found].dim != ECHO_VIEW_FIXED)
    return false;
  int64_t last = axes[found].start + step * (echo_type_dim(type, dim) - 1);
  axes[found].step = step;
  axes[found].dim = dim;
  return last >= 0 && last < echo_type_dim(source, found);
}

static bool reshape_run(const EchoView *view, const EchoType *reshaped, Run from,
                        const EchoType *source, Run to, EchoViewAxis *axes)
{
  int64_t start = 0, weight = 1;
  for (uint32_t d = from.end; d-- > from.first; weight *= echo_type_dim(reshaped, d))
    start += view->axes[d].start * weight;
  for (uint32_t d = to.end; d-- > to.first; start /= echo_type_dim(source, d))
    axes[d] = (EchoViewAxis){start % echo_type_dim(source, d), 0, ECHO_VIEW_FIXED};
  weight = 1;
  for (uint32_t d = from.end; d-- > from.first; weight *= echo_type_dim(reshaped, d)) {
    const EchoViewAxis *at = &view->axes[d];
    if (at->dim != ECHO_VIEW_FIXED &&
        !spread(source, to, view->type, at->dim, at->step * weight, axes))
      return false;
  }
  return true;
}

bool echo_view_through_reshape(EchoArena *arena, const EchoView *view, const EchoType *reshaped,
                               const EchoType *source, EchoView *result)
{
  uint32_t rank = echo_type_rank(source);
  if (!is_plain(source))
    return false;
  EchoViewAxis *axes = new_axes(arena, rank);
  Run from = {0, 0}, to = {0, 0};
  while (from.end < echo_type_rank(reshaped) || to.end < rank) {
    next_run(reshaped, source, &from, &to);
    if (!reshape_run(view, reshaped, from, source, to, axes))
      return false;
  }
  *result = (EchoView){view->type, axes, rank};
  return true;
}

/* ---- building ---- */

/* What is left of a view once the box that it reads has been cut out and turned around. */
typedef struct Shape {
  bool is_cut, is_turned, repeats, is_permuted;
  int64_t kept[ECHO_MAX_RANK];     /* sizes of the axes that are not fixed, in the source's order */
  int64_t kept_dim[ECHO_MAX_RANK]; /* the result's dimension of each */
  uint32_t n_kept;
} Shape;

static void describe(const EchoView *view, const EchoType *source, Shape *shape)
{
  bool is_named[ECHO_MAX_RANK] = {0};
  *shape = (Shape){0};
  for (uint32_t d = 0; d < view->n_axes; ++d) {
    const EchoViewAxis *at = &view->axes[d];
    int64_t size = 1;
    if (at->dim != ECHO_VIEW_FIXED) {
      size = echo_type_dim(view->type, at->dim);
      is_named[at->dim] = true;
      shape->is_permuted |=
          shape->n_kept != 0 && shape->kept_dim[shape->n_kept - 1] > (int64_t)at->dim;
      shape->kept[shape->n_kept] = size;
      shape->kept_dim[shape->n_kept++] = at->dim;
    }
    shape->is_cut |= size != echo_type_dim(source, d);
    shape->is_turned |= at->step < 0;
  }
  for (uint32_t d = 0; d < echo_type_rank(view->type); ++d)
    shape->repeats |= !is_named[d] && echo_type_dim(view->type, d) != 1;
}

size_t echo_view_n_ops(const EchoView *view, const EchoType *source)
{
  Shape shape;
  describe(view, source, &shape);
  return (size_t)shape.is_cut + shape.is_turned + (shape.repeats || shape.is_permuted);
}

static EchoValue *cut(EchoBuilder *builder, const EchoView *view, EchoValue *source)
{
  int64_t start[ECHO_MAX_RANK], limit[ECHO_MAX_RANK], strides[ECHO_MAX_RANK];
  for (uint32_t d = 0; d < view->n_axes; ++d) {
    int64_t last, step = view->axes[d].step;
    echo_view_range(view, d, &start[d], &last);
    limit[d] = last + 1;
    strides[d] = step == 0 ? 1 : step < 0 ? -step : step;
  }
  return echo_hlo_slice(builder, source, start, limit, strides);
}

static EchoValue *turn(EchoBuilder *builder, const EchoView *view, EchoValue *source)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t n = 0;
  for (uint32_t d = 0; d < view->n_axes; ++d)
    if (view->axes[d].step < 0)
      dims[n++] = d;
  return echo_hlo_reverse(builder, source, dims, n);
}

/* The permutation when every result dimension is one of the source's, fixed ones standing for those
 * of size 1 in their order; false when the ranks differ. */
static bool find_permutation(const EchoView *view, int64_t *permutation)
{
  uint32_t rank = echo_type_rank(view->type), next_fixed = 0;
  if (rank != view->n_axes)
    return false;
  for (uint32_t r = 0; r < rank; ++r)
    permutation[r] = -1;
  for (uint32_t d = 0; d < rank; ++d)
    if (view->axes[d].dim != ECHO_VIEW_FIXED)
      permutation[view->axes[d].dim] = d;
  for (uint32_t r = 0; r < rank; ++r) {
    if (permutation[r] >= 0)
      continue;
    while (view->axes[next_fixed].dim != ECHO_VIEW_FIXED)
      ++next_fixed;
    permutation[r] = next_fixed++;
  }
  return true;
}

static EchoValue *permute(EchoBuilder *builder, const EchoView *view, const Shape *shape,
                          EchoValue *source)
{
  int64_t permutation[ECHO_MAX_RANK];
  if (find_permutation(view, permutation))
    return echo_hlo_transpose(builder, source, permutation);
  source = echo_hlo_reshape(builder, source, shape->kept, shape->n_kept);
  for (uint32_t i = 0; i < shape->n_kept; ++i) {
    uint32_t n_before = 0;
    for (uint32_t j = 0; j < shape->n_kept; ++j)
      n_before += shape->kept_dim[j] < shape->kept_dim[i];
    permutation[n_before] = i;
  }
  return echo_hlo_transpose(builder, source, permutation);
}

EchoValue *echo_view_build(EchoBuilder *builder, const EchoView *view, EchoValue *source)
{
  Shape shape;
  describe(view, source->type, &shape);
  if (shape.is_cut)
    source = cut(builder, view, source);
  if (shape.is_turned)
    source = turn(builder, view, source);
  if (shape.repeats) {
    source = echo_hlo_reshape(builder, source, shape.kept, shape.n_kept);
    return echo_hlo_broadcast_in_dim(builder, source, view->type, shape.kept_dim, shape.n_kept);
  }
  if (shape.is_permuted)
    source = permute(builder, view, &shape, source);
  return echo_hlo_reshape(builder, source, view->type->as.shaped.dims, echo_type_rank(view->type));
}
