/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Minimum cuts at prices: at its own price no cut is dearer than that of another price, whichever
 * side it is nearest to, so that as prices fall less is kept and more time is taken. The policy
 * finds the prices that matter by this. */
#include "echo_pass/choice.h"
#include "tests/unit/plan/setting.h"
#include "tests/unit/suite.h"

static EchoCutCost cut_cost(const Setting *setting, EchoCutSide side, double price, bool is_heavy)
{
  EchoChoice choice;
  EchoCutOptions options = {.side = side, .price = price, .allow_heavy = is_heavy};
  echo_choice_create(&choice, &setting->candidates);
  echo_choice_cut(&choice, &setting->candidates, &options);
  return echo_choice_cost(&choice, &setting->candidates);
}

/* In bytes. */
static double at_price(const Setting *setting, const EchoCutCost *cost, double price)
{
  return cost->bytes + price * setting->candidates.bytes_per_ns * cost->ns;
}

#define N_PRICES 9
static const double PRICES[N_PRICES] = {0, 0.01, 0.03125, 0.1, 0.25, 0.5, 1, 4, 64};

/* Of all prices, dear ones last. Returns how many of the cuts differ from the one before. */
static int check_cuts(const Setting *setting, EchoCutSide side, bool is_heavy)
{
  /* The network's prices are whole bytes a node, rounded up. */
  double rounding = (double)setting->graph.nodes.size + 1;
  EchoCutCost costs[N_PRICES];
  int n_different = 0;
  for (int p = 0; p < N_PRICES; ++p)
    costs[p] = cut_cost(setting, side, PRICES[p], is_heavy);
  for (int p = 0; p < N_PRICES; ++p)
    for (int q = 0; q < N_PRICES; ++q)
      ck_assert_double_le(at_price(setting, &costs[p], PRICES[p]),
                          at_price(setting, &costs[q], PRICES[p]) + rounding);
  for (int p = 1; p < N_PRICES; ++p) {
    ck_assert_double_ge(costs[p].bytes + rounding, costs[p - 1].bytes);
    n_different += costs[p].bytes > costs[p - 1].bytes;
  }
  return n_different;
}

static int check_setting(Setting *setting)
{
  setting_create(setting);
  int n_different = 0;
  for (int is_heavy = 0; is_heavy < 2; ++is_heavy) {
    n_different += check_cuts(setting, ECHO_CUT_NEAR_SOURCE, is_heavy != 0);
    n_different += check_cuts(setting, ECHO_CUT_NEAR_SINK, is_heavy != 0);
  }
  setting_destroy(setting);
  return n_different;
}

START_TEST(no_price_has_a_cheaper_cut_than_its_own)
{
  Setting setting;
  int n_different = 0;
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    test_step_random(&setting.step, seed, 4 + seed % 24);
    n_different += check_setting(&setting);
  }
  ck_assert_int_gt(n_different, 60);
}
END_TEST

/* Nothing computed again takes no time, and holds all that is read behind its gap. */
START_TEST(nothing_is_the_end_of_dear_prices)
{
  Setting setting;
  test_step_stack(&setting.step, 8);
  setting_create(&setting);
  EchoChoice nothing;
  echo_choice_create(&nothing, &setting.candidates);
  EchoCutCost kept = echo_choice_cost(&nothing, &setting.candidates);
  EchoCutCost dear = cut_cost(&setting, ECHO_CUT_NEAR_SINK, 1e9, true);
  double bytes = 0;
  for (uint32_t v = 0; v < setting.graph.values.size; ++v)
    if (setting.candidates.values[v].state == ECHO_VALUE_CANDIDATE &&
        setting.candidates.values[v].is_read)
      bytes += (double)setting.graph.values.data[v].bytes;
  ck_assert_double_eq(kept.ns, 0);
  ck_assert_double_eq(kept.bytes, bytes);
  ck_assert_double_le(dear.bytes, bytes);
  setting_destroy(&setting);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("cut");
  TCase *tcase = tcase_create("all");
  tcase_add_test(tcase, no_price_has_a_cheaper_cut_than_its_own);
  tcase_add_test(tcase, nothing_is_the_end_of_dear_prices);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
