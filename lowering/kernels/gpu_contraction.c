/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The blocked product on a GPU. A block of 16 x 16 threads has a tile of the result, each thread a
 * part of it in registers for the whole of k. Blocks of both operands along k lie in shared memory
 * twice: while one is multiplied, the next one is copied there, past the registers where it lies in
 * memory as it is multiplied.
 *
 * A thread's rows and columns come in runs of four, which are one access of shared memory, and the
 * runs of neighbouring threads side by side: no two lanes meet in a bank. The sums go over k in
 * ascending order whatever the tile is, so that the tile may follow the shape. */
#include "dialects/gpu/gpu.h"
#include "lowering/kernels/contraction_t.h"
#include "lowering/kernels/warp_ops_t.h"

enum {
  SIDE = 16, /* threads along m, and along n */
  THREADS = SIDE * SIDE,
  RUN = 4, /* elements of one access to shared memory, at most */
  LEAST_TILE = SIDE,
  LARGEST_TILE = 128,     /* 8 x 8 sums a thread */
  LARGEST_WIDE_TILE = 64, /* of 64-bit sums, which take two registers each */
  MAX_PART = LARGEST_TILE / SIDE,
  MAX_SPELLED_OUT = 256,     /* products, of the code for a block of k */
  MULTIPROCESSORS = 128,     /* about, of the GPUs that have models */
  INSTRUCTIONS_OF_LOAD = 10, /* to bring an element to shared memory, as compiled */
  INSTRUCTIONS_OF_COPY = 3,  /* to have one copied, or some side by side */
  BLOCK_K = 8,               /* a sector of an operand that runs along k */
  BANK_BYTES = 128,          /* of all banks of shared memory */
  N_BUFFERS = 2,
  MAX_PAD_BYTES = BANK_BYTES / BLOCK_K,
  MAX_LOADS = LARGEST_TILE * 2 * BLOCK_K / THREADS
};

/* One operand's blocks in shared memory: [N_BUFFERS, block_k, size + pad, or more]. */
typedef struct Operand {
  bool is_a, runs_along_k;
  const EchoWideOperand *memory_or_null; /* where it can be copied from */
  int64_t size, part, run;               /* of the tile; of a thread; of it, in one access */
  int64_t width;                         /* of shared memory: size and pad */
  int64_t total;                         /* in the whole product */
  int64_t unit;                          /* elements that a thread brings at once */
  int64_t n_loads, rows_a_load;          /* of such units of a block, by a thread */
  int64_t columns;                       /* of units, side by side, in one load */
  EchoValue *shared, *start;             /* start: of the tile */
  EchoValue *first;                      /* of the thread's first run */
  EchoValue *row, *column;               /* of the thread's first unit: along k and the tile, or
                                            the other way where the operand runs along k */
  EchoValue *batch_start;                /* position in memory */
} Operand;

typedef struct Product {
  EchoKernelEmitter *emitter;
  const EchoContraction *c;
  const EchoContraction
      *of_rows_or_null; /* whose rows a block has whole: c, or what is before it */
  const EchoType *scalar;
  int64_t block_k;
  int64_t other_bytes; /* of shared memory that tiles of another product take */
  Operand a, b;
  EchoValue *batch, *thread;
} Product;

static EchoElementEmitter *base_of(const Product *p)
{
  EchoElementEmitter *base = &p->emitter->base;
  base->builder = echo_kernel_builder(p->emitter);
  return base;
}

/* ---- tiles ---- */

static int64_t n_tiles(int64_t n, int64_t size)
{
  return (n + size - 1) / size;
}

/* Neighbours along the tile that lie side by side at an aligned address, or are made side by side,
 * so few that each thread has some; of what runs along k, which changes its direction on the way,
 * one. */
static int64_t bring_unit(const Product *p, const Operand *o)
{
  const EchoWideOperand *memory = o->memory_or_null;
  int64_t bytes = (int64_t)echo_type_element_bytes(p->scalar), unit = ECHO_COPY_BYTES / bytes;
  if (o->runs_along_k || (memory != NULL && memory->stride != 1))
    return 1;
  for (; unit > 1; unit /= 2) {
    bool fits = o->total % unit == 0 && o->size * p->block_k / unit >= THREADS;
    if (memory != NULL)
      fits &= memory->alignment % (unit * bytes) == 0 && memory->k_stride % unit == 0;
    for (size_t i = 0; memory != NULL && i < memory->n_batch; ++i)
      fits &= memory->batch_sizes[i] == 1 || memory->batch_strides[i] % unit == 0;
    if (fits)
      break;
  }
  return unit;
}

/* What bringing an operand's part of a step along k takes, 16 times. */
static int64_t cost_of_bringing(const Operand *o)
{
  return o->memory_or_null != NULL ? INSTRUCTIONS_OF_COPY * o->part / o->unit
                                   : INSTRUCTIONS_OF_LOAD * o->part;
}

/* Instructions of a multiprocessor's threads for one step along k, 16 times those of one thread:
 * sums, accesses to shared memory, and of bringing elements from memory. `n` blocks share the chip.
 */
static int64_t cost_of_tiles(const Product *p, int64_t n)
{
  const Operand *a = &p->a, *b = &p->b;
  int64_t block = 16 * (a->part * b->part + a->part / a->run + b->part / b->run) +
                  cost_of_bringing(a) + cost_of_bringing(b);
  return n_tiles(n, MULTIPROCESSORS) * block;
}

static bool is_half(const EchoContraction *c, size_t operand)
{
  const EchoType *element = echo_type_element(echo_op_operand_type(c->op, operand));
  return echo_type_element_bytes(element) < 4;
}

/* Along k a sector a row at once, where the tile has as many rows as threads bring then: so few
 * rows of shared memory are stored to at once that they are apart enough (reserve). */
static void finish_tile(const Product *p, Operand *o)
{
  o->part = o->size / SIDE;
  int64_t access = ECHO_COPY_BYTES / (int64_t)echo_type_element_bytes(p->scalar);
  o->run = access < RUN ? access : RUN;
  o->run = o->part < o->run ? o->part : o->run;
  o->unit = bring_unit(p, o);
  bool has_sectors = o->size >= THREADS / BLOCK_K;
  o->columns = !o->runs_along_k ? o->size / o->unit : has_sectors ? BLOCK_K : p->block_k;
}

static void set_tile(Product *p, int64_t m, int64_t n)
{
  bool has_least = m == LEAST_TILE || n == LEAST_TILE; /* each thread brings an element at least */
  bool has_halves = is_half(p->c, 0) || is_half(p->c, 1); /* a sector has more of them */
  p->block_k = has_least || has_halves ? 2 * BLOCK_K : BLOCK_K;
  p->a.size = m;
  p->b.size = n;
  finish_tile(p, &p->a);
  finish_tile(p, &p->b);
}

static int64_t shared_bytes(const Product *p)
{
  int64_t row = (p->a.size + p->b.size) * (int64_t)echo_type_element_bytes(p->scalar);
  return N_BUFFERS * p->block_k * (row + 2 * MAX_PAD_BYTES);
}

/* Whether the rows of the tile fit shared memory, where they are to be whole. */
static bool fits(const Product *p)
{
  return p->of_rows_or_null == NULL ||
         echo_rows_fit(p->emitter, p->of_rows_or_null, p->a.size, shared_bytes(p) + p->other_bytes);
}

static void begin_tiles(Product *p)
{
  const EchoContraction *c = p->c;
  p->a = (Operand){.is_a = true,
                   .runs_along_k = !c->a_runs_along_m,
                   .memory_or_null = c->a_memory,
                   .total = c->m};
  p->b = (Operand){.runs_along_k = c->b_runs_along_k, .memory_or_null = c->b_memory, .total = c->n};
}

static void set_least(Product *p)
{
  begin_tiles(p);
  set_tile(p, LEAST_TILE, LEAST_TILE);
}

/* The tile with the least cost, among equal ones the largest. Rows that are made whole are as few
 * as can be: what reduces them takes the longer the fewer blocks there are. */
static void choose_tiles(Product *p)
{
  const EchoContraction *c = p->c;
  int64_t largest = echo_type_bit_width(p->scalar) == 64 ? LARGEST_WIDE_TILE : LARGEST_TILE;
  int64_t m = 0, n = 0, least = INT64_MAX;
  bool has_rows = p->of_rows_or_null != NULL;
  begin_tiles(p);
  for (int64_t i = has_rows ? LEAST_TILE : largest; i >= LEAST_TILE; i /= 2)
    for (int64_t j = largest; j >= LEAST_TILE; j /= 2) {
      set_tile(p, i, j);
      int64_t n_columns = n_tiles(c->n, j), n_rows = c->n_batch * n_tiles(c->m, i);
      int64_t cost =
          has_rows ? n_columns * cost_of_tiles(p, n_rows) : cost_of_tiles(p, n_rows * n_columns);
      if (cost < least && fits(p)) {
        least = cost;
        m = i;
        n = j;
      }
    }
  set_tile(p, m, n);
}

static EchoValue *position_of_batch(Product *p, const EchoWideOperand *memory)
{
  EchoElementEmitter *base = base_of(p);
  EchoValue *digits[ECHO_MAX_RANK], *at = echo_index_constant(base, 0);
  echo_index_delinearize(base, p->batch, memory->batch_sizes, memory->n_batch, digits);
  for (size_t i = 0; i < memory->n_batch; ++i)
    at = echo_index_add(base, at,
                        echo_index_mul_constant(base, digits[i], memory->batch_strides[i]));
  return at;
}

static void place_operand(Product *p, Operand *o, EchoValue *tile, EchoValue *thread)
{
  EchoElementEmitter *base = base_of(p);
  EchoValue *digits[2];
  const int64_t dims[] = {THREADS / o->columns, o->columns};
  o->n_loads = o->size * p->block_k / o->unit / THREADS;
  o->rows_a_load = THREADS / o->columns;
  o->start = echo_index_mul_constant(base, tile, o->size);
  o->first = echo_index_mul_constant(base, thread, o->run);
  echo_index_delinearize(base, p->thread, dims, 2, digits);
  o->row = digits[0];
  o->column = echo_index_mul_constant(base, digits[1], o->unit);
  if (o->memory_or_null != NULL)
    o->batch_start = position_of_batch(p, o->memory_or_null);
}

/* What runs along k is stored across rows of shared memory: they are so much longer that the lanes
 * which store at once, BANK_BYTES of them, meet in no bank; and as the largest access wants it. */
static void set_width(const Product *p, Operand *o)
{
  int64_t bytes = (int64_t)echo_type_element_bytes(p->scalar);
  int64_t access = o->run < ECHO_COPY_BYTES / bytes ? o->run : ECHO_COPY_BYTES / bytes;
  int64_t apart = BANK_BYTES / bytes / o->columns;
  int64_t pad = !o->runs_along_k ? 0 : apart > access ? apart : access;
  o->width = o->size + pad;
}

/* Memory for the blocks of an operand, and of another product's, whose turn it is later. */
static void reserve(Product *p, Operand *o, Product *beside, Operand *other)
{
  set_width(p, o);
  if (beside->c != NULL)
    set_width(beside, other);
  int64_t width = beside->c != NULL && other->width > o->width ? other->width : o->width;
  int64_t dims[] = {N_BUFFERS, p->block_k, width};
  o->shared = echo_kernel_alloca(p->emitter, p->scalar, dims, 3);
  other->shared = o->shared;
}

/* Row (or column) i of the thread, counted in its tile. */
static EchoValue *part_of(Product *p, const Operand *o, int64_t i)
{
  return echo_index_add_constant(base_of(p), o->first, i / o->run * (SIDE * o->run) + i % o->run);
}

/* ---- operands ---- */

/* Where the thread's unit number `load` is, from its first one on: in rows, and in columns. */
static void load_offset(const Operand *o, int64_t load, int64_t *row, int64_t *column)
{
  int64_t a_tile = o->runs_along_k ? o->size / o->rows_a_load : o->n_loads;
  *row = load % a_tile * o->rows_a_load;
  *column = load / a_tile * o->columns;
}

/* The thread's unit number `load` in its block: along k, and along the tile. */
static void place_load(Product *p, const Operand *o, int64_t load, EchoValue **k, EchoValue **other)
{
  int64_t more_rows, more_columns;
  load_offset(o, load, &more_rows, &more_columns);
  EchoValue *row = echo_index_add_constant(base_of(p), o->row, more_rows);
  EchoValue *column = echo_index_add_constant(base_of(p), o->column, more_columns);
  *k = o->runs_along_k ? column : row;
  *other = o->runs_along_k ? row : column;
}

/* The same in the whole operand, of the block at k0. What lies beyond the edge is taken from
 * within, and used for none. */
static void place_in_product(Product *p, const Operand *o, EchoValue *k0, int64_t load,
                             EchoValue **k, EchoValue **other)
{
  EchoElementEmitter *base = base_of(p);
  place_load(p, o, load, k, other);
  *k = echo_index_add(base, k0, *k);
  *other = echo_index_add(base, o->start, *other);
  if (p->c->k % p->block_k != 0)
    *k = echo_index_min(base, *k, echo_index_constant(base, p->c->k - 1));
  if (o->total % o->size != 0)
    *other = echo_index_min(base, *other, echo_index_constant(base, o->total - o->unit));
}

static void place_in_shared(Product *p, const Operand *o, EchoValue *buffer, int64_t load,
                            EchoValue *at[3])
{
  at[0] = buffer;
  place_load(p, o, load, &at[1], &at[2]);
}

/* Position in memory of the thread's unit: of the first one and a constant, where no edge is near.
 */
static EchoValue *position(Product *p, const Operand *o, EchoValue *k0, int64_t load)
{
  EchoElementEmitter *base = base_of(p);
  const EchoWideOperand *memory = o->memory_or_null;
  bool near_edge = p->c->k % p->block_k != 0 || o->total % o->size != 0;
  EchoValue *k, *other;
  place_in_product(p, o, k0, near_edge ? load : 0, &k, &other);
  EchoValue *at =
      echo_index_add(base, o->batch_start, echo_index_mul_constant(base, other, memory->stride));
  at = echo_index_add(base, at, echo_index_mul_constant(base, k, memory->k_stride));
  int64_t row_stride = o->runs_along_k ? memory->stride : memory->k_stride, rows, columns;
  load_offset(o, load, &rows, &columns); /* columns: along k alone */
  int64_t offset = rows * row_stride + columns * memory->k_stride;
  return near_edge ? at : echo_index_add_constant(base, at, offset);
}

/* The thread's elements of the block at k0: under way to `buffer`, or in values. */
static void begin_bringing(Product *p, const Operand *o, EchoValue *k0, EchoValue *buffer,
                           EchoValue **values)
{
  const EchoContraction *c = p->c;
  for (int64_t i = 0; i < o->n_loads; ++i) {
    EchoValue *to[3], *k, *other;
    if (o->memory_or_null != NULL) {
      EchoValue *from = position(p, o, k0, i);
      place_in_shared(p, o, buffer, i, to);
      echo_warp_copy(p->emitter, o->shared, to, o->memory_or_null->memory, from, o->unit, NULL);
      continue;
    }
    place_in_product(p, o, k0, i, &k, &other);
    for (int64_t j = 0; j < o->unit && !p->emitter->failed; ++j) {
      EchoValue *at = echo_index_add_constant(base_of(p), other, j);
      values[i * o->unit + j] =
          o->is_a ? c->a(p->emitter, c, p->batch, at, k) : c->b(p->emitter, c, p->batch, k, at);
    }
  }
}

static void end_bringing(Product *p, const Operand *o, EchoValue *buffer, EchoValue *const *values)
{
  for (int64_t i = 0; i < o->n_loads && o->memory_or_null == NULL && !p->emitter->failed; ++i) {
    EchoValue *to[3];
    place_in_shared(p, o, buffer, i, to);
    EchoValue *first = to[2];
    for (int64_t j = 0; j < o->unit; ++j) {
      to[2] = echo_index_add_constant(base_of(p), first, j);
      echo_memref_store(echo_kernel_builder(p->emitter), values[i * o->unit + j], o->shared, to, 3);
    }
  }
}

/* ---- the product ---- */

static void barrier(Product *p)
{
  if (p->a.memory_or_null != NULL || p->b.memory_or_null != NULL)
    echo_warp_wait(p->emitter);
  echo_warp_barrier(p->emitter);
}

/* sums += a * b at k in the block. */
static void multiply_at(Product *p, EchoValue *buffer, EchoValue *k, EchoValue **sums)
{
  EchoKernelEmitter *emitter = p->emitter;
  EchoValue *a[MAX_PART], *b[MAX_PART];
  for (int64_t i = 0; i < p->a.part; ++i) {
    EchoValue *at[] = {buffer, k, part_of(p, &p->a, i)};
    a[i] = echo_memref_load(echo_kernel_builder(emitter), p->a.shared, at, 3);
  }
  for (int64_t j = 0; j < p->b.part; ++j) {
    EchoValue *at[] = {buffer, k, part_of(p, &p->b, j)};
    b[j] = echo_memref_load(echo_kernel_builder(emitter), p->b.shared, at, 3);
  }
  for (int64_t i = 0; i < p->a.part; ++i)
    for (int64_t j = 0; j < p->b.part; ++j) {
      EchoValue **sum = &sums[i * p->b.part + j];
      *sum = echo_multiply_add(emitter, p->c->sum_kind, a[i], b[j], *sum);
    }
}

/* The same for the first n of the block: all of them spelled out where that is not too much, else
 * some at a time. */
static void multiply(Product *p, EchoValue *buffer, int64_t n, EchoValue **sums)
{
  EchoKernelEmitter *emitter = p->emitter;
  size_t n_sums = (size_t)(p->a.part * p->b.part);
  int64_t at_once = MAX_SPELLED_OUT / (int64_t)n_sums;
  if (at_once >= n) {
    for (int64_t k = 0; k < n; ++k)
      multiply_at(p, buffer, echo_index_constant(&emitter->base, k), sums);
    return;
  }
  while (n % at_once != 0)
    --at_once;
  EchoValue *carried[MAX_PART * MAX_PART];
  EchoValue *round = echo_kernel_begin_carried(emitter, n / at_once, sums, n_sums, carried);
  EchoValue *first = echo_index_mul_constant(base_of(p), round, at_once);
  for (int64_t k = 0; k < at_once; ++k)
    multiply_at(p, buffer, echo_index_add_constant(base_of(p), first, k), carried);
  echo_kernel_end_carried(emitter, carried, n_sums, sums);
}

/* Brings block `block` to `buffer`; `beside`, where it is not NULL, is multiplied meanwhile, out of
 * the other buffer. Whoever comes to the barrier has done with what stood in `buffer`. */
static void bring(Product *p, EchoValue *block, int64_t buffer, EchoValue **beside)
{
  EchoValue *k0 = echo_index_mul_constant(base_of(p), block, p->block_k);
  EchoValue *to = echo_index_constant(&p->emitter->base, buffer);
  EchoValue *from = echo_index_constant(&p->emitter->base, 1 - buffer);
  EchoValue *of_a[MAX_LOADS], *of_b[MAX_LOADS];
  if (beside != NULL)
    barrier(p);
  begin_bringing(p, &p->a, k0, to, of_a);
  begin_bringing(p, &p->b, k0, to, of_b);
  if (beside != NULL)
    multiply(p, from, p->block_k, beside);
  end_bringing(p, &p->a, to, of_a);
  end_bringing(p, &p->b, to, of_b);
}

/* Two blocks a round, so that it is known which buffer each is in. */
static void go_along_k(Product *p, EchoValue **sums)
{
  EchoKernelEmitter *emitter = p->emitter;
  size_t n_sums = (size_t)(p->a.part * p->b.part);
  int64_t last = n_tiles(p->c->k, p->block_k) - 1, n_rounds = last / N_BUFFERS;
  bring(p, echo_index_constant(&emitter->base, 0), 0, NULL);
  if (n_rounds != 0 && !emitter->failed) {
    EchoValue *carried[MAX_PART * MAX_PART];
    EchoValue *round = echo_kernel_begin_carried(emitter, n_rounds, sums, n_sums, carried);
    EchoValue *first = echo_index_mul_constant(base_of(p), round, N_BUFFERS);
    for (int64_t i = 1; i <= N_BUFFERS; ++i)
      bring(p, echo_index_add_constant(base_of(p), first, i), i % N_BUFFERS, carried);
    echo_kernel_end_carried(emitter, carried, n_sums, sums);
  }
  if (last % N_BUFFERS != 0 && !emitter->failed)
    bring(p, echo_index_constant(&emitter->base, last), 1, sums);
  barrier(p);
  multiply(p, echo_index_constant(&emitter->base, last % N_BUFFERS), p->c->k - last * p->block_k,
           sums);
}

_Static_assert((int)RUN <= (int)ECHO_MAX_STORED, "a run is stored at once");

/* Those inside of the result. */
static void store_sums(Product *p, EchoValue *const *sums)
{
  EchoKernelEmitter *emitter = p->emitter;
  const EchoContraction *c = p->c;
  bool has_m_edge = c->m % p->a.size != 0, has_n_edge = c->n % p->b.size != 0;
  int64_t at_once = c->n % p->b.run == 0 ? p->b.run : 1; /* a run has an edge in it, or not */
  for (int64_t i = 0; i < p->a.part; ++i) {
    EchoElementEmitter *base = base_of(p);
    EchoValue *m = echo_index_add(base, p->a.start, part_of(p, &p->a, i));
    if (has_m_edge)
      echo_kernel_begin_if(
          emitter, echo_index_compare(base, ECHO_CMPI_SLT, m, echo_index_constant(base, c->m)));
    for (int64_t j = 0; j < p->b.part; j += at_once) {
      EchoValue *n[RUN];
      base = base_of(p);
      for (int64_t k = 0; k < at_once; ++k) {
        int64_t offset = (j + k) / p->b.run * (SIDE * p->b.run) + (j + k) % p->b.run;
        n[k] = echo_index_add_constant(base, echo_index_add(base, p->b.start, p->b.first), offset);
      }
      if (has_n_edge)
        echo_kernel_begin_if(emitter, echo_index_compare(base, ECHO_CMPI_SLT, n[0],
                                                         echo_index_constant(base, c->n)));
      echo_store_products(emitter, c, p->batch, m, n, &sums[i * p->b.part + j], (size_t)at_once);
      if (has_n_edge)
        echo_kernel_end_if(emitter);
    }
    if (has_m_edge)
      echo_kernel_end_if(emitter);
  }
}

/* The tile of the thread's block, from zeros on. */
static void make_tile(Product *p)
{
  EchoValue *sums[MAX_PART * MAX_PART];
  EchoContext *ctx = p->emitter->ctx;
  const EchoAttr *zero = echo_element_is_float(p->c->sum_kind)
                             ? echo_attr_float(ctx, p->scalar, 0.0)
                             : echo_attr_integer(ctx, p->scalar, 0);
  for (int64_t i = 0; i < p->a.part * p->b.part; ++i)
    sums[i] = base_of(p)->constant(&p->emitter->base, zero);
  go_along_k(p, sums);
  if (!p->emitter->failed)
    store_sums(p, sums);
}

/* The tiles of the block's rows, one after the other. */
static void make_tiles(Product *p, EchoValue *column)
{
  int64_t n_columns = n_tiles(p->c->n, p->b.size);
  EchoValue *tile = echo_kernel_begin_range(p->emitter, n_columns, false);
  if (n_columns > 1) /* the last block of the tile before is being multiplied */
    echo_warp_barrier(p->emitter);
  place_operand(p, &p->b, tile, column);
  make_tile(p);
  echo_kernel_end_for(p->emitter);
}

/* Of products that follow one another the first ones' tiles, which stand in the same place, are
 * what the last one's leave room for, in each of which rows are brought anew: the least ones have
 * it. */
static void choose_all(Product *p, Product *beside, Product *next)
{
  if (next->c == NULL) {
    choose_tiles(p);
    return;
  }
  set_least(p);
  next->other_bytes = shared_bytes(p);
  choose_tiles(next);
  p->other_bytes = beside->other_bytes = shared_bytes(next);
  choose_tiles(p);
  if (beside->c != NULL)
    choose_tiles(beside);
}

/* The block's part of the product: its tile, or all tiles of its rows. */
static void make_part(Product *p, EchoValue *const coordinates[3])
{
  EchoKernelEmitter *emitter = p->emitter;
  const int64_t threads[] = {SIDE, SIDE};
  EchoValue *places[2];
  p->batch = coordinates[0];
  p->thread = echo_kernel_begin_range(emitter, THREADS, true);
  echo_index_delinearize(base_of(p), p->thread, threads, 2, places);
  place_operand(p, &p->a, coordinates[1], places[0]);
  if (p->of_rows_or_null != NULL) {
    make_tiles(p, places[1]);
  } else {
    place_operand(p, &p->b, coordinates[2], places[1]);
    make_tile(p);
  }
  echo_kernel_end_for(emitter);
}

void echo_emit_gpu_contraction(EchoKernelEmitter *emitter, const EchoContraction *c)
{
  bool has_rows = c->rows_or_null != NULL;
  Product p = {.emitter = emitter, .c = c, .of_rows_or_null = has_rows ? c : NULL};
  Product beside = {.emitter = emitter, .c = c->beside_or_null, .of_rows_or_null = c};
  Product next = {.emitter = emitter, .c = c->next_or_null, .of_rows_or_null = c};
  Product none = {0};
  p.scalar = beside.scalar = next.scalar = echo_scalar_type(emitter->ctx, c->sum_kind);
  choose_all(&p, &beside, &next);
  int64_t grid[] = {c->n_batch, n_tiles(c->m, p.a.size), has_rows ? 1 : n_tiles(c->n, p.b.size)};
  EchoValue *coordinates[3];
  EchoValue *task = echo_kernel_begin_tasks(emitter, grid[0] * grid[1] * grid[2], emitter->work_ns);
  echo_index_delinearize(base_of(&p), task, grid, 3, coordinates);
  for (const EchoContraction *made = c; made != NULL && has_rows; made = made->beside_or_null)
    echo_reserve_rows(emitter, made, p.a.size, coordinates[0], coordinates[1]);
  reserve(&p, &p.a, &beside, &beside.a);
  reserve(&p, &p.b, &beside, &beside.b);
  make_part(&p, coordinates);
  if (beside.c != NULL && !emitter->failed)
    make_part(&beside, coordinates);
  if (has_rows && !emitter->failed)
    echo_emit_rows(emitter, c, THREADS, next.c != NULL && next.b.size < next.c->n);
  if (next.c != NULL && !emitter->failed) {
    reserve(&next, &next.a, &none, &none.a);
    reserve(&next, &next.b, &none, &none.b);
    make_part(&next, coordinates);
  }
  echo_kernel_end_tasks(emitter);
}
