/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is away. Several rankings are walked from the best down until all fits (rankings.c); stays
 * are then chosen one by one, each by the clock of the whole program; the choice of the shortest
 * program is changed, one or two blocks at a time, while that saves time. */
#include <stdlib.h>

#include "base/panic.h"
#include "planning/swap/choose_t.h"

#define TRY_WORK 64    /* of a choice that need not fit */
#define RELIEF_STEPS 8 /* of which the load is looked at for one that the clock goes through */

/* ---- one by one ---- */

#define MAX_ASKED 48      /* stays that the clock is asked about before one is chosen, */
#define FEW_STAYS 32      /* one stay more costs this part of copying all that is above the limit */
#define ASKED_STEPS 60000 /* fewer in long programs: these steps and one stay */

/* The sum over steps of what a stay takes from above the limit. */
static double relief(EchoChooser *chooser, const int64_t *load, const EchoSwapStay *stay)
{
  uint32_t begin[2], end[2];
  double bytes = 0;
  echo_stay_parts(chooser, stay, begin, end);
  chooser->work += (end[0] - begin[0] + end[1]) / RELIEF_STEPS;
  for (int part = 0; part < 2; ++part)
    for (uint32_t s = begin[part]; s < end[part]; ++s) {
      int64_t above = load[s] - (int64_t)chooser->limit_bytes;
      int64_t size = (int64_t)stay->size_bytes;
      if (above > 0)
        bytes += (double)(above < size ? above : size);
    }
  return bytes;
}

static void read_load(const EchoChooser *chooser, int64_t *load)
{
  memcpy(load, chooser->live, chooser->n_steps * sizeof *load);
  for (uint32_t g = 0; g < chooser->n_stays; ++g) {
    uint32_t begin[2], end[2];
    echo_stay_parts(chooser, &chooser->stays[g], begin, end);
    for (int part = 0; part < 2 && chooser->is_chosen[g]; ++part)
      for (uint32_t s = begin[part]; s < end[part]; ++s)
        load[s] -= (int64_t)chooser->stays[g].size_bytes;
  }
}

/* Puts a stay and returns whether that put the one it needs; take_back undoes both. */
static bool put_on_trial(EchoChooser *chooser, uint32_t g)
{
  uint32_t needed = chooser->stays[g].needs;
  bool was_there = needed == ECHO_NO_STAY || chooser->is_chosen[needed];
  echo_chooser_put(chooser, g, true);
  return !was_there;
}

static void take_back(EchoChooser *chooser, uint32_t g, bool with_needed)
{
  echo_chooser_put(chooser, g, false);
  if (with_needed)
    echo_chooser_put(chooser, chooser->stays[g].needs, false);
}

/* The stay that relieves most for the time that it adds, a share of what its copies take included:
 * the price of the streams; and stay_ns, so that not a hundred small ones are taken for a large
 * one. ECHO_NO_STAY: nothing helps. */
static uint32_t next_stay(EchoChooser *chooser, EchoRankedStay *ranked, int64_t *load,
                          double stream_price, double stay_ns, int64_t now_ns)
{
  uint32_t n = 0, best = ECHO_NO_STAY;
  double best_score = 0;
  read_load(chooser, load);
  for (uint32_t g = 0; g < chooser->n_stays; ++g) {
    const EchoSwapStay *stay = &chooser->stays[g];
    double bytes = chooser->is_chosen[g] ? 0 : relief(chooser, load, stay);
    int64_t late_ns = stay->out_ns + stay->in_ns - stay->away_ns;
    if (bytes > 0)
      ranked[n++] =
          (EchoRankedStay){bytes / ((double)(late_ns > 0 ? late_ns : 0) +
                                    stream_price * (double)(stay->out_ns + stay->in_ns) + stay_ns),
                           g};
  }
  if (n != 0)
    qsort(ranked, n, sizeof *ranked, echo_compare_ranked_stays);
  uint32_t n_asked = ASKED_STEPS / (chooser->n_steps + 1) + 1;
  n_asked = n_asked < MAX_ASKED ? n_asked : MAX_ASKED;
  for (uint32_t k = 0; k < n && k < n_asked && echo_chooser_has_work(chooser); ++k) {
    const EchoSwapStay *stay = &chooser->stays[ranked[k].stay];
    double bytes = relief(chooser, load, stay);
    bool with_needed = put_on_trial(chooser, ranked[k].stay);
    int64_t more_ns = echo_chooser_time_so_far(chooser) - now_ns;
    double ns = (double)(more_ns > 0 ? more_ns : 0) +
                stream_price * (double)(stay->out_ns + stay->in_ns) + stay_ns;
    take_back(chooser, ranked[k].stay, with_needed);
    if (best == ECHO_NO_STAY || bytes / ns > best_score) {
      best = ranked[k].stay;
      best_score = bytes / ns;
    }
  }
  return best;
}

/* Gives back what the others do without, the last chosen first kept longest. */
static void give_back(EchoChooser *chooser)
{
  for (uint32_t g = 0; g < chooser->n_stays; ++g)
    echo_chooser_give_back(chooser, g);
  echo_profile_commit(&chooser->load);
}

typedef struct Prices {
  double stream; /* of a nanosecond of copying */
  bool is_few;   /* one stay more has a price, too */
} Prices;

/* EchoSwapStay by stay, each by the clock of the whole program, until all fits. */
static void choose_one_by_one(EchoChooser *chooser, Prices prices, EchoRankedStay *ranked,
                              int64_t *load)
{
  echo_chooser_put_all(chooser, NULL);
  uint64_t above = (uint64_t)echo_profile_max(&chooser->load) - chooser->limit_bytes;
  int64_t now_ns = 0, copy_ns = echo_swap_out_ns(chooser->transfer, above) +
                                echo_swap_in_ns(chooser->transfer, above);
  double stay_ns = prices.is_few ? prices.stream * (double)copy_ns / FEW_STAYS : 0;
  while (!echo_chooser_fits(chooser) && echo_chooser_has_work(chooser)) {
    uint32_t g = next_stay(chooser, ranked, load, prices.stream, stay_ns + 1, now_ns);
    if (g == ECHO_NO_STAY)
      return;
    echo_chooser_put(chooser, g, true);
    echo_profile_commit(&chooser->load);
    now_ns = echo_chooser_time_so_far(chooser);
  }
  if (!echo_chooser_fits(chooser))
    return;
  echo_chooser_judge(chooser);
  give_back(chooser);
  echo_chooser_judge(chooser);
}

/* At several prices, each multiplied into what a choice is worth. */
static void try_prices(EchoChooser *chooser)
{
  static const Prices PRICES[] = {
      {0.01, true}, {0.1, true}, {1, true}, {0.1, false}, {0.01, false}};
  EchoRankedStay *ranked = ECHO_ARENA_ARRAY(&chooser->arena, EchoRankedStay, chooser->n_stays + 1u);
  int64_t *load = ECHO_ARENA_ARRAY(&chooser->arena, int64_t, chooser->n_steps + 1u);
  for (size_t p = 0; p < sizeof PRICES / sizeof *PRICES && echo_chooser_has_work(chooser); ++p)
    choose_one_by_one(chooser, PRICES[p], ranked, load);
}

/* ---- exchanges ---- */

/* The best choice less one stay and with another, ECHO_NO_STAY: none. Left as it was where that
 * does not save time. */
static bool try_exchange(EchoChooser *chooser, uint32_t less, uint32_t more)
{
  bool with_needed = false;
  if (less != ECHO_NO_STAY)
    echo_chooser_put(chooser, less, false);
  if (more != ECHO_NO_STAY)
    with_needed = put_on_trial(chooser, more);
  chooser->work += TRY_WORK;
  bool is_better = echo_chooser_judge(chooser);
  if (!is_better && more != ECHO_NO_STAY)
    take_back(chooser, more, with_needed);
  if (!is_better && less != ECHO_NO_STAY)
    echo_chooser_put(chooser, less, true);
  echo_profile_commit(&chooser->load);
  return is_better;
}

static bool may_leave(const EchoChooser *chooser, uint32_t g)
{
  return chooser->is_chosen[g] && chooser->stays[g].n_needed == 0;
}

static bool improve_once(EchoChooser *chooser)
{
  uint32_t n = chooser->n_stays;
  for (uint32_t g = 0; g < n && echo_chooser_has_work(chooser); ++g)
    if (may_leave(chooser, g) && try_exchange(chooser, g, ECHO_NO_STAY))
      return true;
  for (uint32_t g = 0; g < n && echo_chooser_has_work(chooser); ++g)
    if (!chooser->is_chosen[g] && try_exchange(chooser, ECHO_NO_STAY, g))
      return true;
  for (uint32_t g = 0; g < n && echo_chooser_has_work(chooser); ++g)
    for (uint32_t h = 0; h < n && may_leave(chooser, g) && echo_chooser_has_work(chooser); ++h)
      if (!chooser->is_chosen[h] && chooser->stays[h].needs != g && try_exchange(chooser, g, h))
        return true;
  return false;
}

static void improve(EchoChooser *chooser)
{
  echo_chooser_put_all(chooser, chooser->best);
  while (echo_chooser_has_work(chooser) && improve_once(chooser))
    ;
}

/* ---- answers ---- */

static bool all_away_fit(EchoChooser *chooser, uint64_t *least_bytes)
{
  for (uint32_t g = 0; g < chooser->n_stays; ++g)
    echo_chooser_put(chooser, g, true);
  *least_bytes = (uint64_t)echo_profile_max(&chooser->load);
  bool is_met = echo_chooser_fits(chooser);
  echo_chooser_put_all(chooser, NULL);
  return is_met;
}

bool echo_swap_choose(const EchoSwapProgram *program, const EchoSwapTransfer *transfer,
                      uint64_t limit_bytes, EchoSwapEffort effort, EchoSwapPlaces *places,
                      int64_t *overhead_ns, uint64_t *work)
{
  EchoChooser chooser;
  uint64_t least_bytes;
  echo_chooser_create(&chooser, program, transfer, limit_bytes);
  bool is_met = all_away_fit(&chooser, &least_bytes);
  if (is_met) {
    echo_chooser_judge(&chooser); /* nothing away */
    *work += echo_chooser_try_rankings(&chooser, effort);
    ECHO_CHECK(chooser.best_ns != INT64_MAX, "a limit that can be met is not");
    if (effort == ECHO_SWAP_THOROUGH) {
      try_prices(&chooser);
      improve(&chooser);
    }
    *overhead_ns = chooser.best_ns;
    *work += chooser.work;
    for (size_t i = 0; i < chooser.best_places.size; ++i)
      echo_vector_push(places, chooser.best_places.data[i]);
  }
  echo_chooser_destroy(&chooser);
  return is_met;
}

uint64_t echo_swap_least_load(const EchoSwapProgram *program)
{
  const EchoSwapTransfer free_of_charge = {0};
  EchoChooser chooser;
  uint64_t least_bytes;
  echo_chooser_create(&chooser, program, &free_of_charge, 0);
  all_away_fit(&chooser, &least_bytes);
  echo_chooser_destroy(&chooser);
  return least_bytes;
}
