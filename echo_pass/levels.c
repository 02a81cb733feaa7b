/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Points whose control nodes stand at other levels. While a region runs, what lives beside it is
 * known, so below a target each takes the cheapest level that leaves it there: one choice of what
 * is recomputed outside comes to a point for each target. Order and fusion are those of that
 * choice. */
#include "echo_pass/search_state_t.h"

#include <stdlib.h>

#define MAX_TARGETS 256    /* of one choice: what it costs grows with the nodes times these */
#define MIN_ADDED 64       /* points, evenly by peak, */
#define ADDED_WORK 1000000 /* or as many as this many nodes are looked at for */

/* A control node of a plan, and what lives beside what it holds. */
typedef struct Stop {
  uint32_t menu;
  uint64_t beside_bytes;
} Stop;

/* The plan of a choice without its control nodes. */
typedef struct Look {
  uint64_t floor_bytes, beside_ns;
  Stop *stops;
  uint32_t n_stops;
} Look;

/* A point of the curve with its regions below a target. */
typedef struct Offer {
  uint32_t point;
  uint64_t target_bytes, peak_bytes, ns;
} Offer;

typedef struct Leveller {
  EchoSearcher *searcher;
  EchoMap menu_of_op;
  ECHO_VECTOR(Offer) offers;
} Leveller;

/* ---- levels ---- */

/* The cheapest that takes no more than `room`; the lowest where none does. Level 0 is passed over
 * where another one undercuts it. */
static uint32_t fit_level(const EchoRegionMenu *menu, uint64_t room)
{
  uint32_t level = menu->n_levels > 1 && menu->levels[1].ns <= menu->levels[0].ns ? 1 : 0;
  uint32_t end = menu->n_levels - 1; /* their bytes fall */
  while (level < end) {
    uint32_t middle = level + (end - level) / 2;
    if (menu->levels[middle].bytes > room)
      level = middle + 1;
    else
      end = middle;
  }
  return level;
}

static uint32_t fit_stop(const Leveller *leveller, const Stop *stop, uint64_t target_bytes)
{
  uint64_t room = target_bytes > stop->beside_bytes ? target_bytes - stop->beside_bytes : 0;
  return fit_level(&leveller->searcher->candidates->menus[stop->menu], room);
}

/* Lives in the scratch arena. */
static void look_at(const Leveller *leveller, uint32_t point, Look *look)
{
  EchoSearcher *searcher = leveller->searcher;
  EchoGraph ordered = {0};
  EchoEstimate estimate = {0};
  *look = (Look){.stops = ECHO_ARENA_ARRAY(searcher->scratch, Stop, searcher->candidates->n_menus)};
  echo_point_estimate_create(searcher, &searcher->curve->points.data[point], &ordered, &estimate);
  look->beside_ns = echo_fusion_ns(&ordered, &estimate.fusion, &searcher->options->device);
  size_t n_steps = estimate.fusion.groups.size;
  uint64_t *entered = echo_storage_entered_bytes(&estimate.storage, n_steps);
  uint32_t *menus = ECHO_ARENA_ARRAY(searcher->scratch, uint32_t, n_steps + 1);
  for (size_t g = 0; g < n_steps; ++g) {
    EchoGraphNode *node = &ordered.nodes.data[estimate.fusion.groups.data[g].root];
    menus[g] = (uint32_t)echo_map_get_or(&leveller->menu_of_op, echo_key(node->op), ECHO_NONE);
    if (menus[g] == ECHO_NONE)
      continue;
    look->beside_ns -= node->inner_ns;
    node->inner_bytes = 0;
  }
  uint64_t *profile = echo_storage_profile(&estimate.storage, &ordered, &estimate.fusion);
  for (size_t g = 0; g < n_steps; ++g) {
    if (look->floor_bytes < profile[g])
      look->floor_bytes = profile[g];
    if (menus[g] != ECHO_NONE)
      look->stops[look->n_stops++] = (Stop){menus[g], profile[g] - entered[g]};
  }
  searcher->work += ordered.nodes.size;
  echo_free(profile);
  echo_free(entered);
  echo_estimate_destroy(&estimate);
  echo_graph_destroy(&ordered);
}

/* What the point comes to below a target, or as far as it goes. */
static Offer make_offer(const Leveller *leveller, uint32_t point, const Look *look,
                        uint64_t target_bytes)
{
  Offer offer = {point, target_bytes, look->floor_bytes, look->beside_ns};
  for (uint32_t s = 0; s < look->n_stops; ++s) {
    const Stop *stop = &look->stops[s];
    const EchoRegionLevel *level = &leveller->searcher->candidates->menus[stop->menu]
                                        .levels[fit_stop(leveller, stop, target_bytes)];
    offer.ns += level->ns;
    if (offer.peak_bytes < stop->beside_bytes + level->bytes)
      offer.peak_bytes = stop->beside_bytes + level->bytes;
  }
  return offer;
}

/* ---- targets ---- */

static int compare_bytes(const void *a, const void *b)
{
  const uint64_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/* All peaks at which a level of some node becomes too high; where there are many, some of them,
 * with the lowest. */
static void make_offers(Leveller *leveller, uint32_t point)
{
  const EchoCandidates *candidates = leveller->searcher->candidates;
  EchoArena *scratch = leveller->searcher->scratch;
  EchoArenaMark mark = echo_arena_mark(scratch);
  Look look;
  look_at(leveller, point, &look);
  size_t n = 1, n_levels = 1;
  for (uint32_t s = 0; s < look.n_stops; ++s)
    n_levels += candidates->menus[look.stops[s].menu].n_levels;
  uint64_t *targets = ECHO_ARENA_ARRAY(scratch, uint64_t, n_levels);
  targets[0] = make_offer(leveller, point, &look, 0).peak_bytes;
  for (uint32_t s = 0; s < look.n_stops; ++s) {
    const EchoRegionMenu *menu = &candidates->menus[look.stops[s].menu];
    for (uint32_t l = 0; l < menu->n_levels; ++l)
      if (look.stops[s].beside_bytes + menu->levels[l].bytes > targets[0])
        targets[n++] = look.stops[s].beside_bytes + menu->levels[l].bytes;
  }
  qsort(targets, n, sizeof *targets, compare_bytes);
  size_t n_taken = n < MAX_TARGETS ? n : MAX_TARGETS;
  for (size_t i = 0; i < n_taken; ++i)
    echo_vector_push(&leveller->offers,
                     make_offer(leveller, point, &look, targets[i * n / n_taken]));
  echo_arena_reset(scratch, mark);
}

/* ---- the lowest for their time ---- */

static int compare_offers(const void *a, const void *b)
{
  const Offer *x = a, *y = b;
  if (x->ns != y->ns)
    return x->ns < y->ns ? -1 : 1;
  if (x->peak_bytes != y->peak_bytes)
    return x->peak_bytes < y->peak_bytes ? -1 : 1;
  if (x->point != y->point)
    return x->point < y->point ? -1 : 1;
  return x->target_bytes > y->target_bytes ? -1 : x->target_bytes < y->target_bytes;
}

/* In order of time, each lower than the one before. */
static void keep_frontier(Leveller *leveller)
{
  Offer *offers = leveller->offers.data;
  size_t n = 0;
  if (leveller->offers.size != 0)
    qsort(offers, leveller->offers.size, sizeof *offers, compare_offers);
  for (size_t i = 0; i < leveller->offers.size; ++i)
    if (n == 0 || offers[i].peak_bytes < offers[n - 1].peak_bytes)
      offers[n++] = offers[i];
  leveller->offers.size = n;
}

/* ---- points ---- */

static void add_point(Leveller *leveller, const Offer *offer)
{
  EchoSearcher *searcher = leveller->searcher;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoPoint point;
  Look look;
  echo_point_copy(searcher, &searcher->curve->points.data[offer->point], &point, searcher->scratch);
  look_at(leveller, offer->point, &look);
  for (uint32_t s = 0; s < look.n_stops; ++s)
    point.choice.levels[look.stops[s].menu] =
        fit_stop(leveller, &look.stops[s], offer->target_bytes);
  point.peak_bytes = offer->peak_bytes;
  point.ns = offer->ns;
  point.orders = echo_point_best_order(&point);
  point.hash_in[point.order] = 0; /* not looked at in that order, but foretold */
  echo_curve_add(searcher, &point);
  echo_arena_reset(searcher->scratch, mark);
}

static uint64_t max_added(const EchoSearcher *searcher)
{
  uint64_t n_nodes = searcher->candidates->graph->nodes.size + 1;
  uint64_t n_shares = searcher->options->n_alternatives + 1;
  uint64_t n = ADDED_WORK / n_nodes / n_shares;
  return n > MIN_ADDED ? n : MIN_ADDED;
}

/* Evenly by peak, with both ends. */
static void add_points(Leveller *leveller)
{
  size_t n = leveller->offers.size;
  if (n == 0)
    return;
  const Offer *offers = leveller->offers.data;
  uint64_t apart =
      (offers[0].peak_bytes - offers[n - 1].peak_bytes) / max_added(leveller->searcher);
  uint64_t last_bytes = UINT64_MAX;
  for (size_t i = 0; i < n; ++i) {
    if (i + 1 < n && last_bytes - offers[i].peak_bytes < apart)
      continue;
    add_point(leveller, &offers[i]);
    last_bytes = offers[i].peak_bytes;
  }
}

void echo_curve_add_levels(EchoSearcher *searcher)
{
  const EchoCandidates *candidates = searcher->candidates;
  if (candidates->n_menus == 0)
    return;
  Leveller leveller = {.searcher = searcher};
  for (uint32_t m = 0; m < candidates->n_menus; ++m)
    echo_map_set(&leveller.menu_of_op,
                 echo_key(candidates->graph->nodes.data[candidates->menus[m].node].op), m);
  for (size_t i = 0; i < searcher->found.size; ++i)
    make_offers(&leveller, searcher->found.data[i]);
  keep_frontier(&leveller);
  add_points(&leveller);
  echo_vector_destroy(&leveller.offers);
  echo_map_destroy(&leveller.menu_of_op);
}
