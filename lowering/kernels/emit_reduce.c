/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stablehlo.reduce as loops, in the fixed order that every kernel keeps (docs/stages.md): element i
 * goes to partial i mod L, the partials meet in a tree. */
#include "dialects/gpu/gpu.h"
#include "dialects/stablehlo/opcode.h"
#include "dialects/vector/vector.h"
#include "lowering/kernels/lower_kernel_t.h"

enum { MAX_TREE = 16, LOADS_UNDER_WAY = 4 };

static EchoValue *combine(EchoKernelEmitter *emitter, const EchoCombiner *combiner, EchoValue *a,
                          EchoValue *b)
{
  return echo_scalar_binary(echo_kernel_builder(emitter), combiner->opcode, combiner->kind, a, b);
}

static EchoValue *load_partial(EchoKernelEmitter *emitter, EchoValue *partials, int64_t index)
{
  EchoValue *position = echo_index_constant(&emitter->base, index);
  return echo_memref_load(echo_kernel_builder(emitter), partials, &position, 1);
}

void echo_emit_tree(EchoKernelEmitter *emitter, const EchoCombiner *combiner, EchoValue **values,
                    int64_t n)
{
  for (int64_t half = n / 2; half > 0; half /= 2)
    for (int64_t i = 0; i < half; ++i)
      values[i] = combine(emitter, combiner, values[i], values[i + half]);
}

/* Whether the combiner's emission takes vectors as it takes scalars: arithmetic in the type itself.
 */
static bool combines_vectors(const EchoKernelEmitter *emitter, const EchoCombiner *combiner)
{
  switch (combiner->kind) {
  case ECHO_ELEMENT_F32:
  case ECHO_ELEMENT_F64:
  case ECHO_ELEMENT_I32:
  case ECHO_ELEMENT_I64:
  case ECHO_ELEMENT_UI32:
  case ECHO_ELEMENT_UI64:
    return !emitter->is_gpu;
  default:
    return false;
  }
}

/* The same tree, its halves in vectors: of scalars, LLVM would make as many instructions as there
 * are partials, and of a maximum eight each. */
static EchoValue *emit_vector_tree(EchoKernelEmitter *emitter, const EchoCombiner *combiner,
                                   EchoValue *partials, int64_t n)
{
  EchoElementEmitter *base = &emitter->base;
  const EchoType *element = partials->type->as.shaped.element;
  int64_t half = n / 2;
  const EchoType *type = echo_type_vector(emitter->ctx, &half, 1, element, 0);
  EchoValue *at[] = {echo_index_constant(base, 0), echo_index_constant(base, half)}, *halves[2];
  for (int i = 0; i < 2; ++i)
    halves[i] = echo_vector_load(echo_kernel_builder(emitter), type, partials, &at[i], 1);
  EchoValue *sum = combine(emitter, combiner, halves[0], halves[1]);
  for (half /= 2; half > 1; half /= 2) {
    for (int i = 0; i < 2; ++i)
      halves[i] = echo_vector_slice(echo_kernel_builder(emitter), sum, i * half, half);
    sum = combine(emitter, combiner, halves[0], halves[1]);
  }
  for (int i = 0; i < 2; ++i)
    halves[i] = echo_vector_extract(echo_kernel_builder(emitter), sum, i);
  return combine(emitter, combiner, halves[0], halves[1]);
}

/* The tree over the n values of the memref `partials`. */
static EchoValue *emit_memory_tree(EchoKernelEmitter *emitter, const EchoCombiner *combiner,
                                   EchoValue *partials, int64_t n)
{
  EchoValue *values[MAX_TREE];
  ECHO_CHECK(n <= MAX_TREE, "a tree over %lld partials", (long long)n);
  if (n >= 4 && combines_vectors(emitter, combiner))
    return emit_vector_tree(emitter, combiner, partials, n);
  for (int64_t i = 0; i < n; ++i)
    values[i] = load_partial(emitter, partials, i);
  echo_emit_tree(emitter, combiner, values, n);
  return values[0];
}

/* What a reduction runs over, and where. */
typedef struct Reduction {
  const EchoOp *op;
  size_t n_values; /* operands that are reduced; as many init values follow */
  EchoDimList dims;
  int64_t reduced_dims[ECHO_MAX_RANK];
  int64_t places[ECHO_MAX_RANK]; /* of those dimensions in the operand, ascending */
  int64_t n_reduced;             /* elements for one result */
  EchoValue *const *indices;
} Reduction;

static Reduction describe(const EchoOp *op, EchoValue *const *indices)
{
  Reduction reduction = {.op = op,
                         .n_values = op->n_operands / 2,
                         .dims = echo_stablehlo_dims(op, "dimensions"),
                         .n_reduced = 1,
                         .indices = indices};
  const EchoType *type = echo_op_operand_type(op, 0);
  size_t n = 0;
  for (uint32_t i = 0; i < type->as.shaped.rank; ++i)
    if (echo_dim_list_has(reduction.dims, (int64_t)i)) {
      reduction.places[n] = (int64_t)i;
      reduction.reduced_dims[n++] = echo_type_dim(type, i);
      reduction.n_reduced *= echo_type_dim(type, i);
    }
  return reduction;
}

/* Element of operand `value` at these indices of the reduced dimensions. */
static EchoValue *element_at(EchoKernelEmitter *emitter, const Reduction *reduction, size_t value,
                             EchoValue *const *reduced)
{
  const EchoType *type = echo_op_operand_type(reduction->op, value);
  EchoValue *operand_indices[ECHO_MAX_RANK];
  size_t next_reduced = 0, next_kept = 0;
  for (uint32_t i = 0; i < type->as.shaped.rank; ++i)
    operand_indices[i] = echo_dim_list_has(reduction->dims, (int64_t)i)
                             ? reduced[next_reduced++]
                             : reduction->indices[next_kept++];
  return echo_kernel_element(emitter, echo_op_operand(reduction->op, value), operand_indices);
}

/* Element `position`, row-major over the reduced dimensions. */
static EchoValue *reduced_element(EchoKernelEmitter *emitter, const Reduction *reduction,
                                  size_t value, EchoValue *position)
{
  EchoValue *reduced[ECHO_MAX_RANK];
  emitter->base.builder = echo_kernel_builder(emitter);
  echo_index_delinearize(&emitter->base, position, reduction->reduced_dims, reduction->dims.size,
                         reduced);
  return element_at(emitter, reduction, value, reduced);
}

/* Rows: the last reduced dimensions whose elements are neighbours, where others are reduced too and
 * a row has as many elements as there are lanes, or lanes are a number of rows. A position is taken
 * apart once a row then, not for each element, and neighbours are read as such. */
typedef struct Rows {
  EchoValue *indices[ECHO_MAX_RANK]; /* of the reduced dimensions */
  size_t n_outer;                    /* reduced dimensions before those of a row */
  int64_t n, length;
} Rows;

static bool lie_side_by_side(const Reduction *reduction, size_t i)
{
  const EchoType *type = echo_op_operand_type(reduction->op, 0);
  for (int64_t d = reduction->places[i] + 1; d < reduction->places[i + 1]; ++d)
    if (echo_type_dim(type, (size_t)d) != 1)
      return false;
  return true;
}

static bool are_neighbours(EchoKernelEmitter *emitter, const Reduction *reduction, size_t i)
{
  return lie_side_by_side(reduction, i) &&
         echo_are_neighbours(emitter, echo_op_operand(reduction->op, 0),
                             (uint32_t)reduction->places[i], (uint32_t)reduction->places[i + 1]);
}

static bool find_rows(EchoKernelEmitter *emitter, const Reduction *reduction, int64_t lanes,
                      Rows *rows)
{
  *rows = (Rows){.n_outer = reduction->dims.size, .n = 1, .length = 1};
  while (rows->n_outer > 0 && (rows->n_outer == reduction->dims.size ||
                               are_neighbours(emitter, reduction, rows->n_outer - 1)))
    rows->length *= reduction->reduced_dims[--rows->n_outer];
  for (size_t i = 0; i < rows->n_outer; ++i)
    rows->n *= reduction->reduced_dims[i];
  return rows->n > 1 && (rows->length >= lanes || (rows->length > 1 && lanes % rows->length == 0));
}

/* Where lanes meet elements: in a row, or, without, counted over all that is reduced. */
typedef struct Lanes {
  const Reduction *reduction;
  const EchoCombiner *combiner;
  EchoValue *partials;
  int64_t n;
  Rows *rows_or_null;
} Lanes;

static EchoValue *lane_element(EchoKernelEmitter *emitter, const Lanes *lanes, EchoValue *position)
{
  const Reduction *reduction = lanes->reduction;
  Rows *rows = lanes->rows_or_null;
  if (rows == NULL)
    return reduced_element(emitter, reduction, 0, position);
  emitter->base.builder = echo_kernel_builder(emitter);
  echo_index_delinearize(&emitter->base, position, reduction->reduced_dims + rows->n_outer,
                         reduction->dims.size - rows->n_outer, rows->indices + rows->n_outer);
  return element_at(emitter, reduction, 0, rows->indices);
}

/* for lane in [0, n): partials[first + lane] = partials[first + lane] op element[base + lane] */
static void emit_lanes(EchoKernelEmitter *emitter, const Lanes *lanes, EchoValue *base,
                       EchoValue *first, EchoValue *n, bool is_vector)
{
  EchoElementEmitter *indices = &emitter->base;
  EchoValue *lane =
      echo_kernel_begin_for(emitter, echo_index_constant(indices, 0), n, 1, is_vector);
  indices->builder = echo_kernel_builder(emitter);
  EchoValue *element = lane_element(emitter, lanes, echo_index_add(indices, base, lane));
  if (element != NULL) {
    indices->builder = echo_kernel_builder(emitter);
    EchoValue *at = echo_index_add(indices, lane, first);
    EchoValue *partial = echo_memref_load(echo_kernel_builder(emitter), lanes->partials, &at, 1);
    EchoValue *sum = combine(emitter, lanes->combiner, partial, element);
    echo_memref_store(echo_kernel_builder(emitter), sum, lanes->partials, &at, 1);
  }
  echo_kernel_end_for(emitter);
}

/* Elements [low, high), whole numbers of lanes. */
static void emit_whole(EchoKernelEmitter *emitter, const Lanes *lanes, EchoValue *low,
                       EchoValue *high)
{
  EchoElementEmitter *base = &emitter->base;
  EchoValue *chunk = echo_kernel_begin_for(emitter, low, high, lanes->n, false);
  emit_lanes(emitter, lanes, chunk, echo_index_constant(base, 0),
             echo_index_constant(base, lanes->n), true);
  echo_kernel_end_for(emitter);
}

/* What is left of all, fewer elements than lanes: in powers of two, which become vectors whole. Of
 * ten in one loop, two would be computed one by one. */
static void emit_rest(EchoKernelEmitter *emitter, const Lanes *lanes, int64_t n_whole)
{
  EchoElementEmitter *base = &emitter->base;
  int64_t rest = lanes->reduction->n_reduced - n_whole, done = 0;
  for (int64_t piece = lanes->n; piece > 0; piece /= 2)
    if (rest - done >= piece) {
      emit_lanes(emitter, lanes, echo_index_constant(base, n_whole + done),
                 echo_index_constant(base, done), echo_index_constant(base, piece), true);
      done += piece;
    }
}

/* Row `number`, whose first element is of lane (number * length) mod n: up to the first lane, then
 * whole numbers of lanes, then the rest. */
static void emit_row(EchoKernelEmitter *emitter, const Lanes *lanes, EchoValue *number)
{
  EchoElementEmitter *base = &emitter->base;
  int64_t n = lanes->n, length = lanes->rows_or_null->length;
  EchoValue *zero = echo_index_constant(base, 0), *end = echo_index_constant(base, length);
  if (length % n == 0) {
    emit_whole(emitter, lanes, zero, end);
    return;
  }
  EchoValue *lane =
      echo_index_rem_constant(base, echo_index_mul_constant(base, number, length % n), n);
  EchoValue *head =
      echo_index_rem_constant(base, echo_index_sub(base, echo_index_constant(base, n), lane), n);
  EchoValue *left = echo_index_rem_constant(base, echo_index_sub(base, end, head), n);
  EchoValue *whole = echo_index_sub(base, end, left);
  emit_lanes(emitter, lanes, zero, lane, head, false);
  emit_whole(emitter, lanes, head, whole);
  emit_lanes(emitter, lanes, whole, zero, left, false);
}

static EchoValue *begin_rows(EchoKernelEmitter *emitter, const Lanes *lanes, EchoValue *low,
                             int64_t n)
{
  EchoElementEmitter *base = &emitter->base;
  Rows *rows = lanes->rows_or_null;
  EchoValue *place = echo_kernel_begin_range(emitter, n, false);
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, echo_index_add(base, low, place), lanes->reduction->reduced_dims,
                         rows->n_outer, rows->indices);
  return place;
}

/* `n` rows from the one `low`, the first of which meets the first lane: fewer elements than lanes,
 * or as many. */
static void emit_short_rows(EchoKernelEmitter *emitter, const Lanes *lanes, EchoValue *low,
                            int64_t n)
{
  EchoElementEmitter *base = &emitter->base;
  int64_t length = lanes->rows_or_null->length;
  EchoValue *place = begin_rows(emitter, lanes, low, n);
  EchoValue *first = echo_index_mul_constant(base, place, length);
  emit_lanes(emitter, lanes, echo_index_constant(base, 0), first, echo_index_constant(base, length),
             true);
  echo_kernel_end_for(emitter);
}

static void emit_rows(EchoKernelEmitter *emitter, const Lanes *lanes)
{
  EchoElementEmitter *base = &emitter->base;
  const Rows *rows = lanes->rows_or_null;
  EchoValue *zero = echo_index_constant(base, 0);
  if (rows->length >= lanes->n) {
    emit_row(emitter, lanes, begin_rows(emitter, lanes, zero, rows->n));
    echo_kernel_end_for(emitter);
    return;
  }
  int64_t at_once = lanes->n / rows->length, n_whole = rows->n / at_once * at_once;
  if (n_whole > 0) {
    EchoValue *low =
        echo_kernel_begin_for(emitter, zero, echo_index_constant(base, n_whole), at_once, false);
    emit_short_rows(emitter, lanes, low, at_once);
    echo_kernel_end_for(emitter);
  }
  if (n_whole < rows->n)
    emit_short_rows(emitter, lanes, echo_index_constant(base, n_whole), rows->n - n_whole);
}

/* Fills partials[0 .. lanes), element by element. */
static EchoValue *emit_partials(EchoKernelEmitter *emitter, const Reduction *reduction,
                                const EchoCombiner *combiner, int64_t n_lanes)
{
  EchoElementEmitter *base = &emitter->base;
  int64_t n_whole = reduction->n_reduced / n_lanes * n_lanes;
  EchoValue *neutral = base->constant(base, combiner->neutral);
  EchoValue *partials = echo_kernel_alloca(emitter, neutral->type, &n_lanes, 1);
  EchoValue *lane = echo_kernel_begin_range(emitter, n_lanes, true);
  echo_memref_store(echo_kernel_builder(emitter), neutral, partials, &lane, 1);
  echo_kernel_end_for(emitter);
  Rows rows;
  Lanes lanes = {reduction, combiner, partials, n_lanes, NULL};
  if (find_rows(emitter, reduction, n_lanes, &rows)) {
    lanes.rows_or_null = &rows;
    emit_rows(emitter, &lanes);
    return partials;
  }
  if (n_whole > 0)
    emit_whole(emitter, &lanes, echo_index_constant(base, 0), echo_index_constant(base, n_whole));
  if (n_whole < reduction->n_reduced)
    emit_rest(emitter, &lanes, n_whole);
  return partials;
}

/* One level of a tree: the partial at `at` takes in the one `half` behind it. */
static void combine_halves(EchoKernelEmitter *emitter, const EchoCombiner *combiner,
                           EchoValue *partials, EchoValue *at, int64_t half)
{
  EchoValue *other = echo_index_add_constant(&emitter->base, at, half);
  EchoBuilder *builder = echo_kernel_builder(emitter);
  EchoValue *a = echo_memref_load(builder, partials, &at, 1);
  EchoValue *b = echo_memref_load(builder, partials, &other, 1);
  EchoValue *sum = combine(emitter, combiner, a, b);
  echo_memref_store(echo_kernel_builder(emitter), sum, partials, &at, 1);
}

/* The tree's first levels, in memory, as loops of vectors: down to so many partials as its rest is
 * spelled out for. */
static void emit_first_levels(EchoKernelEmitter *emitter, const EchoCombiner *combiner,
                              EchoValue *partials, int64_t lanes)
{
  for (int64_t half = lanes / 2; half >= MAX_TREE; half /= 2) {
    EchoValue *at = echo_kernel_begin_range(emitter, half, true);
    emitter->base.builder = echo_kernel_builder(emitter);
    combine_halves(emitter, combiner, partials, at, half);
    echo_kernel_end_for(emitter);
  }
}

/* Each group's first partial becomes the group's result, in memory: for a GPU's threads that are on
 * their own with more partials than a tree is spelled out for. */
static void emit_group_trees(EchoKernelEmitter *emitter, const EchoCombiner *combiner,
                             EchoValue *partials, EchoReductionOrder order)
{
  EchoElementEmitter *base = &emitter->base;
  for (int64_t half = order.group / 2; half > 0; half /= 2) {
    EchoValue *first =
        echo_kernel_begin_for(emitter, echo_index_constant(base, 0),
                              echo_index_constant(base, order.lanes), order.group, false);
    EchoValue *lane = echo_kernel_begin_range(emitter, half, false);
    base->builder = echo_kernel_builder(emitter);
    EchoValue *at = echo_index_add(base, first, lane);
    combine_halves(emitter, combiner, partials, at, half);
    echo_kernel_end_for(emitter);
    echo_kernel_end_for(emitter);
  }
}

static EchoValue *emit_in_memory(EchoKernelEmitter *emitter, const Reduction *reduction,
                                 const EchoCombiner *combiner, EchoReductionOrder order)
{
  EchoValue *partials = emit_partials(emitter, reduction, combiner, order.lanes);
  if (order.lanes <= MAX_TREE)
    return emit_memory_tree(emitter, combiner, partials, order.lanes);
  if (!emitter->is_gpu) {
    emit_first_levels(emitter, combiner, partials, order.lanes);
    return emit_memory_tree(emitter, combiner, partials, MAX_TREE);
  }
  emit_group_trees(emitter, combiner, partials, order);
  EchoValue *values[MAX_TREE];
  for (int64_t i = 0; i < order.lanes / order.group; ++i)
    values[i] = load_partial(emitter, partials, i * order.group);
  echo_emit_tree(emitter, combiner, values, order.lanes / order.group);
  return values[0];
}

/* ---- a GPU's blocks and threads ---- */

/* partial = partial op element round * lanes + lane. */
static EchoValue *add_element(EchoKernelEmitter *emitter, const Reduction *reduction,
                              const EchoCombiner *combiner, EchoValue *partial, EchoValue *position)
{
  EchoValue *element = reduced_element(emitter, reduction, 0, position);
  return element != NULL ? combine(emitter, combiner, partial, element) : partial;
}

/* Elements lane, lane + lanes, … of `lane`, in that order; some a round, so that several loads are
 * under way. */
static EchoValue *emit_lane(EchoKernelEmitter *emitter, const Reduction *reduction,
                            const EchoCombiner *combiner, EchoValue *lane, int64_t lanes)
{
  EchoElementEmitter *base = &emitter->base;
  EchoValue *partial = base->constant(base, combiner->neutral), *carried = NULL;
  int64_t n_all = reduction->n_reduced / lanes, n_rounds = n_all / LOADS_UNDER_WAY;
  int64_t rest = reduction->n_reduced - n_all * lanes;
  if (n_rounds > 1) {
    EchoValue *round = echo_kernel_begin_carried(emitter, n_rounds, &partial, 1, &carried);
    base->builder = echo_kernel_builder(emitter);
    EchoValue *first =
        echo_index_add(base, echo_index_mul_constant(base, round, LOADS_UNDER_WAY * lanes), lane);
    for (int64_t i = 0; i < LOADS_UNDER_WAY; ++i)
      carried = add_element(emitter, reduction, combiner, carried,
                            echo_index_add_constant(base, first, i * lanes));
    echo_kernel_end_carried(emitter, &carried, 1, &partial);
  }
  for (int64_t i = n_rounds > 1 ? n_rounds * LOADS_UNDER_WAY : 0; i < n_all; ++i) {
    base->builder = echo_kernel_builder(emitter);
    partial = add_element(emitter, reduction, combiner, partial,
                          echo_index_add_constant(base, lane, i * lanes));
  }
  if (rest == 0)
    return partial;
  /* one more for the lanes that the rest reaches, in a loop: nothing of it is computed outside */
  base->builder = echo_kernel_builder(emitter);
  EchoValue *more = echo_index_compare(base, ECHO_CMPI_SLT, lane, echo_index_constant(base, rest));
  EchoValue *high =
      echo_index_select(base, more, echo_index_constant(base, 1), echo_index_constant(base, 0));
  EchoValue *once = echo_kernel_begin_carried_to(emitter, high, &partial, 1, &carried);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *place = echo_index_add(base, echo_index_mul_constant(base, once, lanes), lane);
  carried = add_element(emitter, reduction, combiner, carried,
                        echo_index_add_constant(base, place, n_all * lanes));
  echo_kernel_end_carried(emitter, &carried, 1, &partial);
  return partial;
}

/* A thread a lane: lanes of a warp meet by shuffles, warps in shared memory. */
static EchoValue *emit_by_block(EchoKernelEmitter *emitter, const Reduction *reduction,
                                const EchoCombiner *combiner, EchoReductionOrder order)
{
  EchoElementEmitter *base = &emitter->base;
  bool has_shuffles = order.group == ECHO_GPU_WARP;
  int64_t n_stored = has_shuffles ? order.lanes / order.group : order.lanes;
  EchoValue *neutral = base->constant(base, combiner->neutral);
  EchoValue *partials = echo_kernel_alloca(emitter, neutral->type, &n_stored, 1);
  EchoValue *lane = echo_kernel_begin_range(emitter, order.lanes, true);
  EchoValue *sum = emit_lane(emitter, reduction, combiner, lane, order.lanes), *at = lane;
  if (has_shuffles) {
    for (int64_t half = order.group / 2; half > 0; half /= 2) {
      EchoValue *other = echo_gpu_shuffle_down(echo_kernel_builder(emitter), sum, half);
      sum = combine(emitter, combiner, sum, other);
    }
    base->builder = echo_kernel_builder(emitter);
    at = echo_index_div_constant(base, lane, order.group);
    EchoValue *in_warp = echo_index_rem_constant(base, lane, order.group);
    echo_kernel_begin_if(
        emitter, echo_index_compare(base, ECHO_CMPI_EQ, in_warp, echo_index_constant(base, 0)));
  }
  echo_memref_store(echo_kernel_builder(emitter), sum, partials, &at, 1);
  if (has_shuffles)
    echo_kernel_end_if(emitter);
  echo_kernel_end_for(emitter);
  return emit_memory_tree(emitter, combiner, partials, n_stored);
}

EchoValue *echo_emit_warp_reduce_or_null(EchoKernelEmitter *emitter, const EchoOp *op,
                                         EchoValue *const *indices, EchoValue *lane)
{
  Reduction reduction = describe(op, indices);
  EchoCombiner combiner = echo_combiner_of(op);
  EchoReductionOrder order = echo_reduction_order(op, combiner.kind, true);
  EchoElementEmitter *base = &emitter->base;
  EchoValue *values[MAX_TREE];
  EchoValue *init = echo_kernel_element(emitter, echo_op_operand(op, 1), NULL);
  int64_t n_groups = order.lanes / order.group;
  for (int64_t i = 0; i < n_groups && !emitter->failed; ++i) {
    base->builder = echo_kernel_builder(emitter);
    EchoValue *first = echo_index_add_constant(base, lane, i * order.group);
    values[i] = emit_lane(emitter, &reduction, &combiner, first, order.lanes);
    for (int64_t half = order.group / 2; half > 0 && !emitter->failed; half /= 2) {
      EchoValue *other = echo_gpu_shuffle_down(echo_kernel_builder(emitter), values[i], half);
      values[i] = combine(emitter, &combiner, values[i], other);
    }
  }
  if (emitter->failed)
    return NULL;
  echo_emit_tree(emitter, &combiner, values, n_groups);
  return combine(emitter, &combiner, init, values[0]);
}

/* Whether all threads of a block come here together. */
static bool is_of_whole_block(const EchoKernelEmitter *emitter)
{
  for (size_t i = 2; i < emitter->n_scopes; ++i) {
    const EchoOp *loop = emitter->scopes[i]->loop;
    if (loop != NULL && (!echo_op_is(loop, "scf.for") || echo_op_has_attr(loop, "kernel.parallel")))
      return false;
  }
  return true;
}

static EchoValue *emit_commutative(EchoKernelEmitter *emitter, const Reduction *reduction,
                                   const EchoCombiner *combiner)
{
  EchoReductionOrder order = echo_reduction_order(reduction->op, combiner->kind, emitter->is_gpu);
  if (order.lanes == 1)
    return emit_lane(emitter, reduction, combiner, echo_index_constant(&emitter->base, 0), 1);
  return emitter->is_gpu && is_of_whole_block(emitter)
             ? emit_by_block(emitter, reduction, combiner, order)
             : emit_in_memory(emitter, reduction, combiner, order);
}

/* ---- in order ---- */

/* Elements [first, first + n) in order, all values at once: result = body(result, element). Those
 * of a value that has a buffer stand there. */
typedef struct Run {
  EchoValue *first;
  int64_t n;
  EchoValue *const *buffers_or_null;
} Run;

static bool emit_run(EchoKernelEmitter *emitter, const Reduction *reduction, const Run *run,
                     EchoValue *const *inits, EchoValue **results)
{
  size_t n = reduction->n_values;
  EchoValue **arguments = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, 2 * n);
  EchoValue **next = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, n);
  EchoValue *step = echo_kernel_begin_carried(emitter, run->n, inits, n, arguments);
  emitter->base.builder = echo_kernel_builder(emitter);
  EchoValue *position = echo_index_add(&emitter->base, run->first, step);
  for (size_t i = 0; i < n; ++i) {
    EchoValue *buffer = run->buffers_or_null != NULL ? run->buffers_or_null[i] : NULL;
    arguments[n + i] = buffer != NULL
                           ? echo_memref_load(echo_kernel_builder(emitter), buffer, &step, 1)
                           : reduced_element(emitter, reduction, i, position);
  }
  emitter->base.builder = echo_kernel_builder(emitter);
  bool fine = !emitter->failed && echo_kernel_inline_region(emitter, &reduction->op->regions[0],
                                                            arguments, 2 * n, next, n);
  if (!fine)
    for (size_t i = 0; i < n; ++i)
      next[i] = inits[i];
  echo_kernel_end_carried(emitter, next, n, results);
  return fine;
}

/* A buffer for each value that the kernel computes, as many as a core's first cache holds; false
 * where there is none. Elements that lie in memory are read from there. */
static bool make_buffers(EchoKernelEmitter *emitter, const Reduction *reduction, int64_t size,
                         EchoValue **buffers)
{
  enum { FIRST_CACHE = 32 << 10 };
  int64_t bytes = 0;
  for (size_t i = 0; i < reduction->n_values; ++i) {
    const EchoValue *value = echo_op_operand(reduction->op, i);
    const EchoOp *def = echo_value_def_or_null(value);
    int64_t more = size * (int64_t)echo_type_element_bytes(echo_type_element(value->type));
    buffers[i] = NULL;
    if (def == NULL || def->n_operands == 0 || bytes + more > FIRST_CACHE)
      continue;
    buffers[i] = echo_kernel_alloca(emitter, echo_type_element(value->type), &size, 1);
    bytes += more;
  }
  return bytes != 0;
}

static void fill_buffers(EchoKernelEmitter *emitter, const Reduction *reduction, int64_t size,
                         EchoValue *first, EchoValue *const *buffers)
{
  for (size_t i = 0; i < reduction->n_values; ++i) {
    if (buffers[i] == NULL)
      continue;
    EchoValue *at = echo_kernel_begin_range(emitter, size, true);
    emitter->base.builder = echo_kernel_builder(emitter);
    EchoValue *element =
        reduced_element(emitter, reduction, i, echo_index_add(&emitter->base, first, at));
    if (element != NULL)
      echo_memref_store(echo_kernel_builder(emitter), element, buffers[i], &at, 1);
    echo_kernel_end_for(emitter);
  }
}

/* What is reduced in order is computed before, a block at a time, so that it goes in vectors. */
static bool emit_sequence(EchoKernelEmitter *emitter, const Reduction *reduction, EchoValue **inits,
                          EchoValue **results)
{
  enum { BLOCK = 64 };
  size_t n = reduction->n_values;
  EchoElementEmitter *base = &emitter->base;
  EchoValue **buffers = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, n);
  EchoValue **carried = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, n);
  EchoValue **sums = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, n);
  int64_t n_blocks = reduction->n_reduced / BLOCK, done = n_blocks * BLOCK;
  Run rest = {echo_index_constant(base, 0), reduction->n_reduced, NULL};
  if (emitter->is_gpu || n_blocks == 0 || !make_buffers(emitter, reduction, BLOCK, buffers))
    return emit_run(emitter, reduction, &rest, inits, results);
  EchoValue *block = echo_kernel_begin_carried(emitter, n_blocks, inits, n, carried);
  base->builder = echo_kernel_builder(emitter);
  Run run = {echo_index_mul_constant(base, block, BLOCK), BLOCK, buffers};
  fill_buffers(emitter, reduction, BLOCK, run.first, buffers);
  bool fine = emit_run(emitter, reduction, &run, carried, sums);
  echo_kernel_end_carried(emitter, sums, n, results);
  if (done == reduction->n_reduced || !fine)
    return fine;
  base->builder = echo_kernel_builder(emitter);
  rest = (Run){echo_index_constant(base, done), reduction->n_reduced - done, NULL};
  memcpy(carried, results, n * sizeof *carried);
  return emit_run(emitter, reduction, &rest, carried, results);
}

bool echo_is_short_reduce(const EchoOp *op)
{
  return echo_hlo_is_short_reduce(op) && echo_combiner_of(op).opcode != ECHO_N_HLO_OPCODES;
}

EchoValue *echo_emit_short_reduce(EchoKernelEmitter *emitter, const EchoOp *op, size_t number,
                                  EchoValue *const *indices)
{
  (void)number; /* it has one */
  Reduction reduction = describe(op, indices);
  EchoCombiner combiner = echo_combiner_of(op);
  EchoElementEmitter *base = &emitter->base;
  EchoValue *init = base->element(base, echo_op_operand(op, 1), NULL),
            *values[ECHO_HLO_SHORT_REDUCE];
  for (int64_t i = 0; i < reduction.n_reduced && !emitter->failed; ++i)
    values[i] = reduced_element(emitter, &reduction, 0, echo_index_constant(base, i));
  if (emitter->failed)
    return NULL;
  /* a lane without an element is neutral */
  for (int64_t half = ECHO_HLO_SHORT_REDUCE / 2; half > 0; half /= 2)
    for (int64_t i = 0; i < half && i + half < reduction.n_reduced; ++i)
      values[i] = combine(emitter, &combiner, values[i], values[i + half]);
  return combine(emitter, &combiner, init, values[0]);
}

bool echo_emit_reduce(EchoKernelEmitter *emitter, const EchoOp *op, EchoValue *const *indices,
                      EchoValue **results)
{
  Reduction reduction = describe(op, indices);
  EchoCombiner combiner = echo_combiner_of(op);
  EchoValue **inits = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, reduction.n_values);
  for (size_t i = 0; i < reduction.n_values; ++i) {
    inits[i] = echo_kernel_element(emitter, echo_op_operand(op, reduction.n_values + i), NULL);
    results[i] = inits[i];
  }
  if (emitter->failed)
    return false;
  if (reduction.n_reduced == 0)
    return true;
  if (combiner.opcode == ECHO_N_HLO_OPCODES)
    return emit_sequence(emitter, &reduction, inits, results);
  EchoValue *sum = emit_commutative(emitter, &reduction, &combiner);
  if (!emitter->failed)
    results[0] = combine(emitter, &combiner, inits[0], sum);
  return !emitter->failed;
}
