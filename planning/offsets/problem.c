/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From blocks as given to items in compressed time. */
#include "planning/offsets/problem_t.h"

#include "base/map.h"
#include "base/panic.h"
#include "base/search.h"

#include <inttypes.h>
#include <stdlib.h>

#define NO_ITEM UINT32_MAX
/* Sizes, rounded to their alignment, sum to less than this, so no height can overflow. */
#define MAX_TOTAL (UINT64_C(1) << 62)

/* A block's stay in one stretch of time, in time units first and in sections later. */
typedef struct Piece {
  uint32_t item;
  int64_t lower, upper;
  uint32_t begin, end;
  uint64_t low, high; /* above the item's base; not rounded */
} Piece;

typedef ECHO_VECTOR(Piece) Pieces;

static uint64_t block_alignment(const EchoOffsetBlock *block)
{
  return block->alignment == 0 ? 1 : block->alignment;
}

static bool check_block(const EchoOffsetBlock *block, size_t index, int64_t period,
                        EchoBuffer *error)
{
  uint64_t alignment = block_alignment(block);
  const char *problem = NULL;
  if (period == 0 && block->lower > block->upper)
    problem = "its lifetime ends before it begins";
  else if (period != 0 &&
           (block->lower < 0 || block->upper < 0 || block->lower > period || block->upper > period))
    problem = "its lifetime lies outside the period";
  else if ((alignment & (alignment - 1)) != 0)
    problem = "its alignment is not a power of two";
  else if (block->size_bytes >= MAX_TOTAL || alignment >= MAX_TOTAL)
    problem = "its size or alignment is too large";
  else if (block->alias_group == 0 && block->alias_offset_bytes != 0)
    problem = "it has an offset in an alias group but no group";
  else if (block->alias_offset_bytes >= MAX_TOTAL || block->alias_offset_bytes % alignment != 0)
    problem = "its offset in its alias group is not aligned";
  else if (block->fixed_offset != ECHO_OFFSET_FREE &&
           (block->fixed_offset >= MAX_TOTAL || block->fixed_offset % alignment != 0 ||
            block->fixed_offset < block->alias_offset_bytes))
    problem = "its fixed offset is not aligned or out of range";
  if (problem != NULL)
    echo_buffer_printf(error, "block %zu: %s", index, problem);
  return problem == NULL;
}

static void add_piece(Pieces *pieces, uint32_t item, int64_t lower, int64_t upper,
                      const EchoOffsetBlock *block)
{
  if (lower < upper)
    echo_vector_push(pieces, (Piece){.item = item,
                                     .lower = lower,
                                     .upper = upper,
                                     .low = block->alias_offset_bytes,
                                     .high = block->alias_offset_bytes + block->size_bytes});
}

static bool takes_room(const EchoOffsetBlock *block, int64_t period)
{
  return block->size_bytes > 0 && (block->lower < block->upper || period != 0);
}

/* One item a block or group; the members of a group must agree on its base. */
static bool make_items(EchoOffsetProblem *problem, const EchoOffsetBlock *blocks, int64_t period,
                       Pieces *pieces, EchoBuffer *error)
{
  EchoMap groups = {0};
  bool fine = true;
  uint64_t total = 0;
  problem->grain = 0;
  problem->max_alignment = 1;
  for (size_t b = 0; b < problem->n_blocks && fine; b++) {
    const EchoOffsetBlock *block = &blocks[b];
    problem->item_of_block[b] = NO_ITEM;
    fine = check_block(block, b, period, error);
    if (!fine || !takes_room(block, period))
      continue;
    uint64_t alignment = block_alignment(block);
    uint64_t base = block->fixed_offset == ECHO_OFFSET_FREE
                        ? ECHO_OFFSET_FREE
                        : block->fixed_offset - block->alias_offset_bytes;
    uint64_t known = NO_ITEM;
    if (block->alias_group == 0 || !echo_map_get(&groups, block->alias_group, &known)) {
      known = problem->n_items++;
      problem->items[known] = (EchoOffsetItem){.alignment = alignment, .fixed_offset = base};
      if (block->alias_group != 0)
        echo_map_set(&groups, block->alias_group, known);
    }
    EchoOffsetItem *item = &problem->items[known];
    if (base != ECHO_OFFSET_FREE && item->fixed_offset != ECHO_OFFSET_FREE &&
        base != item->fixed_offset) {
      echo_buffer_printf(error, "block %zu: its alias group already has a base at %" PRIu64, b,
                         item->fixed_offset);
      fine = false;
    }
    if (base != ECHO_OFFSET_FREE)
      item->fixed_offset = base;
    if (alignment > item->alignment)
      item->alignment = alignment;
    if (problem->grain == 0 || alignment < problem->grain)
      problem->grain = alignment;
    if (alignment > problem->max_alignment)
      problem->max_alignment = alignment;
    if (!echo_add_u64(total, block->alias_offset_bytes + block->size_bytes + alignment, &total) ||
        total >= MAX_TOTAL) {
      echo_buffer_printf(error, "block %zu: the sizes up to here sum to 2^62 bytes or more", b);
      fine = false;
    }
    problem->item_of_block[b] = (uint32_t)known;
    if (block->lower < block->upper) {
      add_piece(pieces, (uint32_t)known, block->lower, block->upper, block);
    } else {
      add_piece(pieces, (uint32_t)known, 0, block->upper, block);
      add_piece(pieces, (uint32_t)known, block->lower, period, block);
    }
  }
  if (problem->grain == 0)
    problem->grain = 1;
  echo_map_destroy(&groups);
  for (uint32_t i = 0; i < problem->n_items && fine; i++) {
    EchoOffsetItem *item = &problem->items[i];
    if (item->fixed_offset != ECHO_OFFSET_FREE && item->fixed_offset % item->alignment != 0) {
      echo_buffer_printf(error,
                         "an alias group's fixed base %" PRIu64 " is not aligned to %" PRIu64,
                         item->fixed_offset, item->alignment);
      fine = false;
    }
  }
  return fine;
}

static int compare_times(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static void compress_time(EchoOffsetProblem *problem, Pieces *pieces)
{
  EchoArenaMark mark = echo_arena_mark(&problem->arena);
  int64_t *times = ECHO_ARENA_ARRAY(&problem->arena, int64_t, 2 * pieces->size + 1);
  size_t n = 0;
  for (size_t i = 0; i < pieces->size; i++) {
    times[n++] = pieces->data[i].lower;
    times[n++] = pieces->data[i].upper;
  }
  qsort(times, n, sizeof *times, compare_times);
  uint32_t n_times = 0;
  for (size_t i = 0; i < n; i++)
    if (i == 0 || times[i] != times[n_times - 1])
      times[n_times++] = times[i];
  for (size_t i = 0; i < pieces->size; i++) {
    pieces->data[i].begin = echo_lower_bound_i64(times, n_times, pieces->data[i].lower);
    pieces->data[i].end = echo_lower_bound_i64(times, n_times, pieces->data[i].upper);
  }
  problem->n_sections = n_times == 0 ? 0 : n_times - 1;
  echo_arena_reset(&problem->arena, mark);
}

static int compare_pieces(const void *a, const void *b)
{
  const Piece *x = a, *y = b;
  if (x->item != y->item)
    return x->item < y->item ? -1 : 1;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return (x->end > y->end) - (x->end < y->end);
}

/* A value over a range of cells, and the painting of ranges so that each cell ends with its largest
 * value. */
typedef struct Stroke {
  uint32_t begin, end;
  uint64_t value;
} Stroke;

static int compare_strokes(const void *a, const void *b)
{
  const Stroke *x = a, *y = b;
  if (x->value != y->value)
    return x->value > y->value ? -1 : 1;
  return (x->begin > y->begin) - (x->begin < y->begin);
}

/* cells[c] = largest value of a stroke over c, 0 where there is none. `next` is scratch for n_cells
 * + 1. */
static void paint_largest(Stroke *strokes, size_t n_strokes, uint64_t *cells, uint32_t *next,
                          uint32_t n_cells)
{
  qsort(strokes, n_strokes, sizeof *strokes, compare_strokes);
  for (uint32_t c = 0; c <= n_cells; c++)
    next[c] = c;
  for (uint32_t c = 0; c < n_cells; c++)
    cells[c] = 0;
  for (size_t s = 0; s < n_strokes; s++) {
    uint32_t c = strokes[s].begin;
    while (c < strokes[s].end) {
      uint32_t bare = c;
      while (next[bare] != bare)
        bare = next[bare] = next[next[bare]];
      if (bare < strokes[s].end) {
        cells[bare] = strokes[s].value;
        next[bare] = bare + 1;
      }
      c = bare + 1;
    }
  }
}

static void add_segment(EchoOffsetProblem *problem, EchoOffsetItem *item, uint32_t begin,
                        uint32_t end, uint64_t low, uint64_t high, uint64_t *raw_change,
                        Stroke *pads)
{
  EchoOffsetSegment *last =
      item->n_segments > 0 ? &problem->segments[problem->n_segments - 1] : NULL;
  raw_change[begin] += high - low;
  raw_change[end] -= high - low;
  uint64_t rounded = echo_align_up(high, problem->grain);
  item->top = high > item->top ? high : item->top;
  pads[problem->n_segments] = (Stroke){begin, end, rounded - high};
  if (last != NULL && last->end == begin && last->low == low && last->high == rounded &&
      pads[problem->n_segments - 1].value == rounded - high) {
    last->end = end;
    pads[problem->n_segments - 1].end = end;
  } else {
    problem->segments[problem->n_segments++] = (EchoOffsetSegment){begin, end, low, rounded};
    item->n_segments++;
  }
  item->end = end;
  if (rounded > item->size)
    item->size = rounded;
}

/* The hull of overlapping pieces of one item, cell by cell between their ends. */
static void merge_pieces(EchoOffsetProblem *problem, EchoOffsetItem *item, const Piece *pieces,
                         size_t n, uint64_t *raw_change, Stroke *pads)
{
  EchoArena scratch = {0};
  int64_t *ends = ECHO_ARENA_ARRAY(&scratch, int64_t, 2 * n);
  uint32_t n_ends = 0;
  for (size_t i = 0; i < n; i++) {
    ends[2 * i] = pieces[i].begin;
    ends[2 * i + 1] = pieces[i].end;
  }
  qsort(ends, 2 * n, sizeof *ends, compare_times);
  for (size_t i = 0; i < 2 * n; i++)
    if (i == 0 || ends[i] != ends[n_ends - 1])
      ends[n_ends++] = ends[i];
  uint32_t n_cells = n_ends - 1;
  Stroke *highs = ECHO_ARENA_ARRAY(&scratch, Stroke, n),
         *lows = ECHO_ARENA_ARRAY(&scratch, Stroke, n);
  uint64_t *high = ECHO_ARENA_ARRAY(&scratch, uint64_t, n_cells);
  uint64_t *low = ECHO_ARENA_ARRAY(&scratch, uint64_t, n_cells);
  uint32_t *next = ECHO_ARENA_ARRAY(&scratch, uint32_t, n_ends);
  for (size_t i = 0; i < n; i++) {
    uint32_t begin = echo_lower_bound_i64(ends, n_ends, pieces[i].begin);
    uint32_t end = echo_lower_bound_i64(ends, n_ends, pieces[i].end);
    highs[i] = (Stroke){begin, end, pieces[i].high};
    lows[i] = (Stroke){begin, end, MAX_TOTAL - pieces[i].low};
  }
  paint_largest(highs, n, high, next, n_cells);
  paint_largest(lows, n, low, next, n_cells);
  for (uint32_t c = 0; c < n_cells; c++)
    if (high[c] != 0)
      add_segment(problem, item, (uint32_t)ends[c], (uint32_t)ends[c + 1], MAX_TOTAL - low[c],
                  high[c], raw_change, pads);
  echo_arena_destroy(&scratch);
}

static void make_segments(EchoOffsetProblem *problem, Pieces *pieces, uint64_t *raw_change,
                          Stroke *pads)
{
  if (pieces->size > 0)
    qsort(pieces->data, pieces->size, sizeof *pieces->data, compare_pieces);
  for (size_t i = 0, end; i < pieces->size; i = end) {
    const Piece *piece = &pieces->data[i];
    EchoOffsetItem *item = &problem->items[piece->item];
    int64_t upper = piece->upper;
    for (end = i + 1; end < pieces->size && pieces->data[end].item == piece->item; end++)
      upper = pieces->data[end].upper > upper ? pieces->data[end].upper : upper;
    item->lifetime = (uint64_t)upper - (uint64_t)piece->lower;
    item->first_segment = problem->n_segments;
    item->begin = piece->begin;
    if (end - i == 1)
      add_segment(problem, item, piece->begin, piece->end, piece->low, piece->high, raw_change,
                  pads);
    else
      merge_pieces(problem, item, piece, end - i, raw_change, pads);
  }
}

/* At any time all live items but the topmost take their sizes rounded to the grain, so no plan is
 * lower than the rounded load less the largest pad. */
static void make_bounds(EchoOffsetProblem *problem, const EchoOffsetBlock *blocks,
                        const uint64_t *raw_change, Stroke *pads)
{
  uint32_t n = problem->n_sections;
  uint64_t *pad = ECHO_ARENA_ARRAY(&problem->arena, uint64_t, (size_t)n + 1);
  uint32_t *next = ECHO_ARENA_ARRAY(&problem->arena, uint32_t, (size_t)n + 1);
  paint_largest(pads, problem->n_segments, pad, next, n);
  problem->section_load = ECHO_ARENA_ARRAY(&problem->arena, uint64_t, (size_t)n + 1);
  for (uint32_t s = 0; s <= n; s++)
    problem->section_load[s] = 0;
  for (uint32_t i = 0; i < problem->n_segments; i++) {
    const EchoOffsetSegment *segment = &problem->segments[i];
    problem->section_load[segment->begin] += segment->high - segment->low;
    problem->section_load[segment->end] -= segment->high - segment->low;
  }
  uint64_t raw = 0, rounded = 0;
  for (uint32_t s = 0; s < n; s++) {
    raw += raw_change[s];
    rounded += problem->section_load[s];
    problem->section_load[s] = rounded;
    if (raw > problem->load_bytes)
      problem->load_bytes = raw;
    if (rounded > problem->rounded_bound)
      problem->rounded_bound = rounded;
    if (rounded - pad[s] > problem->bound_bytes)
      problem->bound_bytes = rounded - pad[s];
  }
  if (problem->load_bytes > problem->bound_bytes)
    problem->bound_bytes = problem->load_bytes;
  for (size_t b = 0; b < problem->n_blocks; b++) {
    if (problem->item_of_block[b] == NO_ITEM)
      continue;
    /* A block cannot end below its own place: where it is fixed, or where its group puts it. */
    uint64_t place = blocks[b].fixed_offset != ECHO_OFFSET_FREE ? blocks[b].fixed_offset
                                                                : blocks[b].alias_offset_bytes;
    if (place + blocks[b].size_bytes > problem->bound_bytes)
      problem->bound_bytes = place + blocks[b].size_bytes;
  }
  for (uint32_t i = 0; i < problem->n_items; i++) {
    const EchoOffsetItem *item = &problem->items[i];
    uint64_t place = item->fixed_offset == ECHO_OFFSET_FREE ? 0 : item->fixed_offset;
    if (place + item->size > problem->rounded_bound)
      problem->rounded_bound = place + item->size;
  }
}

static void classify(EchoOffsetProblem *problem)
{
  problem->is_plain = problem->is_flat = true;
  for (uint32_t k = 0; k < problem->n_segments; k++)
    problem->is_flat = problem->is_flat && problem->segments[k].low == 0;
  for (uint32_t i = 0; i < problem->n_items; i++) {
    const EchoOffsetItem *item = &problem->items[i];
    if (item->fixed_offset != ECHO_OFFSET_FREE)
      problem->has_fixed = true;
    if (item->n_segments != 1 || problem->segments[item->first_segment].low != 0)
      problem->is_plain = false;
  }
  if (problem->has_fixed)
    problem->is_plain = false;
}

bool echo_offset_problem_create(EchoOffsetProblem *problem, const EchoOffsetBlock *blocks,
                                size_t n_blocks, int64_t period, EchoBuffer *error)
{
  ECHO_CHECK(n_blocks < UINT32_MAX / 8, "%zu blocks are too many", n_blocks);
  ECHO_CHECK(period >= 0, "a negative period");
  *problem = (EchoOffsetProblem){.n_blocks = (uint32_t)n_blocks};
  problem->items = ECHO_ARENA_ARRAY(&problem->arena, EchoOffsetItem, n_blocks + 1);
  problem->item_of_block = ECHO_ARENA_ARRAY(&problem->arena, uint32_t, n_blocks + 1);
  Pieces pieces = {0};
  if (!make_items(problem, blocks, period, &pieces, error)) {
    echo_vector_destroy(&pieces);
    echo_offset_problem_destroy(problem);
    return false;
  }
  compress_time(problem, &pieces);
  EchoArena scratch = {0};
  uint64_t *raw_change = ECHO_ARENA_ARRAY(&scratch, uint64_t, (size_t)problem->n_sections + 1);
  Stroke *pads = ECHO_ARENA_ARRAY(&scratch, Stroke, 2 * pieces.size + 1);
  for (uint32_t s = 0; s <= problem->n_sections; s++)
    raw_change[s] = 0;
  problem->segments = ECHO_ARENA_ARRAY(&problem->arena, EchoOffsetSegment, 2 * pieces.size + 1);
  make_segments(problem, &pieces, raw_change, pads);
  make_bounds(problem, blocks, raw_change, pads);
  classify(problem);
  echo_arena_destroy(&scratch);
  echo_vector_destroy(&pieces);
  return true;
}

void echo_offset_problem_destroy(EchoOffsetProblem *problem)
{
  echo_arena_destroy(&problem->arena);
  *problem = (EchoOffsetProblem){0};
}

static bool is_twin(const EchoOffsetProblem *problem, uint32_t i, uint32_t j)
{
  const EchoOffsetItem *a = &problem->items[i], *b = &problem->items[j];
  if (a->n_segments != b->n_segments || a->alignment != b->alignment ||
      a->fixed_offset != b->fixed_offset)
    return false;
  for (uint32_t k = 0; k < a->n_segments; k++) {
    const EchoOffsetSegment *x = &problem->segments[a->first_segment + k];
    const EchoOffsetSegment *y = &problem->segments[b->first_segment + k];
    if (x->begin != y->begin || x->end != y->end || x->low != y->low || x->high != y->high)
      return false;
  }
  return true;
}

static uint64_t shape_hash(const EchoOffsetProblem *problem, uint32_t i)
{
  const EchoOffsetItem *item = &problem->items[i];
  uint64_t hash = item->alignment;
  for (uint32_t k = 0; k < item->n_segments; k++) {
    const EchoOffsetSegment *segment = &problem->segments[item->first_segment + k];
    hash = echo_hash_combine(hash, (uint64_t)segment->begin << 32 | segment->end);
    hash = echo_hash_combine(hash, segment->low);
    hash = echo_hash_combine(hash, segment->high);
  }
  return hash;
}

void echo_offset_find_twins(const EchoOffsetProblem *problem, uint32_t *twins)
{
  EchoMap last = {0};
  for (uint32_t i = 0; i < problem->n_items; i++) {
    uint64_t hash = shape_hash(problem, i), j;
    twins[i] = NO_ITEM;
    if (echo_map_get(&last, hash, &j) && is_twin(problem, i, (uint32_t)j))
      twins[i] = (uint32_t)j;
    echo_map_set(&last, hash, i);
  }
  echo_map_destroy(&last);
}

void echo_offset_plan_set(const EchoOffsetProblem *problem, const uint64_t *bases,
                          EchoOffsetPlan *plan)
{
  plan->height = 0;
  for (uint32_t i = 0; i < problem->n_items; i++) {
    uint64_t top = bases[i] + problem->items[i].size;
    plan->bases[i] = bases[i];
    plan->height = top > plan->height ? top : plan->height;
  }
}
