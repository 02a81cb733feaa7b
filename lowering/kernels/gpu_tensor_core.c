/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The product of halves on tensor cores. A block of 2 x 2 warps has a tile of the result, each warp
 * a quarter of it in registers for the whole of k. Blocks of both operands along k lie in shared
 * memory twice: while one is multiplied, the next one is copied there, past the registers where
 * its rows are aligned.
 *
 * A row of shared memory is made of pieces of 16 bytes, which change places by the row's number:
 * the eight rows that a matrix of 8 x 8 is loaded from meet in no bank, whether they lie along k or
 * across it. Sums go in steps of 16 along k in ascending order, whatever the tile is and however
 * operands came: the tile may follow the shape. */
#include "dialects/gpu/gpu.h"
#include "lowering/kernels/contraction_t.h"
#include "lowering/kernels/warp_ops_t.h"

enum {
  WARP = ECHO_GPU_WARP,
  WARPS_SIDE = 2, /* along m, and along n */
  THREADS = WARPS_SIDE * WARPS_SIDE * WARP,
  PIECE = 8,    /* halves of a piece of shared memory, and rows of a matrix */
  STEP = 16,    /* along k of one product; rows of its result, and columns of two */
  BLOCK_K = 32, /* of two steps: the rows of a tile of 32 are a copy a thread */
  N_BUFFERS = 2,
  LEAST_TILE = WARPS_SIDE * STEP,
  LARGEST_TILE = 128,       /* 64 x 64 sums a warp: 128 registers of each lane */
  LARGEST_LOADED_TILE = 64, /* where elements pass through registers */
  MAX_PARTS = LARGEST_TILE / WARPS_SIDE / STEP,
  MAX_SUMS = MAX_PARTS * MAX_PARTS * 2,
  MAX_LOADS = LARGEST_LOADED_TILE * BLOCK_K / THREADS,
  MULTIPROCESSORS = 128 /* about, of the GPUs that have models */
};

/* One operand's blocks in shared memory: [N_BUFFERS, rows, width]. */
typedef struct Operand {
  bool is_a, runs_along_k;
  const EchoWideOperand *memory; /* NULL: read element by element */
  int64_t unit;                  /* elements of one copy; 1: through registers */
  int64_t size, total;           /* of the tile; of the product */
  int64_t rows, width;           /* of a block: `width` runs */
  int64_t n_loads, rows_a_load;  /* of a thread; rows between two of its units */
  EchoValue *shared, *start;     /* start: of the tile */
  EchoValue *row, *column;       /* of the thread's first unit */
  EchoValue *warp_start;         /* of the warp's part of the tile */
  EchoValue *batch_start;        /* position in memory */
} Operand;

typedef struct Product {
  EchoKernelEmitter *emitter;
  const EchoContraction *c;
  Operand a, b;
  int64_t n_blocks;
  EchoValue *batch, *thread, *lane;
} Product;

static EchoElementEmitter *base_of(const Product *p)
{
  EchoElementEmitter *base = &p->emitter->base;
  base->builder = echo_kernel_builder(p->emitter);
  return base;
}

static EchoValue *constant(const Product *p, int64_t value)
{
  return echo_index_constant(&p->emitter->base, value);
}

static EchoValue *bits(const Product *p, const char *op, EchoValue *a, EchoValue *b)
{
  EchoValue *operands[] = {a, b};
  return base_of(p)->pure_op(&p->emitter->base, op, -1, operands, 2, a->type);
}

/* ---- which ---- */

bool echo_uses_tensor_cores(const EchoKernelEmitter *emitter, const EchoOp *op)
{
  EchoElementKind a = echo_type_element_kind(echo_op_operand_type(op, 0));
  EchoElementKind b = echo_type_element_kind(echo_op_operand_type(op, 1));
  EchoElementKind result = echo_type_element_kind(echo_op_result_type(op, 0));
  bool is_half = a == ECHO_ELEMENT_F16 || a == ECHO_ELEMENT_BF16;
  return emitter->has_tensor_cores && is_half && a == b &&
         echo_sum_kind(result) == ECHO_ELEMENT_F32;
}

/* ---- tiles ---- */

static int64_t n_tiles(int64_t n, int64_t size)
{
  return (n + size - 1) / size;
}

/* Halves that lie side by side at an aligned address, wherever a row begins. */
static int64_t copy_unit(const EchoWideOperand *memory, bool runs_along_k, int64_t k, int64_t total)
{
  if (memory == NULL)
    return 1;
  if (memory->place != NULL) {
    int64_t unit = PIECE;
    while (unit > 1 && (memory->alignment % (2 * unit) != 0 || memory->run % unit != 0))
      unit /= 2;
    return unit;
  }
  if ((runs_along_k ? memory->k_stride : memory->stride) != 1)
    return 1;
  int64_t across = runs_along_k ? memory->stride : memory->k_stride;
  int64_t extent = runs_along_k ? k : total, others = runs_along_k ? total : k;
  for (int64_t unit = PIECE; unit >= 2; unit /= 2) {
    bool fits = memory->alignment % (2 * unit) == 0 && extent % unit == 0 &&
                (others == 1 || across % unit == 0);
    for (size_t i = 0; i < memory->n_batch; ++i)
      fits &= memory->batch_sizes[i] == 1 || memory->batch_strides[i] % unit == 0;
    if (fits)
      return unit;
  }
  return 1;
}

/* Cycles of a multiprocessor for one step along k, a warp on each of its four parts: a product
 * keeps a tensor core for eight cycles, a load of four matrices the shared memory for four, of four
 * warps; a copy of a unit is an instruction or two. `n` blocks share the chip. */
static int64_t cost_of_tiles(const Product *p, int64_t n, int64_t m_size, int64_t n_size)
{
  int64_t m_parts = m_size / LEAST_TILE, n_parts = n_size / LEAST_TILE;
  int64_t copies = m_size / p->a.unit + n_size / p->b.unit; /* of the block, for STEP rows a lane */
  int64_t block = 8 * 2 * m_parts * n_parts + 4 * 4 * (m_parts + n_parts) + 2 * copies / 8;
  return n_tiles(n, MULTIPROCESSORS) * block;
}

/* The tile with the least cost, among equal ones the largest. */
static void choose_tiles(Product *p)
{
  const EchoContraction *c = p->c;
  int64_t least = INT64_MAX;
  bool is_loaded = p->a.unit == 1 || p->b.unit == 1;
  int64_t largest = is_loaded ? LARGEST_LOADED_TILE : LARGEST_TILE;
  for (int64_t i = largest; i >= LEAST_TILE; i /= 2)
    for (int64_t j = largest; j >= LEAST_TILE; j /= 2) {
      int64_t blocks = c->n_batch * n_tiles(c->m, i) * n_tiles(c->n, j);
      int64_t cost = cost_of_tiles(p, blocks, i, j);
      if (cost < least) {
        least = cost;
        p->a.size = i;
        p->b.size = j;
      }
    }
}

/* What of an operand does not depend on the thread. */
static void reserve(Product *p, Operand *o)
{
  o->rows = o->runs_along_k ? o->size : BLOCK_K;
  o->width = o->runs_along_k ? BLOCK_K : o->size;
  o->n_loads = o->rows * o->width / o->unit / THREADS;
  o->rows_a_load = THREADS / (o->width / o->unit);
  int64_t dims[] = {N_BUFFERS, o->rows, o->width};
  const EchoType *half = echo_scalar_type(p->emitter->ctx, p->c->factor_kind);
  o->shared = echo_kernel_alloca(p->emitter, half, dims, 3);
}

static EchoValue *position_of_batch(const Product *p, const EchoWideOperand *memory)
{
  EchoValue *digits[ECHO_MAX_RANK], *at = constant(p, 0);
  echo_index_delinearize(base_of(p), p->batch, memory->batch_sizes, memory->n_batch, digits);
  for (size_t i = 0; i < memory->n_batch; ++i)
    at = echo_index_add(base_of(p), at,
                        echo_index_mul_constant(base_of(p), digits[i], memory->batch_strides[i]));
  return at;
}

static void place_operand(Product *p, Operand *o, EchoValue *tile, EchoValue *warp)
{
  const int64_t dims[] = {o->rows, o->width / o->unit};
  EchoValue *digits[2];
  echo_index_delinearize(base_of(p), p->thread, dims, 2, digits);
  o->row = digits[0];
  o->column = echo_index_mul_constant(base_of(p), digits[1], o->unit);
  o->start = echo_index_mul_constant(base_of(p), tile, o->size);
  o->warp_start = echo_index_mul_constant(base_of(p), warp, o->size / WARPS_SIDE);
  if (o->unit != 1 && o->memory->place == NULL)
    o->batch_start = position_of_batch(p, o->memory);
}

/* ---- shared memory ---- */

/* Where column `column` of row `row + more_rows` stands: its piece changes places with another one
 * of the row, by the row's number. Rows that come eight further on do it alike. */
static EchoValue *swizzled(const Product *p, const Operand *o, EchoValue *row, int64_t more_rows,
                           EchoValue *column)
{
  int64_t pieces = o->width / PIECE;
  int64_t rows_a_turn = pieces < PIECE ? PIECE / pieces : 1;
  int64_t turns = pieces < PIECE ? pieces : PIECE;
  row = echo_index_add_constant(base_of(p), row, more_rows % PIECE);
  EchoValue *turn = echo_index_rem_constant(
      base_of(p), echo_index_div_constant(base_of(p), row, rows_a_turn), turns);
  return bits(p, "arith.xori", column, echo_index_mul_constant(base_of(p), turn, PIECE));
}

static void place_in_block(const Product *p, const Operand *o, int64_t buffer, EchoValue *row,
                           int64_t more_rows, EchoValue *column, EchoValue *at[3])
{
  at[0] = constant(p, buffer);
  at[1] = echo_index_add_constant(base_of(p), row, more_rows);
  at[2] = swizzled(p, o, row, more_rows, column);
}

/* ---- bringing a block ---- */

/* The thread's unit number `load` of block `block` along k: along k, and along the other dimension.
 * What lies beyond the edges is taken from within. *inside: whether it is to count, NULL = yes;
 * rows and columns beyond the result go nowhere and may count. */
static void place_in_product(const Product *p, const Operand *o, EchoValue *block, int64_t load,
                             EchoValue **k, EchoValue **other, EchoValue **inside)
{
  EchoElementEmitter *base = base_of(p);
  int64_t k_total = p->c->k;
  EchoValue *row = echo_index_add_constant(base, o->row, load * o->rows_a_load);
  int64_t k_unit = o->runs_along_k ? o->unit : 1, unit = o->runs_along_k ? 1 : o->unit;
  *k = echo_index_add(base, echo_index_mul_constant(base, block, BLOCK_K),
                      o->runs_along_k ? o->column : row);
  *other = echo_index_add(base, o->start, o->runs_along_k ? row : o->column);
  *inside = NULL;
  if (o->total % o->size != 0)
    *other = echo_index_min(base, *other, constant(p, o->total - unit));
  if (k_total % BLOCK_K == 0)
    return;
  *inside = echo_index_compare(base, ECHO_CMPI_SLT, *k, constant(p, k_total));
  *k = echo_index_min(base, *k, constant(p, k_total - k_unit));
}

/* Position in memory of the thread's unit: of the first one and a constant, where no edge is near,
 * so that addresses differ in what stands in the instruction. */
static EchoValue *position(const Product *p, const Operand *o, EchoValue *block, int64_t load,
                           EchoValue **inside)
{
  EchoElementEmitter *base = base_of(p);
  bool near_edge = p->c->k % BLOCK_K != 0 || o->total % o->size != 0 || o->memory->place != NULL;
  EchoValue *k, *other;
  place_in_product(p, o, block, near_edge ? load : 0, &k, &other, inside);
  if (o->memory->place != NULL) {
    EchoValue *counts = NULL;
    EchoValue *at = o->memory->place(p->emitter, p->c, p->batch, other, k, &counts);
    *inside = *inside != NULL && counts != NULL ? bits(p, "arith.andi", *inside, counts)
              : counts != NULL                  ? counts
                                                : *inside;
    return at;
  }
  EchoValue *at =
      echo_index_add(base, o->batch_start, echo_index_mul_constant(base, other, o->memory->stride));
  at = echo_index_add(base, at, echo_index_mul_constant(base, k, o->memory->k_stride));
  int64_t stride = o->runs_along_k ? o->memory->stride : o->memory->k_stride;
  return near_edge ? at : echo_index_add_constant(base, at, load * o->rows_a_load * stride);
}

static void copy_block(Product *p, const Operand *o, EchoValue *block, int64_t buffer)
{
  for (int64_t i = 0; i < o->n_loads; ++i) {
    EchoValue *inside, *to[3], *n_meant = NULL;
    EchoValue *from = position(p, o, block, i, &inside);
    if (inside != NULL)
      n_meant = echo_index_select(base_of(p), inside, constant(p, o->unit), constant(p, 0));
    place_in_block(p, o, buffer, o->row, i * o->rows_a_load, o->column, to);
    echo_warp_copy(p->emitter, o->shared, to, o->memory->memory, from, o->unit, n_meant);
  }
}

static void load_block(Product *p, const Operand *o, EchoValue *block, EchoValue **values)
{
  const EchoContraction *c = p->c;
  for (int64_t i = 0; i < o->n_loads && !p->emitter->failed; ++i) {
    EchoValue *k, *other, *inside;
    place_in_product(p, o, block, i, &k, &other, &inside);
    values[i] =
        o->is_a ? c->a(p->emitter, c, p->batch, other, k) : c->b(p->emitter, c, p->batch, k, other);
    if (values[i] == NULL || inside == NULL)
      continue;
    const EchoAttr *zero = echo_attr_float(p->emitter->ctx, values[i]->type, 0.0);
    values[i] = echo_arith_select(echo_kernel_builder(p->emitter), inside, values[i],
                                  base_of(p)->constant(&p->emitter->base, zero));
  }
}

static void put_down(Product *p, const Operand *o, int64_t buffer, EchoValue *const *values)
{
  for (int64_t i = 0; i < o->n_loads && !p->emitter->failed; ++i) {
    EchoValue *at[3];
    place_in_block(p, o, buffer, o->row, i * o->rows_a_load, o->column, at);
    echo_memref_store(echo_kernel_builder(p->emitter), values[i], o->shared, at, 3);
  }
}

/* What a thread holds of a block between the two halves of bringing it. */
typedef struct Brought {
  EchoValue *a[MAX_LOADS], *b[MAX_LOADS];
} Brought;

static void begin_bringing(Product *p, EchoValue *block, int64_t buffer, Brought *brought)
{
  if (p->a.unit != 1)
    copy_block(p, &p->a, block, buffer);
  else
    load_block(p, &p->a, block, brought->a);
  if (p->b.unit != 1)
    copy_block(p, &p->b, block, buffer);
  else
    load_block(p, &p->b, block, brought->b);
}

static void end_bringing(Product *p, int64_t buffer, const Brought *brought)
{
  if (p->a.unit == 1)
    put_down(p, &p->a, buffer, brought->a);
  if (p->b.unit == 1)
    put_down(p, &p->b, buffer, brought->b);
}

static void barrier(Product *p)
{
  static const EchoType *const NO_TYPES[1] = {NULL};
  if (p->a.unit != 1 || p->b.unit != 1)
    echo_warp_wait(p->emitter);
  echo_build_op(echo_kernel_builder(p->emitter), "gpu.barrier", NULL, 0, NO_TYPES, 0, NULL, 0);
}

/* ---- products ---- */

/* Fragments of STEP rows (of A) or columns (of B) from `first` of the warp's part on, at step
 * `step` along k. The four matrices are, in this order, for A: two along m, then those further
 * along k; for B: two along k, then those further along n. */
static EchoValue *load_fragments(Product *p, const Operand *o, int64_t buffer, int64_t first,
                                 int64_t step)
{
  EchoElementEmitter *base = base_of(p);
  const int64_t dims[] = {2, 2, PIECE};
  EchoValue *digits[3], *at[3];
  echo_index_delinearize(base, p->lane, dims, 3, digits);
  EchoValue *outer = echo_index_mul_constant(base, digits[0], PIECE);
  EchoValue *inner = echo_index_mul_constant(base, digits[1], PIECE);
  EchoValue *along_k = o->is_a ? outer : inner, *other = o->is_a ? inner : outer;
  if (o->runs_along_k) {
    EchoValue *row = echo_index_add(base, o->warp_start, echo_index_add(base, other, digits[2]));
    EchoValue *column = echo_index_add_constant(base, along_k, step * STEP);
    place_in_block(p, o, buffer, row, first, column, at);
  } else {
    EchoValue *row = echo_index_add(base, along_k, digits[2]);
    EchoValue *column =
        echo_index_add_constant(base, echo_index_add(base, o->warp_start, other), first);
    place_in_block(p, o, buffer, row, step * STEP, column, at);
  }
  return echo_warp_load(p->emitter, o->shared, at, !o->runs_along_k);
}

static int64_t n_parts(const Operand *o)
{
  return o->size / LEAST_TILE;
}

static void multiply(Product *p, int64_t buffer, int64_t n_steps, EchoValue **sums)
{
  int64_t m_parts = n_parts(&p->a), n_parts_b = n_parts(&p->b);
  for (int64_t step = 0; step < n_steps; ++step) {
    EchoValue *a[MAX_PARTS], *b[MAX_PARTS];
    for (int64_t i = 0; i < m_parts; ++i)
      a[i] = load_fragments(p, &p->a, buffer, i * STEP, step);
    for (int64_t j = 0; j < n_parts_b; ++j)
      b[j] = load_fragments(p, &p->b, buffer, j * STEP, step);
    for (int64_t i = 0; i < m_parts; ++i)
      for (int64_t j = 0; j < 2 * n_parts_b; ++j) {
        EchoValue **sum = &sums[i * 2 * n_parts_b + j];
        *sum = echo_warp_multiply_add(p->emitter, a[i], b[j / 2], j % 2, *sum);
      }
  }
}

/* Multiplies what is in `buffer` while block `next` comes into the other one. */
static void advance(Product *p, EchoValue *next, int64_t buffer, EchoValue **sums)
{
  Brought brought;
  barrier(p);
  begin_bringing(p, next, 1 - buffer, &brought);
  multiply(p, buffer, BLOCK_K / STEP, sums);
  end_bringing(p, 1 - buffer, &brought);
}

/* Two blocks a round, so that it is known which buffer each is in. The first block stands before
 * the rounds: its products begin with zeros that need no registers. */
static void go_along_k(Product *p, EchoValue **sums)
{
  EchoKernelEmitter *emitter = p->emitter;
  size_t n = (size_t)(n_parts(&p->a) * n_parts(&p->b) * 2);
  int64_t last = p->n_blocks - 1, n_rounds = last < 1 ? 0 : (last - 1) / 2;
  Brought first;
  begin_bringing(p, constant(p, 0), 0, &first);
  if (emitter->failed)
    return;
  end_bringing(p, 0, &first);
  if (last > 0)
    advance(p, constant(p, 1), 0, sums);
  if (n_rounds != 0) {
    EchoValue *carried[MAX_SUMS];
    EchoValue *round = echo_kernel_begin_carried(emitter, n_rounds, sums, n, carried);
    EchoValue *block = echo_index_mul_constant(base_of(p), round, 2);
    for (int64_t i = 0; i < 2; ++i)
      advance(p, echo_index_add_constant(base_of(p), block, i + 2), 1 - i, carried);
    echo_kernel_end_carried(emitter, carried, n, sums);
  }
  if (last > 0 && last % 2 == 0)
    advance(p, constant(p, last), 1, sums);
  barrier(p);
  multiply(p, last % 2, n_tiles(p->c->k - last * BLOCK_K, STEP), sums);
}

/* ---- results ---- */

static void store_pair(Product *p, EchoValue *sums, int64_t row, EchoValue *m, EchoValue *n)
{
  EchoKernelEmitter *emitter = p->emitter;
  const EchoContraction *c = p->c;
  bool has_edge = c->n % p->b.size != 0;
  int64_t at_once = c->n % 2 == 0 ? 2 : 1;
  for (int64_t i = 0; i < 2; i += at_once) {
    EchoElementEmitter *base = base_of(p);
    EchoValue *columns[2], *pair[2];
    for (int64_t k = 0; k < at_once; ++k)
      columns[k] = echo_index_add_constant(base, n, i + k);
    if (has_edge)
      echo_kernel_begin_if(emitter, echo_index_compare(base, ECHO_CMPI_SLT, columns[0],
                                                       echo_index_constant(base, c->n)));
    for (int64_t k = 0; k < at_once; ++k)
      pair[k] = echo_warp_sum(emitter, sums, row, i + k);
    echo_store_products(emitter, c, p->batch, m, columns, pair, (size_t)at_once);
    if (has_edge)
      echo_kernel_end_if(emitter);
  }
}

static void store_sums(Product *p, EchoValue *const *sums)
{
  EchoKernelEmitter *emitter = p->emitter;
  const EchoContraction *c = p->c;
  const int64_t dims[] = {PIECE, 4};
  EchoValue *digits[2];
  echo_index_delinearize(base_of(p), p->lane, dims, 2, digits);
  EchoElementEmitter *base = base_of(p);
  EchoValue *first_m =
      echo_index_add(base, echo_index_add(base, p->a.start, p->a.warp_start), digits[0]);
  EchoValue *first_n = echo_index_add(base, echo_index_add(base, p->b.start, p->b.warp_start),
                                      echo_index_mul_constant(base, digits[1], 2));
  int64_t columns = n_parts(&p->b) * 2;
  bool has_edge = c->m % p->a.size != 0;
  for (int64_t i = 0; i < n_parts(&p->a) * 2; ++i) {
    base = base_of(p);
    EchoValue *m = echo_index_add_constant(base, first_m, i * PIECE);
    if (has_edge)
      echo_kernel_begin_if(
          emitter, echo_index_compare(base, ECHO_CMPI_SLT, m, echo_index_constant(base, c->m)));
    for (int64_t j = 0; j < columns; ++j)
      store_pair(p, sums[i / 2 * columns + j], i % 2, m,
                 echo_index_add_constant(base_of(p), first_n, j * PIECE));
    if (has_edge)
      echo_kernel_end_if(emitter);
  }
}

void echo_emit_tensor_core_contraction(EchoKernelEmitter *emitter, const EchoContraction *c)
{
  Product p = {.emitter = emitter, .c = c, .n_blocks = n_tiles(c->k, BLOCK_K)};
  p.a = (Operand){
      .is_a = true, .runs_along_k = !c->a_runs_along_m, .memory = c->a_memory, .total = c->m};
  p.b = (Operand){.runs_along_k = c->b_runs_along_k, .memory = c->b_memory, .total = c->n};
  p.a.unit = copy_unit(p.a.memory, p.a.runs_along_k, c->k, c->m);
  p.b.unit = copy_unit(p.b.memory, p.b.runs_along_k, c->k, c->n);
  choose_tiles(&p);
  int64_t grid[] = {c->n_batch, n_tiles(c->m, p.a.size), n_tiles(c->n, p.b.size)};
  const int64_t warps[] = {WARPS_SIDE, WARPS_SIDE, WARP};
  EchoValue *coordinates[3], *places[3], *sums[MAX_SUMS];
  EchoValue *task = echo_kernel_begin_tasks(emitter, grid[0] * grid[1] * grid[2], emitter->work_ns);
  echo_index_delinearize(base_of(&p), task, grid, 3, coordinates);
  p.batch = coordinates[0];
  reserve(&p, &p.a);
  reserve(&p, &p.b);
  p.thread = echo_kernel_begin_range(emitter, THREADS, true);
  echo_index_delinearize(base_of(&p), p.thread, warps, 3, places);
  p.lane = places[2];
  place_operand(&p, &p.a, coordinates[1], places[0]);
  place_operand(&p, &p.b, coordinates[2], places[1]);
  for (int64_t i = 0; i < n_parts(&p.a) * n_parts(&p.b) * 2; ++i)
    sums[i] = echo_warp_zero(emitter);
  go_along_k(&p, sums);
  if (!emitter->failed)
    store_sums(&p, sums);
  echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
}
