/* Recompute, swap or keep: the points of the curve say what is recomputed, the swap planner what
 * the rest of a budget costs each of them. A point without swaps is one of the candidates and so is
 * swapping without recompute, so the answer is never worse than either alone. */
#include <stdlib.h>

#include "echo_pass/search_t.h"
#include "planning/swap_estimate.h"

#define LEAST_SLACK 128 /* the least budget is found to this part */

typedef struct Offer {
  uint64_t total_ns;    /* the step, waiting for copies included */
  uint64_t least_bytes; /* the smallest budget that the point can meet */
  bool fits, swaps;
} Offer;

static Offer make_offer(const EchoSearcher *searcher, const EchoPoint *point, uint64_t budget_bytes)
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
                                  &overhead_ns, &least_bytes);
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

/* The lowest that any point can be swapped to: those of the least load are packed first, and none
 * that could only be lower by what nobody would notice. */
static uint64_t find_least(const EchoSearcher *searcher, const EchoFrontier *frontier)
{
  size_t n = frontier->points.size;
  Load *loads = echo_alloc_array(n + 1, sizeof *loads);
  uint64_t least_bytes = UINT64_MAX;
  for (size_t i = 0; i < n; ++i) {
    uint32_t point = frontier->points.data[i];
    loads[i] = (Load){least_load(searcher, &searcher->curve->points.data[point]), point};
  }
  qsort(loads, n, sizeof *loads, by_bytes);
  for (size_t i = 0; i < n && loads[i].bytes < least_bytes - least_bytes / LEAST_SLACK; ++i) {
    Offer offer = make_offer(searcher, &searcher->curve->points.data[loads[i].point], 0);
    if (least_bytes > offer.least_bytes)
      least_bytes = offer.least_bytes;
  }
  echo_free(loads);
  return least_bytes;
}

bool echo_curve_choose_with_swaps(const EchoSearcher *searcher, const EchoFrontier *frontier)
{
  EchoCurve *curve = searcher->curve;
  uint64_t budget_bytes = searcher->options->goal == ECHO_GOAL_LEAST
                              ? find_least(searcher, frontier)
                              : searcher->options->budget_bytes;
  uint64_t best_ns = UINT64_MAX;
  for (size_t i = 0; i < frontier->points.size; ++i) {
    const EchoPoint *point = &curve->points.data[frontier->points.data[i]];
    if (point->ns >= best_ns)
      break; /* in order of time: swaps only add to it */
    Offer offer = make_offer(searcher, point, budget_bytes);
    if (!offer.fits || offer.total_ns >= best_ns)
      continue;
    best_ns = offer.total_ns;
    curve->best = frontier->points.data[i];
    curve->swap_limit_bytes = offer.swaps ? budget_bytes : UINT64_MAX;
    curve->swap_ns = offer.total_ns - point->ns;
  }
  if (best_ns == UINT64_MAX)
    curve->least_bytes = find_least(searcher, frontier);
  return best_ns != UINT64_MAX;
}
