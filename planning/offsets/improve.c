/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Improvement of an order: items that end above the height wanted are moved towards the front and
 * the order is placed again ("squeaky wheel" optimization, Joslin and Clements 1999). */
#include "planning/offsets/problem_t.h"

#include "base/map.h"

#include <stdlib.h>

#define ROUNDS_BEFORE_RETURN 40
#define MAX_ROUNDS 2000

typedef struct Key {
  double position;
  uint32_t item;
} Key;

static int compare_keys(const void *a, const void *b)
{
  const Key *x = a, *y = b;
  if (x->position != y->position)
    return x->position < y->position ? -1 : 1;
  return (x->item > y->item) - (x->item < y->item);
}

static void keep_plan(EchoOffsetPlan *best, const EchoOffsetPlan *plan, uint32_t n_items)
{
  best->height = plan->height;
  memcpy(best->bases, plan->bases, n_items * sizeof *best->bases);
}

/* Moves what stands above `height` forward by about a half of the way, by an amount that differs in
 * every round. */
static void blame(const EchoOffsetProblem *problem, const EchoOffsetPlan *plan, uint64_t height,
                  uint64_t round, uint32_t *order, Key *keys)
{
  uint32_t n_free = 0;
  for (uint32_t k = 0; k < problem->n_items; k++) {
    uint32_t i = order[k];
    double position = k;
    if (problem->items[i].fixed_offset != ECHO_OFFSET_FREE)
      position = -1;
    else if (plan->bases[i] + problem->items[i].size > height)
      position *= 0.25 + 0.6 * ((double)(echo_hash_u64(round * 1000003 + i) >> 40) / (1 << 24));
    keys[n_free++] = (Key){position, i};
  }
  qsort(keys, n_free, sizeof *keys, compare_keys);
  for (uint32_t k = 0; k < n_free; k++)
    order[k] = keys[k].item;
}

uint64_t echo_offset_improve(EchoOffsetFitter *fitter, const EchoOffsetProblem *problem,
                             uint32_t *order, uint64_t height, uint64_t max_work,
                             EchoOffsetSearchLimits *limits, EchoOffsetPlan *best)
{
  EchoArena arena = {0};
  size_t n = (size_t)problem->n_items + 1;
  Key *keys = ECHO_ARENA_ARRAY(&arena, Key, n);
  uint32_t *best_order = ECHO_ARENA_ARRAY(&arena, uint32_t, n);
  EchoOffsetPlan plan = {ECHO_ARENA_ARRAY(&arena, uint64_t, n), 0};
  uint64_t least = UINT64_MAX;
  uint64_t work = 0;
  uint32_t stale = 0;
  uint64_t end_height = limits->enough > height ? limits->enough : height;
  for (uint64_t round = 0; round < MAX_ROUNDS && work < max_work && best->height > end_height;
       round++) {
    if (limits->should_stop != NULL && limits->should_stop(limits->stop_user)) {
      limits->was_stopped = true;
      break;
    }
    work += 200 * n; /* for the order */
    if (fitter == NULL) {
      work += echo_offset_skyline(problem, order, &plan);
    } else {
      work += echo_offset_fit_work(fitter);
      if (!echo_offset_fit(fitter, order, round % 3 == 1 ? ECHO_FIT_BEST : ECHO_FIT_FIRST, &plan))
        break;
    }
    if (plan.height < least) {
      least = plan.height;
      memcpy(best_order, order, problem->n_items * sizeof *order);
      stale = 0;
    } else if (++stale % ROUNDS_BEFORE_RETURN == 0) {
      memcpy(order, best_order, problem->n_items * sizeof *order);
    }
    if (plan.height < best->height)
      keep_plan(best, &plan, problem->n_items);
    uint64_t wanted = best->height - 1 > height && stale % 2 == 1 ? best->height - 1 : height;
    blame(problem, &plan, wanted, round, order, keys);
  }
  echo_arena_destroy(&arena);
  return work;
}
