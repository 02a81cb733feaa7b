/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Recompute, swap or keep: the points of the curve say what is recomputed, the swap planner what
 * the rest of a budget costs each of them. A point without swaps is one of the candidates and so is
 * swapping without recompute, so the answer is never worse than either alone. */
#include <stdlib.h>

#include "echo_pass/search_state_t.h"
#include "planning/swap/estimate.h"

#define LEAST_SLACK 128 /* the least budget is found to this part */

typedef struct Offer {
  uint64_t total_ns;    /* the step, waiting for copies included */
  uint64_t least_bytes; /* the smallest budget that the point can meet */
  bool fits, swaps;
} Offer;

static Offer make_offer(const EchoSearcher *searcher, const EchoPoint *point, uint64_t budget_bytes,
                        EchoSwapPolicy policy)
{
  uint64_t packed_bytes = echo_point_arena_bytes(searcher, point);
  if (packed_bytes <= budget_bytes)
    return (Offer){.total_ns = point->ns, .least_bytes = packed_bytes, .fits = true};
  EchoGraph ordered;
  EchoEstimate estimate;
  Offer offer = {.swaps = true};
  int64_t overhead_ns;
  uint64_t least_bytes;
  echo_point_estimate_create(searcher, point, &ordered, &estimate);
  offer.fits = echo_swap_estimate(&ordered, &estimate, &searcher->options->device, budget_bytes,
                                  policy, &overhead_ns, &least_bytes);
  echo_estimate_destroy(&estimate);
  echo_graph_destroy(&ordered);
  offer.total_ns = point->ns + (uint64_t)overhead_ns;
  offer.least_bytes = least_bytes < packed_bytes ? least_bytes : packed_bytes;
  return offer;
}

typedef struct Load {
  uint64_t bytes;
  uint32_t point;
} Load;

static int by_bytes(const void *a, const void *b)
{
  const Load *x = a, *y = b;
  if (x->bytes != y->bytes)
    return x->bytes < y->bytes ? -1 : 1;
  return x->point < y->point ? -1 : x->point > y->point;
}

static uint64_t least_load(const EchoSearcher *searcher, const EchoPoint *point)
{
  EchoGraph ordered;
  EchoEstimate estimate;
  echo_point_estimate_create(searcher, point, &ordered, &estimate);
  uint64_t bytes = echo_swap_least_load(&ordered, &estimate, &searcher->options->device);
  echo_estimate_destroy(&estimate);
  echo_graph_destroy(&ordered);
  return bytes;
}

/* The best offer so far. */
typedef struct Choice {
  size_t point;
  Offer offer;
} Choice;

/* The lowest that any point can be swapped to: those of the least load are packed first, and none
 * that could only be lower by what nobody would notice. What a policy says it can meet is asked of
 * it again, and more of it until it does: `bytes` is a budget that the offer meets. */
static Choice find_least(const EchoSearcher *searcher, const EchoFrontier *frontier,
                         uint64_t *bytes)
{
  size_t n = frontier->points.size;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  Load *loads = ECHO_ARENA_ARRAY(searcher->scratch, Load, n + 1);
  Choice choice = {0};
  *bytes = UINT64_MAX;
  for (size_t i = 0; i < n; ++i) {
    uint32_t point = frontier->points.data[i];
    loads[i] = (Load){least_load(searcher, &searcher->curve->points.data[point]), point};
  }
  qsort(loads, n, sizeof *loads, by_bytes);
  for (size_t i = 0; i < n && loads[i].bytes < *bytes - *bytes / LEAST_SLACK; ++i) {
    const EchoPoint *point = &searcher->curve->points.data[loads[i].point];
    uint64_t least_bytes = make_offer(searcher, point, 0, ECHO_SWAP_SWDOA).least_bytes;
    Offer offer = {0};
    while (least_bytes < *bytes && !offer.fits) {
      offer = make_offer(searcher, point, least_bytes, ECHO_SWAP_SWDOA);
      least_bytes += offer.fits ? 0 : least_bytes / LEAST_SLACK + 1;
    }
    if (!offer.fits)
      continue;
    *bytes = least_bytes;
    choice = (Choice){loads[i].point, offer};
  }
  echo_arena_reset(searcher->scratch, mark);
  return choice;
}

/* The slow policy is for swapping alone, which nothing may fall behind. */
static EchoSwapPolicy policy_of(size_t point, bool is_quick)
{
  return is_quick ? ECHO_SWAP_SWDOA : point == 0 ? ECHO_SWAP_BEST : ECHO_SWAP_MIX;
}

/* One look at the points in order of time; those that are slower by themselves than
 * the choice are passed over, and so are those that `is_final` marks. Marks those whose offer no
 * policy betters. */
static void look(const EchoSearcher *searcher, const EchoFrontier *frontier, uint64_t budget_bytes,
                 bool is_quick, bool *is_final, Choice *choice)
{
  for (size_t i = 0; i < frontier->points.size; ++i) {
    const EchoPoint *point = &searcher->curve->points.data[frontier->points.data[i]];
    if (point->ns >= choice->offer.total_ns)
      return; /* swaps only add to it */
    if (is_final[i])
      continue;
    Offer offer =
        make_offer(searcher, point, budget_bytes, policy_of(frontier->points.data[i], is_quick));
    is_final[i] = offer.fits && offer.total_ns == point->ns;
    if (offer.fits && offer.total_ns < choice->offer.total_ns)
      *choice = (Choice){frontier->points.data[i], offer};
  }
}

bool echo_curve_choose_with_swaps(const EchoSearcher *searcher, const EchoFrontier *frontier)
{
  EchoCurve *curve = searcher->curve;
  uint64_t budget_bytes = searcher->options->budget_bytes, least_bytes = UINT64_MAX;
  Choice least = {0}, choice = {.offer = {.total_ns = UINT64_MAX}};
  if (searcher->options->goal == ECHO_GOAL_LEAST) {
    least = find_least(searcher, frontier, &least_bytes);
    budget_bytes = least_bytes;
  }
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  bool *is_final = ECHO_ARENA_ARRAY(searcher->scratch, bool, frontier->points.size + 1);
  memset(is_final, 0, frontier->points.size + 1);
  /* The quick look says which points are not worth a closer one. */
  look(searcher, frontier, budget_bytes, true, is_final, &choice);
  look(searcher, frontier, budget_bytes, false, is_final, &choice);
  echo_arena_reset(searcher->scratch, mark);
  if (!choice.offer.fits) { /* then the least, where that is within the budget */
    if (searcher->options->goal != ECHO_GOAL_LEAST)
      least = find_least(searcher, frontier, &least_bytes);
    if (least_bytes > budget_bytes) {
      curve->least_bytes = least_bytes;
      return false;
    }
    choice = least;
    budget_bytes = least_bytes;
  }
  curve->best = choice.point;
  curve->swap_limit_bytes = choice.offer.swaps ? budget_bytes : UINT64_MAX;
  curve->swap_ns = choice.offer.total_ns - curve->points.data[choice.point].ns;
  return true;
}
