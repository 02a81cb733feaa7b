/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lowest pit of the skyline is filled with the best item that fits in it, or, when none does,
 * raised to its lower wall (Burke, Kendall and Whitwell's best fit for strip packing, with places
 * in time that are given). Items are found in a tree over their begins, so n items take O(n log n)
 * in practice. */
#include "planning/offsets/problem_t.h"

#include "base/panic.h"

#define NONE UINT32_MAX

typedef struct Pit {
  uint64_t floor;
  uint32_t begin;
} Pit;

typedef struct Node {
  uint32_t least_end; /* of the items left below; NONE when there are none */
  uint32_t best_rank;
} Node;

typedef struct Skyline {
  const EchoOffsetProblem *problem;
  /* plateaus by the section they begin at */
  uint64_t *floor;
  uint32_t *end, *previous; /* begin of the plateau before; `end` is 0 where none begins */
  ECHO_VECTOR(Pit) heap;    /* lowest, then leftmost first; stale entries are skipped */
  Node *nodes;              /* heap order over items sorted by begin */
  uint32_t *by_begin, *rank,
      *first_at; /* first_at[s]: first position in by_begin with begin >= s */
  uint32_t n_leaves;
  uint64_t n_visits; /* of nodes */
} Skyline;

static bool is_lower(Pit a, Pit b)
{
  return a.floor < b.floor || (a.floor == b.floor && a.begin < b.begin);
}

static void heap_push(Skyline *skyline, Pit pit)
{
  echo_vector_push(&skyline->heap, pit);
  Pit *heap = skyline->heap.data;
  size_t k = skyline->heap.size - 1;
  for (; k > 0 && is_lower(pit, heap[(k - 1) / 2]); k = (k - 1) / 2)
    heap[k] = heap[(k - 1) / 2];
  heap[k] = pit;
}

static Pit heap_pop(Skyline *skyline)
{
  Pit *heap = skyline->heap.data, top = heap[0], last = echo_vector_pop(&skyline->heap);
  size_t n = skyline->heap.size, k = 0;
  while (2 * k + 1 < n) {
    size_t child = 2 * k + 1;
    if (child + 1 < n && is_lower(heap[child + 1], heap[child]))
      child++;
    if (!is_lower(heap[child], last))
      break;
    heap[k] = heap[child];
    k = child;
  }
  if (n > 0)
    heap[k] = last;
  return top;
}

static void set_leaf(Skyline *skyline, uint32_t position, Node value)
{
  uint32_t node = skyline->n_leaves + position;
  skyline->nodes[node] = value;
  for (node /= 2; node >= 1; node /= 2) {
    const Node *left = &skyline->nodes[2 * node], *right = left + 1;
    skyline->nodes[node] =
        (Node){left->least_end < right->least_end ? left->least_end : right->least_end,
               left->best_rank > right->best_rank ? left->best_rank : right->best_rank};
  }
}

typedef struct Query {
  uint32_t first, last; /* positions [first, last) */
  uint32_t end;         /* items must end by then */
  uint32_t best, best_rank;
} Query;

static void query_below(Skyline *skyline, Query *query, uint32_t node, uint32_t node_first,
                        uint32_t node_last)
{
  const Node *value = &skyline->nodes[node];
  skyline->n_visits++;
  if (node_last <= query->first || query->last <= node_first || value->least_end > query->end ||
      value->best_rank <= query->best_rank)
    return;
  if (node_last - node_first == 1) {
    query->best = node_first;
    query->best_rank = value->best_rank;
    return;
  }
  uint32_t middle = node_first + (node_last - node_first) / 2;
  query_below(skyline, query, 2 * node, node_first, middle);
  query_below(skyline, query, 2 * node + 1, middle, node_last);
}

/* Cuts the plateau that covers `border` in two there. */
static void split_at(Skyline *skyline, uint32_t begin, uint32_t border)
{
  if (border == begin || border == skyline->end[begin])
    return;
  uint32_t end = skyline->end[begin];
  skyline->end[begin] = border;
  skyline->end[border] = end;
  skyline->floor[border] = skyline->floor[begin];
  skyline->previous[border] = begin;
  if (end < skyline->problem->n_sections)
    skyline->previous[end] = border;
}

/* Joins the plateau with those beside it that are as high, and puts the result up for filling. */
static void join_level(Skyline *skyline, uint32_t begin)
{
  uint32_t n = skyline->problem->n_sections;
  uint32_t before = skyline->previous[begin], after = skyline->end[begin];
  if (after < n && skyline->floor[after] == skyline->floor[begin]) {
    skyline->end[begin] = skyline->end[after];
    skyline->end[after] = 0;
    if (skyline->end[begin] < n)
      skyline->previous[skyline->end[begin]] = begin;
  }
  if (before != NONE && skyline->floor[before] == skyline->floor[begin]) {
    skyline->end[before] = skyline->end[begin];
    skyline->end[begin] = 0;
    if (skyline->end[before] < n)
      skyline->previous[skyline->end[before]] = before;
    begin = before;
  }
  heap_push(skyline, (Pit){skyline->floor[begin], begin});
}

static void place_in_pit(Skyline *skyline, uint32_t begin, uint32_t i, EchoOffsetPlan *plan)
{
  const EchoOffsetItem *item = &skyline->problem->items[i];
  uint64_t floor = skyline->floor[begin];
  plan->bases[i] = echo_align_up(floor, item->alignment);
  uint64_t top = plan->bases[i] + item->size;
  plan->height = top > plan->height ? top : plan->height;
  split_at(skyline, begin, item->begin);
  split_at(skyline, item->begin, item->end);
  skyline->floor[item->begin] = top;
  if (item->begin != begin)
    heap_push(skyline, (Pit){floor, begin});
  uint32_t after = item->end;
  if (after < skyline->problem->n_sections && skyline->previous[after] == item->begin &&
      skyline->floor[after] == floor)
    heap_push(skyline, (Pit){floor, after});
  join_level(skyline, item->begin);
}

static void raise_pit(Skyline *skyline, uint32_t begin)
{
  uint32_t after = skyline->end[begin], before = skyline->previous[begin];
  uint64_t wall = UINT64_MAX;
  if (before != NONE)
    wall = skyline->floor[before];
  if (after < skyline->problem->n_sections && skyline->floor[after] < wall)
    wall = skyline->floor[after];
  ECHO_CHECK(wall != UINT64_MAX, "no item fits on a level skyline");
  skyline->floor[begin] = wall;
  join_level(skyline, begin);
}

static void skyline_create(Skyline *skyline, const uint32_t *order, EchoArena *arena)
{
  const EchoOffsetProblem *problem = skyline->problem;
  uint32_t n = problem->n_items, n_sections = problem->n_sections;
  skyline->by_begin = ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)n + 1);
  skyline->rank = ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)n + 1);
  skyline->first_at = ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)n_sections + 2);
  skyline->floor = ECHO_ARENA_ARRAY(arena, uint64_t, (size_t)n_sections + 1);
  skyline->end = ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)n_sections + 1);
  skyline->previous = ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)n_sections + 1);
  for (uint32_t k = 0; k < n; k++)
    skyline->rank[order[k]] = n - k;
  echo_offset_order(problem, ECHO_ORDER_START, skyline->by_begin);
  for (uint32_t s = 0; s <= n_sections + 1; s++)
    skyline->first_at[s] = 0;
  for (uint32_t i = 0; i < n; i++)
    skyline->first_at[problem->items[i].begin + 1]++;
  for (uint32_t s = 1; s <= n_sections + 1; s++)
    skyline->first_at[s] += skyline->first_at[s - 1];
  for (uint32_t s = 0; s <= n_sections; s++) {
    skyline->floor[s] = 0;
    skyline->end[s] = 0;
  }
  for (skyline->n_leaves = 1; skyline->n_leaves < n;)
    skyline->n_leaves *= 2;
  skyline->nodes = ECHO_ARENA_ARRAY(arena, Node, 2 * (size_t)skyline->n_leaves);
  for (uint32_t k = 0; k < 2 * skyline->n_leaves; k++)
    skyline->nodes[k] = (Node){NONE, 0};
  for (uint32_t k = 0; k < n; k++)
    set_leaf(skyline, k,
             (Node){problem->items[skyline->by_begin[k]].end, skyline->rank[skyline->by_begin[k]]});
}

uint64_t echo_offset_skyline(const EchoOffsetProblem *problem, const uint32_t *order,
                             EchoOffsetPlan *plan)
{
  ECHO_CHECK(problem->is_plain, "the skyline takes rectangles only");
  plan->height = 0;
  if (problem->n_items == 0)
    return 0;
  EchoArena arena = {0};
  Skyline skyline = {.problem = problem};
  skyline_create(&skyline, order, &arena);
  skyline.end[0] = problem->n_sections;
  skyline.previous[0] = NONE;
  heap_push(&skyline, (Pit){0, 0});
  for (uint32_t n_left = problem->n_items; n_left > 0;) {
    Pit pit = heap_pop(&skyline);
    uint32_t end = skyline.end[pit.begin];
    if (end == 0 || skyline.floor[pit.begin] != pit.floor)
      continue;
    Query query = {.first = skyline.first_at[pit.begin],
                   .last = skyline.first_at[end],
                   .end = end,
                   .best = NONE};
    query_below(&skyline, &query, 1, 0, skyline.n_leaves);
    if (query.best == NONE) {
      raise_pit(&skyline, pit.begin);
      continue;
    }
    place_in_pit(&skyline, pit.begin, skyline.by_begin[query.best], plan);
    set_leaf(&skyline, query.best, (Node){NONE, 0});
    n_left--;
  }
  echo_vector_destroy(&skyline.heap);
  echo_arena_destroy(&arena);
  return 5 * skyline.n_visits + 500 * (uint64_t)problem->n_items;
}
