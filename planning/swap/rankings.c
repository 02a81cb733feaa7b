/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What several rankings choose, each walked from the best down until all fits. */
#include <stdlib.h>

#include "base/panic.h"
#include "planning/swap/choose_t.h"

typedef enum Ranking {
  BY_AREA,    /* bytes times time away */
  BY_ABSENCE, /* time away when both copies are done */
  BY_EXCESS,  /* time above the limit that it is away, for each byte copied */
  BY_BYTES,
  BY_FIRST, /* who can leave first, */
  BY_LAST,  /* or come back last */
  BY_FEWEST_BYTES,
  N_RANKINGS
} Ranking;

#define N_QUICK 4

int echo_compare_ranked_stays(const void *a, const void *b)
{
  const EchoRankedStay *x = a, *y = b;
  if (x->score != y->score)
    return x->score > y->score ? -1 : 1;
  return (x->stay > y->stay) - (x->stay < y->stay);
}

/* above_ns[s]: time above the limit before step s, with nothing away. */
static double *sum_above(EchoChooser *chooser)
{
  const int64_t *start_ns = chooser->program->start_ns.data;
  double *above_ns = ECHO_ARENA_ARRAY(&chooser->arena, double, chooser->n_steps + 1u);
  double sum = 0;
  for (uint32_t s = 0; s <= chooser->n_steps; ++s) {
    above_ns[s] = sum;
    if (s < chooser->n_steps && chooser->live[s] > (int64_t)chooser->limit_bytes)
      sum += (double)(start_ns[s + 1] - start_ns[s]);
  }
  return above_ns;
}

static double score(const EchoChooser *chooser, const EchoSwapStay *stay, Ranking ranking,
                    const double *above_ns)
{
  double absence = (double)(stay->away_ns - stay->out_ns - stay->in_ns);
  uint32_t begin[2], end[2];
  double above = 0;
  switch (ranking) {
  case BY_AREA:
    return absence > 0 ? absence * (double)stay->size_bytes : absence / (double)stay->size_bytes;
  case BY_ABSENCE:
    return absence;
  case BY_EXCESS:
    echo_stay_parts(chooser, stay, begin, end);
    for (int part = 0; part < 2; ++part)
      above += begin[part] < end[part] ? above_ns[end[part]] - above_ns[begin[part]] : 0;
    return absence > 0 ? above * (double)stay->size_bytes / (double)(stay->out_ns + stay->in_ns)
                       : absence;
  case BY_BYTES:
    return (double)stay->size_bytes;
  case BY_FIRST:
    return stay->wraps ? 1 : -(double)stay->last_step;
  case BY_LAST:
    return stay->wraps ? (double)chooser->n_steps : (double)stay->next_step;
  case BY_FEWEST_BYTES:
    return -(double)stay->size_bytes;
  case N_RANKINGS:
    break;
  }
  ECHO_UNREACHABLE("no ranking");
}

/* Whether some step that the stay leaves, or the one that it needs, is over the limit. */
static bool helps(const EchoChooser *chooser, uint32_t g)
{
  const EchoSwapStay *stay = &chooser->stays[g];
  uint32_t begin[2], end[2];
  echo_stay_parts(chooser, stay, begin, end);
  for (int part = 0; part < 2; ++part)
    if (begin[part] < end[part] &&
        echo_profile_max_in(&chooser->load, begin[part], end[part]) > (int64_t)chooser->limit_bytes)
      return true;
  return false;
}

/* From the best score down until all fits, past those that would not help; then, from the worst up,
 * what the others do without is given back. */
static void walk(EchoChooser *chooser, const EchoRankedStay *ranked)
{
  echo_chooser_put_all(chooser, NULL);
  for (uint32_t k = 0; k < chooser->n_stays && !echo_chooser_fits(chooser); ++k)
    if (!chooser->is_chosen[ranked[k].stay] && helps(chooser, ranked[k].stay))
      echo_chooser_put(chooser, ranked[k].stay, true);
  if (!echo_chooser_fits(chooser))
    return;
  for (uint32_t k = chooser->n_stays; k-- > 0;)
    echo_chooser_give_back(chooser, ranked[k].stay);
  echo_profile_commit(&chooser->load);
}

uint64_t echo_chooser_try_rankings(EchoChooser *chooser, EchoSwapEffort effort)
{
  EchoRankedStay *ranked = ECHO_ARENA_ARRAY(&chooser->arena, EchoRankedStay, chooser->n_stays + 1u);
  const double *above_ns = sum_above(chooser);
  unsigned n = effort == ECHO_SWAP_QUICK ? N_QUICK : N_RANKINGS;
  for (unsigned r = 0; r < n && chooser->best_ns > 0; ++r) {
    for (uint32_t g = 0; g < chooser->n_stays; ++g)
      ranked[g] = (EchoRankedStay){score(chooser, &chooser->stays[g], (Ranking)r, above_ns), g};
    if (chooser->n_stays != 0)
      qsort(ranked, chooser->n_stays, sizeof *ranked, echo_compare_ranked_stays);
    walk(chooser, ranked);
    echo_chooser_judge(chooser);
  }
  return N_RANKINGS * (uint64_t)(chooser->n_steps + ECHO_PLACE_WORK * chooser->n_stays);
}
