/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sort: each row by itself, by merging runs of doubling length between the result and stack memory,
 * or, of a widened sort (widen_sorts.c), the second results; stable. Where only the first k places
 * of a row are read (echo_sort_first), they are held in order, and what comes before the last of
 * them is put in its place: k log n times where the order is random, k steps of a vector each. Of
 * very many places, and on a GPU, what comes before the k-th of what was sorted so far is gathered
 * behind the k first, and when there are 4 k more all of it is sorted: log n times where the order
 * is random; in the worst order it costs 5/4 n log2(5 k) comparisons. */
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_sort_t.h"

/* Most places that are held in order. What goes among k of them is compared with all, and moves
 * them, in vectors; sorted with 4 k others it takes 5/4 log2(5 k) steps that wait for each other.
 * Measured with 16 to a vector (bench/results/sorting.md), both take as long at k = 100 where every
 * element goes in front, at 200 where the order is random. */
enum { MOST_HELD = 64 };

typedef struct Sort {
  EchoKernelEmitter *emitter;
  const EchoOp *op;
  size_t n, dim;
  int64_t length;                /* of the row */
  int64_t capacity;              /* of what is merged at most: the row, or k and a block */
  EchoValue *count;              /* of what is merged */
  EchoValue *row[ECHO_MAX_RANK]; /* indices of the row; row[dim] is not read */
  EchoValue **spare;             /* stack memory; NULL: result n + i */
} Sort;

static EchoValue **new_values(const EchoKernelEmitter *emitter, size_t n)
{
  EchoValue **values = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, n + 1);
  memset(values, 0, (n + 1) * sizeof *values);
  return values;
}

/* The row's element of result `result` at `position`. */
static void row_indices(const Sort *s, EchoValue *position, EchoValue **indices)
{
  memcpy(indices, s->row, sizeof s->row);
  indices[s->dim] = position;
}

static EchoValue *read_at(const Sort *s, bool from_spare, size_t operand, EchoValue *position)
{
  if (from_spare && s->spare[operand] != NULL)
    return echo_memref_load(echo_kernel_builder(s->emitter), s->spare[operand], &position, 1);
  EchoValue *indices[ECHO_MAX_RANK];
  row_indices(s, position, indices);
  size_t result = from_spare ? s->n + operand : operand;
  return echo_kernel_load(s->emitter, echo_kernel_output(s->emitter, result), indices);
}

static void write_at(const Sort *s, bool to_spare, size_t operand, EchoValue *position,
                     EchoValue *value)
{
  if (to_spare && s->spare[operand] != NULL) {
    echo_memref_store(echo_kernel_builder(s->emitter), value, s->spare[operand], &position, 1);
    return;
  }
  EchoValue *indices[ECHO_MAX_RANK];
  row_indices(s, position, indices);
  size_t result = to_spare ? s->n + operand : operand;
  echo_kernel_store(s->emitter, value, echo_kernel_output(s->emitter, result), indices);
}

/* The second results are the first ones once all is merged. */
static void copy_to_second(const Sort *s)
{
  EchoValue *position = echo_kernel_begin_range(s->emitter, s->length, false);
  for (size_t i = 0; i < s->n; ++i)
    write_at(s, true, i, position, read_at(s, false, i, position));
  echo_kernel_end_for(s->emitter);
}

/* The first n elements of the row. */
static void copy_in(const Sort *s, bool to_spare, int64_t n)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoValue *position = echo_kernel_begin_range(emitter, n, false);
  EchoValue *indices[ECHO_MAX_RANK], **values = new_values(emitter, s->n);
  row_indices(s, position, indices);
  for (size_t i = 0; i < s->n && !emitter->failed; ++i)
    values[i] = echo_kernel_element(emitter, echo_op_operand(s->op, i), indices);
  for (size_t i = 0; i < s->n && !emitter->failed; ++i)
    write_at(s, to_spare, i, position, values[i]);
  echo_kernel_end_for(emitter);
}

/* Places [start, end) from runs [start, middle) and [middle, end). The left one goes first unless
 * the right one compares before it. */
static bool merge_runs(const Sort *s, bool from_spare, EchoValue *start, EchoValue *middle,
                       EchoValue *end)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoBuilder *builder = echo_kernel_builder(emitter);
  EchoValue *count = echo_arith_binary(builder, "arith.subi", end, start);
  EchoValue *inits[] = {start, middle}, *carried[2], *results[2];
  EchoValue *step = echo_kernel_begin_carried_to(emitter, count, inits, 2, carried);
  builder = echo_kernel_builder(emitter);
  EchoValue *last = echo_index_add_constant(base, s->count, -1),
            *one = echo_index_constant(base, 1);
  EchoValue *left_at = echo_arith_binary(builder, "arith.minsi", carried[0], last);
  EchoValue *right_at = echo_arith_binary(builder, "arith.minsi", carried[1], last);
  size_t n_arguments = 2 * s->op->n_operands;
  EchoValue **left = new_values(emitter, s->n), **right = new_values(emitter, s->n);
  EchoValue **arguments = new_values(emitter, n_arguments);
  for (size_t i = 0; i < s->n; ++i) {
    left[i] = read_at(s, from_spare, i, left_at);
    right[i] = read_at(s, from_spare, i, right_at);
    arguments[2 * i] = right[i];
    arguments[2 * i + 1] = left[i];
  }
  /* a widened sort's comparator reads only the first arguments */
  for (size_t i = 2 * s->n; i < n_arguments; ++i)
    arguments[i] = arguments[i - 2 * s->n];
  EchoValue *right_first = NULL;
  base->builder = echo_kernel_builder(emitter);
  bool fine = echo_kernel_inline_region(emitter, &s->op->regions[0], arguments, n_arguments,
                                        &right_first, 1);
  if (!fine) {
    echo_kernel_end_carried(emitter, inits, 2, results);
    return false;
  }
  EchoValue *has_left = echo_arith_cmpi(builder, ECHO_CMPI_SLT, carried[0], middle);
  EchoValue *has_right = echo_arith_cmpi(builder, ECHO_CMPI_SLT, carried[1], end);
  EchoValue *takes_right = echo_arith_binary(builder, "arith.andi", has_right, right_first);
  takes_right = echo_arith_select(builder, has_left, takes_right, has_right);
  EchoValue *to = echo_arith_binary(builder, "arith.addi", start, step);
  for (size_t i = 0; i < s->n; ++i)
    write_at(s, !from_spare, i, to, echo_arith_select(builder, takes_right, right[i], left[i]));
  EchoValue *left_next = echo_arith_binary(builder, "arith.addi", carried[0], one);
  EchoValue *right_next = echo_arith_binary(builder, "arith.addi", carried[1], one);
  EchoValue *next[] = {echo_arith_select(builder, takes_right, carried[0], left_next),
                       echo_arith_select(builder, takes_right, right_next, carried[1])};
  echo_kernel_end_carried(emitter, next, 2, results);
  return true;
}

static bool merge_pass(const Sort *s, bool from_spare, int64_t width)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *start =
      echo_kernel_begin_for(emitter, echo_index_constant(base, 0), s->count, 2 * width, false);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *middle = echo_index_min(base, echo_index_add_constant(base, start, width), s->count);
  EchoValue *end = echo_index_min(base, echo_index_add_constant(base, start, 2 * width), s->count);
  bool fine = merge_runs(s, from_spare, start, middle, end);
  echo_kernel_end_for(emitter);
  return fine;
}

static bool reserve_spare(Sort *s, bool is_widened)
{
  int64_t bytes = echo_sort_row_bytes(s->op, s->n) / s->length * s->capacity;
  if (is_widened)
    return true;
  if (bytes > ECHO_SORT_STACK_BYTES) {
    echo_op_error(s->op, "sorts rows of %lld bytes; at most %d have a lowering", (long long)bytes,
                  ECHO_SORT_STACK_BYTES);
    s->emitter->failed = true;
    return false;
  }
  for (size_t i = 0; i < s->n; ++i)
    s->spare[i] = echo_kernel_alloca(
        s->emitter, echo_kernel_output(s->emitter, i)->type->as.shaped.element, &s->capacity, 1);
  return true;
}

/* … over n_elements. */
static size_t count_passes(int64_t n_elements)
{
  size_t n = 0;
  for (int64_t width = 1; width < n_elements; width *= 2)
    ++n;
  return n;
}

/* The first s->count elements, from where they are to the result. */
static void merge_all(const Sort *s, size_t n_passes, bool in_spare)
{
  int64_t width = 1;
  for (size_t i = 0; i < n_passes && !s->emitter->failed; ++i, width *= 2) {
    if (!merge_pass(s, in_spare, width))
      s->emitter->failed = true;
    in_spare = !in_spare;
  }
}

static void sort_row(Sort *s, bool is_widened)
{
  size_t n_passes = count_passes(s->capacity);
  bool in_spare = n_passes % 2 != 0; /* the last pass ends in the result */
  s->count = echo_index_constant(&s->emitter->base, s->length);
  copy_in(s, in_spare, s->length);
  merge_all(s, n_passes, in_spare);
  if (is_widened)
    copy_to_second(s);
}

/* ---- the first places of a row, held in order ---- */

/* What comes before the last of those that are held is put among them: their places are counted and
 * all behind it move on, in vectors, which costs less than sorting them with others in the end. */

static void read_element(const Sort *s, EchoValue *position, EchoValue **values)
{
  EchoValue *indices[ECHO_MAX_RANK];
  s->emitter->base.builder = echo_kernel_builder(s->emitter);
  row_indices(s, position, indices);
  for (size_t i = 0; i < s->n && !s->emitter->failed; ++i)
    values[i] = echo_kernel_element(s->emitter, echo_op_operand(s->op, i), indices);
}

static void read_held(const Sort *s, EchoValue *place, EchoValue **values)
{
  for (size_t i = 0; i < s->n; ++i)
    values[i] = read_at(s, false, i, place);
}

/* Whether `values` come before `others`; NULL after an error. */
static EchoValue *is_before_or_null(const Sort *s, EchoValue *const *values,
                                    EchoValue *const *others)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoValue **arguments = new_values(emitter, 2 * s->n), *is_before = NULL;
  for (size_t i = 0; i < s->n; ++i) {
    arguments[2 * i] = values[i];
    arguments[2 * i + 1] = others[i];
  }
  emitter->base.builder = echo_kernel_builder(emitter);
  if (!emitter->failed &&
      echo_kernel_inline_region(emitter, &s->op->regions[0], arguments, 2 * s->n, &is_before, 1))
    return is_before;
  emitter->failed = true;
  return NULL;
}

/* How many of the held ones `values` do not come before: the others are behind these. */
static EchoValue *count_before(const Sort *s, int64_t first, EchoValue *const *values)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *inits[] = {echo_index_constant(base, 0)}, *carried[1], *results[1];
  EchoValue **held = new_values(emitter, s->n);
  EchoValue *place = echo_kernel_begin_carried(emitter, first, inits, 1, carried);
  read_held(s, place, held);
  EchoValue *is_before = is_before_or_null(s, values, held);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *more = echo_index_add_constant(base, carried[0], 1);
  EchoValue *next[] = {is_before != NULL ? echo_index_select(base, is_before, carried[0], more)
                                         : carried[0]};
  echo_kernel_end_carried(emitter, next, 1, results);
  base->builder = echo_kernel_builder(emitter);
  return results[0];
}

/* Place j of spare memory has what was held at j - 1, place 0 the new one. */
static void insert(const Sort *s, int64_t first, EchoValue *const *values)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *at = count_before(s, first, values);
  for (size_t i = 0; i < s->n; ++i)
    write_at(s, true, i, echo_index_constant(base, 0), values[i]);
  EchoValue *place = echo_kernel_begin_range(emitter, first, true);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *behind = echo_index_add_constant(base, place, 1);
  for (size_t i = 0; i < s->n; ++i)
    write_at(s, true, i, behind, read_at(s, false, i, place));
  echo_kernel_end_for(emitter);
  place = echo_kernel_begin_range(emitter, first, true);
  base->builder = echo_kernel_builder(emitter);
  behind = echo_index_add_constant(base, place, 1);
  EchoValue *stays = echo_index_compare(base, ECHO_CMPI_SLT, place, at);
  EchoValue *is_new = echo_index_compare(base, ECHO_CMPI_EQ, place, at);
  EchoBuilder *builder = echo_kernel_builder(emitter);
  for (size_t i = 0; i < s->n; ++i) {
    EchoValue *moved = echo_arith_select(builder, is_new, values[i], read_at(s, true, i, place));
    EchoValue *held = read_at(s, true, i, behind);
    write_at(s, false, i, place, echo_arith_select(builder, stays, held, moved));
  }
  echo_kernel_end_for(emitter);
}

/* Whether any of a block of elements from `begin` on, or from where one still fits, comes before
 * the last held. Nothing is stored on the way, so that LLVM makes vectors of it. */
static EchoValue *has_any_before(const Sort *s, int64_t first, EchoValue *begin)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue **last = new_values(emitter, s->n), **values = new_values(emitter, s->n);
  read_held(s, echo_index_constant(base, first - 1), last);
  EchoValue *start =
      echo_index_min(base, begin, echo_index_constant(base, s->length - ECHO_SORT_BLOCK));
  EchoValue *inits[] = {echo_index_constant(base, 0)}, *carried[1], *results[1];
  EchoValue *step = echo_kernel_begin_carried(emitter, ECHO_SORT_BLOCK, inits, 1, carried);
  base->builder = echo_kernel_builder(emitter);
  read_element(s, echo_index_add(base, start, step), values);
  EchoValue *is_before = is_before_or_null(s, values, last);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *more = echo_index_add_constant(base, carried[0], 1);
  EchoValue *next[] = {is_before != NULL ? echo_index_select(base, is_before, more, carried[0])
                                         : carried[0]};
  echo_kernel_end_carried(emitter, next, 1, results);
  base->builder = echo_kernel_builder(emitter);
  return echo_index_compare(base, ECHO_CMPI_NE, results[0], echo_index_constant(base, 0));
}

static void insert_block(const Sort *s, int64_t first, EchoValue *begin, EchoValue *end)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoValue *at = echo_kernel_begin_for(emitter, begin, end, 1, false);
  EchoValue **values = new_values(emitter, s->n), **last = new_values(emitter, s->n);
  read_element(s, at, values);
  read_held(s, echo_index_constant(&emitter->base, first - 1), last);
  EchoValue *is_before = is_before_or_null(s, values, last);
  if (is_before != NULL) {
    echo_kernel_begin_if(emitter, is_before);
    emitter->base.builder = echo_kernel_builder(emitter);
    insert(s, first, values);
    echo_kernel_end_if(emitter);
  }
  echo_kernel_end_for(emitter);
}

static void hold_first(Sort *s, int64_t first)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  size_t n_passes = count_passes(first);
  s->count = echo_index_constant(base, first);
  copy_in(s, n_passes % 2 != 0, first);
  merge_all(s, n_passes, n_passes % 2 != 0);
  EchoValue *length = echo_index_constant(base, s->length);
  EchoValue *begin = echo_kernel_begin_for(emitter, echo_index_constant(base, first), length,
                                           ECHO_SORT_BLOCK, false);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *end =
      echo_index_min(base, echo_index_add_constant(base, begin, ECHO_SORT_BLOCK), length);
  bool has_whole_block = s->length >= ECHO_SORT_BLOCK;
  if (has_whole_block) {
    echo_kernel_begin_if(emitter, has_any_before(s, first, begin));
    base->builder = echo_kernel_builder(emitter);
  }
  insert_block(s, first, begin, end);
  if (has_whole_block)
    echo_kernel_end_if(emitter);
  echo_kernel_end_for(emitter);
}

/* ---- the first places of a row, sorted with others ---- */

/* Reads the element at `position` and writes it to place `to` of the result. */
static bool take_element(const Sort *s, EchoValue *position, EchoValue *to, EchoValue **values)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoValue *indices[ECHO_MAX_RANK];
  row_indices(s, position, indices);
  for (size_t i = 0; i < s->n && !emitter->failed; ++i)
    values[i] = echo_kernel_element(emitter, echo_op_operand(s->op, i), indices);
  for (size_t i = 0; i < s->n && !emitter->failed; ++i)
    write_at(s, false, i, to, values[i]);
  return !emitter->failed;
}

/* Puts what of the block [begin, end) of the row comes before the last of the `first` places, where
 * there are that many, else all of it, behind the `held` elements of the result; how many there are
 * then. */
static EchoValue *filter_block(const Sort *s, int64_t first, EchoValue *begin, EchoValue *end,
                               EchoValue *held, EchoValue *is_bounded)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoBuilder *builder = echo_kernel_builder(emitter);
  EchoValue **bound = new_values(emitter, s->n), **values = new_values(emitter, s->n);
  EchoValue **arguments = new_values(emitter, 2 * s->n);
  EchoValue *place = echo_index_select(base, is_bounded, echo_index_constant(base, first - 1),
                                       echo_index_constant(base, 0));
  for (size_t i = 0; i < s->n; ++i)
    bound[i] = read_at(s, false, i, place);
  EchoValue *n = echo_arith_binary(builder, "arith.subi", end, begin);
  EchoValue *inits[] = {held}, *carried[1], *results[1], *is_before = NULL;
  EchoValue *step = echo_kernel_begin_carried_to(emitter, n, inits, 1, carried);
  builder = base->builder = echo_kernel_builder(emitter);
  EchoValue *at = echo_arith_binary(builder, "arith.addi", begin, step);
  bool fine = take_element(s, at, carried[0], values);
  for (size_t i = 0; i < s->n && fine; ++i) {
    arguments[2 * i] = values[i];
    arguments[2 * i + 1] = bound[i];
  }
  base->builder = echo_kernel_builder(emitter);
  fine = fine &&
         echo_kernel_inline_region(emitter, &s->op->regions[0], arguments, 2 * s->n, &is_before, 1);
  if (!fine) {
    emitter->failed = true;
    echo_kernel_end_carried(emitter, inits, 1, results);
    return held;
  }
  builder = echo_kernel_builder(emitter);
  EchoValue *one = echo_index_constant(base, 1);
  EchoValue *more = echo_arith_binary(builder, "arith.addi", carried[0], one);
  EchoValue *taken = echo_arith_select(builder, is_before, more, carried[0]);
  EchoValue *next[] = {echo_arith_select(builder, is_bounded, taken, more)};
  echo_kernel_end_carried(emitter, next, 1, results);
  return results[0];
}

/* Sorts what is held where the next block may not fit behind it, and behind the last one. */
static EchoValue *sort_held(Sort *s, EchoValue *end)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  base->builder = echo_kernel_builder(emitter);
  EchoValue *is_full = echo_index_compare(base, ECHO_CMPI_SGT, s->count,
                                          echo_index_constant(base, s->capacity - ECHO_SORT_BLOCK));
  EchoValue *is_last =
      echo_index_compare(base, ECHO_CMPI_EQ, end, echo_index_constant(base, s->length));
  EchoValue *sorts = echo_arith_binary(base->builder, "arith.ori", is_full, is_last);
  size_t n_passes = count_passes(s->capacity);
  echo_kernel_begin_if(emitter, sorts);
  base->builder = echo_kernel_builder(emitter);
  merge_all(s, n_passes + n_passes % 2, false); /* from the result to the result */
  echo_kernel_end_if(emitter);
  base->builder = echo_kernel_builder(emitter);
  return sorts;
}

static void select_first(Sort *s, int64_t first)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *zero = echo_index_constant(base, 0), **values = new_values(emitter, s->n);
  if (!take_element(s, zero, zero, values)) /* so that the first block has something to read */
    return;
  int64_t n_blocks = (s->length + ECHO_SORT_BLOCK - 1) / ECHO_SORT_BLOCK;
  EchoValue *inits[] = {zero, zero}, *carried[2], *results[2]; /* how many are held; bounded */
  EchoValue *block = echo_kernel_begin_carried(emitter, n_blocks, inits, 2, carried);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *begin = echo_index_mul_constant(base, block, ECHO_SORT_BLOCK);
  EchoValue *end = echo_index_min(base, echo_index_add_constant(base, begin, ECHO_SORT_BLOCK),
                                  echo_index_constant(base, s->length));
  EchoValue *is_bounded =
      echo_index_compare(base, ECHO_CMPI_NE, carried[1], echo_index_constant(base, 0));
  s->count = filter_block(s, first, begin, end, carried[0], is_bounded);
  EchoValue *sorts = emitter->failed ? is_bounded : sort_held(s, end);
  EchoValue *next[] = {echo_index_select(base, sorts, echo_index_constant(base, first), s->count),
                       echo_index_select(base, sorts, echo_index_constant(base, 1), carried[1])};
  echo_kernel_end_carried(emitter, next, 2, results);
}

bool echo_lower_sort(EchoKernelEmitter *emitter)
{
  const EchoOp *end = echo_op_body(emitter->kernel, 0)->last;
  const EchoOp *op = end->n_operands != 0 ? echo_value_def_or_null(echo_op_operand(end, 0)) : NULL;
  if (op == NULL || echo_hlo_opcode(op) != ECHO_HLO_SORT || op->n_results != end->n_operands)
    return false;
  for (uint32_t i = 0; i < end->n_operands; ++i)
    if (echo_op_operand(end, i) != echo_op_result(op, i))
      return false;
  const EchoType *type = echo_op_operand_type(op, 0);
  int64_t n_elements = echo_type_static_n_elements(type),
          dim = echo_op_attr_i64(op, "dimension", -1);
  if (n_elements == 0)
    return true;
  if (type->as.shaped.rank == 0)
    return false;
  bool is_widened = echo_sort_is_widened(op);
  Sort s = {.emitter = emitter, .op = op, .n = is_widened ? op->n_operands / 2 : op->n_operands};
  s.spare = new_values(emitter, s.n);
  s.dim = (size_t)(dim < 0 ? dim + (int64_t)type->as.shaped.rank : dim);
  s.length = echo_type_dim(type, s.dim);
  int64_t row_dims[ECHO_MAX_RANK];
  memcpy(row_dims, type->as.shaped.dims, type->as.shaped.rank * sizeof *row_dims);
  row_dims[s.dim] = 1;
  int64_t first = is_widened ? s.length : echo_sort_first(op);
  if (emitter->is_gpu) {
    EchoSortRows rows = {emitter,  op,  s.n,   s.dim,     n_elements / s.length,
                         s.length, {0}, first, is_widened};
    memcpy(rows.row_dims, row_dims, sizeof row_dims);
    if (echo_emit_gpu_sort(&rows))
      return true;
  }
  bool is_partial = first < s.length;
  s.capacity = is_partial ? echo_sort_capacity(first) : s.length;
  EchoValue *task = echo_kernel_begin_tasks(emitter, n_elements / s.length, emitter->work_ns);
  emitter->base.builder = echo_kernel_builder(emitter);
  echo_index_delinearize(&emitter->base, task, row_dims, type->as.shaped.rank, s.row);
  if (reserve_spare(&s, is_widened)) {
    if (is_partial && first <= MOST_HELD && !emitter->is_gpu)
      hold_first(&s, first);
    else if (is_partial)
      select_first(&s, first);
    else
      sort_row(&s, is_widened);
  }
  echo_kernel_end_tasks(emitter);
  return true;
}
