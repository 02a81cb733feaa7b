/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/offsets/cliques_t.h"

#include "base/vector.h"

#include <stdlib.h>

#define MAX_MEETINGS (UINT32_C(1) << 21)

/* A clique ends where something starts after something has ended. */
static void number_cliques(EchoOffsetCliques *cliques, const EchoOffsetProblem *problem,
                           EchoArena *arena)
{
  enum { STARTS = 1, ENDS = 2 };
  size_t n = (size_t)problem->n_sections + 1;
  uint8_t *borders = ECHO_ARENA_ARRAY(arena, uint8_t, n);
  cliques->clique_of_section = ECHO_ARENA_ARRAY(arena, uint32_t, n);
  memset(borders, 0, n);
  for (uint32_t k = 0; k < problem->n_segments; k++) {
    borders[problem->segments[k].begin] |= STARTS;
    borders[problem->segments[k].end] |= ENDS;
  }
  bool has_ended = false;
  cliques->n = problem->n_sections > 0;
  for (uint32_t s = 0; s < problem->n_sections; s++) {
    has_ended = has_ended || (borders[s] & ENDS) != 0;
    if (has_ended && (borders[s] & STARTS) != 0) {
      cliques->n++;
      has_ended = false;
    }
    cliques->clique_of_section[s] = cliques->n - 1;
  }
}

static uint32_t begin_of(const EchoOffsetCliques *cliques, const EchoOffsetSegment *segment)
{
  return cliques->clique_of_section[segment->begin];
}

static uint32_t end_of(const EchoOffsetCliques *cliques, const EchoOffsetSegment *segment)
{
  return cliques->clique_of_section[segment->end - 1] + 1;
}

/* No item stands twice in a clique: where one of its segments ends and the next starts, so does a
 * clique. */
static void list_members(EchoOffsetCliques *cliques, const EchoOffsetProblem *problem,
                         EchoArena *arena)
{
  size_t n = (size_t)cliques->n + 1;
  uint32_t n_members = 0, *next = ECHO_ARENA_ARRAY(arena, uint32_t, n);
  cliques->first_member = ECHO_ARENA_ARRAY(arena, uint32_t, n);
  memset(next, 0, n * sizeof *next);
  for (uint32_t k = 0; k < problem->n_segments; k++)
    for (uint32_t c = begin_of(cliques, &problem->segments[k]);
         c < end_of(cliques, &problem->segments[k]); c++)
      next[c]++;
  for (size_t c = 0; c < n; c++) {
    cliques->first_member[c] = n_members;
    n_members += next[c];
    next[c] = cliques->first_member[c];
  }
  cliques->members = ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)n_members + 1);
  for (uint32_t i = 0; i < problem->n_items; i++)
    for (uint32_t k = 0; k < problem->items[i].n_segments; k++) {
      const EchoOffsetSegment *segment = &problem->segments[problem->items[i].first_segment + k];
      for (uint32_t c = begin_of(cliques, segment); c < end_of(cliques, segment); c++)
        cliques->members[next[c]++] = i;
    }
}

/* How far above item i's base item j's must lie; 0 when they never meet. */
static uint64_t rise_over(const EchoOffsetProblem *problem, uint32_t i, uint32_t j)
{
  const EchoOffsetItem *below = &problem->items[i], *above = &problem->items[j];
  uint64_t rise = 0;
  for (uint32_t k = 0; k < below->n_segments; k++) {
    const EchoOffsetSegment *a = &problem->segments[below->first_segment + k];
    for (uint32_t m = 0; m < above->n_segments && a->high > rise; m++) {
      const EchoOffsetSegment *b = &problem->segments[above->first_segment + m];
      if (a->begin < b->end && b->begin < a->end)
        rise = a->high;
    }
  }
  return rise;
}

typedef struct Meeting {
  uint32_t i, j;
} Meeting;

typedef struct Start {
  uint32_t begin, item;
} Start;

static int by_begin(const void *a, const void *b)
{
  const Start *x = a, *y = b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return x->item < y->item ? -1 : x->item > y->item;
}

typedef ECHO_VECTOR(Meeting) Meetings;

/* Each pair once. False when there are too many. */
static bool list_meetings(const EchoOffsetProblem *problem, EchoArena *arena, Meetings *meetings)
{
  Start *starts = ECHO_ARENA_ARRAY(arena, Start, (size_t)problem->n_items + 1);
  for (uint32_t i = 0; i < problem->n_items; i++)
    starts[i] = (Start){problem->items[i].begin, i};
  qsort(starts, problem->n_items, sizeof *starts, by_begin);
  for (uint32_t a = 0; a < problem->n_items; a++) {
    uint32_t i = starts[a].item;
    for (uint32_t b = a + 1; b < problem->n_items && starts[b].begin < problem->items[i].end; b++) {
      if (rise_over(problem, i, starts[b].item) == 0)
        continue;
      if (meetings->size == MAX_MEETINGS)
        return false;
      echo_vector_push(meetings, (Meeting){i, starts[b].item});
    }
  }
  return true;
}

static void list_neighbors(EchoOffsetCliques *cliques, const EchoOffsetProblem *problem,
                           EchoArena *arena, const Meetings *meetings)
{
  size_t n = (size_t)problem->n_items + 1;
  uint32_t total = 0, *next = ECHO_ARENA_ARRAY(arena, uint32_t, n);
  cliques->first_neighbor = ECHO_ARENA_ARRAY(arena, uint32_t, n);
  cliques->neighbors = ECHO_ARENA_ARRAY(arena, EchoOffsetNeighbor, 2 * meetings->size + 1);
  memset(next, 0, n * sizeof *next);
  for (size_t m = 0; m < meetings->size; m++) {
    next[meetings->data[m].i]++;
    next[meetings->data[m].j]++;
  }
  for (size_t i = 0; i < n; i++) {
    cliques->first_neighbor[i] = total;
    total += next[i];
    next[i] = cliques->first_neighbor[i];
  }
  for (size_t m = 0; m < meetings->size; m++) {
    uint32_t i = meetings->data[m].i, j = meetings->data[m].j;
    cliques->neighbors[next[i]++] = (EchoOffsetNeighbor){j, rise_over(problem, i, j)};
    cliques->neighbors[next[j]++] = (EchoOffsetNeighbor){i, rise_over(problem, j, i)};
  }
}

bool echo_offset_cliques_create(EchoOffsetCliques *cliques, const EchoOffsetProblem *problem,
                                EchoArena *arena)
{
  if (!problem->is_flat)
    return false;
  Meetings meetings = {0};
  bool fine = list_meetings(problem, arena, &meetings);
  if (fine) {
    number_cliques(cliques, problem, arena);
    list_members(cliques, problem, arena);
    list_neighbors(cliques, problem, arena, &meetings);
    cliques->begin = ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)problem->n_items + 1);
    cliques->end = ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)problem->n_items + 1);
    for (uint32_t i = 0; i < problem->n_items; i++) {
      cliques->begin[i] = cliques->clique_of_section[problem->items[i].begin];
      cliques->end[i] = cliques->clique_of_section[problem->items[i].end - 1] + 1;
    }
  }
  echo_vector_destroy(&meetings);
  return fine;
}
