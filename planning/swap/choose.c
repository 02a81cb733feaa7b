/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is away. Several rankings are walked from the best down until all fits; what turns out not
 * to be needed is given back; the choice of the shortest program is then changed, one or two blocks
 * at a time, while that saves time. Each choice is judged by the clock of the whole program. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/panic.h"
#include "planning/swap/profile_t.h"
#include "planning/swap/program.h"

#define NONE UINT32_MAX
/* Steps and places gone through by the clock in one thorough search: some hundredths of a second.
 * Small programs are searched to the end. */
#define MAX_WORK UINT64_C(3000000)
#define PLACE_WORK 16  /* of a place, beside that of a step; */
#define TRY_WORK 64    /* of a choice that need not fit */
#define RELIEF_STEPS 8 /* of which the load is looked at for one that the clock goes through */

/* A time that a block need not be there: between two uses, or, of state, from its last use to its
 * first in the next run. */
typedef struct Stay {
  uint32_t block;
  uint32_t last_step, next_step;
  bool wraps;        /* over the end of the run: then next_step is at its beginning */
  bool copies_out;   /* false: the host has the value */
  uint32_t needs;    /* the stay of this state that wraps; NONE = of no state */
  uint32_t n_needed; /* of one that wraps: chosen stays that need it */
  uint64_t size_bytes;
  int64_t out_ns, in_ns, away_ns;
} Stay;

typedef struct Chooser {
  const EchoSwapProgram *program;
  const EchoSwapTransfer *transfer;
  EchoArena arena;
  uint32_t n_steps, n_stays;
  uint64_t limit_bytes;
  Stay *stays; /* in order of last_step */
  bool *is_chosen, *best;
  int64_t *live;    /* by step: nothing away */
  EchoProfile load; /* of the choice, what is chosen away for as long as can be */
  int64_t *real_ns;
  EchoSwapPlaces places, best_places;
  int64_t best_ns; /* INT64_MAX: nothing fits yet */
  uint64_t work;
} Chooser;

/* ---- stays ---- */

static int by_last_step(const void *a, const void *b)
{
  const Stay *x = a, *y = b;
  if (x->last_step != y->last_step)
    return x->last_step < y->last_step ? -1 : 1;
  return x->block < y->block ? -1 : x->block > y->block;
}

static void add_stay(Chooser *chooser, Stay stay)
{
  const int64_t *start_ns = chooser->program->start_ns.data;
  int64_t end_ns = stay.wraps ? start_ns[chooser->n_steps] : 0;
  stay.size_bytes = chooser->program->blocks.data[stay.block].size_bytes;
  stay.out_ns = stay.copies_out ? echo_swap_out_ns(chooser->transfer, stay.size_bytes) : 0;
  stay.in_ns = echo_swap_in_ns(chooser->transfer, stay.size_bytes);
  stay.away_ns = end_ns + start_ns[stay.next_step] - start_ns[stay.last_step + 1];
  chooser->stays[chooser->n_stays++] = stay;
}

/* The accesses [first, end) are one block's. */
static void find_stays_of(Chooser *chooser, size_t first, size_t end)
{
  const EchoSwapAccess *accesses = chooser->program->accesses.data;
  uint32_t block = accesses[first].block;
  bool is_state = chooser->program->blocks.data[block].is_state;
  bool is_written = accesses[first].writes;
  if (chooser->program->blocks.data[block].size_bytes < ECHO_SWAP_MIN_BYTES)
    return;
  for (size_t i = first + 1; i < end; ++i) {
    if (accesses[i].step > accesses[i - 1].step + 1)
      add_stay(chooser, (Stay){.block = block,
                               .last_step = accesses[i - 1].step,
                               .next_step = accesses[i].step,
                               .copies_out = !is_state || is_written});
    is_written |= accesses[i].writes;
  }
  if (is_state)
    add_stay(chooser, (Stay){.block = block,
                             .last_step = accesses[end - 1].step,
                             .next_step = accesses[first].step,
                             .wraps = true,
                             .copies_out = is_written});
}

/* Stays of state are none without the one that wraps. */
static void find_needs(Chooser *chooser)
{
  uint32_t *wrapping =
      ECHO_ARENA_ARRAY(&chooser->arena, uint32_t, chooser->program->blocks.size + 1);
  for (size_t b = 0; b < chooser->program->blocks.size; ++b)
    wrapping[b] = NONE;
  for (uint32_t g = 0; g < chooser->n_stays; ++g)
    if (chooser->stays[g].wraps)
      wrapping[chooser->stays[g].block] = g;
  for (uint32_t g = 0; g < chooser->n_stays; ++g)
    chooser->stays[g].needs = chooser->stays[g].wraps ? NONE : wrapping[chooser->stays[g].block];
}

static void find_stays(Chooser *chooser)
{
  const EchoSwapProgram *program = chooser->program;
  size_t n = program->accesses.size;
  chooser->stays = ECHO_ARENA_ARRAY(&chooser->arena, Stay, n + program->blocks.size + 1);
  for (size_t first = 0, end; first < n; first = end) {
    for (end = first + 1;
         end < n && program->accesses.data[end].block == program->accesses.data[first].block;)
      ++end;
    find_stays_of(chooser, first, end);
  }
  if (chooser->n_stays != 0)
    qsort(chooser->stays, chooser->n_stays, sizeof(Stay), by_last_step);
  find_needs(chooser);
}

static void chooser_create(Chooser *chooser, const EchoSwapProgram *program,
                           const EchoSwapTransfer *transfer, uint64_t limit_bytes)
{
  *chooser = (Chooser){.program = program,
                       .transfer = transfer,
                       .limit_bytes = limit_bytes,
                       .n_steps = (uint32_t)program->inner_bytes.size,
                       .best_ns = INT64_MAX};
  find_stays(chooser);
  size_t n = chooser->n_stays + 1u;
  chooser->is_chosen = ECHO_ARENA_ARRAY(&chooser->arena, bool, n);
  chooser->best = ECHO_ARENA_ARRAY(&chooser->arena, bool, n);
  memset(chooser->is_chosen, 0, n);
  memset(chooser->best, 0, n);
  chooser->real_ns = ECHO_ARENA_ARRAY(&chooser->arena, int64_t, chooser->n_steps + 1u);
  chooser->live = echo_swap_program_live_bytes(program);
  echo_profile_create_from(&chooser->load, chooser->live, chooser->n_steps);
}

static void chooser_destroy(Chooser *chooser)
{
  echo_profile_destroy(&chooser->load);
  echo_vector_destroy(&chooser->places);
  echo_vector_destroy(&chooser->best_places);
  echo_free(chooser->live);
  echo_arena_destroy(&chooser->arena);
}

/* ---- a choice ---- */

/* The steps without the block: [begin[0], end[0]) and, around the border, [0, end[1]). */
static void away_parts(const Chooser *chooser, const Stay *stay, uint32_t begin[2], uint32_t end[2])
{
  begin[0] = stay->last_step + 1;
  end[0] = stay->wraps ? chooser->n_steps : stay->next_step;
  begin[1] = 0;
  end[1] = stay->wraps ? stay->next_step : 0;
}

static void put(Chooser *chooser, uint32_t g, bool is_chosen)
{
  Stay *stay = &chooser->stays[g];
  uint32_t begin[2], end[2];
  int64_t bytes = is_chosen ? -(int64_t)stay->size_bytes : (int64_t)stay->size_bytes;
  if (chooser->is_chosen[g] == is_chosen)
    return;
  chooser->is_chosen[g] = is_chosen;
  away_parts(chooser, stay, begin, end);
  for (int part = 0; part < 2; ++part)
    echo_profile_add(&chooser->load, begin[part], end[part], bytes);
  if (stay->needs == NONE)
    return;
  chooser->stays[stay->needs].n_needed += is_chosen ? 1 : UINT32_MAX;
  if (is_chosen)
    put(chooser, stay->needs, true);
}

static bool fits(const Chooser *chooser)
{
  return echo_profile_max(&chooser->load) <= (int64_t)chooser->limit_bytes;
}

/* Whether some step that the stay leaves, or the one that it needs, is over the limit. */
static bool helps(const Chooser *chooser, uint32_t g)
{
  const Stay *stay = &chooser->stays[g];
  uint32_t begin[2], end[2];
  away_parts(chooser, stay, begin, end);
  for (int part = 0; part < 2; ++part)
    if (begin[part] < end[part] &&
        echo_profile_max_in(&chooser->load, begin[part], end[part]) > (int64_t)chooser->limit_bytes)
      return true;
  return false;
}

/* Exactly these; NULL: none. */
static void put_all(Chooser *chooser, const bool *is_chosen)
{
  for (uint32_t g = 0; g < chooser->n_stays; ++g)
    if (is_chosen == NULL || !is_chosen[g])
      put(chooser, g, false);
  for (uint32_t g = 0; g < chooser->n_stays && is_chosen != NULL; ++g)
    if (is_chosen[g])
      put(chooser, g, true);
  echo_profile_commit(&chooser->load);
}

/* ---- judging ---- */

static void list_places(Chooser *chooser)
{
  echo_vector_clear(&chooser->places);
  for (uint32_t g = 0; g < chooser->n_stays; ++g)
    if (chooser->is_chosen[g] && chooser->stays[g].wraps)
      echo_vector_push(&chooser->places,
                       ((EchoSwapPlace){.block = chooser->stays[g].block,
                                        .last_step = ECHO_SWAP_NEVER,
                                        .next_step = chooser->stays[g].next_step,
                                        .size_bytes = chooser->stays[g].size_bytes}));
  for (uint32_t g = 0; g < chooser->n_stays; ++g)
    if (chooser->is_chosen[g])
      echo_vector_push(
          &chooser->places,
          ((EchoSwapPlace){.block = chooser->stays[g].block,
                           .last_step = chooser->stays[g].last_step,
                           .next_step = chooser->stays[g].wraps ? chooser->n_steps
                                                                : chooser->stays[g].next_step,
                           .copies_out = chooser->stays[g].copies_out,
                           .size_bytes = chooser->stays[g].size_bytes}));
}

static int64_t place_and_clock(Chooser *chooser, const int64_t *start_ns, uint64_t limit_bytes)
{
  EchoSwapPlaces *places = &chooser->places;
  echo_swap_place(places->data, places->size, chooser->live, start_ns, chooser->n_steps,
                  limit_bytes, chooser->transfer);
  chooser->work += chooser->n_steps + PLACE_WORK * places->size;
  return echo_swap_clock(places->data, places->size, chooser->program->start_ns.data,
                         chooser->n_steps, chooser->transfer, chooser->real_ns);
}

/* Keeps the choice where it is the best so far. Places are found by the times of the program
 * without copies, and where it waits once more by its times with them. */
static bool judge(Chooser *chooser)
{
  bool is_better = false;
  if (!fits(chooser))
    return false;
  list_places(chooser);
  for (int look = 0; look < 2; ++look) {
    int64_t ns =
        place_and_clock(chooser, look == 0 ? chooser->program->start_ns.data : chooser->real_ns,
                        chooser->limit_bytes);
    if (ns < chooser->best_ns) {
      chooser->best_ns = ns;
      echo_vector_clear(&chooser->best_places);
      for (size_t i = 0; i < chooser->places.size; ++i)
        echo_vector_push(&chooser->best_places, chooser->places.data[i]);
      memcpy(chooser->best, chooser->is_chosen, chooser->n_stays);
      is_better = true;
    }
    if (ns == 0 || chooser->places.size == 0)
      break;
  }
  return is_better;
}

/* ---- rankings ---- */

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

typedef struct Ranked {
  double score;
  uint32_t stay;
} Ranked;

static int by_score(const void *a, const void *b)
{
  const Ranked *x = a, *y = b;
  if (x->score != y->score)
    return x->score > y->score ? -1 : 1;
  return (x->stay > y->stay) - (x->stay < y->stay);
}

/* above_ns[s]: time above the limit before step s, with nothing away. */
static double *sum_above(Chooser *chooser)
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

static double score(const Chooser *chooser, const Stay *stay, Ranking ranking,
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
    away_parts(chooser, stay, begin, end);
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

/* From the best score down until all fits, past those that would not help; then, from the worst up,
 * what the others do without is given back. */
static void walk(Chooser *chooser, const Ranked *ranked)
{
  put_all(chooser, NULL);
  for (uint32_t k = 0; k < chooser->n_stays && !fits(chooser); ++k)
    if (!chooser->is_chosen[ranked[k].stay] && helps(chooser, ranked[k].stay))
      put(chooser, ranked[k].stay, true);
  if (!fits(chooser))
    return;
  for (uint32_t k = chooser->n_stays; k-- > 0;) {
    uint32_t g = ranked[k].stay;
    if (!chooser->is_chosen[g] || chooser->stays[g].n_needed != 0)
      continue;
    put(chooser, g, false);
    if (!fits(chooser))
      put(chooser, g, true);
  }
  echo_profile_commit(&chooser->load);
}

static void try_rankings(Chooser *chooser, EchoSwapEffort effort)
{
  Ranked *ranked = ECHO_ARENA_ARRAY(&chooser->arena, Ranked, chooser->n_stays + 1u);
  const double *above_ns = sum_above(chooser);
  unsigned n = effort == ECHO_SWAP_QUICK ? N_QUICK : N_RANKINGS;
  for (unsigned r = 0; r < n && chooser->best_ns > 0; ++r) {
    for (uint32_t g = 0; g < chooser->n_stays; ++g)
      ranked[g] = (Ranked){score(chooser, &chooser->stays[g], (Ranking)r, above_ns), g};
    if (chooser->n_stays != 0)
      qsort(ranked, chooser->n_stays, sizeof *ranked, by_score);
    walk(chooser, ranked);
    judge(chooser);
  }
}

static bool has_work(const Chooser *chooser)
{
  return chooser->best_ns > 0 && chooser->work < MAX_WORK;
}

/* ---- one by one ---- */

#define MAX_ASKED 48      /* stays that the clock is asked about before one is chosen, */
#define FEW_STAYS 32      /* one stay more costs this part of copying all that is above the limit */
#define ASKED_STEPS 60000 /* fewer in long programs: these steps and one stay */

/* The sum over steps of what a stay takes from above the limit. */
static double relief(Chooser *chooser, const int64_t *load, const Stay *stay)
{
  uint32_t begin[2], end[2];
  double bytes = 0;
  away_parts(chooser, stay, begin, end);
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

/* What the choice takes, by the clock of the lowest limit that it can meet so far. */
static int64_t time_so_far(Chooser *chooser)
{
  int64_t most = echo_profile_max(&chooser->load);
  list_places(chooser);
  return place_and_clock(chooser, chooser->program->start_ns.data,
                         most > (int64_t)chooser->limit_bytes ? (uint64_t)most
                                                              : chooser->limit_bytes);
}

static void read_load(const Chooser *chooser, int64_t *load)
{
  memcpy(load, chooser->live, chooser->n_steps * sizeof *load);
  for (uint32_t g = 0; g < chooser->n_stays; ++g) {
    uint32_t begin[2], end[2];
    away_parts(chooser, &chooser->stays[g], begin, end);
    for (int part = 0; part < 2 && chooser->is_chosen[g]; ++part)
      for (uint32_t s = begin[part]; s < end[part]; ++s)
        load[s] -= (int64_t)chooser->stays[g].size_bytes;
  }
}

/* Puts a stay and returns whether that put the one it needs; take_back undoes both. */
static bool put_on_trial(Chooser *chooser, uint32_t g)
{
  uint32_t needed = chooser->stays[g].needs;
  bool was_there = needed == NONE || chooser->is_chosen[needed];
  put(chooser, g, true);
  return !was_there;
}

static void take_back(Chooser *chooser, uint32_t g, bool with_needed)
{
  put(chooser, g, false);
  if (with_needed)
    put(chooser, chooser->stays[g].needs, false);
}

/* The stay that relieves most for the time that it adds, a share of what its copies take included:
 * the price of the streams; and stay_ns, so that not a hundred small ones are taken for a large
 * one. NONE: nothing helps. */
static uint32_t next_stay(Chooser *chooser, Ranked *ranked, int64_t *load, double stream_price,
                          double stay_ns, int64_t now_ns)
{
  uint32_t n = 0, best = NONE;
  double best_score = 0;
  read_load(chooser, load);
  for (uint32_t g = 0; g < chooser->n_stays; ++g) {
    const Stay *stay = &chooser->stays[g];
    double bytes = chooser->is_chosen[g] ? 0 : relief(chooser, load, stay);
    int64_t late_ns = stay->out_ns + stay->in_ns - stay->away_ns;
    if (bytes > 0)
      ranked[n++] =
          (Ranked){bytes / ((double)(late_ns > 0 ? late_ns : 0) +
                            stream_price * (double)(stay->out_ns + stay->in_ns) + stay_ns),
                   g};
  }
  if (n != 0)
    qsort(ranked, n, sizeof *ranked, by_score);
  uint32_t n_asked = ASKED_STEPS / (chooser->n_steps + 1) + 1;
  n_asked = n_asked < MAX_ASKED ? n_asked : MAX_ASKED;
  for (uint32_t k = 0; k < n && k < n_asked && has_work(chooser); ++k) {
    const Stay *stay = &chooser->stays[ranked[k].stay];
    double bytes = relief(chooser, load, stay);
    bool with_needed = put_on_trial(chooser, ranked[k].stay);
    int64_t more_ns = time_so_far(chooser) - now_ns;
    double ns = (double)(more_ns > 0 ? more_ns : 0) +
                stream_price * (double)(stay->out_ns + stay->in_ns) + stay_ns;
    take_back(chooser, ranked[k].stay, with_needed);
    if (best == NONE || bytes / ns > best_score) {
      best = ranked[k].stay;
      best_score = bytes / ns;
    }
  }
  return best;
}

/* Gives back what the others do without, the last chosen first kept longest. */
static void give_back(Chooser *chooser)
{
  for (uint32_t g = 0; g < chooser->n_stays; ++g) {
    if (!chooser->is_chosen[g] || chooser->stays[g].n_needed != 0)
      continue;
    put(chooser, g, false);
    if (!fits(chooser))
      put(chooser, g, true);
  }
  echo_profile_commit(&chooser->load);
}

typedef struct Prices {
  double stream; /* of a nanosecond of copying */
  bool is_few;   /* one stay more has a price, too */
} Prices;

/* Stay by stay, each by the clock of the whole program, until all fits. */
static void choose_one_by_one(Chooser *chooser, Prices prices, Ranked *ranked, int64_t *load)
{
  put_all(chooser, NULL);
  uint64_t above = (uint64_t)echo_profile_max(&chooser->load) - chooser->limit_bytes;
  int64_t now_ns = 0, copy_ns = echo_swap_out_ns(chooser->transfer, above) +
                                echo_swap_in_ns(chooser->transfer, above);
  double stay_ns = prices.is_few ? prices.stream * (double)copy_ns / FEW_STAYS : 0;
  while (!fits(chooser) && has_work(chooser)) {
    uint32_t g = next_stay(chooser, ranked, load, prices.stream, stay_ns + 1, now_ns);
    if (g == NONE)
      return;
    put(chooser, g, true);
    echo_profile_commit(&chooser->load);
    now_ns = time_so_far(chooser);
  }
  if (!fits(chooser))
    return;
  judge(chooser);
  give_back(chooser);
  judge(chooser);
}

/* At several prices, each multiplied into what a choice is worth. */
static void try_prices(Chooser *chooser)
{
  static const Prices PRICES[] = {
      {0.01, true}, {0.1, true}, {1, true}, {0.1, false}, {0.01, false}};
  Ranked *ranked = ECHO_ARENA_ARRAY(&chooser->arena, Ranked, chooser->n_stays + 1u);
  int64_t *load = ECHO_ARENA_ARRAY(&chooser->arena, int64_t, chooser->n_steps + 1u);
  for (size_t p = 0; p < sizeof PRICES / sizeof *PRICES && has_work(chooser); ++p)
    choose_one_by_one(chooser, PRICES[p], ranked, load);
}

/* ---- exchanges ---- */

/* The best choice less one stay and with another, NONE: none. Left as it was where that does not
 * save time. */
static bool try_exchange(Chooser *chooser, uint32_t less, uint32_t more)
{
  bool with_needed = false;
  if (less != NONE)
    put(chooser, less, false);
  if (more != NONE)
    with_needed = put_on_trial(chooser, more);
  chooser->work += TRY_WORK;
  bool is_better = judge(chooser);
  if (!is_better && more != NONE)
    take_back(chooser, more, with_needed);
  if (!is_better && less != NONE)
    put(chooser, less, true);
  echo_profile_commit(&chooser->load);
  return is_better;
}

static bool may_leave(const Chooser *chooser, uint32_t g)
{
  return chooser->is_chosen[g] && chooser->stays[g].n_needed == 0;
}

static bool improve_once(Chooser *chooser)
{
  uint32_t n = chooser->n_stays;
  for (uint32_t g = 0; g < n && has_work(chooser); ++g)
    if (may_leave(chooser, g) && try_exchange(chooser, g, NONE))
      return true;
  for (uint32_t g = 0; g < n && has_work(chooser); ++g)
    if (!chooser->is_chosen[g] && try_exchange(chooser, NONE, g))
      return true;
  for (uint32_t g = 0; g < n && has_work(chooser); ++g)
    for (uint32_t h = 0; h < n && may_leave(chooser, g) && has_work(chooser); ++h)
      if (!chooser->is_chosen[h] && chooser->stays[h].needs != g && try_exchange(chooser, g, h))
        return true;
  return false;
}

static void improve(Chooser *chooser)
{
  put_all(chooser, chooser->best);
  while (has_work(chooser) && improve_once(chooser))
    ;
}

/* ---- answers ---- */

static bool all_away_fit(Chooser *chooser, uint64_t *least_bytes)
{
  for (uint32_t g = 0; g < chooser->n_stays; ++g)
    put(chooser, g, true);
  *least_bytes = (uint64_t)echo_profile_max(&chooser->load);
  bool is_met = fits(chooser);
  put_all(chooser, NULL);
  return is_met;
}

bool echo_swap_choose(const EchoSwapProgram *program, const EchoSwapTransfer *transfer,
                      uint64_t limit_bytes, EchoSwapEffort effort, EchoSwapPlaces *places,
                      int64_t *overhead_ns, uint64_t *work)
{
  Chooser chooser;
  uint64_t least_bytes;
  chooser_create(&chooser, program, transfer, limit_bytes);
  bool is_met = all_away_fit(&chooser, &least_bytes);
  if (is_met) {
    judge(&chooser); /* nothing away */
    try_rankings(&chooser, effort);
    ECHO_CHECK(chooser.best_ns != INT64_MAX, "a limit that can be met is not");
    if (effort == ECHO_SWAP_THOROUGH) {
      try_prices(&chooser);
      improve(&chooser);
    }
    *overhead_ns = chooser.best_ns;
    *work += chooser.work + N_RANKINGS * (uint64_t)(chooser.n_steps + PLACE_WORK * chooser.n_stays);
    for (size_t i = 0; i < chooser.best_places.size; ++i)
      echo_vector_push(places, chooser.best_places.data[i]);
  }
  chooser_destroy(&chooser);
  return is_met;
}

uint64_t echo_swap_least_load(const EchoSwapProgram *program)
{
  const EchoSwapTransfer free_of_charge = {0};
  Chooser chooser;
  uint64_t least_bytes;
  chooser_create(&chooser, program, &free_of_charge, 0);
  all_away_fit(&chooser, &least_bytes);
  chooser_destroy(&chooser);
  return least_bytes;
}
