/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The blocked product on a GPU. A block of 16 x 16 threads has a tile of the result, each thread a
 * part of it in registers for the whole of k. Blocks of both operands along k lie in shared memory;
 * while one is multiplied, each thread has its share of the next one under way in registers.
 *
 * A thread's rows and columns come in runs of four, which are one access of shared memory, and the
 * runs of neighbouring threads side by side: no two lanes meet in a bank. The sums go over k in
 * ascending order whatever the tile is, so that the tile may follow the shape. */
#include "dialects/gpu/gpu.h"
#include "lowering/kernels/contraction_t.h"

enum {
  SIDE = 16, /* threads along m, and along n */
  THREADS = SIDE * SIDE,
  RUN = 4, /* elements of one access to shared memory */
  LEAST_TILE = SIDE,
  LARGEST_TILE = 128,     /* 8 x 8 sums a thread */
  LARGEST_WIDE_TILE = 64, /* of 64-bit sums, which take two registers each */
  MAX_PART = LARGEST_TILE / SIDE,
  MAX_SPELLED_OUT = 256,     /* products, of the code for a block of k */
  MULTIPROCESSORS = 128,     /* about, of the GPUs that have models */
  INSTRUCTIONS_OF_LOAD = 10, /* to bring an element to shared memory, as compiled */
  BLOCK_K = 8,               /* a sector of an operand that runs along k */
  MAX_STATE = MAX_PART * MAX_PART + 2 * (LARGEST_TILE * 2 * BLOCK_K / THREADS)
};

/* One operand's block in shared memory: [block_k, size + pad]. */
typedef struct Operand {
  bool is_a, runs_along_k;
  int64_t size, part, run;   /* of the tile; of a thread; of it, in one access */
  int64_t total;             /* in the whole product */
  int64_t n_loads;           /* elements of a block that a thread brings */
  EchoValue *memory, *start; /* start: of the tile */
  EchoValue *first;          /* of the thread's first run */
} Operand;

typedef struct Product {
  EchoKernelEmitter *emitter;
  const EchoContraction *c;
  const EchoType *scalar;
  int64_t block_k;
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

/* Instructions of a multiprocessor's threads for one step along k, in units of one a thread: sums,
 * accesses to shared memory, and of bringing an element from memory. `n` blocks share the chip. */
static int64_t cost_of_tiles(int64_t n, int64_t m_part, int64_t n_part)
{
  int64_t m_run = m_part < RUN ? m_part : RUN, n_run = n_part < RUN ? n_part : RUN;
  int64_t block = 16 * (m_part * n_part + m_part / m_run + n_part / n_run) +
                  INSTRUCTIONS_OF_LOAD * (m_part + n_part);
  return n_tiles(n, MULTIPROCESSORS) * block;
}

static bool is_half(const EchoContraction *c, size_t operand)
{
  const EchoType *element = echo_type_element(echo_op_operand_type(c->op, operand));
  return echo_type_element_bytes(element) < 4;
}

/* The tile with the least cost, among equal ones the largest. */
static void choose_tiles(Product *p)
{
  const EchoContraction *c = p->c;
  int64_t largest = echo_type_bit_width(p->scalar) == 64 ? LARGEST_WIDE_TILE : LARGEST_TILE;
  int64_t m = 0, n = 0, least = INT64_MAX;
  for (int64_t i = largest; i >= LEAST_TILE; i /= 2)
    for (int64_t j = largest; j >= LEAST_TILE; j /= 2) {
      int64_t blocks = c->n_batch * n_tiles(c->m, i) * n_tiles(c->n, j);
      int64_t cost = cost_of_tiles(blocks, i / SIDE, j / SIDE);
      if (cost < least) {
        least = cost;
        m = i;
        n = j;
      }
    }
  bool has_least = m == LEAST_TILE || n == LEAST_TILE; /* each thread brings an element at least */
  bool has_halves = is_half(c, 0) || is_half(c, 1);    /* a sector has more of them */
  p->block_k = has_least || has_halves ? 2 * BLOCK_K : BLOCK_K;
  p->a = (Operand){.is_a = true, .runs_along_k = !c->a_runs_along_m, .size = m, .total = c->m};
  p->b = (Operand){.runs_along_k = c->b_runs_along_k, .size = n, .total = c->n};
}

static void place_operand(Product *p, Operand *o, EchoValue *tile, EchoValue *thread)
{
  EchoElementEmitter *base = base_of(p);
  o->part = o->size / SIDE;
  o->run = o->part < RUN ? o->part : RUN;
  o->n_loads = o->size * p->block_k / THREADS;
  o->start = echo_index_mul_constant(base, tile, o->size);
  o->first = echo_index_mul_constant(base, thread, o->run);
}

/* What runs along k is stored across rows of shared memory, which are a run longer for that. */
static void reserve(Product *p, Operand *o)
{
  int64_t pad = !o->runs_along_k ? 0 : o->size == LEAST_TILE ? 2 : RUN;
  int64_t dims[] = {p->block_k, o->size + pad};
  o->memory = echo_kernel_alloca(p->emitter, p->scalar, dims, 2);
}

/* Row (or column) i of the thread, counted in its tile. */
static EchoValue *part_of(Product *p, const Operand *o, int64_t i)
{
  return echo_index_add_constant(base_of(p), o->first, i / o->run * (SIDE * o->run) + i % o->run);
}

/* ---- operands ---- */

/* Where in the block the thread's element number `load` stands: at[0] along k, at[1] along the
 * tile.
 */
static void place_load(Product *p, const Operand *o, int64_t load, EchoValue *at[2])
{
  EchoElementEmitter *base = base_of(p);
  EchoValue *place = echo_index_add_constant(base, p->thread, load * THREADS);
  int64_t dims[2] = {p->block_k, o->size};
  EchoValue *digits[2];
  if (o->runs_along_k) {
    dims[0] = o->size;
    dims[1] = p->block_k;
  }
  echo_index_delinearize(base, place, dims, 2, digits);
  at[0] = digits[o->runs_along_k ? 1 : 0];
  at[1] = digits[o->runs_along_k ? 0 : 1];
}

/* start + offset, held below total: what lies beyond the edge is read from a valid element, and
 * used for none. */
static EchoValue *held(Product *p, EchoValue *start, EchoValue *offset, int64_t total,
                       bool is_whole)
{
  EchoElementEmitter *base = base_of(p);
  EchoValue *at = echo_index_add(base, start, offset);
  return is_whole ? at : echo_index_min(base, at, echo_index_constant(base, total - 1));
}

/* The thread's elements of the block at k0, into values. */
static void bring(Product *p, const Operand *o, EchoValue *k0, bool is_whole, EchoValue **values)
{
  const EchoContraction *c = p->c;
  for (int64_t i = 0; i < o->n_loads; ++i) {
    EchoValue *at[2];
    place_load(p, o, i, at);
    EchoValue *k = held(p, k0, at[0], c->k, is_whole);
    EchoValue *other = held(p, o->start, at[1], o->total, o->total % o->size == 0);
    values[i] =
        o->is_a ? c->a(p->emitter, c, p->batch, other, k) : c->b(p->emitter, c, p->batch, k, other);
  }
}

static void put_down(Product *p, const Operand *o, EchoValue *const *values)
{
  for (int64_t i = 0; i < o->n_loads; ++i) {
    EchoValue *at[2];
    place_load(p, o, i, at);
    if (values[i] != NULL)
      echo_memref_store(echo_kernel_builder(p->emitter), values[i], o->memory, at, 2);
  }
}

/* ---- the product ---- */

static void barrier(Product *p)
{
  static const EchoType *const NO_TYPES[1] = {NULL};
  echo_build_op(echo_kernel_builder(p->emitter), "gpu.barrier", NULL, 0, NO_TYPES, 0, NULL, 0);
}

/* sums += a * b at k in the block. */
static void multiply_at(Product *p, EchoValue *k, EchoValue **sums)
{
  EchoKernelEmitter *emitter = p->emitter;
  EchoValue *a[MAX_PART], *b[MAX_PART];
  for (int64_t i = 0; i < p->a.part; ++i) {
    EchoValue *at[] = {k, part_of(p, &p->a, i)};
    a[i] = echo_memref_load(echo_kernel_builder(emitter), p->a.memory, at, 2);
  }
  for (int64_t j = 0; j < p->b.part; ++j) {
    EchoValue *at[] = {k, part_of(p, &p->b, j)};
    b[j] = echo_memref_load(echo_kernel_builder(emitter), p->b.memory, at, 2);
  }
  for (int64_t i = 0; i < p->a.part; ++i)
    for (int64_t j = 0; j < p->b.part; ++j) {
      EchoValue **sum = &sums[i * p->b.part + j];
      *sum = echo_multiply_add(emitter, p->c->sum_kind, a[i], b[j], *sum);
    }
}

/* The same for the first n of the block: all of them spelled out where that is not too much, else
 * some at a time. */
static void multiply(Product *p, int64_t n, EchoValue **sums)
{
  EchoKernelEmitter *emitter = p->emitter;
  size_t n_sums = (size_t)(p->a.part * p->b.part);
  int64_t at_once = MAX_SPELLED_OUT / (int64_t)n_sums;
  if (at_once >= n) {
    for (int64_t k = 0; k < n; ++k)
      multiply_at(p, echo_index_constant(&emitter->base, k), sums);
    return;
  }
  while (n % at_once != 0)
    --at_once;
  EchoValue *carried[MAX_PART * MAX_PART];
  EchoValue *round = echo_kernel_begin_carried(emitter, n / at_once, sums, n_sums, carried);
  EchoValue *first = echo_index_mul_constant(base_of(p), round, at_once);
  for (int64_t k = 0; k < at_once; ++k)
    multiply_at(p, echo_index_add_constant(base_of(p), first, k), carried);
  echo_kernel_end_carried(emitter, carried, n_sums, sums);
}

/* What threads hold of a block goes to shared memory, when nobody reads the last one any more. */
static void share_block(Product *p, EchoValue *const *of_a, EchoValue *const *of_b)
{
  barrier(p);
  put_down(p, &p->a, of_a);
  put_down(p, &p->b, of_b);
  barrier(p);
}

/* Over the blocks of k: those in registers go to shared memory, the next ones are asked for, what
 * is there is multiplied. */
static void go_along_k(Product *p, EchoValue **sums)
{
  EchoKernelEmitter *emitter = p->emitter;
  size_t n_a = (size_t)p->a.n_loads, n_b = (size_t)p->b.n_loads;
  size_t n_sums = (size_t)(p->a.part * p->b.part), n = n_sums + n_a + n_b;
  EchoValue *state[MAX_STATE], *carried[MAX_STATE];
  int64_t n_whole = p->c->k / p->block_k, n_rest = p->c->k % p->block_k;
  EchoValue *zero = echo_index_constant(&emitter->base, 0);
  memcpy(state, sums, n_sums * sizeof *state);
  bring(p, &p->a, zero, n_whole != 0, state + n_sums);
  bring(p, &p->b, zero, n_whole != 0, state + n_sums + n_a);
  if (emitter->failed)
    return;
  if (n_whole != 0) {
    EchoValue *block = echo_kernel_begin_carried(emitter, n_whole, state, n, carried);
    share_block(p, carried + n_sums, carried + n_sums + n_a);
    EchoValue *next = echo_index_mul_constant(
        base_of(p), echo_index_add_constant(base_of(p), block, 1), p->block_k);
    EchoValue *brought[MAX_STATE];
    bring(p, &p->a, next, false, brought + n_sums);
    bring(p, &p->b, next, false, brought + n_sums + n_a);
    memcpy(brought, carried, n_sums * sizeof *brought);
    multiply(p, p->block_k, brought);
    echo_kernel_end_carried(emitter, brought, n, state);
  }
  if (n_rest != 0) {
    share_block(p, state + n_sums, state + n_sums + n_a);
    multiply(p, n_rest, state);
  }
  memcpy(sums, state, n_sums * sizeof *sums);
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

void echo_emit_gpu_contraction(EchoKernelEmitter *emitter, const EchoContraction *c)
{
  Product p = {.emitter = emitter, .c = c};
  p.scalar = echo_scalar_type(emitter->ctx, c->sum_kind);
  choose_tiles(&p);
  int64_t grid[] = {c->n_batch, n_tiles(c->m, p.a.size), n_tiles(c->n, p.b.size)};
  int64_t threads[] = {SIDE, SIDE};
  EchoValue *coordinates[3], *places[2], *sums[MAX_PART * MAX_PART];
  EchoValue *task = echo_kernel_begin_tasks(emitter, grid[0] * grid[1] * grid[2], emitter->work_ns);
  echo_index_delinearize(base_of(&p), task, grid, 3, coordinates);
  p.batch = coordinates[0];
  reserve(&p, &p.a);
  reserve(&p, &p.b);
  p.thread = echo_kernel_begin_range(emitter, THREADS, true);
  echo_index_delinearize(base_of(&p), p.thread, threads, 2, places);
  place_operand(&p, &p.a, coordinates[1], places[0]);
  place_operand(&p, &p.b, coordinates[2], places[1]);
  bool is_float = echo_element_is_float(c->sum_kind);
  const EchoAttr *zero = is_float ? echo_attr_float(emitter->ctx, p.scalar, 0.0)
                                  : echo_attr_integer(emitter->ctx, p.scalar, 0);
  for (int64_t i = 0; i < p.a.part * p.b.part; ++i)
    sums[i] = emitter->base.constant(&emitter->base, zero);
  go_along_k(&p, sums);
  if (!emitter->failed)
    store_sums(&p, sums);
  echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
}
