/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Our policies, as rows: minimum cuts at the prices that matter, nearest either side, chains cut;
 * the rule of the paper's implementation; checkpoints of chains alone, on one level and on several.
 */
#include "echo_pass/policy_t.h"

#define MAX_CUTS 8         /* at prices of their own, on each side: bench/results/ablation.md */
#define CHAIN_PART 64      /* of the peak: chains of less are not worth levels */
#define N_LEVEL_TARGETS 16 /* from the least to the peak: bench/results/levels.md */

/* Adds the point of one choice unless it is known or no better than nothing. Half of the work is
 * left for what lies between. */
static void propose_cut(EchoPolicyRun *run, const EchoCutOptions *cut, bool cuts_chains)
{
  EchoArenaMark mark = echo_arena_mark(run->searcher->scratch);
  EchoPoint point;
  if (!echo_search_has_work(run->searcher, 2))
    return;
  echo_point_create(run->searcher, &point);
  echo_choice_cut(&point.choice, run->searcher->candidates, cut);
  echo_search_propose_soon(run->searcher, &point, cuts_chains, true);
  echo_arena_reset(run->searcher->scratch, mark);
}

static void propose_chain(EchoPolicyRun *run, EchoCutSide side, bool holds)
{
  EchoArenaMark mark = echo_arena_mark(run->searcher->scratch);
  EchoPoint point;
  if (!echo_search_has_work(run->searcher, 2))
    return;
  echo_point_create(run->searcher, &point);
  if (echo_choice_chain(&point.choice, run->searcher->candidates, side, holds) || !holds)
    echo_search_propose_soon(run->searcher, &point, false, true);
  echo_arena_reset(run->searcher->scratch, mark);
}

static void propose_target(EchoPolicyRun *run, const EchoChoice *cut, EchoChainLevels *levels,
                           uint64_t target_bytes)
{
  EchoSearcher *searcher = run->searcher;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoPoint point;
  if (!echo_search_has_work(searcher, 2))
    return;
  echo_point_create(searcher, &point);
  for (uint32_t v = 0; v < searcher->candidates->graph->values.size; ++v)
    echo_choice_take_value(&point.choice, cut, v);
  echo_choice_take_levels(&point.choice, levels, target_bytes, &searcher->curve->memory);
  echo_search_propose_soon(searcher, &point, false, true);
  echo_arena_reset(searcher->scratch, mark);
}

/* Several levels of checkpoints: what takes the least time below a number of targets, the lowest
 * first: they stand closer the lower they are, for there a byte takes most time. */
static bool propose_levels(EchoPolicyRun *run)
{
  const EchoCandidates *candidates = run->searcher->candidates;
  EchoCutOptions all = {.side = ECHO_CUT_NEAR_SINK, .allow_heavy = true, .keeps_turned = true};
  EchoCutOptions cheap = {.side = ECHO_CUT_NEAR_SOURCE};
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  EchoChoice narrow, light;
  echo_choice_create(&narrow, candidates);
  echo_choice_cut(&narrow, candidates, &all);
  echo_choice_create(&light, candidates);
  echo_choice_cut(&light, candidates, &cheap);
  uint64_t high = run->searcher->curve->points.data[0].peak_bytes;
  EchoChainLevels *levels =
      echo_chain_levels_create_or_null(&narrow, candidates, &light, high / CHAIN_PART);
  if (levels != NULL) {
    uint64_t low = echo_chain_levels_least(levels);
    for (uint64_t i = 0; i < N_LEVEL_TARGETS && low < high; ++i)
      propose_target(run, &narrow, levels,
                     low + (high - low) / (N_LEVEL_TARGETS * N_LEVEL_TARGETS) * i * i);
    echo_chain_levels_destroy(levels);
  }
  echo_arena_reset(candidates->scratch, mark);
  return true;
}

static bool propose_chains(EchoPolicyRun *run)
{
  for (int holds = 0; holds < 2; ++holds) {
    propose_chain(run, ECHO_CUT_NEAR_SINK, holds != 0);
    propose_chain(run, ECHO_CUT_NEAR_SOURCE, holds != 0);
  }
  /* Where no single value is all that crosses, as in a recurrence: the narrowest places. */
  EchoCutOptions narrow = {.side = ECHO_CUT_NEAR_SINK, .allow_heavy = true, .keeps_turned = true};
  propose_cut(run, &narrow, true);
  return true;
}

/* ---- cuts at prices ---- */

/* Minimum cuts at every price that matters lie on the lower hull of what is kept against the time
 * of what is computed again. Its ends are known: nothing is computed again, or all that may be.
 * Where two neighbours cost the same lies the price at which a cut between them would be found. */
typedef struct HullCut {
  EchoCutCost cost;
  bool is_edge; /* no cut lies below the line to the next one */
} HullCut;

typedef struct CutHull {
  HullCut cuts[MAX_CUTS]; /* in order of time */
  size_t n;
} CutHull;

static EchoCutCost cost_of(const EchoPolicyRun *run, const EchoCutOptions *cut)
{
  const EchoCandidates *candidates = run->searcher->candidates;
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  EchoChoice choice;
  echo_choice_create(&choice, candidates);
  if (cut != NULL)
    echo_choice_cut(&choice, candidates, cut);
  EchoCutCost cost = echo_choice_cost(&choice, candidates);
  echo_arena_reset(candidates->scratch, mark);
  return cost;
}

static EchoCutCost propose_price(EchoPolicyRun *run, const EchoCutOptions *cut)
{
  propose_cut(run, cut, true);
  propose_cut(run, cut, false);
  return cost_of(run, cut);
}

/* The edge that leaves most room below it; n where no cut is left to be found. */
static size_t widest_edge(const CutHull *hull)
{
  size_t widest = hull->n;
  double most = 0;
  for (size_t i = 0; i + 1 < hull->n; ++i) {
    const EchoCutCost *a = &hull->cuts[i].cost, *b = &hull->cuts[i + 1].cost;
    double room = (a->bytes - b->bytes) * (b->ns - a->ns);
    if (!hull->cuts[i].is_edge && room > most) {
      most = room;
      widest = i;
    }
  }
  return widest;
}

/* Behind the cut at `index`, unless it is one of the two that its price is from. */
static void hull_insert(CutHull *hull, size_t index, const EchoCutCost *cost)
{
  HullCut *cuts = hull->cuts;
  if (cost->bytes >= cuts[index].cost.bytes || cost->bytes <= cuts[index + 1].cost.bytes) {
    cuts[index].is_edge = true;
    return;
  }
  memmove(cuts + index + 2, cuts + index + 1, (hull->n - index - 1) * sizeof *cuts);
  cuts[index + 1] = (HullCut){.cost = *cost};
  ++hull->n;
}

/* As many cuts as there is room and work for, where the hull is known least.
 *   source  Eisner and Severance, Mathematical Techniques for Efficient Record Segmentation in
 * Large Shared Databases, JACM 23 (1976): parametric problems by their breakpoints */
static void propose_side(EchoPolicyRun *run, EchoCutSide side, bool allow_heavy)
{
  EchoCutOptions cut = {.side = side, .allow_heavy = allow_heavy};
  CutHull hull = {.n = 2};
  hull.cuts[0].cost = cost_of(run, NULL);
  hull.cuts[1].cost = propose_price(run, &cut);
  while (hull.n < MAX_CUTS && echo_search_has_work(run->searcher, 2)) {
    size_t i = widest_edge(&hull);
    if (i == hull.n)
      return;
    const EchoCutCost *a = &hull.cuts[i].cost, *b = &hull.cuts[i + 1].cost;
    double bytes_per_ns = run->searcher->candidates->bytes_per_ns;
    cut.price = (a->bytes - b->bytes) / (b->ns - a->ns) / bytes_per_ns;
    EchoCutCost cost = propose_price(run, &cut);
    hull_insert(&hull, i, &cost);
  }
}

static bool propose_greedy(EchoPolicyRun *run)
{
  EchoArenaMark mark = echo_arena_mark(run->searcher->scratch);
  EchoPoint point;
  echo_point_create(run->searcher, &point);
  echo_choice_greedy(&point.choice, run->searcher->candidates);
  echo_search_propose_soon(run->searcher, &point, true, false);
  echo_arena_reset(run->searcher->scratch, mark);
  return true;
}

/* In order of what they are worth, for the work may end: bench/results/ablation.md. */
static bool propose_cuts(EchoPolicyRun *run)
{
  propose_chains(run);
  propose_side(run, ECHO_CUT_NEAR_SOURCE, false);
  propose_side(run, ECHO_CUT_NEAR_SINK, true);
  propose_side(run, ECHO_CUT_NEAR_SOURCE, true);
  return propose_greedy(run); /* no policy is to reach lower than the default */
}

static const EchoPolicy MINCUT = {"mincut", "minimum cuts, region by region", propose_cuts, false};
static const EchoPolicy GREEDY = {"greedy", "the rule of the paper's implementation",
                                  propose_greedy, false};
/* Checkpoints of a chain are chosen for their bytes alone. */
static const EchoPolicy CHAIN = {"chain", "checkpoints of chains alone", propose_chains, true};

static const EchoPolicy LEVELS = {"levels", "several levels of checkpoints of chains",
                                  propose_levels, true};

const EchoPolicy *const ECHO_POLICIES[] = {&MINCUT, &GREEDY, &CHAIN, &LEVELS, NULL};
