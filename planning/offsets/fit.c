/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Items one by one into holes. What is forbidden to an item's base is a set of intervals, one for
 * each placed item that shares time with it; sorted, the gaps between them are the holes.
 *
 * Who shares time with whom comes from a table when that is small, else from a tree over begins
 * that holds the latest end below each node. Where most items share time with most others, walking
 * all placed items in order of offset is faster than either and needs no sorting. */
#include "planning/offsets/problem_t.h"

#include "base/panic.h"

#include <stdlib.h>

#define MAX_TABLE_ENTRIES (UINT64_C(16) << 20)
#define CHUNK_ENTRIES 1024

typedef enum Method { METHOD_TABLE, METHOD_TREE, METHOD_SCAN } Method;

/* Bases in (low, high) overlap something. */
typedef struct Forbidden {
  int64_t low, high;
} Forbidden;

/* A placed rectangle, for METHOD_SCAN. */
typedef struct Placed {
  uint64_t low, high;
  uint32_t begin, end;
} Placed;

typedef struct Chunk {
  uint32_t n;
  Placed entries[CHUNK_ENTRIES]; /* by rising low */
} Chunk;

struct EchoOffsetFitter {
  const EchoOffsetProblem *problem;
  Method method;
  uint64_t n_pairs; /* ordered pairs that share time */
  bool *is_placed;
  uint64_t *bases; /* of the plan being made */
  Forbidden *forbidden, *merge_space;
  size_t n_forbidden, forbidden_capacity;
  /* METHOD_TABLE: neighbours of i are neighbors[first_neighbor[i] .. first_neighbor[i + 1]) */
  uint64_t *first_neighbor;
  uint32_t *neighbors;
  /* METHOD_TREE: items by begin; latest[node] is the latest end of a placed item below a heap node
   */
  uint32_t *by_begin, *leaf_of, *latest;
  uint32_t n_leaves;
  /* METHOD_SCAN */
  ECHO_VECTOR(Chunk *) chunks;
};

typedef struct SortKey {
  double key;
  uint64_t size;
  uint32_t begin, item;
  bool is_fixed;
} SortKey;

static int compare_sort_keys(const void *a, const void *b)
{
  const SortKey *x = a, *y = b;
  if (x->is_fixed != y->is_fixed)
    return x->is_fixed ? -1 : 1;
  if (x->key != y->key)
    return x->key > y->key ? -1 : 1;
  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return (x->item > y->item) - (x->item < y->item);
}

void echo_offset_order(const EchoOffsetProblem *problem, EchoOffsetOrder key, uint32_t *order)
{
  EchoArena scratch = {0};
  SortKey *keys = ECHO_ARENA_ARRAY(&scratch, SortKey, (size_t)problem->n_items + 1);
  for (uint32_t i = 0; i < problem->n_items; i++) {
    const EchoOffsetItem *item = &problem->items[i];
    double lifetime = item->end - item->begin;
    double value = key == ECHO_ORDER_SIZE       ? (double)item->size
                   : key == ECHO_ORDER_AREA     ? (double)item->size * lifetime
                   : key == ECHO_ORDER_LIFETIME ? lifetime
                                                : -(double)item->begin;
    keys[i] = (SortKey){value, item->size, item->begin, i, item->fixed_offset != ECHO_OFFSET_FREE};
  }
  qsort(keys, problem->n_items, sizeof *keys, compare_sort_keys);
  for (uint32_t k = 0; k < problem->n_items; k++)
    order[k] = keys[k].item;
  echo_arena_destroy(&scratch);
}

static int compare_begins(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Items sorted by begin, and how many pairs share time by their hulls. */
static void sort_by_begin(EchoOffsetFitter *fitter, EchoArena *arena)
{
  const EchoOffsetProblem *problem = fitter->problem;
  uint32_t n = problem->n_items, n_sections = problem->n_sections;
  fitter->by_begin = ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)n + 1);
  EchoArena scratch = {0};
  uint64_t *keys = ECHO_ARENA_ARRAY(&scratch, uint64_t, (size_t)n + 1);
  uint64_t *begun = ECHO_ARENA_ARRAY(&scratch, uint64_t, (size_t)n_sections + 2);
  uint64_t *ended = ECHO_ARENA_ARRAY(&scratch, uint64_t, (size_t)n_sections + 2);
  for (uint32_t s = 0; s <= n_sections + 1; s++)
    begun[s] = ended[s] = 0;
  for (uint32_t i = 0; i < n; i++) {
    keys[i] = (uint64_t)problem->items[i].begin << 32 | i;
    begun[problem->items[i].begin + 1]++;
    ended[problem->items[i].end]++;
  }
  qsort(keys, n, sizeof *keys, compare_begins);
  for (uint32_t k = 0; k < n; k++)
    fitter->by_begin[k] = (uint32_t)keys[k];
  for (uint32_t s = 1; s <= n_sections + 1; s++) { /* begun before s; ended at or before s */
    begun[s] += begun[s - 1];
    ended[s] += ended[s - 1];
  }
  for (uint32_t i = 0; i < n; i++)
    fitter->n_pairs += begun[problem->items[i].end] - ended[problem->items[i].begin] - 1;
  echo_arena_destroy(&scratch);
}

static void build_table(EchoOffsetFitter *fitter, EchoArena *arena)
{
  const EchoOffsetProblem *problem = fitter->problem;
  uint32_t n = problem->n_items;
  uint64_t *first = fitter->first_neighbor = ECHO_ARENA_ARRAY(arena, uint64_t, (size_t)n + 2);
  fitter->neighbors = ECHO_ARENA_ARRAY(arena, uint32_t, fitter->n_pairs + 1);
  for (uint32_t i = 0; i <= n + 1; i++)
    first[i] = 0;
  for (int round = 0; round < 2; round++) {
    for (uint32_t k = 0; k < n; k++) {
      uint32_t i = fitter->by_begin[k];
      for (uint32_t m = k + 1; m < n; m++) {
        uint32_t j = fitter->by_begin[m];
        if (problem->items[j].begin >= problem->items[i].end)
          break;
        if (round == 0) {
          first[i + 2]++;
          first[j + 2]++;
        } else {
          fitter->neighbors[first[i + 1]++] = j;
          fitter->neighbors[first[j + 1]++] = i;
        }
      }
    }
    for (uint32_t i = 1; round == 0 && i <= n + 1; i++)
      first[i] += first[i - 1];
  }
}

static void build_tree(EchoOffsetFitter *fitter, EchoArena *arena)
{
  uint32_t n = fitter->problem->n_items;
  fitter->n_leaves = 1;
  while (fitter->n_leaves < n)
    fitter->n_leaves *= 2;
  fitter->latest = ECHO_ARENA_ARRAY(arena, uint32_t, 2 * (size_t)fitter->n_leaves);
  fitter->leaf_of = ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)n + 1);
  for (uint32_t k = 0; k < n; k++)
    fitter->leaf_of[fitter->by_begin[k]] = fitter->n_leaves + k;
}

EchoOffsetFitter *echo_offset_fitter_create(const EchoOffsetProblem *problem, EchoArena *arena)
{
  EchoOffsetFitter *fitter = ECHO_ARENA_NEW(arena, EchoOffsetFitter);
  *fitter = (EchoOffsetFitter){.problem = problem};
  fitter->is_placed = ECHO_ARENA_ARRAY(arena, bool, (size_t)problem->n_items + 1);
  sort_by_begin(fitter, arena);
  bool is_rectangular = true;
  for (uint32_t i = 0; i < problem->n_items; i++)
    is_rectangular = is_rectangular && problem->items[i].n_segments == 1 &&
                     problem->segments[problem->items[i].first_segment].low == 0;
  uint64_t n = problem->n_items;
  if (fitter->n_pairs <= MAX_TABLE_ENTRIES) {
    fitter->method = METHOD_TABLE;
    build_table(fitter, arena);
  } else if (!is_rectangular || fitter->n_pairs < n * n / 64) {
    fitter->method = METHOD_TREE;
    build_tree(fitter, arena);
  } else {
    fitter->method = METHOD_SCAN;
  }
  return fitter;
}

static void clear_chunks(EchoOffsetFitter *fitter)
{
  for (size_t c = 0; c < fitter->chunks.size; c++)
    echo_free(fitter->chunks.data[c]);
  echo_vector_clear(&fitter->chunks);
}

void echo_offset_fitter_destroy(EchoOffsetFitter *fitter)
{
  clear_chunks(fitter);
  echo_vector_destroy(&fitter->chunks);
  echo_free(fitter->forbidden);
  echo_free(fitter->merge_space);
  fitter->forbidden = fitter->merge_space = NULL;
}

uint64_t echo_offset_fit_work(const EchoOffsetFitter *fitter)
{
  uint64_t n = fitter->problem->n_items;
  if (fitter->method == METHOD_SCAN)
    return n * n / 2;
  return 20 * n + (fitter->method == METHOD_TABLE ? 4 : 16) * fitter->n_pairs;
}

static void forbid(EchoOffsetFitter *fitter, const EchoOffsetItem *item, uint32_t j)
{
  const EchoOffsetProblem *problem = fitter->problem;
  const EchoOffsetItem *other = &problem->items[j];
  int64_t base = (int64_t)fitter->bases[j];
  if (fitter->n_forbidden + (size_t)item->n_segments * other->n_segments >
      fitter->forbidden_capacity) {
    size_t needed = fitter->n_forbidden + (size_t)item->n_segments * other->n_segments;
    fitter->forbidden = echo_vector_grow(fitter->forbidden, &fitter->forbidden_capacity, needed,
                                         sizeof *fitter->forbidden);
    fitter->merge_space = echo_realloc_array(fitter->merge_space, fitter->forbidden_capacity,
                                             sizeof *fitter->merge_space);
  }
  /* Both lists are in order of time: walk them together. */
  for (uint32_t a = 0, b = 0; a < item->n_segments && b < other->n_segments;) {
    const EchoOffsetSegment *mine = &problem->segments[item->first_segment + a];
    const EchoOffsetSegment *its = &problem->segments[other->first_segment + b];
    if (mine->begin < its->end && its->begin < mine->end)
      fitter->forbidden[fitter->n_forbidden++] =
          (Forbidden){base + (int64_t)its->low - (int64_t)mine->high,
                      base + (int64_t)its->high - (int64_t)mine->low};
    if (mine->end <= its->end)
      a++;
    else
      b++;
  }
}

static void forbid_below(EchoOffsetFitter *fitter, const EchoOffsetItem *item, uint32_t node)
{
  if (fitter->latest[node] <= item->begin)
    return;
  if (node >= fitter->n_leaves) {
    uint32_t j = fitter->by_begin[node - fitter->n_leaves];
    if (fitter->problem->items[j].begin < item->end)
      forbid(fitter, item, j);
    return;
  }
  forbid_below(fitter, item, 2 * node);
  uint32_t first = 2 * node + 1; /* begins rise from left to right: stop at the item's end */
  while (first < fitter->n_leaves)
    first *= 2;
  first -= fitter->n_leaves;
  if (first < fitter->problem->n_items &&
      fitter->problem->items[fitter->by_begin[first]].begin < item->end)
    forbid_below(fitter, item, 2 * node + 1);
}

static void collect_forbidden(EchoOffsetFitter *fitter, uint32_t i)
{
  const EchoOffsetItem *item = &fitter->problem->items[i];
  fitter->n_forbidden = 0;
  if (fitter->method == METHOD_TREE) {
    forbid_below(fitter, item, 1);
    return;
  }
  for (uint64_t k = fitter->first_neighbor[i]; k < fitter->first_neighbor[i + 1]; k++)
    if (fitter->is_placed[fitter->neighbors[k]])
      forbid(fitter, item, fitter->neighbors[k]);
}

/* Merge sort by low, runs of 12 by insertion. */
static void sort_forbidden(EchoOffsetFitter *fitter)
{
  Forbidden *from = fitter->forbidden, *to = fitter->merge_space;
  size_t n = fitter->n_forbidden;
  for (size_t begin = 0; begin < n; begin += 12) {
    size_t end = begin + 12 < n ? begin + 12 : n;
    for (size_t i = begin + 1; i < end; i++) {
      Forbidden moved = from[i];
      size_t k = i;
      for (; k > begin && from[k - 1].low > moved.low; k--)
        from[k] = from[k - 1];
      from[k] = moved;
    }
  }
  for (size_t width = 12; width < n; width *= 2) {
    for (size_t begin = 0; begin < n; begin += 2 * width) {
      size_t middle = begin + width < n ? begin + width : n;
      size_t end = begin + 2 * width < n ? begin + 2 * width : n;
      for (size_t a = begin, b = middle, out = begin; out < end; out++)
        to[out] = b == end || (a < middle && from[a].low <= from[b].low) ? from[a++] : from[b++];
    }
    Forbidden *swap = from;
    from = to;
    to = swap;
  }
  fitter->forbidden = from;
  fitter->merge_space = to;
}

/* The holes seen so far, from below. */
typedef struct HoleSearch {
  EchoOffsetFit fit;
  uint64_t alignment;
  int64_t floor; /* the lowest base not yet ruled out */
  int64_t best_base, best_rest;
  bool is_found, is_done;
} HoleSearch;

static void pass_forbidden(HoleSearch *holes, int64_t low, int64_t high)
{
  int64_t base = (int64_t)echo_align_up((uint64_t)holes->floor, holes->alignment);
  if (base <= low && (!holes->is_found || low - base < holes->best_rest)) {
    holes->is_found = true;
    holes->best_base = base;
    holes->best_rest = low - base;
    holes->is_done = holes->fit == ECHO_FIT_FIRST || holes->best_rest == 0;
  }
  if (high > holes->floor)
    holes->floor = high;
}

static uint64_t chosen_base(const HoleSearch *holes)
{
  if (holes->is_found)
    return (uint64_t)holes->best_base;
  return echo_align_up((uint64_t)holes->floor, holes->alignment);
}

static void scan_placed(const EchoOffsetFitter *fitter, const EchoOffsetItem *item,
                        HoleSearch *holes)
{
  for (size_t c = 0; c < fitter->chunks.size && !holes->is_done; c++) {
    const Chunk *chunk = fitter->chunks.data[c];
    for (uint32_t k = 0; k < chunk->n && !holes->is_done; k++) {
      const Placed *placed = &chunk->entries[k];
      if (placed->begin < item->end && item->begin < placed->end)
        pass_forbidden(holes, (int64_t)placed->low - (int64_t)item->size, (int64_t)placed->high);
    }
  }
}

static void insert_placed(EchoOffsetFitter *fitter, Placed placed)
{
  size_t c = 0;
  if (fitter->chunks.size == 0) {
    Chunk *chunk = echo_alloc(sizeof *chunk);
    chunk->n = 0;
    echo_vector_push(&fitter->chunks, chunk);
  }
  while (c + 1 < fitter->chunks.size && fitter->chunks.data[c + 1]->entries[0].low <= placed.low)
    c++;
  Chunk *chunk = fitter->chunks.data[c];
  if (chunk->n == CHUNK_ENTRIES) {
    Chunk *upper = echo_alloc(sizeof *upper);
    upper->n = chunk->n = CHUNK_ENTRIES / 2;
    memcpy(upper->entries, chunk->entries + chunk->n, upper->n * sizeof *upper->entries);
    echo_vector_push(&fitter->chunks, upper);
    for (size_t k = fitter->chunks.size - 1; k > c + 1; k--)
      fitter->chunks.data[k] = fitter->chunks.data[k - 1];
    fitter->chunks.data[c + 1] = upper;
    if (upper->entries[0].low <= placed.low)
      chunk = upper;
  }
  uint32_t k = chunk->n++;
  for (; k > 0 && chunk->entries[k - 1].low > placed.low; k--)
    chunk->entries[k] = chunk->entries[k - 1];
  chunk->entries[k] = placed;
}

static void note_placed(EchoOffsetFitter *fitter, uint32_t i)
{
  const EchoOffsetItem *item = &fitter->problem->items[i];
  fitter->is_placed[i] = true;
  if (fitter->method == METHOD_SCAN) {
    uint64_t base = fitter->bases[i];
    insert_placed(fitter, (Placed){base, base + item->size, item->begin, item->end});
  } else if (fitter->method == METHOD_TREE) {
    for (uint32_t node = fitter->leaf_of[i]; node >= 1 && fitter->latest[node] < item->end;
         node /= 2)
      fitter->latest[node] = item->end;
  }
}

/* False when the item is fixed and its place is taken. */
static bool place_item(EchoOffsetFitter *fitter, uint32_t i, EchoOffsetFit fit)
{
  const EchoOffsetItem *item = &fitter->problem->items[i];
  HoleSearch holes = {.fit = fit, .alignment = item->alignment};
  if (item->fixed_offset != ECHO_OFFSET_FREE && fitter->method == METHOD_SCAN) {
    for (size_t c = 0; c < fitter->chunks.size; c++)
      for (uint32_t k = 0; k < fitter->chunks.data[c]->n; k++) {
        const Placed *other = &fitter->chunks.data[c]->entries[k];
        if (other->begin < item->end && item->begin < other->end &&
            other->low < item->fixed_offset + item->size && item->fixed_offset < other->high)
          return false;
      }
    fitter->bases[i] = item->fixed_offset;
  } else if (item->fixed_offset != ECHO_OFFSET_FREE) {
    collect_forbidden(fitter, i);
    for (size_t k = 0; k < fitter->n_forbidden; k++)
      if (fitter->forbidden[k].low < (int64_t)item->fixed_offset &&
          (int64_t)item->fixed_offset < fitter->forbidden[k].high)
        return false;
    fitter->bases[i] = item->fixed_offset;
  } else if (fitter->method == METHOD_SCAN) {
    scan_placed(fitter, item, &holes);
    fitter->bases[i] = chosen_base(&holes);
  } else {
    collect_forbidden(fitter, i);
    sort_forbidden(fitter);
    for (size_t k = 0; k < fitter->n_forbidden && !holes.is_done; k++)
      pass_forbidden(&holes, fitter->forbidden[k].low, fitter->forbidden[k].high);
    fitter->bases[i] = chosen_base(&holes);
  }
  note_placed(fitter, i);
  return true;
}

bool echo_offset_fit(EchoOffsetFitter *fitter, const uint32_t *order, EchoOffsetFit fit,
                     EchoOffsetPlan *plan)
{
  const EchoOffsetProblem *problem = fitter->problem;
  fitter->bases = plan->bases;
  plan->height = 0;
  memset(fitter->is_placed, 0, problem->n_items * sizeof *fitter->is_placed);
  if (fitter->method == METHOD_TREE)
    memset(fitter->latest, 0, 2 * (size_t)fitter->n_leaves * sizeof *fitter->latest);
  clear_chunks(fitter);
  for (uint32_t k = 0; k < problem->n_items; k++) {
    uint32_t i = order[k];
    if (!place_item(fitter, i, fit))
      return false;
    uint64_t top = plan->bases[i] + problem->items[i].size;
    plan->height = top > plan->height ? top : plan->height;
  }
  return true;
}
