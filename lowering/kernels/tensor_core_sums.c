/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Products on tensor cores out of shared memory, and their sums back to memory.
 *
 * A row of shared memory is made of pieces of 16 bytes, which change places by the row's number:
 * the eight rows that a matrix of 8 pieces is loaded from meet in no bank, whether they lie along k
 * or across it.
 *
 * Words of f32 that do not lie along k no instruction transposes. A lane loads several neighbours
 * of a row there, and which rows or columns of the result they stand for is ours to say: neighbours
 * go to different products, so that row g of the w products of a run is row w g + 0, 1, … w - 1 of
 * the result. Its sums lie side by side then, too. */
#include "lowering/kernels/tensor_core_t.h"

typedef EchoTensorProduct Product;
typedef EchoTensorOperand Operand;

enum {
  ROWS = ECHO_TENSOR_ROWS,
  MATRIX = ECHO_TENSOR_MATRIX,
  MAX_OCTETS = 2 * ECHO_TENSOR_MAX_PARTS
};

static EchoElementEmitter *base_of(const Product *p)
{
  return echo_tensor_base(p);
}

static EchoValue *constant(const Product *p, int64_t value)
{
  return echo_index_constant(&p->emitter->base, value);
}

/* ---- shared memory ---- */

/* Whether lanes load words of it, rather than matrices. */
static bool is_loaded_in_words(const Product *p, const Operand *o)
{
  return !o->runs_along_k && p->c->factor_kind == ECHO_ELEMENT_F32;
}

/* Elements that keep together, rows that do so alike, and places that they change between. Words
 * are loaded by 8 lanes of two neighbouring pieces in each of four rows, or by 16 of 8 words. */
static void swizzle_of(const Product *p, const Operand *o, int64_t *unit, int64_t *rows,
                       int64_t *turns)
{
  int64_t pieces = o->width / p->piece;
  *unit = is_loaded_in_words(p, o) ? 2 * p->piece : p->piece;
  *turns = is_loaded_in_words(p, o) ? 4 : pieces < MATRIX ? pieces : MATRIX;
  *rows = is_loaded_in_words(p, o) || pieces >= MATRIX ? 1 : MATRIX / pieces;
}

void echo_tensor_place(const Product *p, const Operand *o, int64_t buffer, EchoValue *row,
                       int64_t more_rows, EchoValue *column, EchoValue *at[3])
{
  EchoElementEmitter *base = base_of(p);
  int64_t unit, rows_a_turn, turns;
  swizzle_of(p, o, &unit, &rows_a_turn, &turns);
  EchoValue *turning = echo_index_add_constant(base, row, more_rows % (rows_a_turn * turns));
  EchoValue *turn =
      echo_index_rem_constant(base, echo_index_div_constant(base, turning, rows_a_turn), turns);
  EchoValue *operands[] = {column, echo_index_mul_constant(base, turn, unit)};
  at[0] = constant(p, buffer);
  at[1] = echo_index_add_constant(base, row, more_rows);
  at[2] = base->pure_op(base, "arith.xori", -1, operands, 2, column->type);
}

/* ---- fragments ---- */

/* Fragments of ROWS rows (of A) or columns (of B) from `first` of the warp's part on, at step
 * `step` along k. The four matrices are, in this order, for A: two along m, then those further
 * along k; for B: two along k, then those further along n. */
static EchoValue *load_matrices(Product *p, const Operand *o, int64_t buffer, int64_t first,
                                int64_t step)
{
  EchoElementEmitter *base = base_of(p);
  const int64_t dims[] = {2, 2, MATRIX};
  EchoValue *digits[3], *at[3];
  echo_index_delinearize(base, p->lane, dims, 3, digits);
  EchoValue *in_k = digits[o->is_a ? 0 : 1], *in_other = digits[o->is_a ? 1 : 0];
  EchoValue *other = echo_index_mul_constant(base, in_other, MATRIX);
  if (o->runs_along_k) {
    EchoValue *row = echo_index_add(base, o->warp_start, echo_index_add(base, other, digits[2]));
    EchoValue *along_k = echo_index_mul_constant(base, in_k, p->piece);
    EchoValue *column = echo_index_add_constant(base, along_k, step * p->step);
    echo_tensor_place(p, o, buffer, row, first, column, at);
  } else {
    EchoValue *along_k = echo_index_mul_constant(base, in_k, MATRIX);
    EchoValue *row = echo_index_add(base, along_k, digits[2]);
    EchoValue *column =
        echo_index_add_constant(base, echo_index_add(base, o->warp_start, other), first);
    echo_tensor_place(p, o, buffer, row, step * p->step, column, at);
  }
  return echo_warp_load(p->emitter, o->shared, at, !o->runs_along_k);
}

/* Neighbours of a row that a lane loads at once. */
static int64_t n_neighbours(const Operand *o)
{
  int64_t octets = 2 * echo_tensor_parts(o);
  return octets < ECHO_COPY_BYTES / 4 ? octets : ECHO_COPY_BYTES / 4;
}

/* The same out of words: lane 4 g + t has rows t and t + 4 along k of the step; of the others
 * those that stand for number g of each eight. */
static void load_words(Product *p, const Operand *o, int64_t buffer, int64_t step,
                       EchoValue **fragments)
{
  EchoElementEmitter *base = base_of(p);
  int64_t octets = 2 * echo_tensor_parts(o), n = n_neighbours(o);
  const int64_t dims[] = {MATRIX, p->piece};
  EchoValue *digits[2], *words[2][MAX_OCTETS], *at[3];
  echo_index_delinearize(base, p->lane, dims, 2, digits);
  EchoValue *column =
      echo_index_add(base, o->warp_start, echo_index_mul_constant(base, digits[0], n));
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < octets; ++j) {
      base = base_of(p);
      EchoValue *first = echo_index_add_constant(base, column, j / n * (MATRIX * n));
      echo_tensor_place(p, o, buffer, digits[1], step * p->step + i * p->piece, first, at);
      at[2] = echo_index_add_constant(base_of(p), at[2], j % n);
      words[i][j] = echo_memref_load(echo_kernel_builder(p->emitter), o->shared, at, 3);
    }
  for (int64_t i = 0; i < octets / 2; ++i) {
    EchoValue *four[] = {words[0][2 * i], words[o->is_a ? 0 : 1][2 * i + (o->is_a ? 1 : 0)],
                         words[o->is_a ? 1 : 0][2 * i + (o->is_a ? 0 : 1)], words[1][2 * i + 1]};
    fragments[i] = echo_warp_fragment(p->emitter, four);
  }
}

static void load_fragments(Product *p, const Operand *o, int64_t buffer, int64_t step,
                           EchoValue **fragments)
{
  if (is_loaded_in_words(p, o)) {
    load_words(p, o, buffer, step, fragments);
    return;
  }
  for (int64_t i = 0; i < echo_tensor_parts(o); ++i)
    fragments[i] = load_matrices(p, o, buffer, i * ROWS, step);
}

void echo_tensor_multiply(Product *p, int64_t buffer, int64_t n_steps, EchoValue **sums)
{
  int64_t m_parts = echo_tensor_parts(&p->a), n_parts = echo_tensor_parts(&p->b);
  for (int64_t step = 0; step < n_steps; ++step) {
    EchoValue *a[ECHO_TENSOR_MAX_PARTS], *b[ECHO_TENSOR_MAX_PARTS];
    load_fragments(p, &p->a, buffer, step, a);
    load_fragments(p, &p->b, buffer, step, b);
    for (int64_t i = 0; i < m_parts; ++i)
      for (int64_t j = 0; j < 2 * n_parts; ++j) {
        EchoValue **sum = &sums[i * 2 * n_parts + j];
        *sum = echo_warp_multiply_add(p->emitter, a[i], b[j / 2], j % 2, *sum);
      }
  }
}

/* ---- results ---- */

/* Neighbours of a row that a lane has: where they begin, behind the lane's first, and the products
 * that they come from, with the place in it. */
typedef struct Run {
  int64_t size, offset;
  int64_t product[ECHO_MAX_STORED], place[ECHO_MAX_STORED];
} Run;

static int64_t n_runs(const Operand *b, bool is_words)
{
  int64_t octets = 2 * echo_tensor_parts(b);
  return is_words ? octets / n_neighbours(b) * 2 : octets;
}

static Run run_of(const Operand *b, bool is_words, int64_t i)
{
  Run run = {.size = 2, .offset = i * MATRIX};
  if (!is_words) {
    for (int64_t j = 0; j < 2; ++j) {
      run.product[j] = i;
      run.place[j] = j;
    }
    return run;
  }
  run.size = n_neighbours(b);
  run.offset = i / 2 * (MATRIX * run.size) + i % 2 * run.size;
  for (int64_t j = 0; j < run.size; ++j) {
    run.product[j] = i / 2 * run.size + j;
    run.place[j] = i % 2;
  }
  return run;
}

static void store_run(Product *p, EchoValue *const *sums, const Run *run, int64_t row, EchoValue *m,
                      EchoValue *first)
{
  EchoKernelEmitter *emitter = p->emitter;
  const EchoContraction *c = p->c;
  bool has_edge = c->n % p->b.size != 0;
  int64_t at_once = c->n % run->size == 0 ? run->size : 1;
  for (int64_t i = 0; i < run->size; i += at_once) {
    EchoElementEmitter *base = base_of(p);
    EchoValue *columns[ECHO_MAX_STORED], *values[ECHO_MAX_STORED];
    for (int64_t k = 0; k < at_once; ++k)
      columns[k] = echo_index_add_constant(base, first, run->offset + i + k);
    if (has_edge)
      echo_kernel_begin_if(emitter, echo_index_compare(base, ECHO_CMPI_SLT, columns[0],
                                                       echo_index_constant(base, c->n)));
    for (int64_t k = 0; k < at_once; ++k)
      values[k] = echo_warp_sum(emitter, sums[run->product[i + k]], row, run->place[i + k]);
    echo_store_products(emitter, c, p->batch, m, columns, values, (size_t)at_once);
    if (has_edge)
      echo_kernel_end_if(emitter);
  }
}

void echo_tensor_store(Product *p, EchoValue *const *sums)
{
  EchoKernelEmitter *emitter = p->emitter;
  const EchoContraction *c = p->c;
  const int64_t dims[] = {MATRIX, 4};
  bool a_in_words = is_loaded_in_words(p, &p->a), b_in_words = is_loaded_in_words(p, &p->b);
  int64_t rows = a_in_words ? n_neighbours(&p->a) : 1; /* that lie side by side */
  int64_t columns = 2 * (b_in_words ? n_neighbours(&p->b) : 1);
  EchoValue *digits[2];
  echo_index_delinearize(base_of(p), p->lane, dims, 2, digits);
  EchoElementEmitter *base = base_of(p);
  EchoValue *first_m = echo_index_add(base, echo_index_add(base, p->a.start, p->a.warp_start),
                                      echo_index_mul_constant(base, digits[0], rows));
  EchoValue *first_n = echo_index_add(base, echo_index_add(base, p->b.start, p->b.warp_start),
                                      echo_index_mul_constant(base, digits[1], columns));
  int64_t products = echo_tensor_parts(&p->b) * 2;
  bool has_edge = c->m % p->a.size != 0;
  for (int64_t i = 0; i < echo_tensor_parts(&p->a) * 2; ++i) {
    base = base_of(p);
    EchoValue *m = echo_index_add_constant(base, first_m, i / rows * (rows * MATRIX) + i % rows);
    if (has_edge)
      echo_kernel_begin_if(
          emitter, echo_index_compare(base, ECHO_CMPI_SLT, m, echo_index_constant(base, c->m)));
    for (int64_t j = 0; j < n_runs(&p->b, b_in_words); ++j) {
      Run run = run_of(&p->b, b_in_words, j);
      store_run(p, &sums[i / 2 * products], &run, i % 2, m, first_n);
    }
    if (has_edge)
      echo_kernel_end_if(emitter);
  }
}
