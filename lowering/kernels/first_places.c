/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The first places of a row, without sorting it (echo_sort_first). They are held in order, and what
 * comes before the last of them is put in its place: k log n times where the order is random, k
 * steps of a vector each. Of very many places, and on a GPU, what comes before the k-th of what was
 * sorted so far is gathered behind the k first, and when there are 4 k more all of it is sorted:
 * log n times where the order is random; in the worst order it costs 5/4 n log2(5 k) comparisons. A
 * bound to begin with is found in a sample of a long row, so that mostly little more than the first
 * places is sorted, once. */
#include "lowering/kernels/lower_sort_t.h"

/* ---- held in order ---- */

/* What comes before the last of those that are held is put among them: their places are counted and
 * all behind it move on, in vectors, which costs less than sorting them with others in the end. */

static void read_element(const EchoSort *s, EchoValue *position, EchoValue **values)
{
  EchoValue *indices[ECHO_MAX_RANK];
  s->emitter->base.builder = echo_kernel_builder(s->emitter);
  echo_sort_indices(s, position, indices);
  for (size_t i = 0; i < s->n && !s->emitter->failed; ++i)
    values[i] = echo_kernel_element(s->emitter, echo_op_operand(s->op, i), indices);
}

static void read_held(const EchoSort *s, EchoValue *place, EchoValue **values)
{
  for (size_t i = 0; i < s->n; ++i)
    values[i] = echo_sort_read(s, false, i, place);
}

/* Whether `values` come before `others`; NULL after an error. */
static EchoValue *is_before_or_null(const EchoSort *s, EchoValue *const *values,
                                    EchoValue *const *others)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoValue **arguments = echo_sort_values(emitter, 2 * s->n), *is_before = NULL;
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
static EchoValue *count_before(const EchoSort *s, int64_t first, EchoValue *const *values)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *inits[] = {echo_index_constant(base, 0)}, *carried[1], *results[1];
  EchoValue **held = echo_sort_values(emitter, s->n);
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
static void insert(const EchoSort *s, int64_t first, EchoValue *const *values)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *at = count_before(s, first, values);
  for (size_t i = 0; i < s->n; ++i)
    echo_sort_write(s, true, i, echo_index_constant(base, 0), values[i]);
  EchoValue *place = echo_kernel_begin_range(emitter, first, true);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *behind = echo_index_add_constant(base, place, 1);
  for (size_t i = 0; i < s->n; ++i)
    echo_sort_write(s, true, i, behind, echo_sort_read(s, false, i, place));
  echo_kernel_end_for(emitter);
  place = echo_kernel_begin_range(emitter, first, true);
  base->builder = echo_kernel_builder(emitter);
  behind = echo_index_add_constant(base, place, 1);
  EchoValue *stays = echo_index_compare(base, ECHO_CMPI_SLT, place, at);
  EchoValue *is_new = echo_index_compare(base, ECHO_CMPI_EQ, place, at);
  EchoBuilder *builder = echo_kernel_builder(emitter);
  for (size_t i = 0; i < s->n; ++i) {
    EchoValue *moved =
        echo_arith_select(builder, is_new, values[i], echo_sort_read(s, true, i, place));
    EchoValue *held = echo_sort_read(s, true, i, behind);
    echo_sort_write(s, false, i, place, echo_arith_select(builder, stays, held, moved));
  }
  echo_kernel_end_for(emitter);
}

/* Whether any of a block of elements from `begin` on, or from where one still fits, comes before
 * the last held. Nothing is stored on the way, so that LLVM makes vectors of it. */
static EchoValue *has_any_before(const EchoSort *s, int64_t first, EchoValue *begin)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue **last = echo_sort_values(emitter, s->n), **values = echo_sort_values(emitter, s->n);
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

static void insert_block(const EchoSort *s, int64_t first, EchoValue *begin, EchoValue *end)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoValue *at = echo_kernel_begin_for(emitter, begin, end, 1, false);
  EchoValue **values = echo_sort_values(emitter, s->n), **last = echo_sort_values(emitter, s->n);
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

void echo_sort_hold_first(EchoSort *s, int64_t first)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  size_t n_passes = echo_sort_passes(first);
  s->count = echo_index_constant(base, first);
  echo_sort_copy_in(s, n_passes % 2 != 0, first);
  echo_sort_merge(s, n_passes);
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

/* ---- sorted with others ---- */

/* Reads the element at `position` and writes it to place `to` of the result. */
static void take_element(const EchoSort *s, EchoValue *position, EchoValue *to, EchoValue **values)
{
  read_element(s, position, values);
  for (size_t i = 0; i < s->n && !s->emitter->failed; ++i)
    echo_sort_write(s, false, i, to, values[i]);
}

/* Into `bound`, a place of memory for each operand, what the result has at `place`. */
static void keep_bound(const EchoSort *s, EchoValue *place, EchoValue *const *bound)
{
  EchoValue *zero = echo_index_constant(&s->emitter->base, 0);
  for (size_t i = 0; i < s->n && !s->emitter->failed; ++i)
    echo_memref_store(echo_kernel_builder(s->emitter), echo_sort_read(s, false, i, place), bound[i],
                      &zero, 1);
}

static bool has_sample(const EchoSort *s, int64_t first)
{
  return !s->emitter->is_gpu && echo_sort_has_sample(s->length, first);
}

/* Into `bound`, what elements must come before to be gathered: of the row's sample. Without one the
 * first element, which nothing is compared with. */
static void find_first_bound(EchoSort *s, int64_t first, EchoValue *const *bound)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *zero = echo_index_constant(base, 0), *at = zero,
            **values = echo_sort_values(emitter, s->n);
  if (has_sample(s, first)) {
    EchoValue *i = echo_kernel_begin_range(emitter, ECHO_SORT_SAMPLE, false);
    base->builder = echo_kernel_builder(emitter);
    take_element(s, echo_index_mul_constant(base, i, s->length / ECHO_SORT_SAMPLE), i, values);
    echo_kernel_end_for(emitter);
    s->count = echo_index_constant(base, ECHO_SORT_SAMPLE);
    echo_sort_merge(s, echo_sort_passes(
                           ECHO_SORT_SAMPLE)); /* of which there are eight: from the result to it */
    at = echo_index_constant(base, echo_sort_place_in_sample(s->length, first));
  } else {
    take_element(s, zero, zero, values);
  }
  keep_bound(s, at, bound);
}

/* Puts what of the block [begin, end) of the row comes before the bound, where there is one, else
 * all of it, behind the `held` elements of the result; how many there are then. */
static EchoValue *filter_block(const EchoSort *s, EchoValue *const *bound, EchoValue *begin,
                               EchoValue *end, EchoValue *held, EchoValue *is_bounded)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue **limit = echo_sort_values(emitter, s->n), **values = echo_sort_values(emitter, s->n);
  EchoValue *zero = echo_index_constant(base, 0);
  for (size_t i = 0; i < s->n; ++i)
    limit[i] = echo_memref_load(echo_kernel_builder(emitter), bound[i], &zero, 1);
  EchoValue *n = echo_index_sub(base, end, begin);
  EchoValue *inits[] = {held}, *carried[1], *results[1];
  EchoValue *step = echo_kernel_begin_carried_to(emitter, n, inits, 1, carried);
  base->builder = echo_kernel_builder(emitter);
  take_element(s, echo_index_add(base, begin, step), carried[0], values);
  EchoValue *is_before = is_before_or_null(s, values, limit);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *more = echo_index_add_constant(base, carried[0], 1), *taken = more;
  if (is_before != NULL)
    taken = echo_index_select(base, is_before, more, carried[0]);
  EchoValue *next[] = {echo_index_select(base, is_bounded, taken, more)};
  echo_kernel_end_carried(emitter, next, 1, results);
  base->builder = echo_kernel_builder(emitter);
  return results[0];
}

/* Sorts what is held where the next block may not fit behind it, and behind the last one: the last
 * of the first places is the bound then. */
static EchoValue *sort_held(EchoSort *s, int64_t first, EchoValue *end, EchoValue *const *bound)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  base->builder = echo_kernel_builder(emitter);
  EchoValue *is_full = echo_index_compare(base, ECHO_CMPI_SGT, s->count,
                                          echo_index_constant(base, s->capacity - ECHO_SORT_BLOCK));
  EchoValue *is_last =
      echo_index_compare(base, ECHO_CMPI_EQ, end, echo_index_constant(base, s->length));
  EchoValue *sorts = echo_arith_binary(base->builder, "arith.ori", is_full, is_last);
  echo_kernel_begin_if(emitter, sorts);
  base->builder = echo_kernel_builder(emitter);
  echo_sort_merge_counted(s);
  keep_bound(s, echo_index_constant(base, first - 1), bound);
  echo_kernel_end_if(emitter);
  base->builder = echo_kernel_builder(emitter);
  return sorts;
}

/* Goes through `n_blocks` blocks of the row; how many of the first places are held then. */
static EchoValue *gather_first(EchoSort *s, int64_t first, EchoValue *const *bound,
                               EchoValue *n_blocks, EchoValue *has_bound)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *inits[] = {echo_index_constant(base, 0), has_bound}, *carried[2], *results[2];
  EchoValue *block = echo_kernel_begin_carried_to(emitter, n_blocks, inits, 2, carried);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *zero = echo_index_constant(base, 0), *all = echo_index_constant(base, first);
  EchoValue *begin = echo_index_mul_constant(base, block, ECHO_SORT_BLOCK);
  EchoValue *end = echo_index_min(base, echo_index_add_constant(base, begin, ECHO_SORT_BLOCK),
                                  echo_index_constant(base, s->length));
  EchoValue *is_bounded = echo_index_compare(base, ECHO_CMPI_NE, carried[1], zero);
  s->count = filter_block(s, bound, begin, end, carried[0], is_bounded);
  EchoValue *sorts = emitter->failed ? is_bounded : sort_held(s, first, end, bound);
  EchoValue *kept = echo_index_min(base, s->count, all);
  EchoValue *next[] = {echo_index_select(base, sorts, kept, s->count),
                       echo_index_select(base, sorts, echo_index_constant(base, 1), carried[1])};
  echo_kernel_end_carried(emitter, next, 2, results);
  base->builder = echo_kernel_builder(emitter);
  return results[0];
}

/* With a bound that was found in a sample, and again without where fewer came before it. */
void echo_sort_select_first(EchoSort *s, int64_t first)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue **bound = echo_sort_values(emitter, s->n);
  const int64_t one = 1;
  for (size_t i = 0; i < s->n; ++i)
    bound[i] = echo_kernel_alloca(emitter, echo_kernel_output(emitter, i)->type->as.shaped.element,
                                  &one, 1);
  find_first_bound(s, first, bound);
  base->builder = echo_kernel_builder(emitter);
  int64_t n_blocks = (s->length + ECHO_SORT_BLOCK - 1) / ECHO_SORT_BLOCK,
          tries = has_sample(s, first) + 1;
  EchoValue *inits[] = {echo_index_constant(base, 0)}, *held[1], *results[1];
  EchoValue *again = echo_kernel_begin_carried(emitter, tries, inits, 1, held);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *zero = echo_index_constant(base, 0), *all = echo_index_constant(base, first);
  EchoValue *is_done = echo_index_compare(base, ECHO_CMPI_EQ, held[0], all);
  EchoValue *n = echo_index_select(base, is_done, zero, echo_index_constant(base, n_blocks));
  EchoValue *has_bound =
      has_sample(s, first) ? echo_index_sub(base, echo_index_constant(base, 1), again) : zero;
  EchoValue *found = gather_first(s, first, bound, n, has_bound);
  EchoValue *next[] = {echo_index_select(base, is_done, all, found)};
  echo_kernel_end_carried(emitter, next, 1, results);
}
