/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The blocked product: a task packs blocks of both operands along k and keeps its tile of sums in
 * memory between them; the innermost loop holds a few rows of one vector each in registers. */
#include "lowering/kernels/contraction_t.h"

#include "dialects/stablehlo/opcode.h"
#include "dialects/vector/vector.h"

/* MAX_SUMS vectors stay in registers (of 32), beside a row's vectors and a factor: codegen/tile.c
 * takes parts of them where there are fewer. A step of k then takes longer to multiply than to load
 * its factors, and than a sum takes to its next. */
enum { MAX_ROWS = 12, MAX_SUMS = 24, TILE_ROWS = 96, TILE_VECTORS = 4, BLOCK_K = 128 };

EchoElementKind echo_sum_kind(EchoElementKind result)
{
  if (result == ECHO_ELEMENT_F16 || result == ECHO_ELEMENT_BF16)
    return ECHO_ELEMENT_F32;
  return result == ECHO_ELEMENT_I1 ? ECHO_ELEMENT_I32 : result;
}

const EchoValue *echo_operand_argument_or_null(const EchoOp *op, size_t operand)
{
  const EchoValue *value = echo_op_operand(op, operand);
  while (!value->is_block_arg && echo_hlo_opcode(echo_value_def_or_null(value)) == ECHO_HLO_RESHAPE)
    value = echo_op_operand(echo_value_def_or_null(value), 0);
  return value->is_block_arg && value->type->as.shaped.rank != 0 ? value : NULL;
}

void echo_find_operand(EchoKernelEmitter *emitter, const EchoOp *op, size_t operand,
                       EchoWideOperand *wide)
{
  echo_find_argument(emitter, echo_operand_argument_or_null(op, operand), wide);
}

void echo_find_argument(EchoKernelEmitter *emitter, const EchoValue *argument,
                        EchoWideOperand *wide)
{
  EchoValue *memref = echo_block_arg(emitter->entry, argument->index);
  size_t all = memref->type->as.shaped.rank;
  EchoBuilder *top = &emitter->scopes[0]->builder;
  wide->memory = all == 1 ? memref : echo_memref_collapse(top, memref, &all, 1);
  wide->alignment = 1;
  if (emitter->facts_or_null != NULL)
    wide->alignment = emitter->facts_or_null->alignments[argument->index];
}

typedef struct Tiles {
  EchoKernelEmitter *emitter;
  const EchoContraction *c;
  int64_t lanes, rows, vectors, tile_m, tile_n, block_k; /* rows x vectors sums in registers */
  const EchoType *scalar, *vector;
  EchoValue *batch, *m0, *n0; /* of the task */
  EchoValue *m_size, *n_size; /* of its tile, at the edges less than a whole one */
  /* [tile_m, tile_n], [tile_m, block_k] or the other way round, as a lies, [block_k, tile_n] */
  EchoValue *sums, *packed_a, *packed_b;
  bool is_direct;            /* sums stand in the result, as [n_batch * m, n], from the start */
  EchoValue *row0, *column0; /* of the tile in `sums` */
} Tiles;

static int64_t round_up(int64_t n, int64_t unit)
{
  return (n + unit - 1) / unit * unit;
}

static int64_t least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* Parts of about equal size, none larger than `size`. */
static int64_t even_part(int64_t total, int64_t size)
{
  int64_t n_parts = (total + size - 1) / size;
  return (total + n_parts - 1) / n_parts;
}

/* The largest part up to `size` that divides `total`, down to a half of it; 0: there is none. */
static int64_t whole_part(int64_t total, int64_t size)
{
  int64_t part = size;
  while (part > size / 2 && total % part != 0)
    --part;
  return part > size / 2 ? part : 0;
}

static void choose_sizes(Tiles *t)
{
  const EchoContraction *c = t->c;
  t->lanes = echo_element_bits(c->sum_kind) == 64 ? 8 : 16;
  while (t->lanes >= 2 * c->n) /* idle ones would lie between those that are copied */
    t->lanes /= 2;
  int64_t n_vectors = even_part((c->n + t->lanes - 1) / t->lanes, TILE_VECTORS);
  t->vectors = n_vectors % 3 == 0 ? 3 : least(n_vectors, 2);
  t->tile_n = round_up(n_vectors, t->vectors) * t->lanes;
  int64_t n_rows = even_part(c->m, TILE_ROWS);
  t->rows = even_part(n_rows, least(MAX_SUMS / t->vectors, MAX_ROWS));
  t->tile_m = round_up(n_rows, t->rows);
  t->block_k = least(BLOCK_K, c->k);
}

/* Tiles without edges, of one block along k, where there are such. */
static bool choose_whole_sizes(Tiles *t)
{
  const EchoContraction *c = t->c;
  int64_t rows = whole_part(c->m, least(MAX_SUMS / t->vectors, MAX_ROWS));
  if (c->k > t->block_k || c->n % t->tile_n != 0 || rows == 0)
    return false;
  t->rows = rows;
  t->tile_m = least(TILE_ROWS / rows * rows, c->m);
  return true;
}

/* Where b is transposed on its way, that takes a part of what is gained. */
bool echo_is_quicker_in_loops(const EchoContraction *c)
{
  Tiles t = {.c = c};
  int64_t most = c->b_runs_along_k ? ECHO_FEW_TERMS / 2 : ECHO_FEW_TERMS;
  choose_sizes(&t);
  return c->sum_kind == ECHO_ELEMENT_F32 && c->k >= ECHO_LEAST_TERMS && c->k <= most &&
         c->n_batch * c->m * c->n >= ECHO_MANY_RESULTS && choose_whole_sizes(&t);
}

/* How many of the result's dimensions are [n_batch, m], and how many [n]. False where that is none
 * of them: there is one row, or one column. */
static bool parts_result(const EchoContraction *c, size_t *sizes)
{
  const EchoType *type = echo_op_result_type(c->op, 0);
  sizes[0] = echo_type_rank(type);
  sizes[1] = 0;
  for (int64_t n = 1; n < c->n; ++sizes[1])
    n *= echo_type_dim(type, --sizes[0]);
  return sizes[0] != 0 && sizes[1] != 0;
}

/* The kernel's result as sums are added up, and nothing is made of it. */
static bool is_result(const EchoKernelEmitter *emitter, const EchoContraction *c)
{
  const EchoOp *end = echo_op_body(emitter->kernel, 0)->last;
  const EchoValue *result = echo_op_result(c->op, 0);
  size_t sizes[2];
  return end->n_operands == 1 && echo_op_operand(end, 0) == result && c->is_row_major &&
         echo_type_element_kind(result->type) == c->sum_kind && parts_result(c, sizes);
}

static Tiles choose_tiles(EchoKernelEmitter *emitter, const EchoContraction *c)
{
  Tiles t = {.emitter = emitter, .c = c};
  choose_sizes(&t);
  t.scalar = echo_scalar_type(emitter->ctx, c->sum_kind);
  t.vector = echo_type_vector(emitter->ctx, &t.lanes, 1, t.scalar, 0);
  t.is_direct = is_result(emitter, c) && choose_whole_sizes(&t);
  return t;
}

static EchoValue *index_add(const Tiles *t, EchoValue *a, EchoValue *b)
{
  t->emitter->base.builder = echo_kernel_builder(t->emitter);
  return echo_index_add(&t->emitter->base, a, b);
}

/* min(size, total - start) */
static EchoValue *clipped(const Tiles *t, EchoValue *start, int64_t size, int64_t total)
{
  EchoElementEmitter *base = &t->emitter->base;
  base->builder = echo_kernel_builder(t->emitter);
  if (total % size == 0)
    return echo_index_constant(base, size);
  EchoValue *left = echo_index_sub(base, echo_index_constant(base, total), start);
  return echo_index_min(base, left, echo_index_constant(base, size));
}

static EchoValue *begin_to(const Tiles *t, EchoValue *high, int64_t step, bool is_parallel)
{
  EchoValue *zero = echo_index_constant(&t->emitter->base, 0);
  return echo_kernel_begin_for(t->emitter, zero, high, step, is_parallel);
}

/* Row m of the tile, product k of the block. */
static void place_a(const Tiles *t, EchoValue *m, EchoValue *k, EchoValue **at)
{
  at[0] = t->c->a_runs_along_m ? k : m;
  at[1] = t->c->a_runs_along_m ? m : k;
}

static void pack_a(const Tiles *t, EchoValue *k0, EchoValue *k_size)
{
  EchoKernelEmitter *emitter = t->emitter;
  bool along_m = t->c->a_runs_along_m;
  EchoValue *outer = begin_to(t, along_m ? k_size : t->m_size, 1, false);
  EchoValue *inner = begin_to(t, along_m ? t->m_size : k_size, 1, true);
  EchoValue *m = along_m ? inner : outer, *k = along_m ? outer : inner;
  EchoValue *element =
      t->c->a(emitter, t->c, t->batch, index_add(t, t->m0, m), index_add(t, k0, k));
  EchoValue *position[2];
  place_a(t, m, k, position);
  if (element != NULL)
    echo_memref_store(echo_kernel_builder(emitter), element, t->packed_a, position, 2);
  echo_kernel_end_for(emitter);
  echo_kernel_end_for(emitter);
}

static void pack_b(const Tiles *t, EchoValue *k0, EchoValue *k_size)
{
  EchoKernelEmitter *emitter = t->emitter;
  bool along_k = t->c->b_runs_along_k;
  EchoValue *outer = begin_to(t, along_k ? t->n_size : k_size, 1, false);
  EchoValue *inner = begin_to(t, along_k ? k_size : t->n_size, 1, true);
  EchoValue *k = along_k ? inner : outer, *n = along_k ? outer : inner;
  EchoValue *element =
      t->c->b(emitter, t->c, t->batch, index_add(t, k0, k), index_add(t, t->n0, n));
  EchoValue *position[] = {k, n};
  if (element != NULL)
    echo_memref_store(echo_kernel_builder(emitter), element, t->packed_b, position, 2);
  echo_kernel_end_for(emitter);
  echo_kernel_end_for(emitter);
}

static EchoValue *zero_of(const Tiles *t)
{
  bool is_float = echo_element_is_float(t->c->sum_kind);
  const EchoAttr *zero = is_float ? echo_attr_float(t->emitter->ctx, t->scalar, 0.0)
                                  : echo_attr_integer(t->emitter->ctx, t->scalar, 0);
  return t->emitter->base.constant(&t->emitter->base, zero);
}

/* Of one block along k sums begin in registers. */
static bool has_one_block(const Tiles *t)
{
  return t->c->k <= t->block_k;
}

static void zero_sums(const Tiles *t)
{
  EchoKernelEmitter *emitter = t->emitter;
  EchoValue *value = zero_of(t);
  EchoValue *m = echo_kernel_begin_range(emitter, t->tile_m, false);
  EchoValue *n = echo_kernel_begin_range(emitter, t->tile_n, true);
  EchoValue *position[] = {m, n};
  echo_memref_store(echo_kernel_builder(emitter), value, t->sums, position, 2);
  echo_kernel_end_for(emitter);
  echo_kernel_end_for(emitter);
}

EchoValue *echo_multiply_add(EchoKernelEmitter *emitter, EchoElementKind kind, EchoValue *a,
                             EchoValue *b, EchoValue *sum)
{
  EchoBuilder *builder = echo_kernel_builder(emitter);
  if (!echo_element_is_float(kind))
    return echo_arith_binary(builder, "arith.addi", sum,
                             echo_arith_binary(builder, "arith.muli", a, b));
  if (emitter->uses_fma)
    return echo_math_fma(builder, a, b, sum);
  return echo_arith_binary(builder, "arith.addf", sum,
                           echo_arith_binary(builder, "arith.mulf", a, b));
}

/* Where the sum of row i of the block and of its vector v lies. */
static void place_sum(const Tiles *t, EchoValue *m, EchoValue *n, int64_t i, int64_t v,
                      EchoValue **at)
{
  t->emitter->base.builder = echo_kernel_builder(t->emitter);
  at[0] = echo_index_add_constant(&t->emitter->base, m, i);
  at[1] = echo_index_add_constant(&t->emitter->base, n, v * t->lanes);
}

/* The same, in the memory of sums. */
static void place_sum_in_memory(const Tiles *t, EchoValue *m, EchoValue *n, int64_t i, int64_t v,
                                EchoValue **at)
{
  place_sum(t, m, n, i, v, at);
  if (!t->is_direct)
    return;
  at[0] = echo_index_add(&t->emitter->base, t->row0, at[0]);
  at[1] = echo_index_add(&t->emitter->base, t->column0, at[1]);
}

/* Rows [m, m + rows) of the vectors of columns from n on: sums += a * b over the block. */
static void multiply_block(const Tiles *t, EchoValue *m, EchoValue *n, EchoValue *k_size)
{
  EchoKernelEmitter *emitter = t->emitter;
  EchoValue *sums[MAX_SUMS], *carried[MAX_SUMS], *next[MAX_SUMS], *vectors[MAX_SUMS], *at[2];
  int64_t n_sums = t->rows * t->vectors;
  EchoValue *zero = has_one_block(t)
                        ? echo_vector_broadcast(echo_kernel_builder(emitter), t->vector, zero_of(t))
                        : NULL;
  for (int64_t j = 0; j < n_sums; ++j) {
    place_sum(t, m, n, j / t->vectors, j % t->vectors, at);
    sums[j] = zero != NULL
                  ? zero
                  : echo_vector_load(echo_kernel_builder(emitter), t->vector, t->sums, at, 2);
  }
  EchoValue *k = echo_kernel_begin_carried_to(emitter, k_size, sums, (size_t)n_sums, carried);
  for (int64_t v = 0; v < t->vectors; ++v) {
    place_sum(t, m, n, 0, v, at);
    EchoValue *b_at[] = {k, at[1]};
    vectors[v] = echo_vector_load(echo_kernel_builder(emitter), t->vector, t->packed_b, b_at, 2);
  }
  for (int64_t i = 0; i < t->rows; ++i) {
    place_sum(t, m, n, i, 0, at);
    EchoBuilder *builder = echo_kernel_builder(emitter);
    EchoValue *a_at[2];
    place_a(t, at[0], k, a_at);
    EchoValue *a = echo_memref_load(builder, t->packed_a, a_at, 2);
    a = echo_vector_broadcast(builder, t->vector, a);
    for (int64_t v = 0; v < t->vectors; ++v) {
      int64_t j = i * t->vectors + v;
      next[j] = echo_multiply_add(emitter, t->c->sum_kind, a, vectors[v], carried[j]);
    }
  }
  echo_kernel_end_carried(emitter, next, (size_t)n_sums, sums);
  for (int64_t j = 0; j < n_sums; ++j) {
    place_sum_in_memory(t, m, n, j / t->vectors, j % t->vectors, at);
    echo_vector_store(echo_kernel_builder(emitter), sums[j], t->sums, at, 2);
  }
}

static void store_tile(const Tiles *t)
{
  EchoKernelEmitter *emitter = t->emitter;
  EchoValue *m = begin_to(t, t->m_size, 1, false);
  EchoValue *n = begin_to(t, t->n_size, 1, true);
  EchoValue *position[] = {m, n};
  EchoValue *sum = echo_memref_load(echo_kernel_builder(emitter), t->sums, position, 2);
  EchoValue *at = index_add(t, t->n0, n);
  echo_store_products(emitter, t->c, t->batch, index_add(t, t->m0, m), &at, &sum, 1);
  echo_kernel_end_for(emitter);
  echo_kernel_end_for(emitter);
}

/* The result as [n_batch * m, n]. */
static EchoValue *result_memory(const Tiles *t)
{
  EchoValue *memref = echo_kernel_output(t->emitter, 0);
  size_t sizes[2];
  (void)parts_result(t->c, sizes);
  return sizes[0] == 1 && sizes[1] == 1
             ? memref
             : echo_memref_collapse(&t->emitter->scopes[0]->builder, memref, sizes, 2);
}

static void place_task(Tiles *t, EchoValue *task)
{
  EchoElementEmitter *base = &t->emitter->base;
  const EchoContraction *c = t->c;
  int64_t grid[] = {c->n_batch, (c->m + t->tile_m - 1) / t->tile_m,
                    (c->n + t->tile_n - 1) / t->tile_n};
  EchoValue *coordinates[3];
  base->builder = echo_kernel_builder(t->emitter);
  echo_index_delinearize(base, task, grid, 3, coordinates);
  t->batch = coordinates[0];
  t->m0 = echo_index_mul_constant(base, coordinates[1], t->tile_m);
  t->n0 = echo_index_mul_constant(base, coordinates[2], t->tile_n);
  t->m_size = clipped(t, t->m0, t->tile_m, c->m);
  t->n_size = clipped(t, t->n0, t->tile_n, c->n);
  bool along_m = c->a_runs_along_m;
  int64_t a[] = {along_m ? t->block_k : t->tile_m, along_m ? t->tile_m : t->block_k};
  int64_t sums[] = {t->tile_m, t->tile_n}, b[] = {t->block_k, t->tile_n};
  t->sums = t->is_direct ? result_memory(t) : echo_kernel_alloca(t->emitter, t->scalar, sums, 2);
  t->row0 = echo_index_add(base, echo_index_mul_constant(base, t->batch, c->m), t->m0);
  t->column0 = t->n0;
  t->packed_a = echo_kernel_alloca(t->emitter, t->scalar, a, 2);
  t->packed_b = echo_kernel_alloca(t->emitter, t->scalar, b, 2);
}

void echo_emit_contraction(EchoKernelEmitter *emitter, const EchoContraction *c)
{
  if (c->uses_tensor_cores) {
    echo_emit_tensor_core_contraction(emitter, c);
    return;
  }
  if (emitter->is_gpu) {
    echo_emit_gpu_contraction(emitter, c);
    return;
  }
  Tiles t = choose_tiles(emitter, c);
  int64_t n_tasks =
      c->n_batch * ((c->m + t.tile_m - 1) / t.tile_m) * ((c->n + t.tile_n - 1) / t.tile_n);
  EchoValue *task = echo_kernel_begin_tasks(emitter, n_tasks, emitter->work_ns);
  place_task(&t, task);
  EchoElementEmitter *base = &emitter->base;
  if (!has_one_block(&t))
    zero_sums(&t);
  EchoValue *k0 = echo_kernel_begin_for(emitter, echo_index_constant(base, 0),
                                        echo_index_constant(base, c->k), t.block_k, false);
  EchoValue *k_size = clipped(&t, k0, t.block_k, c->k);
  pack_a(&t, k0, k_size);
  pack_b(&t, k0, k_size);
  EchoValue *n = begin_to(&t, t.n_size, t.vectors * t.lanes, false);
  EchoValue *m = echo_kernel_begin_tile(emitter, t.m_size, t.rows, t.rows, t.vectors);
  multiply_block(&t, m, n, k_size);
  echo_kernel_end_for(emitter);
  echo_kernel_end_for(emitter);
  echo_kernel_end_for(emitter);
  if (!t.is_direct)
    store_tile(&t);
  echo_kernel_end_tasks(emitter);
}
