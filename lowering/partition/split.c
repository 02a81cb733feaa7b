/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Digits and places: made of shardings, kept once, asked for types. */
#include "lowering/partition/split_t.h"

#include <string.h>

#include "base/arena.h"
#include "dialects/stablehlo/build.h"

/* ---- digits ---- */

typedef ECHO_VECTOR(int64_t) Bounds; /* each divides the next */

/* Puts `bound` where it nests; false where it does not. */
static bool add_bound(Bounds *bounds, int64_t bound)
{
  size_t at = 0;
  while (at < bounds->size && bounds->data[at] < bound)
    at++;
  if (at < bounds->size && bounds->data[at] == bound)
    return true;
  if ((at > 0 && bound % bounds->data[at - 1] != 0) ||
      (at < bounds->size && bounds->data[at] % bound != 0))
    return false;
  echo_vector_push(bounds, bound);
  for (size_t i = bounds->size - 1; i > at; i--)
    bounds->data[i] = bounds->data[i - 1];
  bounds->data[at] = bound;
  return true;
}

static void add_cut(Bounds *bounds, const EchoCut *cut)
{
  for (size_t i = 0; i < cut->n_axes; i++)
    if (add_bound(bounds, cut->axes[i].stride))
      add_bound(bounds, cut->axes[i].stride * cut->axes[i].size);
}

void echo_splits_create(EchoSplits *splits, EchoArena *arena, int64_t n,
                        const EchoAttr *const *parts, size_t n_parts)
{
  Bounds bounds = {0};
  *splits = (EchoSplits){.arena = arena, .n_processes = n};
  add_bound(&bounds, 1);
  add_bound(&bounds, n);
  for (size_t i = 0; i < n_parts; i++)
    if (parts[i] != NULL) {
      const EchoCut cut = echo_parts_cut(parts[i]), sum = echo_parts_sum(parts[i]);
      add_cut(&bounds, &cut);
      add_cut(&bounds, &sum);
    }
  for (size_t i = bounds.size; i-- > 1;) {
    splits->digits[splits->n_digits].stride = bounds.data[i - 1];
    splits->digits[splits->n_digits++].size = bounds.data[i] / bounds.data[i - 1];
  }
  echo_vector_destroy(&bounds);
}

void echo_splits_forget(EchoSplits *splits)
{
  echo_map_clear(&splits->of_value);
  echo_map_clear(&splits->of_op);
  echo_map_clear(&splits->demands);
  echo_map_clear(&splits->either);
  echo_map_clear(&splits->computed);
  echo_map_clear(&splits->sums);
  splits->wants.size = 0;
}

void echo_splits_destroy(EchoSplits *splits)
{
  echo_map_destroy(&splits->kept);
  echo_map_destroy(&splits->of_value);
  echo_map_destroy(&splits->of_op);
  echo_map_destroy(&splits->demands);
  echo_map_destroy(&splits->either);
  echo_map_destroy(&splits->computed);
  echo_map_destroy(&splits->sums);
  echo_vector_destroy(&splits->unique);
  echo_vector_destroy(&splits->wants);
}

/* ---- splits ---- */

EchoSplit echo_split_none(void)
{
  EchoSplit none;
  memset(&none, 0, sizeof none); /* padding too: splits are compared by their bytes */
  none.combiner = ECHO_N_HLO_OPCODES;
  for (size_t a = 0; a < ECHO_MAX_CUT_AXES; a++)
    none.at[a].dim = ECHO_AT_NONE;
  return none;
}

EchoSplit echo_split_copy(const EchoSplit *split)
{
  return split != NULL ? *split : echo_split_none();
}

/* The one text of a split: nothing that nobody reads. */
static bool normalize(const EchoSplits *splits, const EchoSplit *split, EchoSplit *normal)
{
  bool any = false, has_sum = false;
  *normal = echo_split_none();
  for (size_t a = 0; a < splits->n_digits; a++) {
    normal->at[a].dim = split->at[a].dim;
    normal->at[a].span = echo_place_cuts(split->at[a]) ? split->at[a].span : 0;
    any |= split->at[a].dim != ECHO_AT_NONE;
    has_sum |= split->at[a].dim == ECHO_AT_SUM;
  }
  if (has_sum)
    normal->combiner = split->combiner;
  return any;
}

static bool is_same(const EchoSplits *splits, const EchoSplit *a, const EchoSplit *b)
{
  bool same = a->combiner == b->combiner;
  for (size_t i = 0; i < splits->n_digits; i++)
    same = same && echo_place_equal(a->at[i], b->at[i]);
  return same;
}

const EchoSplit *echo_split_keep(EchoSplits *splits, const EchoSplit *split)
{
  EchoSplit normal;
  if (!normalize(splits, split, &normal))
    return NULL;
  uint64_t hash = echo_hash_u64((uint64_t)normal.combiner);
  for (size_t a = 0; a < splits->n_digits; a++)
    hash = echo_hash_u64(hash ^ echo_hash_u64((uint64_t)normal.at[a].span << 8 | normal.at[a].dim));
  for (;; hash++) { /* the next free one where two meet */
    uint64_t index;
    if (!echo_map_get(&splits->kept, hash, &index))
      break;
    if (is_same(splits, splits->unique.data[index], &normal))
      return splits->unique.data[index];
  }
  EchoSplit *kept = ECHO_ARENA_ARRAY(splits->arena, EchoSplit, 1);
  *kept = normal;
  echo_map_set(&splits->kept, hash, splits->unique.size);
  echo_vector_push(&splits->unique, kept);
  return kept;
}

bool echo_split_has_room(const EchoSplits *splits, const EchoSplit *split, size_t digit,
                         EchoPlace place, int64_t size)
{
  int64_t end = place.span * splits->digits[digit].size;
  if (size % end != 0)
    return false;
  for (size_t a = 0; a < splits->n_digits; a++) {
    if (a == digit || split->at[a].dim != place.dim)
      continue;
    int64_t span = split->at[a].span, other_end = span * splits->digits[a].size;
    if (span % end != 0 && place.span % other_end != 0)
      return false;
  }
  return true;
}

const EchoSplit *echo_split_joined(EchoSplits *splits, const EchoSplit *own, const EchoSplit *given,
                                   const EchoType *type)
{
  EchoSplit both = echo_split_copy(own);
  for (size_t a = 0; given != NULL && a < splits->n_digits; a++)
    if (both.at[a].dim == ECHO_AT_NONE && echo_place_cuts(given->at[a]) &&
        echo_split_has_room(splits, &both, a, given->at[a], echo_type_dim(type, given->at[a].dim)))
      both.at[a] = given->at[a];
  return echo_split_keep(splits, &both);
}

const EchoSplit *echo_split_without_sums(EchoSplits *splits, const EchoSplit *split)
{
  if (!echo_split_has_sums(splits, split))
    return split;
  EchoSplit own = *split;
  for (size_t a = 0; a < splits->n_digits; a++)
    if (own.at[a].dim == ECHO_AT_SUM)
      own.at[a].dim = ECHO_AT_NONE;
  return echo_split_keep(splits, &own);
}

bool echo_split_has_sums(const EchoSplits *splits, const EchoSplit *split)
{
  for (size_t a = 0; split != NULL && a < splits->n_digits; a++)
    if (split->at[a].dim == ECHO_AT_SUM)
      return true;
  return false;
}

int64_t echo_split_n_parts(const EchoSplits *splits, const EchoSplit *split)
{
  int64_t n = 1;
  for (size_t a = 0; split != NULL && a < splits->n_digits; a++)
    n *= echo_place_cuts(split->at[a]) ? splits->digits[a].size : 1;
  return n;
}

const EchoType *echo_split_type(const EchoSplits *splits, EchoContext *ctx, const EchoType *whole,
                                const EchoSplit *split)
{
  int64_t dims[ECHO_MAX_RANK];
  if (split == NULL || !echo_type_is_tensor(whole))
    return whole;
  for (size_t d = 0; d < echo_type_rank(whole); d++)
    dims[d] = echo_type_dim(whole, d);
  for (size_t a = 0; a < splits->n_digits; a++)
    if (echo_place_cuts(split->at[a]))
      dims[split->at[a].dim] /= splits->digits[a].size;
  return echo_hlo_tensor(ctx, dims, echo_type_rank(whole), echo_type_element(whole));
}

/* ---- parts ---- */

/* The digits of an axis, the slowest first, go where `dim` is; *span is what stands below. */
static bool place_axis(const EchoSplits *splits, int64_t stride, int64_t size, uint8_t dim,
                       int64_t *span, EchoSplit *split)
{
  int64_t left = size;
  for (size_t a = splits->n_digits; a-- > 0;) {
    int64_t own = splits->digits[a].stride;
    if (own < stride || own >= stride * size)
      continue;
    if (own % stride != 0 || left % splits->digits[a].size != 0 || split->at[a].dim != ECHO_AT_NONE)
      return false;
    split->at[a] = (EchoPlace){.dim = dim, .span = *span};
    *span *= splits->digits[a].size;
    left /= splits->digits[a].size;
  }
  return left == 1;
}

bool echo_split_of_parts(EchoSplits *splits, const EchoAttr *parts, const EchoType *whole,
                         const EchoSplit **kept)
{
  EchoSplit split = echo_split_none();
  const EchoCut sum = echo_parts_sum(parts);
  size_t at = 0;
  for (size_t d = 0; d < echo_type_rank(whole); d++) {
    const EchoCut cut = echo_parts_next_cut(parts, &at);
    if (echo_type_dim(whole, d) % cut.n_parts != 0)
      return false;
    /* parts of nothing are told apart, too */
    int64_t span = echo_type_dim(whole, d) != 0 ? echo_type_dim(whole, d) / cut.n_parts : 1;
    for (size_t i = cut.n_axes; i-- > 0;)
      if (!place_axis(splits, cut.axes[i].stride, cut.axes[i].size, (uint8_t)d, &span, &split))
        return false;
  }
  for (size_t i = 0; i < sum.n_axes; i++) {
    int64_t span = 1;
    if (!place_axis(splits, sum.axes[i].stride, sum.axes[i].size, ECHO_AT_SUM, &span, &split))
      return false;
  }
  split.combiner = sum.n_parts != 1 ? ECHO_HLO_ADD : ECHO_N_HLO_OPCODES;
  *kept = echo_split_keep(splits, &split);
  return true;
}

/* The digit at dim `d` that picks next below `span`; n_digits: none. */
static size_t next_digit(const EchoSplits *splits, const EchoSplit *split, size_t d, int64_t below)
{
  size_t best = splits->n_digits;
  for (size_t a = 0; a < splits->n_digits; a++)
    if (split->at[a].dim == d && split->at[a].span < below &&
        (best == splits->n_digits || split->at[a].span > split->at[best].span))
      best = a;
  return best;
}

bool echo_split_is_plain(const EchoSplits *splits, const EchoSplit *split, const EchoType *whole)
{
  for (size_t d = 0; split != NULL && d < echo_type_rank(whole); d++) {
    int64_t below = echo_type_dim(whole, d);
    for (size_t a; (a = next_digit(splits, split, d, below)) != splits->n_digits;
         below = split->at[a].span)
      if (split->at[a].span * splits->digits[a].size != below)
        return false;
  }
  return true;
}

typedef ECHO_VECTOR(int64_t) Numbers;

/* An axis behind those that began at numbers[count]; one that follows the last makes it longer. */
static void add_axis(Numbers *numbers, size_t count, int64_t stride, int64_t size)
{
  size_t last = numbers->size - 2;
  int64_t *n = &numbers->data[count];
  if (*n != 0 && numbers->data[last] == stride * size) {
    numbers->data[last] = stride;
    numbers->data[last + 1] *= size;
    return;
  }
  *n += *n < 0 ? -1 : 1;
  echo_vector_push(numbers, stride);
  echo_vector_push(numbers, size);
}

const EchoAttr *echo_split_parts(const EchoSplits *splits, EchoContext *ctx, const EchoSplit *split,
                                 const EchoType *whole)
{
  Numbers numbers = {0};
  size_t end = 0; /* behind the last that is cut */
  for (size_t d = 0; split != NULL && d < echo_type_rank(whole); d++) {
    size_t count = numbers.size;
    int64_t below = echo_type_dim(whole, d) != 0 ? echo_type_dim(whole, d) : INT64_MAX;
    echo_vector_push(&numbers, 0);
    for (size_t a; (a = next_digit(splits, split, d, below)) != splits->n_digits;
         below = split->at[a].span)
      add_axis(&numbers, count, splits->digits[a].stride, splits->digits[a].size);
    end = numbers.data[count] != 0 ? numbers.size : end;
  }
  numbers.size = end;
  bool is_first = true;
  for (size_t a = 0; split != NULL && a < splits->n_digits; a++)
    if (split->at[a].dim == ECHO_AT_SUM) {
      if (is_first) {
        echo_vector_push(&numbers, -1);
        echo_vector_push(&numbers, splits->digits[a].stride);
        echo_vector_push(&numbers, splits->digits[a].size);
      } else {
        add_axis(&numbers, end, splits->digits[a].stride, splits->digits[a].size);
      }
      is_first = false;
    }
  const EchoAttr *parts = echo_attr_i64_array(ctx, numbers.data, numbers.size);
  echo_vector_destroy(&numbers);
  return parts;
}

/* ---- what was found ---- */

const EchoSplit *echo_split_of(const EchoSplits *splits, const EchoValue *value)
{
  return echo_map_get_ptr(&splits->of_value, value);
}

void echo_split_set(EchoSplits *splits, const EchoValue *value, const EchoSplit *split)
{
  if (split != NULL || echo_map_has(&splits->of_value, echo_key(value)))
    echo_map_set_ptr(&splits->of_value, value, split);
}

const EchoSplit *const *echo_wants_or_null(const EchoSplits *splits, const EchoOp *op)
{
  uint64_t index;
  return echo_map_get(&splits->of_op, echo_key(op), &index) ? splits->wants.data + index : NULL;
}

void echo_wants_set(EchoSplits *splits, const EchoOp *op, const EchoSplit *const *wants)
{
  uint64_t index;
  if (!echo_map_get(&splits->of_op, echo_key(op), &index)) {
    index = splits->wants.size;
    echo_map_set(&splits->of_op, echo_key(op), index);
    for (uint32_t i = 0; i < op->n_operands; i++)
      echo_vector_push(&splits->wants, NULL);
  }
  for (uint32_t i = 0; i < op->n_operands; i++)
    splits->wants.data[index + i] = wants[i];
}
