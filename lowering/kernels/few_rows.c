/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Products in which one operand has few rows (or columns) and the other, the wide one, is read
 * where it lies, once: copying it, as blocked products do, would take longer than multiplying. The
 * few rows are copied, k by k. Where the wide operand runs along its own dimension its elements are
 * vectors and the few rows scalars; where it runs along k it is the other way round. A sum is one
 * chain over k in ascending order, as everywhere in contraction.c, so no bit tells which it was. */
#include "dialects/vector/vector.h"
#include "lowering/kernels/contraction_t.h"

enum { MAX_ROWS = 12, MAX_SUMS = 24, MAX_LANES = 16, LEAST_WIDE = 16 };
/* A block of k is as many rows of a wide operand that runs along its own dimension as streams that
 * a core fetches ahead; the other way round it is as long as leaves the block of the few rows,
 * which is gone through for each part of the wide one, in the nearest cache beside that. */
enum { BLOCK_STREAMS = 32, BLOCK_K = 512, FEW_BYTES = 1 << 15, TILE_SUMS = 1 << 12 };

/* Rows x vectors of lanes are multiplied at once; rows count along `row`, lanes along `column`. */
typedef struct Product {
  EchoKernelEmitter *emitter;
  const EchoContraction *c;
  const EchoWideOperand *wide;
  bool lanes_are_wide;
  int64_t lanes, vectors, rows;
  int64_t n_few, n_wide;
  int64_t block; /* of k */
  int64_t few_places,
      tile; /* few rows or columns with what fills vectors up; wide ones of a task */
  const EchoType *scalar, *vector;
  EchoValue *batch, *wide0, *wide_size; /* of the task */
  EchoValue *wide_base;                 /* position of the batch in the wide operand */
  EchoValue *few, *sums;                /* [k, few_places]; [rows, columns] of the tile */
} Product;

/* ---- what fits ---- */

static int64_t round_up(int64_t n, int64_t unit)
{
  return (n + unit - 1) / unit * unit;
}

/* The most rows, up to `most`, that divide `n`. */
static int64_t dividing(int64_t n, int64_t most)
{
  int64_t rows = most;
  while (n % rows != 0)
    --rows;
  return rows;
}

static void choose(Product *p)
{
  const EchoContraction *c = p->c;
  const EchoWideOperand *wide = p->wide;
  p->n_few = wide->is_b ? c->m : c->n;
  p->n_wide = wide->is_b ? c->n : c->m;
  p->lanes_are_wide = wide->stride == 1;
  int64_t lanes = c->sum_kind == ECHO_ELEMENT_F64 ? MAX_LANES / 2 : MAX_LANES;
  int64_t unit, most_k, element_bytes = c->sum_kind == ECHO_ELEMENT_F64 ? 8 : 4;
  if (p->lanes_are_wide) {
    while (p->n_wide % lanes != 0 && lanes > 4)
      lanes /= 2;
    p->rows = (p->n_few + MAX_ROWS - 1) / MAX_ROWS;
    p->rows = (p->n_few + p->rows - 1) / p->rows; /* groups of about equal size */
    p->vectors = MAX_SUMS / p->rows < 4 ? MAX_SUMS / p->rows : 4;
    p->vectors = dividing(p->n_wide / lanes, p->vectors);
    p->few_places = round_up(p->n_few, p->rows);
    unit = p->vectors * lanes;
  } else {
    while (lanes / 2 >= p->n_few && lanes > 4)
      lanes /= 2;
    p->few_places = round_up(p->n_few, lanes);
    p->vectors = p->few_places / lanes;
    int64_t most = MAX_SUMS / p->vectors < MAX_ROWS ? MAX_SUMS / p->vectors : MAX_ROWS;
    p->rows = unit = dividing(p->n_wide, most);
  }
  p->lanes = lanes;
  most_k = FEW_BYTES / (p->few_places * element_bytes);
  most_k = most_k < BLOCK_K ? most_k : BLOCK_K;
  p->block = p->lanes_are_wide ? BLOCK_STREAMS : most_k;
  p->block = p->block < c->k ? p->block : c->k;
  int64_t units = TILE_SUMS / p->few_places / unit;
  p->tile = unit * (units < 1 ? 1 : units);
  p->tile = p->tile < p->n_wide ? p->tile : p->n_wide;
}

/* As many chains of sums as hide what each waits for, and no element beyond the operand's end. */
bool echo_fits_few_rows(const EchoContraction *c, const EchoWideOperand *wide)
{
  Product p = {.c = c, .wide = wide};
  p.n_few = wide->is_b ? c->m : c->n;
  p.n_wide = wide->is_b ? c->n : c->m;
  bool is_float = c->sum_kind == ECHO_ELEMENT_F32 || c->sum_kind == ECHO_ELEMENT_F64;
  if (!is_float || p.n_few > ECHO_FEW_ROWS || p.n_few > p.n_wide || p.n_wide < LEAST_WIDE ||
      (wide->stride != 1 && wide->k_stride != 1))
    return false;
  choose(&p);
  return p.n_wide % p.lanes == 0 ? p.rows * p.vectors >= 4 || p.lanes_are_wide
                                 : !p.lanes_are_wide && p.rows >= 4;
}

/* ---- emission ---- */

static EchoElementEmitter *base_of(const Product *p)
{
  p->emitter->base.builder = echo_kernel_builder(p->emitter);
  return &p->emitter->base;
}

static EchoValue *constant(const Product *p, int64_t value)
{
  return echo_index_constant(base_of(p), value);
}

static EchoValue *add(const Product *p, EchoValue *a, EchoValue *b)
{
  return echo_index_add(base_of(p), a, b);
}

static EchoValue *scaled(const Product *p, EchoValue *a, int64_t factor)
{
  return echo_index_mul_constant(base_of(p), a, factor);
}

static EchoValue *begin(const Product *p, EchoValue *high, int64_t step, bool is_parallel)
{
  return echo_kernel_begin_for(p->emitter, constant(p, 0), high, step, is_parallel);
}

static EchoValue *clipped(const Product *p, EchoValue *start, int64_t size, int64_t total)
{
  if (total % size == 0)
    return constant(p, size);
  EchoValue *left = echo_index_sub(base_of(p), constant(p, total), start);
  return echo_index_min(base_of(p), left, constant(p, size));
}

static void place_task(Product *p)
{
  int64_t n_tiles = (p->n_wide + p->tile - 1) / p->tile, grid[] = {p->c->n_batch, n_tiles};
  EchoValue *at[2], *digits[ECHO_MAX_RANK];
  EchoValue *task =
      echo_kernel_begin_tasks(p->emitter, p->c->n_batch * n_tiles, p->emitter->work_ns);
  echo_index_delinearize(base_of(p), task, grid, 2, at);
  p->batch = at[0];
  p->wide0 = scaled(p, at[1], p->tile);
  p->wide_size = clipped(p, p->wide0, p->tile, p->n_wide);
  p->wide_base = scaled(p, p->wide0, p->wide->stride);
  echo_index_delinearize(base_of(p), p->batch, p->wide->batch_sizes, p->wide->n_batch, digits);
  for (size_t i = 0; i < p->wide->n_batch; ++i)
    p->wide_base = add(p, p->wide_base, scaled(p, digits[i], p->wide->batch_strides[i]));
  int64_t few[] = {p->block, p->few_places};
  int64_t sums[] = {p->tile, p->few_places};
  if (p->lanes_are_wide) {
    sums[0] = p->few_places;
    sums[1] = p->tile;
  }
  p->few = echo_kernel_alloca(p->emitter, p->scalar, few, 2);
  p->sums = echo_kernel_alloca(p->emitter, p->scalar, sums, 2);
}

static void copy_few(const Product *p, EchoValue *k0, EchoValue *k_size)
{
  const EchoContraction *c = p->c;
  bool k_runs = p->wide->is_b ? !c->a_runs_along_m : c->b_runs_along_k;
  EchoValue *few_size = constant(p, p->n_few);
  EchoValue *outer = begin(p, k_runs ? few_size : k_size, 1, false);
  EchoValue *inner = begin(p, k_runs ? k_size : few_size, 1, true);
  EchoValue *k = k_runs ? inner : outer, *row = k_runs ? outer : inner, *at[] = {k, row};
  EchoValue *value = p->wide->is_b ? c->a(p->emitter, c, p->batch, row, add(p, k0, k))
                                   : c->b(p->emitter, c, p->batch, add(p, k0, k), row);
  if (value != NULL)
    echo_memref_store(echo_kernel_builder(p->emitter), value, p->few, at, 2);
  echo_kernel_end_for(p->emitter);
  echo_kernel_end_for(p->emitter);
}

/* Of row i and vector v: where its sums lie. */
static void place_sums(const Product *p, EchoValue *row, EchoValue *column, int64_t i, int64_t v,
                       EchoValue **at)
{
  at[0] = echo_index_add_constant(base_of(p), row, i);
  at[1] = echo_index_add_constant(base_of(p), column, v * p->lanes);
}

static EchoValue *load_wide(const Product *p, EchoValue *wide, EchoValue *k, int64_t offset,
                            bool is_vector)
{
  EchoValue *position = add(p, add(p, p->wide_base, scaled(p, wide, p->wide->stride)),
                            scaled(p, k, p->wide->k_stride));
  EchoValue *at[] = {echo_index_add_constant(base_of(p), position, offset * p->wide->stride)};
  EchoBuilder *builder = echo_kernel_builder(p->emitter);
  return is_vector ? echo_vector_load(builder, p->vector, p->wide->memory, at, 1)
                   : echo_memref_load(builder, p->wide->memory, at, 1);
}

static EchoValue *load_few(const Product *p, EchoValue *few, EchoValue *k, int64_t offset,
                           bool is_vector)
{
  EchoValue *at[] = {k, echo_index_add_constant(base_of(p), few, offset)};
  EchoBuilder *builder = echo_kernel_builder(p->emitter);
  return is_vector ? echo_vector_load(builder, p->vector, p->few, at, 2)
                   : echo_memref_load(builder, p->few, at, 2);
}

static void multiply(const Product *p, EchoValue *row, EchoValue *column, EchoValue *k0,
                     EchoValue *k_size)
{
  EchoKernelEmitter *emitter = p->emitter;
  EchoValue *sums[MAX_SUMS], *carried[MAX_SUMS], *next[MAX_SUMS], *vectors[MAX_SUMS], *at[2];
  size_t n = (size_t)(p->rows * p->vectors);
  for (int64_t j = 0; j < (int64_t)n; ++j) {
    place_sums(p, row, column, j / p->vectors, j % p->vectors, at);
    sums[j] = echo_vector_load(echo_kernel_builder(emitter), p->vector, p->sums, at, 2);
  }
  EchoValue *k = echo_kernel_begin_carried_to(emitter, k_size, sums, n, carried);
  EchoValue *all_k = add(p, k0, k);
  for (int64_t v = 0; v < p->vectors; ++v)
    vectors[v] = p->lanes_are_wide ? load_wide(p, column, all_k, v * p->lanes, true)
                                   : load_few(p, column, k, v * p->lanes, true);
  for (int64_t i = 0; i < p->rows; ++i) {
    EchoValue *scalar =
        p->lanes_are_wide ? load_few(p, row, k, i, false) : load_wide(p, row, all_k, i, false);
    EchoValue *a = echo_vector_broadcast(echo_kernel_builder(emitter), p->vector, scalar);
    for (int64_t v = 0; v < p->vectors; ++v)
      next[i * p->vectors + v] =
          echo_multiply_add(emitter, p->c->sum_kind, a, vectors[v], carried[i * p->vectors + v]);
  }
  echo_kernel_end_carried(emitter, next, n, sums);
  for (int64_t j = 0; j < (int64_t)n; ++j) {
    place_sums(p, row, column, j / p->vectors, j % p->vectors, at);
    echo_vector_store(echo_kernel_builder(emitter), sums[j], p->sums, at, 2);
  }
}

static void fill_zero(const Product *p)
{
  EchoElementEmitter *base = base_of(p);
  EchoValue *zero = base->constant(base, echo_attr_float(p->emitter->ctx, p->scalar, 0.0));
  EchoValue *row = echo_kernel_begin_range(p->emitter, echo_type_dim(p->sums->type, 0), false);
  EchoValue *column = echo_kernel_begin_range(p->emitter, echo_type_dim(p->sums->type, 1), true);
  EchoValue *at[] = {row, column};
  echo_memref_store(echo_kernel_builder(p->emitter), zero, p->sums, at, 2);
  echo_kernel_end_for(p->emitter);
  echo_kernel_end_for(p->emitter);
}

static void store(const Product *p)
{
  bool is_b = p->wide->is_b; /* then the wide dimension runs in the result */
  EchoValue *few_size = constant(p, p->n_few);
  EchoValue *outer = begin(p, is_b ? few_size : p->wide_size, 1, false);
  EchoValue *inner = begin(p, is_b ? p->wide_size : few_size, 1, true);
  EchoValue *few = is_b ? outer : inner, *wide = is_b ? inner : outer;
  EchoValue *at[] = {p->lanes_are_wide ? few : wide, p->lanes_are_wide ? wide : few};
  EchoValue *sum = echo_memref_load(echo_kernel_builder(p->emitter), p->sums, at, 2);
  EchoValue *all_wide = add(p, p->wide0, wide);
  echo_store_products(p->emitter, p->c, p->batch, is_b ? few : all_wide, is_b ? &all_wide : &few,
                      &sum, 1);
  echo_kernel_end_for(p->emitter);
  echo_kernel_end_for(p->emitter);
}

void echo_emit_few_rows(EchoKernelEmitter *emitter, const EchoContraction *c,
                        const EchoWideOperand *wide)
{
  Product p = {.emitter = emitter, .c = c, .wide = wide};
  choose(&p);
  p.scalar = echo_scalar_type(emitter->ctx, c->sum_kind);
  p.vector = echo_type_vector(emitter->ctx, &p.lanes, 1, p.scalar, 0);
  place_task(&p);
  fill_zero(&p);
  EchoValue *k0 =
      echo_kernel_begin_for(emitter, constant(&p, 0), constant(&p, c->k), p.block, false);
  EchoValue *k_size = clipped(&p, k0, p.block, c->k);
  copy_few(&p, k0, k_size);
  EchoValue *few_size = constant(&p, p.few_places);
  EchoValue *column =
      begin(&p, p.lanes_are_wide ? p.wide_size : few_size, p.vectors * p.lanes, false);
  EchoValue *row = echo_kernel_begin_tile(emitter, p.lanes_are_wide ? few_size : p.wide_size,
                                          p.rows, p.rows, p.vectors);
  multiply(&p, row, column, k0, k_size);
  echo_kernel_end_for(emitter);
  echo_kernel_end_for(emitter);
  echo_kernel_end_for(emitter);
  store(&p);
  echo_kernel_end_tasks(emitter);
}
