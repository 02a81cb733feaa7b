/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Recompute, swap or keep: the points of the curve say what is recomputed, the swap planner what
 * the rest of a budget costs each of them. What was chosen without swaps stands until something
 * betters it, so the answer is never worse than recompute alone; swapping without recompute is one
 * of the candidates, too. */
#include <stdlib.h>

#include "echo_pass/search_state_t.h"
#include "planning/swap/estimate.h"

#define LEAST_SLACK 128    /* the least budget is found to this part, */
#define MAX_PACKED 8       /* from so many points at most */
#define MAX_LOOKED 2000000 /* nodes of the graphs that are looked at: a second or two */
/* Steps and places that swaps are planned for, offsets included: as much again. */
#define MAX_SWAP_WORK UINT64_C(64000000)
#define MIN_POINTS 12  /* looked at all the same */
#define MIN_THOROUGH 4 /* points whose swaps are looked for thoroughly, */
#define MAX_THOROUGH 24
#define THOROUGH_NODES 64 /* and one more for as many nodes looked at for each of its own */

/* A point of the curve, and its swaps. */
typedef struct Offer {
  size_t point;
  uint64_t ns; /* the step, waiting for copies included; UINT64_MAX: it does not fit */
} Offer;

/* One look for swaps. All bytes are of the arena and of the state that may wait in the host. */
typedef struct Look {
  EchoSearcher *searcher;
  const EchoFrontier *frontier;
  uint64_t state_bytes;
  uint64_t budget_bytes;
  Offer best;
  bool swaps;    /* the best one does */
  uint64_t work; /* of the swap planner, in steps and places */
} Look;

static void program_create(const Look *look, const EchoPoint *point, EchoSwapProgram *program)
{
  const EchoSearcher *searcher = look->searcher;
  EchoGraph ordered = {0};
  EchoEstimate estimate = {0};
  echo_point_estimate_create(searcher, point, &ordered, &estimate);
  echo_swap_program_create(program, &ordered, searcher->interface, &estimate,
                           &searcher->options->device);
  echo_estimate_destroy(&estimate);
  echo_graph_destroy(&ordered);
}

/* What a program of so many nanoseconds then takes. */
static uint64_t time_of(Look *look, const EchoSwapProgram *program, uint64_t ns,
                        uint64_t budget_bytes, EchoSwapEffort effort)
{
  EchoSwapDecision decision;
  bool fits =
      echo_swap_decide(&decision, program, &look->searcher->options->device, budget_bytes, effort);
  ns = fits ? ns + (uint64_t)decision.overhead_ns : UINT64_MAX;
  look->work += decision.work;
  echo_swap_decision_destroy(&decision);
  return ns;
}

/* Of a point that need not be on the curve: what it then takes. */
static uint64_t offer_of(Look *look, const EchoPoint *point, uint64_t budget_bytes,
                         EchoSwapEffort effort)
{
  EchoSwapProgram program;
  program_create(look, point, &program);
  uint64_t ns = time_of(look, &program, point->ns, budget_bytes, effort);
  echo_swap_program_destroy(&program);
  return ns;
}

static Offer make_offer(Look *look, size_t index, uint64_t budget_bytes, EchoSwapEffort effort)
{
  const EchoPoint *point = &look->searcher->curve->points.data[index];
  return (Offer){index, offer_of(look, point, budget_bytes, effort)};
}

/* ---- the least ---- */

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

static uint64_t least_load(const Look *look, const EchoPoint *point)
{
  EchoSwapProgram program;
  program_create(look, point, &program);
  uint64_t bytes = echo_swap_least_load(&program);
  echo_swap_program_destroy(&program);
  return bytes;
}

/* How many points there is work for, as far apart as they can be. */
static size_t n_looked(const Look *look, size_t n)
{
  size_t n_nodes = look->searcher->candidates->graph->nodes.size;
  size_t affordable = MAX_LOOKED / (n_nodes + 1);
  affordable = affordable < MIN_POINTS ? MIN_POINTS : affordable;
  return n < affordable ? n : affordable;
}

static uint32_t looked_at(const Look *look, size_t i, size_t n)
{
  size_t n_points = look->frontier->points.size;
  return look->frontier->points.data[n < 2 ? 0 : i * (n_points - 1) / (n - 1)];
}

static uint64_t least_packed(const Look *look, uint32_t point)
{
  EchoSwapProgram program;
  program_create(look, &look->searcher->curve->points.data[point], &program);
  uint64_t bytes = echo_swap_least_limit_packed(&program, &look->searcher->options->device);
  echo_swap_program_destroy(&program);
  return bytes;
}

/* The lowest that any point can be swapped to, where that is below `bytes`, which it returns else:
 * those of the least load are packed first, and none that could only be lower by what nobody would
 * notice. */
static uint64_t find_least(Look *look, uint64_t bytes, Offer *least)
{
  const EchoSearcher *searcher = look->searcher;
  size_t n = n_looked(look, look->frontier->points.size), best = SIZE_MAX;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  Load *loads = ECHO_ARENA_ARRAY(searcher->scratch, Load, n + 1);
  for (size_t i = 0; i < n; ++i) {
    uint32_t point = looked_at(look, i, n);
    loads[i] = (Load){least_load(look, &searcher->curve->points.data[point]), point};
  }
  qsort(loads, n, sizeof *loads, by_bytes);
  for (size_t i = 0; i < n && i < MAX_PACKED && loads[i].bytes < bytes - bytes / LEAST_SLACK; ++i) {
    uint64_t packed = least_packed(look, loads[i].point);
    best = packed < bytes ? i : best;
    bytes = packed < bytes ? packed : bytes;
  }
  if (best != SIZE_MAX)
    *least = make_offer(look, loads[best].point, bytes, ECHO_SWAP_QUICK);
  echo_arena_reset(searcher->scratch, mark);
  return bytes;
}

/* ---- the cheapest ---- */

static void consider(Look *look, Offer offer)
{
  if (offer.ns >= look->best.ns)
    return;
  look->best = offer;
  look->swaps = true;
}

/* Where it is faster by itself than the best so far: swaps only add to that. */
static void consider_thoroughly(Look *look, size_t point)
{
  if (look->searcher->curve->points.data[point].ns < look->best.ns)
    consider(look, make_offer(look, point, look->budget_bytes, ECHO_SWAP_THOROUGH));
}

static int by_ns(const void *a, const void *b)
{
  const Offer *x = a, *y = b;
  if (x->ns != y->ns)
    return x->ns < y->ns ? -1 : 1;
  return x->point < y->point ? -1 : x->point > y->point;
}

/* A quick look at the points that are faster by themselves than the best so far, and a thorough one
 * at those that it says most for. */
static void look_for_cheapest(Look *look)
{
  const EchoSearcher *searcher = look->searcher;
  size_t n = n_looked(look, look->frontier->points.size), n_offers = 0;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  Offer *offers = ECHO_ARENA_ARRAY(searcher->scratch, Offer, n + 1);
  for (size_t i = 0; i < n; ++i) {
    uint32_t point = looked_at(look, i, n);
    if (searcher->curve->points.data[point].ns >= look->best.ns)
      break; /* swaps only add to it */
    Offer offer = make_offer(look, point, look->budget_bytes, ECHO_SWAP_QUICK);
    if (offer.ns != UINT64_MAX)
      offers[n_offers++] = offer;
    consider(look, offer);
  }
  if (n_offers != 0)
    qsort(offers, n_offers, sizeof *offers, by_ns);
  size_t n_nodes = searcher->candidates->graph->nodes.size;
  size_t n_thorough = MIN_THOROUGH + MAX_LOOKED / THOROUGH_NODES / (n_nodes + 1);
  n_thorough = n_thorough < MAX_THOROUGH ? n_thorough : MAX_THOROUGH;
  bool is_alone_seen = false;
  for (size_t i = 0;
       i < n_offers && i < n_thorough && (i < MIN_THOROUGH || look->work < MAX_SWAP_WORK / 2);
       ++i) {
    consider_thoroughly(look, offers[i].point);
    is_alone_seen |= offers[i].point == 0;
  }
  if (!is_alone_seen) /* however little the quick looks say for swapping alone */
    consider_thoroughly(look, 0);
  echo_arena_reset(searcher->scratch, mark);
}

/* ---- what else might be computed again ---- */

#define MAX_IN_ALL_SETS 8 /* values of which every set is tried where that is cheap, */
#define ALL_ORDERS 64     /* and of each set every order, in this part of the work: ablation.md */

static void add_better(Look *look, const EchoPoint *point, uint64_t ns)
{
  EchoCurve *curve = look->searcher->curve;
  EchoPoint added;
  echo_point_copy(look->searcher, point, &added, &curve->memory);
  echo_vector_push(&curve->points, added);
  consider(look, (Offer){curve->points.size - 1, ns});
}

/* Asks each order of ours, where it is faster than the best so far by itself. The point that
 * betters it joins the curve. */
static void try_orders(Look *look, EchoPoint *point, uint32_t n_left)
{
  EchoSearcher *searcher = look->searcher;
  (void)n_left;
  echo_point_evaluate(searcher, point, ECHO_ALL_ORDERS);
  for (unsigned policy = 0; policy < ECHO_N_ORDER_POLICIES; ++policy) {
    EchoPoint other = *point;
    other.order = (EchoOrderPolicy)policy;
    other.ns = point->ns_in[policy];
    other.peak_bytes = point->bytes_in[policy];
    if (other.ns >= look->best.ns)
      continue;
    uint64_t ns = offer_of(look, &other, look->budget_bytes, ECHO_SWAP_QUICK);
    if (ns > other.ns && ns != UINT64_MAX)
      ns = offer_of(look, &other, look->budget_bytes, ECHO_SWAP_THOROUGH);
    searcher->work += searcher->candidates->graph->nodes.size;
    if (ns < look->best.ns)
      add_better(look, &other, ns);
  }
}

/* Another order, where it is faster than the best so far by itself. */
static bool offer_order(void *user, const EchoPoint *point, const EchoGraph *ordered,
                        const EchoEstimate *estimate)
{
  Look *look = user;
  EchoSearcher *searcher = look->searcher;
  if (point->ns >= look->best.ns)
    return true;
  EchoSwapProgram program;
  echo_swap_program_create(&program, ordered, searcher->interface, estimate,
                           &searcher->options->device);
  uint64_t ns = time_of(look, &program, point->ns, look->budget_bytes, ECHO_SWAP_QUICK);
  if (ns > point->ns && ns != UINT64_MAX)
    ns = time_of(look, &program, point->ns, look->budget_bytes, ECHO_SWAP_THOROUGH);
  echo_swap_program_destroy(&program);
  if (ns < look->best.ns) {
    EchoPoint kept = *point;
    kept.own_order = echo_point_keep_order(searcher, point, ordered);
    add_better(look, &kept, ns);
  }
  return look->work < MAX_SWAP_WORK;
}

/* What one set does not need is left to the others. */
static void try_all_orders(Look *look, EchoPoint *point, uint32_t n_left)
{
  EchoSearcher *searcher = look->searcher;
  uint64_t end = MAX_LOOKED / ALL_ORDERS;
  if (searcher->work < end)
    echo_point_visit_orders(searcher, point, (end - searcher->work) / n_left, offer_order, look);
}

static int by_value(const void *a, const void *b)
{
  const Load *x = a, *y = b;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return x->point < y->point ? -1 : x->point > y->point;
}

/* Values that may be computed again, the largest first. */
static size_t list_values(const Look *look, Load *values)
{
  const EchoCandidates *candidates = look->searcher->candidates;
  size_t n = 0;
  for (uint32_t v = 0; v < candidates->graph->values.size; ++v)
    if (echo_candidate_may_run_again(candidates, v))
      values[n++] = (Load){candidates->graph->values.data[v].bytes, v};
  if (n != 0)
    qsort(values, n, sizeof *values, by_value);
  return n;
}

static bool has_work(const Look *look)
{
  return look->searcher->work < MAX_LOOKED / 4 && look->work < MAX_SWAP_WORK;
}

/* `n_left` sets are still to come, this one included. */
typedef void (*TrySet)(Look *look, EchoPoint *point, uint32_t n_left);

static void try_all_sets(Look *look, const Load *values, size_t n, TrySet try_set)
{
  EchoSearcher *searcher = look->searcher;
  searcher->work = 0;
  echo_map_clear(&searcher->known);
  for (uint32_t set = 0; set < 1u << n && has_work(look); ++set) {
    EchoArenaMark mark = echo_arena_mark(searcher->scratch);
    EchoPoint point;
    echo_point_create(searcher, &point);
    for (size_t i = 0; i < n; ++i)
      point.choice.values[values[i].point].is_recomputed = (set >> i & 1) != 0;
    if (echo_point_finish(searcher, &point))
      try_set(look, &point, (1u << n) - set);
    echo_arena_reset(searcher->scratch, mark);
  }
}

/* What lowers no peak by itself may do so with another value away, and what is best of all orders
 * depends on what is away: in small steps every set is tried, and then every order of it. */
static void look_for_more(Look *look)
{
  EchoSearcher *searcher = look->searcher;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  Load *values =
      ECHO_ARENA_ARRAY(searcher->scratch, Load, searcher->candidates->graph->values.size + 1);
  size_t n = list_values(look, values);
  if (n <= MAX_IN_ALL_SETS)
    try_all_sets(look, values, n, try_orders);
  if (n <= MAX_IN_ALL_SETS && searcher->options->fusion.order == NULL)
    try_all_sets(look, values, n, try_all_orders);
  echo_arena_reset(searcher->scratch, mark);
}

bool echo_curve_choose_with_swaps(EchoSearcher *searcher, const EchoFrontier *frontier)
{
  EchoCurve *curve = searcher->curve;
  bool fits = curve->fits, is_least = searcher->options->goal == ECHO_GOAL_LEAST;
  Look look = {
      .searcher = searcher,
      .frontier = frontier,
      .state_bytes = echo_swap_state_bytes(searcher->candidates->graph, searcher->interface),
      .budget_bytes = searcher->options->swap_budget_bytes,
      .best = {.point = curve->best, .ns = fits ? curve->points.data[curve->best].ns : UINT64_MAX}};
  uint64_t packed_bytes =
      echo_point_arena_bytes(searcher, &curve->points.data[curve->best]) + look.state_bytes;
  Offer least = look.best;
  if (is_least) {
    look.budget_bytes = find_least(&look, packed_bytes, &least);
    look.swaps = look.budget_bytes < packed_bytes;
    look.best = least;
  }
  look_for_cheapest(&look);
  look_for_more(&look);
  curve->state_bytes = look.state_bytes;
  curve->least_bytes = look.swaps ? look.budget_bytes : packed_bytes;
  if (look.best.ns == UINT64_MAX) { /* then the least, where that is within the budget */
    curve->least_bytes = find_least(&look, packed_bytes, &least);
    if (curve->least_bytes > look.budget_bytes)
      return false;
    look.best = least;
    look.swaps = true;
  }
  curve->best = look.best.point;
  curve->swap_limit_bytes = look.swaps ? curve->least_bytes : UINT64_MAX;
  curve->swap_ns = look.best.ns - curve->points.data[curve->best].ns;
  return true;
}
