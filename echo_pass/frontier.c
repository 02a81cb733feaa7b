/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The frontier: which points it has, that they are looked at in all orders, and what a search keeps
 * of the others. */
#include "echo_pass/search_state_t.h"

#include <stdlib.h>

#define N_LOWEST 16     /* points that are looked at in all orders, on the frontier or not */
#define N_MORE_ORDERS 2 /* mostly, of a point that was looked at in the first */

/* ---- by time, and by peak ---- */

typedef struct Ranked {
  const EchoPoint *point;
  uint32_t index;
} Ranked;

static int compare_cheaper(const void *a, const void *b)
{
  const Ranked *x = a, *y = b;
  if (echo_point_is_cheaper(x->point, y->point))
    return -1;
  if (echo_point_is_cheaper(y->point, x->point))
    return 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static bool may_be_on_frontier(const EchoSearcher *searcher, size_t index)
{
  return index == 0 || index == searcher->nothing || index >= searcher->first_point;
}

bool echo_curve_undercuts(const EchoSearcher *searcher, uint64_t peak_bytes, uint64_t ns)
{
  const EchoCurve *curve = searcher->curve;
  for (size_t i = 0; i < curve->points.size; ++i) {
    const EchoPoint *point = &curve->points.data[i];
    if (point->peak_bytes <= peak_bytes && point->ns <= ns &&
        (point->peak_bytes < peak_bytes || point->ns < ns) && may_be_on_frontier(searcher, i))
      return true;
  }
  return false;
}

bool echo_curve_has_as_good(const EchoCurve *curve, uint64_t peak_bytes, uint64_t ns)
{
  for (size_t i = 0; i < curve->points.size; ++i)
    if (curve->points.data[i].peak_bytes <= peak_bytes && curve->points.data[i].ns <= ns)
      return true;
  return false;
}

void echo_frontier_find(const EchoSearcher *searcher, EchoFrontier *frontier)
{
  const EchoCurve *curve = searcher->curve;
  EchoArena *scratch = searcher->scratch;
  size_t n = 0;
  EchoArenaMark mark = echo_arena_mark(scratch);
  Ranked *ranked = ECHO_ARENA_ARRAY(scratch, Ranked, curve->points.size + 1);
  for (uint32_t i = 0; i < curve->points.size; ++i)
    if (may_be_on_frontier(searcher, i))
      ranked[n++] = (Ranked){&curve->points.data[i], i};
  qsort(ranked, n, sizeof(Ranked), compare_cheaper);
  echo_vector_clear(&frontier->points);
  for (size_t i = 0; i < n; ++i)
    if (frontier->points.size == 0 ||
        ranked[i].point->peak_bytes <
            curve->points.data[echo_vector_last(&frontier->points)].peak_bytes)
      echo_vector_push(&frontier->points, ranked[i].index);
  echo_arena_reset(scratch, mark);
}

static int compare_lower(const void *a, const void *b)
{
  const Ranked *x = a, *y = b;
  if (echo_point_is_lower(x->point, y->point))
    return -1;
  if (echo_point_is_lower(y->point, x->point))
    return 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* ---- the lowest ---- */

/* As far as there is work for them all. */
static void look_ahead_at_lowest(EchoSearcher *searcher, const Ranked *ranked, size_t n)
{
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoLook *looks = ECHO_ARENA_ARRAY(searcher->scratch, EchoLook, n + 1);
  uint64_t n_nodes = searcher->candidates->graph->nodes.size, work = searcher->work;
  size_t n_looks = 0;
  for (; n_looks < n && work < searcher->max_work; ++n_looks) {
    const EchoPoint *point = ranked[n_looks].point;
    looks[n_looks] = (EchoLook){.point = point, .orders = searcher->orders};
    work += n_nodes * echo_n_orders(searcher->orders & ~point->orders);
  }
  echo_search_look_ahead(searcher, looks, n_looks, NULL);
  echo_arena_reset(searcher->scratch, mark);
}

void echo_curve_evaluate_lowest(EchoSearcher *searcher)
{
  EchoCurve *curve = searcher->curve;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  size_t n = curve->points.size - searcher->first_point;
  Ranked *ranked = ECHO_ARENA_ARRAY(searcher->scratch, Ranked, n + 1);
  for (uint32_t i = 0; i < n; ++i)
    ranked[i] = (Ranked){&curve->points.data[searcher->first_point + i],
                         (uint32_t)searcher->first_point + i};
  if (n != 0)
    qsort(ranked, n, sizeof(Ranked), compare_lower);
  look_ahead_at_lowest(searcher, ranked, n < N_LOWEST ? n : N_LOWEST);
  for (size_t i = 0; i < n && i < N_LOWEST && echo_search_has_work(searcher, 1); ++i) {
    echo_point_evaluate(searcher, &curve->points.data[ranked[i].index], searcher->orders);
    echo_curve_add_orders(searcher, ranked[i].index);
  }
  echo_arena_reset(searcher->scratch, mark);
}

/* ---- in which orders ---- */

/* Every how many-th point of the frontier there is work for, in the orders that are left. */
static size_t find_stride(const EchoSearcher *searcher, size_t n_points)
{
  uint64_t end = 2 * searcher->max_work, each = searcher->candidates->graph->nodes.size + 1;
  uint64_t n_looks = end > searcher->work ? (end - searcher->work) / (each * N_MORE_ORDERS) : 0;
  return n_looks != 0 ? (n_points + n_looks - 1) / n_looks : n_points + 1;
}

static void look_ahead_at_frontier(EchoSearcher *searcher, const EchoFrontier *frontier,
                                   size_t stride)
{
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoLook *looks = ECHO_ARENA_ARRAY(searcher->scratch, EchoLook, frontier->points.size + 1);
  size_t n = 0;
  for (size_t i = stride - 1; i < frontier->points.size; i += stride)
    looks[n++] = (EchoLook){.point = &searcher->curve->points.data[frontier->points.data[i]],
                            .orders = searcher->orders};
  echo_search_look_ahead(searcher, looks, n, NULL);
  echo_arena_reset(searcher->scratch, mark);
}

void echo_frontier_evaluate(EchoSearcher *searcher, EchoFrontier *frontier)
{
  EchoCurve *curve = searcher->curve;
  for (bool is_final = false; !is_final;) {
    echo_frontier_find(searcher, frontier);
    is_final = true;
    size_t n = frontier->points.size, stride = find_stride(searcher, n);
    look_ahead_at_frontier(searcher, frontier, stride);
    for (size_t i = stride - 1; i < n; i += stride) { /* the lowest is one of them, or near */
      EchoPoint *point = &curve->points.data[frontier->points.data[i]];
      is_final &= (searcher->orders & ~point->orders) == 0;
      echo_point_evaluate(searcher, point, searcher->orders);
      echo_curve_add_orders(searcher, frontier->points.data[i]);
    }
  }
}

/* ---- what is left of a search ---- */

/* A point and all that belongs to it, in `memory`. */
static EchoPoint move_point(const EchoSearcher *searcher, const EchoPoint *from, EchoArena *memory)
{
  EchoPoint point;
  echo_point_copy(searcher, from, &point, memory);
  for (size_t v = 0; v < searcher->candidates->graph->values.size; ++v) {
    const EchoRenewals *renewals = point.choice.values[v].renewals;
    if (renewals == NULL)
      continue;
    EchoRenewals *moved = echo_arena_copy(memory, renewals, sizeof *renewals);
    moved->nodes = echo_arena_copy(memory, renewals->nodes, renewals->n * sizeof *moved->nodes);
    point.choice.values[v].renewals = moved;
  }
  return point;
}

/* Marks the points that stay: of equal ones, each may come to something else in other orders.
 * False where one has an order of its own. */
static bool mark_kept(const EchoSearcher *searcher, bool *is_kept)
{
  const EchoCurve *curve = searcher->curve;
  bool can_move = true;
  for (size_t i = 0; i < curve->points.size; ++i) {
    const EchoPoint *point = &curve->points.data[i];
    is_kept[i] =
        i < searcher->first_point || !echo_curve_undercuts(searcher, point->peak_bytes, point->ns);
    can_move &= !is_kept[i] || point->own_order == NULL;
  }
  return can_move;
}

void echo_curve_drop_undercut(EchoSearcher *searcher)
{
  EchoCurve *curve = searcher->curve, left = *curve;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  bool *is_kept = ECHO_ARENA_ARRAY(searcher->scratch, bool, curve->points.size + 1);
  if (searcher->candidates->n_menus == 0 && mark_kept(searcher, is_kept)) {
    memset(&left.points, 0, sizeof left.points);
    left.memory = (EchoArena){0};
    for (size_t i = 0; i < curve->points.size; ++i)
      if (is_kept[i])
        echo_vector_push(&left.points, move_point(searcher, &curve->points.data[i], &left.memory));
    echo_vector_destroy(&curve->points);
    echo_arena_destroy(&curve->memory);
    *curve = left;
  }
  echo_arena_reset(searcher->scratch, mark);
}
