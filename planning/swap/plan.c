/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which gaps to choose: the paper's scores, their mix, and the best of all over a ladder of limits.
 */
#include "base/panic.h"
#include "planning/swap/profile_t.h"
#include "planning/swap/swap.h"

#include <stdlib.h>

#define MIB UINT64_C(1048576)
/* Rungs of the ladder, fewer for long traces. */
#define MAX_RUNGS 512
#define MIN_RUNGS 16
#define MAX_LADDER_WORK UINT64_C(200000000) /* events scheduled, at all rungs together: seconds */
#define MIX_PARTS 4                         /* weights are multiples of a quarter */
#define N_MIXES 35                          /* ways to part four quarters among four scores */
#define MAX_TRIES 60

static const char *const policy_names[ECHO_SWAP_POLICIES] = {
    [ECHO_SWAP_BEST] = "best", [ECHO_SWAP_DOA] = "doa",     [ECHO_SWAP_AOA] = "aoa",
    [ECHO_SWAP_WDOA] = "wdoa", [ECHO_SWAP_SWDOA] = "swdoa", [ECHO_SWAP_MIX] = "mix",
};

const char *echo_swap_policy_name(EchoSwapPolicy policy)
{
  ECHO_CHECK((unsigned)policy < ECHO_SWAP_POLICIES, "no policy %d", (int)policy);
  return policy_names[policy];
}

bool echo_swap_policy_parse(EchoStr name, EchoSwapPolicy *policy)
{
  for (int p = 0; p < ECHO_SWAP_POLICIES; p++)
    if (echo_str_is(name, policy_names[p])) {
      *policy = (EchoSwapPolicy)p;
      return true;
    }
  return false;
}

/* Room for one planning after another. */
typedef struct Planner {
  const EchoSwapTrace *trace;
  EchoArena arena;
  double *scores[4]; /* DOA, AOA, WDOA, SWDOA, by gap; the last two for one limit */
  double *mixed, *excess;
  int64_t *plain; /* what sum_excess sums: the load by event, kept in step by choose_plainly */
  uint32_t *out_event,
      *in_event; /* by gap: the last event when the copy out ends, the copy in begins */
  uint32_t *order;
  bool *is_chosen;
  EchoProfile load; /* live bytes less what the choice takes away */
  uint64_t least_limit, rung_bytes, n_rungs;
} Planner;

static uint32_t away_begin(const EchoSwapGap *gap)
{
  return gap->from_event + 1;
}

static uint32_t away_end(const EchoSwapGap *gap)
{
  uint32_t end = gap->to_event - 1;
  return end > away_begin(gap) ? end : away_begin(gap);
}

/* The intervals of one iteration without the block: [begin[0], end[0]) and, around the border, [0,
 * end[1]). */
static void away_parts(const EchoSwapTrace *trace, const EchoSwapGap *gap, uint32_t begin[2],
                       uint32_t end[2])
{
  uint32_t n = trace->n_events, first = away_begin(gap), last = away_end(gap);
  if (first >= n) {
    first -= n;
    last -= n;
  }
  begin[0] = first;
  end[0] = last < n ? last : n;
  begin[1] = 0;
  end[1] = last > n ? last - n : 0;
}

static void take_away(Planner *planner, const EchoSwapGap *gap, int64_t sign)
{
  uint32_t begin[2], end[2];
  away_parts(planner->trace, gap, begin, end);
  for (int part = 0; part < 2; part++)
    if (begin[part] < end[part])
      echo_profile_add(&planner->load, begin[part], end[part], sign * (int64_t)gap->size_bytes);
}

static bool helps(const Planner *planner, const EchoSwapGap *gap, uint64_t limit)
{
  uint32_t begin[2], end[2];
  away_parts(planner->trace, gap, begin, end);
  for (int part = 0; part < 2; part++)
    if (begin[part] < end[part] &&
        echo_profile_max_in(&planner->load, begin[part], end[part]) > (int64_t)limit)
      return true;
  return false;
}

static bool fits(const Planner *planner, uint64_t limit)
{
  return echo_profile_max(&planner->load) <= (int64_t)limit;
}

/* excess[e] = byte-nanoseconds above the limit before event e, summed from the start of the
 * iteration. */
static void sum_excess(Planner *planner, uint64_t limit)
{
  const EchoSwapTrace *trace = planner->trace;
  double sum = 0;
  for (uint32_t e = 0; e < trace->n_events; e++) {
    planner->excess[e] = sum;
    int64_t next = e + 1 < trace->n_events ? trace->events[e + 1].time_ns : trace->duration_ns;
    int64_t above = planner->plain[e] - (int64_t)limit;
    if (above > 0)
      sum += (double)above * (double)(next - trace->events[e].time_ns);
  }
  planner->excess[trace->n_events] = sum;
}

/* The last event at or before a time, which may lie in the next iteration. */
static uint32_t find_event(const EchoSwapTrace *trace, int64_t time)
{
  uint32_t low = 0, high = trace->n_events - 1;
  time -= time > trace->duration_ns ? trace->duration_ns : 0;
  while (low < high) {
    uint32_t middle = low + (high - low + 1) / 2;
    if (trace->events[middle].time_ns <= time)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* The excess from the start of the iteration to `time`, whose last event is `event`. */
static double excess_until(const Planner *planner, int64_t time, uint32_t event)
{
  const EchoSwapTrace *trace = planner->trace;
  double before = 0;
  if (time > trace->duration_ns) {
    before = planner->excess[trace->n_events];
    time -= trace->duration_ns;
  }
  int64_t start = trace->events[event].time_ns;
  int64_t end = event + 1 < trace->n_events ? trace->events[event + 1].time_ns : trace->duration_ns;
  double whole = planner->excess[event + 1] - planner->excess[event];
  double part = end > start ? (double)(time - start) / (double)(end - start) : 0;
  return before + planner->excess[event] + whole * part;
}

/* The excess while the block is away without anybody waiting; negative, by what it lacks, when
 * there is no such time. */
static double excess_away(const Planner *planner, uint32_t g)
{
  const EchoSwapGap *gap = &planner->trace->gaps[g];
  double doa = planner->scores[0][g];
  if (doa <= 0)
    return doa - 1;
  return excess_until(planner, gap->to_ns - gap->in_ns, planner->in_event[g]) -
         excess_until(planner, gap->from_ns + gap->out_ns, planner->out_event[g]);
}

static void score_absence(Planner *planner)
{
  for (uint32_t g = 0; g < planner->trace->n_gaps; g++) {
    const EchoSwapGap *gap = &planner->trace->gaps[g];
    double doa = (double)(gap->to_ns - gap->from_ns - gap->out_ns - gap->in_ns);
    planner->scores[0][g] = doa;
    planner->scores[1][g] =
        doa >= 0 ? doa * (double)gap->size_bytes : doa / (double)gap->size_bytes;
    if (doa > 0) {
      planner->out_event[g] = find_event(planner->trace, gap->from_ns + gap->out_ns);
      planner->in_event[g] = find_event(planner->trace, gap->to_ns - gap->in_ns);
    }
  }
}

static void clear_choice(Planner *planner)
{
  echo_profile_undo(&planner->load, 0);
  for (uint32_t g = 0; g < planner->trace->n_gaps; g++)
    planner->is_chosen[g] = false;
}

static void choose(Planner *planner, uint32_t g)
{
  planner->is_chosen[g] = true;
  take_away(planner, &planner->trace->gaps[g], -1);
}

static void choose_plainly(Planner *planner, uint32_t g)
{
  const EchoSwapGap *gap = &planner->trace->gaps[g];
  uint32_t begin[2], end[2];
  choose(planner, g);
  away_parts(planner->trace, gap, begin, end);
  for (int part = 0; part < 2; part++)
    for (uint32_t e = begin[part]; e < end[part]; e++)
      planner->plain[e] -= (int64_t)gap->size_bytes;
}

/* The score of a gap is what the load, lowered by the choices before it, exceeds the limit by. */
static void score_excess(Planner *planner, uint64_t limit)
{
  uint32_t n = planner->trace->n_gaps;
  clear_choice(planner);
  memcpy(planner->plain, planner->trace->load, planner->trace->n_events * sizeof(int64_t));
  sum_excess(planner, limit);
  for (uint32_t g = 0; g < n; g++)
    planner->scores[2][g] = planner->scores[3][g] = excess_away(planner, g);
  uint32_t rank = 0;
  for (; !fits(planner, limit); rank++) {
    uint32_t best = UINT32_MAX;
    double most = -1;
    sum_excess(planner, limit);
    for (uint32_t g = 0; g < n; g++) {
      if (planner->is_chosen[g] || planner->scores[0][g] <= 0)
        continue;
      double score = excess_away(planner, g);
      if (score > most) {
        most = score;
        best = g;
      }
    }
    if (best == UINT32_MAX || most <= 0)
      break;
    choose_plainly(planner, best);
    planner->scores[3][best] = (double)(n - rank); /* chosen in this order, before all others */
  }
  for (uint32_t g = 0; g < n; g++)
    if (!planner->is_chosen[g] && planner->scores[3][g] > 0)
      planner->scores[3][g] = 0;
}

typedef struct Ranked {
  double score;
  uint32_t gap;
} Ranked;

static int compare_ranked(const void *a, const void *b)
{
  const Ranked *x = a, *y = b;
  if (x->score != y->score)
    return x->score > y->score ? -1 : 1;
  return (x->gap > y->gap) - (x->gap < y->gap);
}

/* Walks the gaps from the best score down until the load fits, passing over those that would not
 * help. */
static bool select_by(Planner *planner, const double *scores, uint64_t limit)
{
  uint32_t n = planner->trace->n_gaps;
  EchoArenaMark mark = echo_arena_mark(&planner->arena);
  Ranked *ranked = ECHO_ARENA_ARRAY(&planner->arena, Ranked, (size_t)n + 1);
  for (uint32_t g = 0; g < n; g++)
    ranked[g] = (Ranked){scores[g], g};
  qsort(ranked, n, sizeof *ranked, compare_ranked);
  clear_choice(planner);
  for (uint32_t k = 0; k < n && !fits(planner, limit); k++)
    if (helps(planner, &planner->trace->gaps[ranked[k].gap], limit))
      choose(planner, ranked[k].gap);
  echo_arena_reset(&planner->arena, mark);
  return fits(planner, limit);
}

static void keep_better(EchoSwapPlan *best, EchoSwapPlan *plan)
{
  bool is_better = plan->overhead_ns < best->overhead_ns ||
                   (plan->overhead_ns == best->overhead_ns && plan->swaps.size < best->swaps.size);
  if (!is_better)
    return;
  EchoSwapPlan swapped = *best;
  *best = *plan;
  *plan = swapped;
}

static void try_scores(Planner *planner, const double *scores, uint64_t limit, EchoSwapPlan *best)
{
  EchoSwapPlan plan = {.overhead_ns = INT64_MAX};
  if (select_by(planner, scores, limit) &&
      echo_swap_schedule(planner->trace, planner->is_chosen, limit, &plan))
    keep_better(best, &plan);
  echo_vector_destroy(&plan.swaps);
}

static double largest(const double *values, uint32_t n)
{
  double most = 0;
  for (uint32_t i = 0; i < n; i++) {
    double size = values[i] < 0 ? -values[i] : values[i];
    most = size > most ? size : most;
  }
  return most > 0 ? most : 1;
}

static void try_mixes(Planner *planner, uint64_t limit, EchoSwapPlan *best)
{
  uint32_t n = planner->trace->n_gaps;
  double scale[4];
  for (int k = 0; k < 4; k++)
    scale[k] = 1 / largest(planner->scores[k], n);
  for (int a = 0; a <= MIX_PARTS; a++)
    for (int b = 0; a + b <= MIX_PARTS; b++)
      for (int c = 0; a + b + c <= MIX_PARTS; c++) {
        double weights[4] = {a, b, c, MIX_PARTS - a - b - c};
        for (uint32_t g = 0; g < n; g++) {
          planner->mixed[g] = 0;
          for (int k = 0; k < 4; k++)
            planner->mixed[g] += weights[k] * scale[k] * planner->scores[k][g];
        }
        try_scores(planner, planner->mixed, limit, best);
        if (best->overhead_ns == 0)
          return;
      }
}

/* One policy at one limit. */
static void run_policy(Planner *planner, EchoSwapPolicy policy, uint64_t limit, EchoSwapPlan *best)
{
  score_excess(planner, limit);
  if (policy == ECHO_SWAP_MIX)
    try_mixes(planner, limit, best);
  else
    try_scores(planner, planner->scores[policy - ECHO_SWAP_DOA], limit, best);
}

/* Tries a changed choice, given as the swaps of `best` less one and plus one (UINT32_MAX: none). */
static bool try_change(Planner *planner, uint32_t less, uint32_t plus, uint64_t limit,
                       EchoSwapPlan *best)
{
  EchoSwapPlan plan = {.overhead_ns = INT64_MAX};
  for (uint32_t g = 0; g < planner->trace->n_gaps; g++)
    planner->is_chosen[g] = g == plus;
  for (size_t k = 0; k < best->swaps.size; k++)
    if (best->swaps.data[k].gap != less)
      planner->is_chosen[best->swaps.data[k].gap] = true;
  bool is_better = echo_swap_schedule(planner->trace, planner->is_chosen, limit, &plan) &&
                   plan.overhead_ns < best->overhead_ns;
  if (is_better)
    keep_better(best, &plan);
  echo_vector_destroy(&plan.swaps);
  return is_better;
}

/* Drops gaps, and exchanges the costliest for others, while that saves time. */
static void improve(Planner *planner, uint64_t limit, EchoSwapPlan *best)
{
  uint32_t n_tries = 0, n = planner->trace->n_gaps;
  for (bool again = true; again && best->overhead_ns > 0;) {
    again = false;
    for (size_t k = 0; k < best->swaps.size && n_tries < MAX_TRIES && !again; k++, n_tries++)
      again = try_change(planner, best->swaps.data[k].gap, UINT32_MAX, limit, best);
    for (size_t k = 0; k < best->swaps.size && n_tries < MAX_TRIES && !again; k++) {
      uint32_t less = best->swaps.data[k].gap;
      double doa = planner->scores[0][less];
      for (uint32_t g = 0; g < n && n_tries < MAX_TRIES && !again; g++)
        if (planner->scores[0][g] > doa &&
            planner->trace->gaps[g].size_bytes >= planner->trace->gaps[less].size_bytes) {
          again = try_change(planner, less, g, limit, best);
          n_tries++;
        }
    }
  }
}

/* All of the five at one rung, bettered. */
static void run_all(Planner *planner, uint64_t limit, EchoSwapPlan *best)
{
  EchoSwapPlan here = {.overhead_ns = INT64_MAX};
  score_excess(planner, limit);
  for (int k = 0; k < 4; k++)
    try_scores(planner, planner->scores[k], limit, &here);
  if (here.overhead_ns > 0)
    try_mixes(planner, limit, &here);
  if (here.overhead_ns != INT64_MAX) {
    improve(planner, limit, &here);
    keep_better(best, &here);
  }
  echo_vector_destroy(&here.swaps);
}

static void planner_create(Planner *planner, const EchoSwapTrace *trace)
{
  size_t n = (size_t)trace->n_gaps + 1;
  *planner = (Planner){.trace = trace};
  for (int k = 0; k < 4; k++)
    planner->scores[k] = ECHO_ARENA_ARRAY(&planner->arena, double, n);
  planner->mixed = ECHO_ARENA_ARRAY(&planner->arena, double, n);
  planner->excess = ECHO_ARENA_ARRAY(&planner->arena, double, (size_t)trace->n_events + 1);
  planner->is_chosen = ECHO_ARENA_ARRAY(&planner->arena, bool, n);
  planner->plain = ECHO_ARENA_ARRAY(&planner->arena, int64_t, (size_t)trace->n_events + 1);
  planner->out_event = ECHO_ARENA_ARRAY(&planner->arena, uint32_t, n);
  planner->in_event = ECHO_ARENA_ARRAY(&planner->arena, uint32_t, n);
  echo_profile_create_from(&planner->load, trace->load, trace->n_events);
  score_absence(planner);
  planner->least_limit = echo_swap_least_limit(trace);
  uint64_t span = trace->peak_bytes - planner->least_limit;
  uint64_t rungs =
      MAX_LADDER_WORK / ((uint64_t)(N_MIXES + 4 + MAX_TRIES) * (trace->n_events + 100));
  rungs = rungs < MIN_RUNGS ? MIN_RUNGS : rungs > MAX_RUNGS ? MAX_RUNGS : rungs;
  planner->rung_bytes = (span / rungs + MIB) / MIB * MIB;
  planner->n_rungs = span / planner->rung_bytes + 1;
}

static void planner_destroy(Planner *planner)
{
  echo_profile_destroy(&planner->load);
  echo_arena_destroy(&planner->arena);
}

uint64_t echo_swap_least_limit(const EchoSwapTrace *trace)
{
  Planner planner = {.trace = trace};
  echo_profile_create_from(&planner.load, trace->load, trace->n_events);
  for (uint32_t g = 0; g < trace->n_gaps; g++)
    take_away(&planner, &trace->gaps[g], -1);
  uint64_t least = (uint64_t)echo_profile_max(&planner.load);
  echo_profile_destroy(&planner.load);
  return least;
}

/* Betters `plan` by one for exactly this limit. */
static void plan_exactly(Planner *planner, EchoSwapPolicy policy, uint64_t limit,
                         EchoSwapPlan *plan)
{
  if (policy == ECHO_SWAP_BEST)
    run_all(planner, limit, plan);
  else
    run_policy(planner, policy, limit, plan);
  ECHO_CHECK(plan->overhead_ns != INT64_MAX, "no swap plan at a limit that can be met");
}

/* What takes no swap; false when there is more to do. */
static bool plan_nothing(const EchoSwapTrace *trace, uint64_t limit, EchoSwapPlan *plan)
{
  *plan = (EchoSwapPlan){.overhead_ns = INT64_MAX, .limit_bytes = limit};
  if (limit < trace->peak_bytes)
    return false;
  plan->overhead_ns = 0;
  plan->planned_peak_bytes = trace->peak_bytes;
  return true;
}

bool echo_swap_plan_at(const EchoSwapTrace *trace, uint64_t limit_bytes, EchoSwapPolicy policy,
                       EchoSwapPlan *plan)
{
  Planner planner;
  if (plan_nothing(trace, limit_bytes, plan))
    return true;
  planner_create(&planner, trace);
  bool can_be = limit_bytes >= planner.least_limit;
  if (can_be)
    plan_exactly(&planner, policy, limit_bytes, plan);
  planner_destroy(&planner);
  return can_be;
}

/* The highest rung at or below the limit: all policies are planned there, so that they can be
 * compared, and a larger limit never means a different rung below. */
static uint64_t rung_below(const Planner *planner, uint64_t limit)
{
  uint64_t k = (limit - planner->least_limit) / planner->rung_bytes;
  return planner->least_limit + k * planner->rung_bytes;
}

bool echo_swap_plan(const EchoSwapTrace *trace, uint64_t limit_bytes, EchoSwapPolicy policy,
                    EchoSwapPlan *plan)
{
  Planner planner;
  if (plan_nothing(trace, limit_bytes, plan))
    return true;
  planner_create(&planner, trace);
  bool can_be = limit_bytes >= planner.least_limit;
  if (can_be) {
    uint64_t rung = rung_below(&planner, limit_bytes);
    plan_exactly(&planner, policy, rung, plan);
    while (policy == ECHO_SWAP_BEST && plan->overhead_ns > 0 && rung > planner.least_limit) {
      rung -= planner.rung_bytes;
      plan_exactly(&planner, policy, rung, plan);
    }
  }
  planner_destroy(&planner);
  return can_be;
}
