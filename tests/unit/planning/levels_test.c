/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Levels of checkpoints against every way there is to run a short chain (a shortest path over what
 * is held), and long equal ones against the binomial formula of revolve. */
#include "planning/cuts/levels.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "base/map.h"

#define MAX_LINKS 6
#define N_LONGEST 64
#define N_UNITS 64
#define MASK ((1u << MAX_LINKS) - 1)

static uint64_t random_state;

static uint32_t next_below(uint32_t n)
{
  random_state = echo_hash_u64(random_state + 1);
  return (uint32_t)(random_state % n);
}

/* ---- every way ---- */

/* What is held, outs then insides as bits, and the turns that are left. */
typedef struct Game {
  const EchoLevelLink *links;
  uint32_t n_links, n_units;
  float best[MAX_LINKS + 1][1 << (2 * MAX_LINKS)]; /* so far, by turns left and what is held */
  bool is_shorter;
} Game;

static uint32_t units_held(const Game *game, uint32_t held)
{
  uint32_t units = 0;
  for (uint32_t k = 0; k < game->n_links; ++k) {
    units += (held >> k & 1) != 0 ? game->links[k].out : 0;
    units += (held >> (MAX_LINKS + k) & 1) != 0 ? game->links[k].inner : 0;
  }
  return units;
}

static void reach(Game *game, uint32_t left, uint32_t held, float ns)
{
  if (ns >= game->best[left][held] || units_held(game, held) > game->n_units)
    return;
  game->best[left][held] = ns;
  game->is_shorter = true;
}

static bool starts(uint32_t held, uint32_t link)
{
  return link == 0 || (held >> (link - 1) & 1) != 0;
}

static void move_on(Game *game, uint32_t left, uint32_t held)
{
  float ns = game->best[left][held];
  for (uint32_t k = 0; k < game->n_links; ++k) {
    if (k + 1 < game->n_links && starts(held, k)) {
      reach(game, left, held | 1u << k, ns + game->links[k].ns);
      reach(game, left, held | 1u << k | 1u << (MAX_LINKS + k), ns + game->links[k].ns);
    }
    reach(game, left, held & ~(1u << k), ns);
    reach(game, left, held & ~(1u << (MAX_LINKS + k)), ns);
  }
  uint32_t turn = left - 1, beside = game->links[turn].beside;
  bool is_inside = (held >> (MAX_LINKS + turn) & 1) != 0;
  uint32_t units = units_held(game, held) + beside + (is_inside ? 0 : game->links[turn].again);
  if (starts(held, turn) && units <= game->n_units)
    reach(game, turn, held, ns + (is_inside ? 0 : game->links[turn].inner_ns));
}

/* Over and over, until no way is shorter. Returns the least time of all turns; infinite without a
 * way. */
static float play(Game *game)
{
  uint32_t n_held = 1u << (MAX_LINKS + game->n_links);
  for (uint32_t left = 0; left <= game->n_links; ++left)
    for (uint32_t held = 0; held < n_held; ++held)
      game->best[left][held] = INFINITY;
  for (uint32_t held = 0; held < n_held; ++held) /* the forward part is free */
    if ((held >> (game->n_links - 1) & 1) == 0 && (held & MASK) >> game->n_links == 0)
      reach(game, game->n_links, held, 0);
  for (uint32_t left = game->n_links; left > 0; --left)
    do {
      game->is_shorter = false;
      for (uint32_t held = 0; held < n_held; ++held)
        if (isfinite(game->best[left][held]))
          move_on(game, left, held);
    } while (game->is_shorter);
  float least = INFINITY;
  for (uint32_t held = 0; held < n_held; ++held)
    least = game->best[0][held] < least ? game->best[0][held] : least;
  return least;
}

/* ---- against it ---- */

static EchoLevelLink random_link(bool is_equal)
{
  uint32_t inner = is_equal ? 0 : next_below(4);
  return (EchoLevelLink){.out = is_equal ? 2 : 1 + next_below(4),
                         .inner = inner,
                         .again = inner != 0 ? next_below(inner + 1) : 0,
                         .beside = is_equal ? 1 : next_below(3),
                         .ns = is_equal ? 3 : (float)(1 + next_below(8)),
                         .inner_ns = inner != 0 ? 1 : 0};
}

/* What a plan comes to, run by run. */
static void check_plan(EchoLevels *levels, uint32_t units)
{
  EchoLevelKept kept[N_LONGEST];
  float ns = 0;
  echo_levels_plan(levels, units, kept);
  bool is_inside[N_LONGEST];
  for (uint32_t k = 0; k < levels->n_links; ++k)
    is_inside[k] = kept[k].inner;
  for (size_t r = 0; r < levels->runs.size; ++r) {
    const EchoLevelRun *run = &levels->runs.data[r];
    ck_assert_uint_le(run->first, run->last);
    ck_assert_uint_lt(run->last, run->turn);
    ck_assert(r == 0 || run->turn <= levels->runs.data[r - 1].turn);
    for (uint32_t k = run->first; k <= run->last; ++k) {
      ns += levels->links[k].ns;
      is_inside[k] = run->keeps_inner;
    }
  }
  for (uint32_t k = 0; k < levels->n_links; ++k)
    ns += is_inside[k] ? 0 : levels->links[k].inner_ns;
  ck_assert_float_le(fabsf(ns - echo_levels_ns(levels, units)), 1e-3f * ns);
}

static void compare(Game *game, bool is_equal, uint32_t *n, uint32_t *n_best)
{
  EchoLevelLink links[MAX_LINKS];
  EchoArena arena = {0};
  EchoLevels levels;
  game->n_links = 2 + next_below(MAX_LINKS - 1);
  for (uint32_t k = 0; k < game->n_links; ++k)
    links[k] = random_link(is_equal);
  links[game->n_links - 1].out = 0;
  game->links = links;
  game->n_units = 1 + next_below(is_equal ? 12 : 16);
  echo_levels_create(&levels, links, game->n_links, N_UNITS, &arena);
  float found = echo_levels_ns(&levels, game->n_units), least = play(game);
  ck_assert_float_ge(found, least);
  *n += isfinite(least) ? 1 : 0;
  *n_best += isfinite(least) && found == least ? 1 : 0;
  if (isfinite(found))
    check_plan(&levels, game->n_units);
  echo_levels_destroy(&levels);
  echo_arena_destroy(&arena);
}

/* Of equal links the plan is the best there is. Of others mostly: what a link holds is kept only
 * where what it hands on is, and that until its turn. */
START_TEST(agrees_with_every_way)
{
  Game *game = malloc(sizeof *game);
  uint32_t n = 0, n_best = 0, n_equal = 0, n_equal_best = 0;
  for (int i = 0; i < 100; ++i)
    compare(game, true, &n_equal, &n_equal_best);
  for (int i = 0; i < 300; ++i)
    compare(game, false, &n, &n_best);
  ck_assert_uint_eq(n_equal_best, n_equal);
  ck_assert_uint_gt(n, 200);
  ck_assert_msg(n_best * 100 >= n * 90, "%u of %u", n_best, n);
  free(game);
}
END_TEST

/* ---- against the formula ---- */

static double binomial(uint32_t n, uint32_t k)
{
  double product = 1;
  for (uint32_t i = 1; i <= k; ++i)
    product = product * (n - k + i) / i;
  return product;
}

/* Steps that revolve runs beside the turns of so many links with c snapshots, of which the input is
 * one: r * links - beta(c + 1, r - 1) for beta(c, r - 1) < links <= beta(c, r), beta(c, r) = (c + r
 * over c). The first way forward, which is one of them, is free here. */
static double revolve_steps(uint32_t n_links, uint32_t c)
{
  uint32_t r = 0;
  while (binomial(c + r, c) < n_links)
    ++r;
  double repeated = r == 0 ? 0 : binomial(c + r, c + 1);
  return (double)r * n_links - repeated - (n_links - 1);
}

/* Revolve has one more place, where the state that moves on is written over. */
START_TEST(agrees_with_revolve)
{
  EchoLevelLink links[N_LONGEST];
  for (uint32_t n_links = 4; n_links <= N_LONGEST; n_links += 4) {
    EchoArena arena = {0};
    EchoLevels levels;
    for (uint32_t k = 0; k < n_links; ++k)
      links[k] = (EchoLevelLink){.out = k + 1 < n_links, .ns = 1};
    echo_levels_create(&levels, links, n_links, N_UNITS, &arena);
    for (uint32_t units = 2; units < n_links && units < 12; ++units) {
      double ns = (double)echo_levels_ns(&levels, units);
      ck_assert_double_ge(ns, revolve_steps(n_links, units));
      ck_assert_double_le(ns, revolve_steps(n_links, units - 1));
      check_plan(&levels, units);
    }
    echo_levels_destroy(&levels);
    echo_arena_destroy(&arena);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("levels");
  TCase *tests = tcase_create("levels");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, agrees_with_every_way);
  tcase_add_test(tests, agrees_with_revolve);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
