/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs of doubling length, in the memory of a row's results and in what is beside it. */
#include "lowering/kernels/lower_sort_t.h"

/* Pairs of runs that are merged at the same time (bench/results/sorting.md). */
enum { MERGED_AT_ONCE = 3 };

EchoValue **echo_sort_values(const EchoKernelEmitter *emitter, size_t n)
{
  EchoValue **values = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, n + 1);
  memset(values, 0, (n + 1) * sizeof *values);
  return values;
}

void echo_sort_indices(const EchoSort *s, EchoValue *position, EchoValue **indices)
{
  memcpy(indices, s->row, sizeof s->row);
  indices[s->dim] = position;
}

EchoValue *echo_sort_read(const EchoSort *s, bool from_spare, size_t operand, EchoValue *position)
{
  if (from_spare && s->spare[operand] != NULL)
    return echo_memref_load(echo_kernel_builder(s->emitter), s->spare[operand], &position, 1);
  EchoValue *indices[ECHO_MAX_RANK];
  echo_sort_indices(s, position, indices);
  size_t result = from_spare ? s->n + operand : operand;
  return echo_kernel_load(s->emitter, echo_kernel_output(s->emitter, result), indices);
}

void echo_sort_write(const EchoSort *s, bool to_spare, size_t operand, EchoValue *position,
                     EchoValue *value)
{
  if (to_spare && s->spare[operand] != NULL) {
    echo_memref_store(echo_kernel_builder(s->emitter), value, s->spare[operand], &position, 1);
    return;
  }
  EchoValue *indices[ECHO_MAX_RANK];
  echo_sort_indices(s, position, indices);
  size_t result = to_spare ? s->n + operand : operand;
  echo_kernel_store(s->emitter, value, echo_kernel_output(s->emitter, result), indices);
}

void echo_sort_copy_in(const EchoSort *s, bool to_spare, int64_t n)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoValue *position = echo_kernel_begin_range(emitter, n, false);
  EchoValue *indices[ECHO_MAX_RANK], **values = echo_sort_values(emitter, s->n);
  echo_sort_indices(s, position, indices);
  for (size_t i = 0; i < s->n && !emitter->failed; ++i)
    values[i] = echo_kernel_element(emitter, echo_op_operand(s->op, i), indices);
  for (size_t i = 0; i < s->n && !emitter->failed; ++i)
    echo_sort_write(s, to_spare, i, position, values[i]);
  echo_kernel_end_for(emitter);
}

/* Places [start, end) are merged from runs [start, middle) and [middle, end). */
typedef struct Runs {
  EchoValue *start, *middle, *end;
  EchoValue *left_at, *right_at; /* what either goes on with */
  bool may_be_last;              /* what is beside it may be no memory of the row's */
  EchoValue **left, **right, *right_first;
} Runs;

static Runs runs_at(const EchoSort *s, EchoValue *start, EchoValue *width, bool may_be_last)
{
  EchoElementEmitter *base = &s->emitter->base;
  base->builder = echo_kernel_builder(s->emitter);
  EchoValue *middle = echo_index_add(base, start, width);
  EchoValue *end = echo_index_add(base, middle, width);
  if (may_be_last) {
    middle = echo_index_min(base, middle, s->count);
    end = echo_index_min(base, end, s->count);
  }
  return (Runs){.start = start, .middle = middle, .end = end, .may_be_last = may_be_last};
}

/* Reads the next of both runs and compares them. False after an error. */
static bool compare_next(const EchoSort *s, bool from_spare, Runs *runs)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *left_at = runs->left_at, *right_at = runs->right_at;
  base->builder = echo_kernel_builder(emitter);
  if (runs->may_be_last) {
    EchoValue *last = echo_index_add_constant(base, s->count, -1);
    left_at = echo_index_min(base, left_at, last);
    right_at = echo_index_min(base, right_at, last);
  }
  size_t n_arguments = 2 * s->op->n_operands;
  EchoValue **arguments = echo_sort_values(emitter, n_arguments);
  runs->left = echo_sort_values(emitter, s->n);
  runs->right = echo_sort_values(emitter, s->n);
  for (size_t i = 0; i < s->n; ++i) {
    runs->left[i] = echo_sort_read(s, from_spare, i, left_at);
    runs->right[i] = echo_sort_read(s, from_spare, i, right_at);
    arguments[2 * i] = runs->right[i];
    arguments[2 * i + 1] = runs->left[i];
  }
  /* a widened sort's comparator reads only the first arguments */
  for (size_t i = 2 * s->n; i < n_arguments; ++i)
    arguments[i] = arguments[i - 2 * s->n];
  base->builder = echo_kernel_builder(emitter);
  return echo_kernel_inline_region(emitter, &s->op->regions[0], arguments, n_arguments,
                                   &runs->right_first, 1);
}

/* Writes place start + step: the left one goes first unless the right one compares before it. */
static void take_next(const EchoSort *s, bool to_spare, Runs *runs, EchoValue *step)
{
  EchoElementEmitter *base = &s->emitter->base;
  EchoBuilder *builder = base->builder = echo_kernel_builder(s->emitter);
  EchoValue *one = echo_index_constant(base, 1);
  EchoValue *has_left = echo_arith_cmpi(builder, ECHO_CMPI_SLT, runs->left_at, runs->middle);
  EchoValue *has_right = echo_arith_cmpi(builder, ECHO_CMPI_SLT, runs->right_at, runs->end);
  EchoValue *takes_right = echo_arith_binary(builder, "arith.andi", has_right, runs->right_first);
  takes_right = echo_arith_select(builder, has_left, takes_right, has_right);
  EchoValue *to = echo_arith_binary(builder, "arith.addi", runs->start, step);
  for (size_t i = 0; i < s->n; ++i)
    echo_sort_write(s, to_spare, i, to,
                    echo_arith_select(builder, takes_right, runs->right[i], runs->left[i]));
  EchoValue *left_next = echo_arith_binary(builder, "arith.addi", runs->left_at, one);
  EchoValue *right_next = echo_arith_binary(builder, "arith.addi", runs->right_at, one);
  runs->left_at = echo_arith_select(builder, takes_right, runs->left_at, left_next);
  runs->right_at = echo_arith_select(builder, takes_right, right_next, runs->right_at);
}

/* Each step of one waits for the one before; those of several are made at the same time. All of
 * them are as long as the first. */
static bool merge_runs(const EchoSort *s, bool from_spare, Runs *runs, size_t n)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoValue *next[2 * MERGED_AT_ONCE], *carried[2 * MERGED_AT_ONCE], *results[2 * MERGED_AT_ONCE];
  for (size_t i = 0; i < n; ++i) {
    next[2 * i] = runs[i].start;
    next[2 * i + 1] = runs[i].middle;
  }
  emitter->base.builder = echo_kernel_builder(emitter);
  EchoValue *count = echo_index_sub(&emitter->base, runs->end, runs->start);
  EchoValue *step = echo_kernel_begin_carried_to(emitter, count, next, 2 * n, carried);
  bool fine = true;
  for (size_t i = 0; i < n; ++i) {
    runs[i].left_at = next[2 * i] = carried[2 * i];
    runs[i].right_at = next[2 * i + 1] = carried[2 * i + 1];
    fine = fine && compare_next(s, from_spare, &runs[i]);
  }
  for (size_t i = 0; i < n && fine; ++i) {
    take_next(s, !from_spare, &runs[i], step);
    next[2 * i] = runs[i].left_at;
    next[2 * i + 1] = runs[i].right_at;
  }
  echo_kernel_end_carried(emitter, next, 2 * n, results);
  return fine;
}

/* Runs of `width` to runs of twice that: as long as there are several pairs of whole ones before
 * the last element, those together, then one pair at a time. */
static bool merge_pass(const EchoSort *s, bool from_spare, EchoValue *width)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  Runs runs[MERGED_AT_ONCE];
  base->builder = echo_kernel_builder(emitter);
  EchoValue *zero = echo_index_constant(base, 0), *pair = echo_index_add(base, width, width);
  EchoValue *several = echo_index_mul_constant(base, pair, MERGED_AT_ONCE);
  EchoValue *before_last = echo_index_add_constant(base, s->count, -1);
  EchoValue *n = echo_arith_binary(base->builder, "arith.divsi", before_last, several);
  EchoValue *whole = echo_arith_binary(base->builder, "arith.muli", n, several);
  EchoValue *group = echo_kernel_begin_for(emitter, zero, n, 1, false);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *start = echo_arith_binary(base->builder, "arith.muli", group, several);
  for (size_t i = 0; i < MERGED_AT_ONCE; ++i, start = echo_index_add(base, start, pair))
    runs[i] = runs_at(s, start, width, false);
  bool fine = merge_runs(s, from_spare, runs, MERGED_AT_ONCE);
  echo_kernel_end_for(emitter);
  EchoValue *rest = echo_kernel_begin_range(emitter, MERGED_AT_ONCE, false);
  base->builder = echo_kernel_builder(emitter);
  start = echo_index_add(base, whole, echo_arith_binary(base->builder, "arith.muli", rest, pair));
  runs[0] = runs_at(s, start, width, true);
  fine = fine && merge_runs(s, from_spare, runs, 1);
  echo_kernel_end_for(emitter);
  return fine;
}

size_t echo_sort_passes(int64_t n_elements)
{
  size_t n = 0;
  for (int64_t width = 1; width < n_elements; width *= 2)
    ++n;
  return n;
}

/* Runs of `width` to runs of four times that, from the result to the result. */
static bool merge_twice(const EchoSort *s, EchoValue *width)
{
  bool fine = merge_pass(s, false, width);
  s->emitter->base.builder = echo_kernel_builder(s->emitter);
  return fine && merge_pass(s, true, echo_index_add(&s->emitter->base, width, width));
}

/* Runs of `width` until they are 4^n_doubled times as long. */
static void merge_doubled(const EchoSort *s, int64_t width, EchoValue *n_doubled)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *inits[] = {echo_index_constant(base, width)}, *carried, *results[1];
  echo_kernel_begin_carried_to(emitter, n_doubled, inits, 1, &carried);
  emitter->failed = !merge_twice(s, carried) || emitter->failed;
  base->builder = echo_kernel_builder(emitter);
  EchoValue *next[] = {echo_index_mul_constant(base, carried, 4)};
  echo_kernel_end_carried(emitter, next, 1, results);
  base->builder = echo_kernel_builder(emitter);
}

void echo_sort_merge(const EchoSort *s, size_t n_passes)
{
  EchoElementEmitter *base = &s->emitter->base;
  bool is_odd = n_passes % 2 != 0;
  if (is_odd && !merge_pass(s, true, echo_index_constant(base, 1)))
    s->emitter->failed = true;
  base->builder = echo_kernel_builder(s->emitter);
  if (n_passes >= 2 && !s->emitter->failed)
    merge_doubled(s, is_odd ? 2 : 1, echo_index_constant(base, (int64_t)n_passes / 2));
}

void echo_sort_merge_counted(const EchoSort *s)
{
  EchoElementEmitter *base = &s->emitter->base;
  EchoValue *zero = echo_index_constant(base, 0), *one = echo_index_constant(base, 1), *n = zero;
  for (int64_t width = 1; width < s->capacity; width *= 4) {
    EchoValue *is_longer =
        echo_index_compare(base, ECHO_CMPI_SGT, s->count, echo_index_constant(base, width));
    n = echo_index_add(base, n, echo_index_select(base, is_longer, one, zero));
  }
  merge_doubled(s, 1, n);
}
