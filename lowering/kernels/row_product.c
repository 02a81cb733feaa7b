/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reductions of a product's rows in its kernel, on a GPU: a block makes some rows whole, column by
 * column of tiles, in shared memory, rounded to the type of the op's result; then each of its warps
 * takes rows, reduces them in the op's own order, and maps them. So the bits are those of kernels
 * of their own, and what lies between the product and its reductions is nowhere else.
 *
 * Where another product multiplies what the rows are made into, its blocks are these: it brings
 * elements from the rows to its tiles as any product does that is made of maps, and adds up in its
 * own order.
 *
 * Steps follow one another with a barrier in between: the rows, each reduction, the kernel's
 * results or the other product. */
#include "dialects/gpu/gpu.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/contraction_t.h"

/* ---- which kernels ---- */

/* Rows of it, or all of it, place by place, are what the kernel's results and reductions are made
 * of: planning/schedule joins no others. */
static bool follows_rows(const EchoOp *op, int64_t n_rows, int64_t n_elements)
{
  int64_t n = echo_type_static_n_elements(echo_op_result_type(op, 0));
  if (echo_hlo_opcode(op) == ECHO_HLO_REDUCE)
    return n == n_rows && op->n_results == 1 && echo_combiner_of(op).opcode != ECHO_N_HLO_OPCODES &&
           echo_type_static_n_elements(echo_op_operand_type(op, 0)) == n_elements;
  return op->n_regions == 0 && op->n_results == 1 && (n == n_rows || n == n_elements);
}

/* Of a dot's result: its first dimensions, which count rows. */
static size_t n_row_dims(const EchoOp *dot)
{
  return echo_type_rank(echo_op_operand_type(dot, 0)) -
         echo_stablehlo_dot_dims(dot)->lhs_contracting.size;
}

/* Whether the op is the second product, which multiplies what is made of rows, as they are, or of
 * columns. */
static bool multiplies_rows(const EchoOp *op, const EchoMap *made_of_it, EchoRowProduct *found)
{
  bool reads[2];
  for (uint32_t i = 0; i < 2; ++i)
    reads[i] = echo_map_has(made_of_it, echo_key(echo_op_operand(op, i)));
  found->second_or_null = op;
  found->operand = reads[0] ? 0 : 1;
  found->has_columns = !echo_stablehlo_dot_has_rows(op, found->operand);
  return reads[0] != reads[1] &&
         (!found->has_columns || echo_stablehlo_dot_has_columns(op, found->operand));
}

/* One more product that stands before the second one, of matrices of the same size. */
static bool is_beside(const EchoOp *op, int64_t n, const EchoMap *made_of_it, EchoRowProduct *found)
{
  if (found->second_or_null != NULL || found->beside_or_null != NULL ||
      echo_type_static_n_elements(echo_op_result_type(op, 0)) != n ||
      echo_map_has(made_of_it, echo_key(echo_op_operand(op, 0))) ||
      echo_map_has(made_of_it, echo_key(echo_op_operand(op, 1))))
    return false;
  found->beside_or_null = op;
  return true;
}

static bool reads_any(const EchoOp *op, const EchoMap *values)
{
  bool reads = false;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    reads |= echo_map_has(values, echo_key(echo_op_operand(op, i)));
  return reads;
}

/* Fills the values that are made of the second product, with its own. */
static void find_made_of_second(const EchoOp *kernel, const EchoOp *second, EchoMap *made)
{
  const EchoBlock *body = echo_op_body(kernel, 0);
  for (const EchoOp *op = second; op != NULL && op != body->last; op = op->next)
    for (uint32_t i = 0; i < op->n_results && (op == second || reads_any(op, made)); ++i)
      echo_map_set(made, echo_key(echo_op_result(op, i)), 1);
}

/* Whether results are of the rows, or of the other product, place by place; notes which. One that
 * is made of neither stands with the other product where it has as many elements, else with the
 * rows. */
static bool has_fitting_results(const EchoOp *kernel, const EchoMap *made_of_it, int64_t n_rows,
                                int64_t n, EchoArena *arena, EchoRowProduct *found)
{
  const EchoOp *end = echo_op_body(kernel, 0)->last, *second = found->second_or_null;
  EchoMap made_of_second = {0};
  find_made_of_second(kernel, second, &made_of_second);
  const EchoValue *made = second != NULL ? echo_op_result(second, 0) : NULL;
  bool is_in_place = made == NULL || echo_kernel_is_used_in_place(kernel, made);
  bool *row_results = ECHO_ARENA_ARRAY(arena, bool, end->n_operands), fine = true;
  for (uint32_t i = 0; i < end->n_operands && fine; ++i) {
    const EchoValue *result = echo_op_operand(end, i);
    int64_t n_result = echo_type_static_n_elements(result->type);
    bool is_with_second =
        made != NULL && (echo_map_has(&made_of_second, echo_key(result)) ||
                         (is_in_place && n_result == echo_type_static_n_elements(made->type)));
    bool is_of_rows = echo_map_has(made_of_it, echo_key(result)) || !is_with_second;
    if (is_of_rows)
      fine = n_result == n_rows || n_result == n;
    else
      fine = n_result == echo_type_static_n_elements(made->type) &&
             (is_in_place || echo_is_moved_product(made, result));
    row_results[i] = is_of_rows;
    if (second != NULL && is_of_rows)
      found->row_results_or_null = row_results;
  }
  echo_map_destroy(&made_of_second);
  return fine;
}

bool echo_find_row_product(const EchoOp *kernel, bool (*is_product)(const EchoOp *op),
                           EchoArena *arena, EchoRowProduct *found)
{
  const EchoBlock *body = echo_op_body(kernel, 0);
  *found = (EchoRowProduct){0};
  for (const EchoOp *op = body->first; op != body->last && found->product == NULL; op = op->next)
    found->product = is_product(op) ? op : NULL;
  if (found->product == NULL)
    return false;
  const EchoType *type = echo_op_result_type(found->product, 0);
  int64_t n = echo_type_static_n_elements(type), n_rows = 1;
  for (size_t i = 0; i < n_row_dims(found->product); ++i)
    n_rows *= echo_type_dim(type, i);
  EchoMap made_of_it = {0};
  bool has_reduce = false, has_row_values = false, fine = true;
  echo_map_set(&made_of_it, echo_key(echo_op_result(found->product, 0)), 1);
  for (const EchoOp *op = found->product->next; op != body->last && fine; op = op->next) {
    bool reads = reads_any(op, &made_of_it);
    if (is_product(op) && reads) {
      fine = found->second_or_null == NULL && multiplies_rows(op, &made_of_it, found);
      continue;
    }
    reads |= is_product(op) && is_beside(op, n, &made_of_it, found);
    fine = reads || !is_product(op);
    if (is_product(op)) {
      echo_map_set(&made_of_it, echo_key(echo_op_result(op, 0)), 1);
      continue;
    }
    has_reduce |= reads && echo_hlo_opcode(op) == ECHO_HLO_REDUCE;
    has_row_values |= reads && echo_type_static_n_elements(echo_op_result_type(op, 0)) != n;
    fine = !reads || (found->second_or_null == NULL && follows_rows(op, n_rows, n));
    if (reads)
      echo_map_set(&made_of_it, echo_key(echo_op_result(op, 0)), 1);
  }
  fine = fine && (has_reduce || found->second_or_null != NULL) &&
         (found->beside_or_null == NULL || found->second_or_null != NULL) &&
         has_fitting_results(kernel, &made_of_it, n_rows, n, arena, found) &&
         (!found->has_columns || (!has_row_values && found->row_results_or_null == NULL));
  echo_map_destroy(&made_of_it);
  return fine;
}

/* ---- the rows in shared memory ---- */

typedef struct Rows {
  EchoKernelEmitter *emitter;
  const EchoContraction *c;
  int64_t n_threads;
  EchoValue *first, *here; /* the block's first row, counted over all batches; how many it has */
} Rows;

static EchoElementEmitter *base_of(const Rows *rows)
{
  EchoElementEmitter *base = &rows->emitter->base;
  base->builder = echo_kernel_builder(rows->emitter);
  return base;
}

enum {
  RESULT_BYTES = 1 << 10, /* kept for the reductions' results: four of 32 rows of f64 */
  /* Neighbouring rows begin in other banks: a warp that multiplies them has places of two, 16 of
   * each, and puts down sums of tensor cores in eight, four of each. In elements, rows are so far
   * apart, or further by a multiple of twice that. */
  ROW_APART = 16,
  TENSOR_ROW_APART = 8
};

static int64_t pitch_of(const EchoContraction *c)
{
  int64_t apart = c->uses_tensor_cores ? TENSOR_ROW_APART : ROW_APART;
  bool has_lanes_across = c->uses_tensor_cores || c->next_or_null != NULL;
  return has_lanes_across ? (c->n + apart - 1) / (2 * apart) * (2 * apart) + apart : c->n;
}

bool echo_rows_fit(const EchoKernelEmitter *emitter, const EchoContraction *c, int64_t size,
                   int64_t bytes)
{
  int64_t memory = bytes + RESULT_BYTES;
  for (; c != NULL; c = c->beside_or_null) {
    const EchoType *element = echo_type_element(echo_op_result_type(c->op, 0));
    memory += size * pitch_of(c) * (int64_t)echo_type_element_bytes(element);
  }
  return memory <= emitter->shared_bytes;
}

void echo_reserve_rows(EchoKernelEmitter *emitter, const EchoContraction *c, int64_t size,
                       EchoValue *batch, EchoValue *tile)
{
  EchoElementEmitter *base = &emitter->base;
  const EchoType *type = echo_op_result_type(c->op, 0);
  const EchoType *element = echo_scalar_type(emitter->ctx, echo_type_element_kind(type));
  int64_t pitch = pitch_of(c), n = size * pitch;
  base->builder = echo_kernel_builder(emitter);
  *c->rows_or_null = (EchoRowTile){.size = size,
                                   .pitch = pitch,
                                   .batch = batch,
                                   .start = echo_index_mul_constant(base, tile, size),
                                   .memory = echo_kernel_alloca(emitter, element, &n, 1)};
}

void echo_store_rows(EchoKernelEmitter *emitter, const EchoContraction *c, EchoValue *m,
                     EchoValue *const *n, EchoValue *const *sums, size_t count)
{
  EchoElementKind kind = echo_type_element_kind(echo_op_result_type(c->op, 0));
  EchoElementEmitter *base = &emitter->base;
  for (size_t i = 0; i < count; ++i) {
    base->builder = echo_kernel_builder(emitter);
    EchoValue *row = echo_index_mul_constant(base, echo_index_sub(base, m, c->rows_or_null->start),
                                             c->rows_or_null->pitch);
    EchoValue *at = echo_index_add(base, row, n[i]);
    EchoValue *value =
        echo_scalar_convert(echo_kernel_builder(emitter), c->sum_kind, kind, sums[i]);
    echo_memref_store(echo_kernel_builder(emitter), value, c->rows_or_null->memory, &at, 1);
  }
}

/* ---- what follows ---- */

/* Opens the loops of a step: over the block's threads, and each warp's rows. Fills where in the
 * product's rows the warp is, and the lane. */
static void begin_rows(const Rows *rows, EchoValue **row, EchoValue **lane)
{
  EchoKernelEmitter *emitter = rows->emitter;
  int64_t n_warps = rows->n_threads / ECHO_GPU_WARP, dims[] = {n_warps, ECHO_GPU_WARP};
  EchoValue *digits[2], *thread = echo_kernel_begin_range(emitter, rows->n_threads, true);
  echo_index_delinearize(base_of(rows), thread, dims, 2, digits);
  *lane = digits[1];
  *row = echo_kernel_begin_for(emitter, digits[0], rows->here, n_warps, false);
}

static void end_rows(const Rows *rows)
{
  echo_kernel_end_for(rows->emitter);
  echo_kernel_end_for(rows->emitter);
}

/* Indices of the row's element of a tensor that has one a row. */
static void row_indices(const Rows *rows, const EchoType *type, EchoValue *row, EchoValue **indices)
{
  EchoElementEmitter *base = base_of(rows);
  const int64_t dims[] = {rows->c->n_batch, rows->c->m};
  EchoValue *at[] = {rows->c->rows_or_null->batch,
                     echo_index_add(base, rows->c->rows_or_null->start, row)};
  echo_index_reshape(base, dims, 2, at, type->as.shaped.dims, type->as.shaped.rank, indices);
}

static void begin_first_lane(const Rows *rows, EchoValue *lane)
{
  EchoElementEmitter *base = base_of(rows);
  echo_kernel_begin_if(rows->emitter,
                       echo_index_compare(base, ECHO_CMPI_EQ, lane, echo_index_constant(base, 0)));
}

/* By a warp each: lane 0 has the result. */
static void reduce_by_warps(const Rows *rows, const EchoOp *reduce, EchoValue *results)
{
  EchoKernelEmitter *emitter = rows->emitter;
  EchoValue *row, *lane, *indices[ECHO_MAX_RANK];
  begin_rows(rows, &row, &lane);
  row_indices(rows, echo_op_result_type(reduce, 0), row, indices);
  EchoValue *result = echo_emit_warp_reduce_or_null(emitter, reduce, indices, lane);
  if (result != NULL) {
    begin_first_lane(rows, lane);
    echo_memref_store(echo_kernel_builder(emitter), result, results, &row, 1);
    echo_kernel_end_if(emitter);
  }
  end_rows(rows);
}

/* So few elements that a thread has a row. */
static void reduce_by_threads(const Rows *rows, const EchoOp *reduce, EchoValue *results)
{
  EchoKernelEmitter *emitter = rows->emitter;
  EchoValue *indices[ECHO_MAX_RANK], *result = NULL;
  EchoValue *row = echo_kernel_begin_range(emitter, rows->c->rows_or_null->size, true);
  echo_kernel_begin_if(emitter, echo_index_compare(base_of(rows), ECHO_CMPI_SLT, row, rows->here));
  row_indices(rows, echo_op_result_type(reduce, 0), row, indices);
  if (echo_emit_reduce(emitter, reduce, indices, &result))
    echo_memref_store(echo_kernel_builder(emitter), result, results, &row, 1);
  echo_kernel_end_if(emitter);
  echo_kernel_end_for(emitter);
}

static void reduce_rows(const Rows *rows, const EchoOp *reduce)
{
  EchoKernelEmitter *emitter = rows->emitter;
  EchoElementKind kind = echo_type_element_kind(echo_op_result_type(reduce, 0));
  EchoValue *results = echo_kernel_alloca(emitter, echo_scalar_type(emitter->ctx, kind),
                                          &rows->c->rows_or_null->size, 1);
  if (echo_reduction_order(reduce, kind, true).lanes == 1)
    reduce_by_threads(rows, reduce, results);
  else
    reduce_by_warps(rows, reduce, results);
  echo_kernel_bind(emitter, echo_op_result(reduce, 0), ECHO_BIND_LOCAL, results, rows->first);
}

/* Whether the row's step stores a result of the kernel that has so many elements. */
static bool is_stored(const Rows *rows, uint32_t result, int64_t n_wanted)
{
  const EchoValue *tensor = echo_op_operand(echo_op_body(rows->emitter->kernel, 0)->last, result);
  const bool *row_results = rows->c->row_results_or_null;
  bool is_of_rows = rows->c->next_or_null == NULL || (row_results != NULL && row_results[result]);
  return is_of_rows && echo_type_static_n_elements(tensor->type) == n_wanted;
}

/* Indices of a place of the rows in a tensor that has as many elements. */
static void place_indices(const Rows *rows, const EchoType *type, EchoValue *row, EchoValue *column,
                          EchoValue **indices)
{
  const EchoContraction *c = rows->c;
  EchoElementEmitter *base = base_of(rows);
  EchoValue *line = echo_index_add(base, c->rows_or_null->start, row);
  const int64_t dims[] = {c->n_batch, c->has_columns ? c->n : c->m, c->has_columns ? c->m : c->n};
  EchoValue *at[] = {c->rows_or_null->batch, c->has_columns ? column : line,
                     c->has_columns ? line : column};
  echo_index_reshape(base, dims, 3, at, type->as.shaped.dims, type->as.shaped.rank, indices);
}

/* What another product multiplies takes the place of what it is made of, where it is read more than
 * once, or results may be written over what it reads: a product's result may be wider than its
 * factors are, never narrower. Else it is made as it is brought to a tile, which is less to do. */
static void store_operand(const Rows *rows, EchoValue *value, EchoValue *row, EchoValue *column)
{
  EchoKernelEmitter *emitter = rows->emitter;
  const EchoRowTile *tile = rows->c->rows_or_null;
  EchoElementEmitter *base = base_of(rows);
  EchoElementKind from = echo_type_element_kind(rows->c->next_or_null->a_tensor->type);
  EchoElementKind to = echo_type_element_kind(echo_op_result_type(rows->c->op, 0));
  EchoValue *at = echo_index_add(base, echo_index_mul_constant(base, row, tile->pitch), column);
  value = echo_scalar_convert(echo_kernel_builder(emitter), from, to, value);
  echo_memref_store(echo_kernel_builder(emitter), value, tile->memory, &at, 1);
}

/* The kernel's results that have one element a row, or one a column of it, and what another product
 * multiplies: all are computed before any is stored. */
static void store_results(const Rows *rows, bool is_row, EchoValue *row, EchoValue *column)
{
  EchoKernelEmitter *emitter = rows->emitter;
  const EchoContraction *c = rows->c;
  const EchoOp *end = echo_op_body(emitter->kernel, 0)->last;
  int64_t n_wanted = c->n_batch * c->m * (is_row ? 1 : c->n);
  EchoValue **values = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, end->n_operands);
  EchoValue *(*indices)[ECHO_MAX_RANK] =
      echo_arena_alloc_array(emitter->arena, end->n_operands, sizeof *indices);
  for (uint32_t i = 0; i < end->n_operands && !emitter->failed; ++i) {
    EchoValue *tensor = echo_op_operand(end, i);
    values[i] = NULL;
    if (!is_stored(rows, i, n_wanted))
      continue;
    if (is_row)
      row_indices(rows, tensor->type, row, indices[i]);
    else
      place_indices(rows, tensor->type, row, column, indices[i]);
    values[i] = echo_kernel_element(emitter, tensor, indices[i]);
  }
  if (!is_row && c->next_or_null != NULL && !emitter->failed) {
    EchoValue *operand = c->next_or_null->a_tensor, *at[ECHO_MAX_RANK];
    place_indices(rows, operand->type, row, column, at);
    EchoValue *value = echo_kernel_element(emitter, operand, at);
    if (value != NULL)
      store_operand(rows, value, row, column);
  }
  for (uint32_t i = 0; i < end->n_operands && !emitter->failed; ++i)
    if (values[i] != NULL)
      echo_kernel_store(emitter, values[i], echo_kernel_output(emitter, i), indices[i]);
}

static void store_all(const Rows *rows)
{
  EchoKernelEmitter *emitter = rows->emitter;
  EchoValue *row, *lane;
  begin_rows(rows, &row, &lane);
  begin_first_lane(rows, lane);
  store_results(rows, true, row, NULL);
  echo_kernel_end_if(emitter);
  EchoValue *end = echo_index_constant(&emitter->base, rows->c->n);
  EchoValue *column = echo_kernel_begin_for(emitter, lane, end, ECHO_GPU_WARP, false);
  store_results(rows, false, row, column);
  echo_kernel_end_for(emitter);
  end_rows(rows);
}

/* Elements of the tensor, as many as the product has, stand in its tile. */
static void bind_tile(const Rows *rows, const EchoContraction *c, const EchoValue *tensor)
{
  const EchoRowTile *tile = c->rows_or_null;
  const int64_t dims[] = {c->n_batch, c->n, c->m};
  if (c->has_columns) {
    echo_kernel_bind_columns(rows->emitter, tensor, tile->memory, tile->start, dims, tile->pitch);
    return;
  }
  int64_t n = 1, n_rows = c->n_batch * c->m;
  size_t n_dims = 0;
  while (n_dims < echo_type_rank(tensor->type) && n != n_rows)
    n *= echo_type_dim(tensor->type, n_dims++);
  echo_kernel_bind_rows(rows->emitter, tensor, tile->memory, rows->first, n_dims, tile->pitch);
}

/* The rows from now on are those of what the other product multiplies. */
static void bind_operand(const Rows *rows)
{
  for (const EchoContraction *c = rows->c; c != NULL; c = c->beside_or_null)
    echo_kernel_unbind(rows->emitter, echo_op_result(c->op, 0));
  bind_tile(rows, rows->c, rows->c->next_or_null->a_tensor);
}

void echo_emit_rows(EchoKernelEmitter *emitter, const EchoContraction *c, int64_t n_threads,
                    bool is_read_often)
{
  Rows rows = {.emitter = emitter, .c = c, .n_threads = n_threads};
  EchoElementEmitter *base = base_of(&rows);
  const EchoRowTile *tile = c->rows_or_null;
  rows.first = echo_index_add(base, echo_index_mul_constant(base, tile->batch, c->m), tile->start);
  rows.here = echo_index_constant(base, tile->size);
  if (c->m % tile->size != 0)
    rows.here = echo_index_min(base, rows.here,
                               echo_index_sub(base, echo_index_constant(base, c->m), tile->start));
  for (const EchoContraction *made = c; made != NULL; made = made->beside_or_null)
    bind_tile(&rows, made, echo_op_result(made->op, 0));
  const EchoBlock *body = echo_op_body(emitter->kernel, 0);
  for (const EchoOp *op = body->first; op != body->last && !emitter->failed; op = op->next)
    if (echo_hlo_opcode(op) == ECHO_HLO_REDUCE)
      reduce_rows(&rows, op);
  bool has_results = c->next_or_null == NULL || c->row_results_or_null != NULL || is_read_often;
  if (!emitter->failed && has_results)
    store_all(&rows);
  if (!emitter->failed && has_results && c->next_or_null != NULL)
    bind_operand(&rows);
}
