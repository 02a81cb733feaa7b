/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Our policies, as rows: minimum cuts at several prices, nearest either side, chains cut; the rule
 * of the paper's implementation; checkpoints of chains alone, on one level and on several. */
#include "echo_pass/policy_t.h"

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
  echo_search_propose(run->searcher, &point, cuts_chains);
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
    echo_search_propose(run->searcher, &point, false);
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
  echo_search_propose(searcher, &point, false);
  echo_arena_reset(searcher->scratch, mark);
}

/* Several levels of checkpoints: what takes the least time below a number of targets, the lowest
 * first: they stand closer the lower they are, for there a byte takes most time. */
static bool propose_levels(EchoPolicyRun *run)
{
  const EchoCandidates *candidates = run->searcher->candidates;
  EchoCutOptions all = {.side = ECHO_CUT_NEAR_SINK, .allow_heavy = true};
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
  EchoCutOptions narrow = {.side = ECHO_CUT_NEAR_SINK, .allow_heavy = true};
  propose_cut(run, &narrow, true);
  return true;
}

/* Prices, dear to cheap. At the first a byte kept is worth the arithmetic that takes as long as
 * moving it. */
static const double PRICES[] = {1, 0.25, 0};
#define N_PRICES (sizeof PRICES / sizeof PRICES[0])

static void propose_side(EchoPolicyRun *run, EchoCutSide side, bool allow_heavy)
{
  for (size_t i = 0; i < N_PRICES; ++i) {
    EchoCutOptions cut = {side, PRICES[i], allow_heavy};
    propose_cut(run, &cut, true);
    propose_cut(run, &cut, false);
  }
}

static bool propose_greedy(EchoPolicyRun *run)
{
  EchoArenaMark mark = echo_arena_mark(run->searcher->scratch);
  EchoPoint point;
  echo_point_create(run->searcher, &point);
  echo_choice_greedy(&point.choice, run->searcher->candidates);
  echo_search_propose(run->searcher, &point, true);
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
