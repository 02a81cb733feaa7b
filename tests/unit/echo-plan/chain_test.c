/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The chain planners, the compiler's linear one among them: against every set on random chains,
 * against each other on long ones, and on VGG19. */
#include "tools/echo-plan/chain_planners.h"

#include "tests/unit/suite.h"

static uint64_t random_state;

static uint64_t next_below(uint64_t n)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state % n;
}

static void random_chain(uint64_t *bytes, size_t n_layers, uint64_t limit)
{
  for (size_t i = 0; i < n_layers; i++)
    bytes[i] = next_below(limit);
}

START_TEST(reaches_the_least_peak)
{
  random_state = 2463534242;
  EchoChainSet brute = {0}, quadratic = {0}, linear = {0}, cubic = {0};
  size_t n_fewer = 0, n_chains = 4000;
  for (size_t round = 0; round < n_chains; round++) {
    uint64_t bytes[14];
    size_t n_layers = 1 + next_below(13);
    random_chain(bytes, n_layers, 1 + next_below(round % 2 == 0 ? 5 : 1000));
    chain_brute(bytes, n_layers, &brute);
    chain_quadratic(bytes, n_layers, &quadratic);
    echo_chain_linear(bytes, n_layers, &linear);
    chain_cubic(bytes, n_layers, &cubic);
    uint64_t least = echo_chain_peak(bytes, n_layers, &brute);
    ck_assert_uint_eq(echo_chain_peak(bytes, n_layers, &quadratic), least);
    ck_assert_uint_eq(echo_chain_peak(bytes, n_layers, &linear), least);
    ck_assert_uint_ge(echo_chain_peak(bytes, n_layers, &cubic), least);
    ck_assert_uint_eq(linear.size, quadratic.size);
    for (size_t i = 0; i < linear.size; i++)
      ck_assert_uint_eq(linear.data[i], quadratic.data[i]);
    ck_assert_uint_ge(brute.size, linear.size);
    n_fewer += brute.size > linear.size;
  }
  /* Keeping more layers is greedy: mostly, not always, as many as there can be. */
  ck_assert_uint_lt(n_fewer, n_chains / 4);
  echo_vector_destroy(&brute);
  echo_vector_destroy(&quadratic);
  echo_vector_destroy(&linear);
  echo_vector_destroy(&cubic);
}
END_TEST

/* Sum of checkpoints plus the largest segment. */
static uint64_t earlier_objective(const uint64_t *bytes, const EchoChainSet *set)
{
  uint64_t kept = bytes[0], largest = 0;
  for (size_t c = 1; c < set->size; c++) {
    uint64_t segment = 0, gradient = bytes[set->data[c - 1]];
    for (size_t k = set->data[c - 1] + 1; k < set->data[c]; k++) {
      segment += bytes[k];
      gradient = bytes[k] > gradient ? bytes[k] : gradient;
    }
    kept += bytes[set->data[c]];
    largest = segment + gradient > largest ? segment + gradient : largest;
  }
  return kept + largest;
}

START_TEST(cubic_is_optimal_for_its_objective)
{
  random_state = 5;
  EchoChainSet set = {0}, trial = {0};
  for (int round = 0; round < 2000; round++) {
    uint64_t bytes[12];
    size_t n_layers = 2 + next_below(10);
    random_chain(bytes, n_layers, 1 + next_below(round % 2 == 0 ? 5 : 1000));
    chain_cubic(bytes, n_layers, &set);
    uint64_t least = UINT64_MAX;
    size_t most = 0;
    for (uint64_t mask = 0; mask < UINT64_C(1) << (n_layers - 2); mask++) {
      echo_vector_clear(&trial);
      for (size_t i = 0; i < n_layers; i++)
        if (i == 0 || i == n_layers - 1 || (mask >> (i - 1) & 1))
          echo_vector_push(&trial, i);
      uint64_t value = earlier_objective(bytes, &trial);
      if (value < least || (value == least && trial.size > most)) {
        least = value;
        most = trial.size;
      }
    }
    ck_assert_uint_eq(earlier_objective(bytes, &set), least);
    ck_assert_uint_eq(set.size, most);
  }
  echo_vector_destroy(&set);
  echo_vector_destroy(&trial);
}
END_TEST

START_TEST(linear_equals_quadratic_on_long_chains)
{
  random_state = 77;
  EchoChainSet quadratic = {0}, linear = {0};
  uint64_t *bytes = malloc(3000 * sizeof *bytes);
  for (int round = 0; round < 12; round++) {
    size_t n_layers = 2000 + next_below(1000);
    random_chain(bytes, n_layers, round % 3 == 0 ? 4 : UINT64_C(1) << 30);
    chain_quadratic(bytes, n_layers, &quadratic);
    echo_chain_linear(bytes, n_layers, &linear);
    ck_assert_uint_eq(linear.size, quadratic.size);
    for (size_t i = 0; i < linear.size; i++)
      ck_assert_uint_eq(linear.data[i], quadratic.data[i]);
  }
  free(bytes);
  echo_vector_destroy(&quadratic);
  echo_vector_destroy(&linear);
}
END_TEST

/* VGG19 at 224x224, bytes per image of input and outputs in f32, ReLU merged: the row in the
 * paper's terms is keep all 75.58, every sqrt(n)-th 54.17, the O(n^3) set 40.39, the optimum 37.32
 * MiB. */
START_TEST(vgg19)
{
  uint64_t bytes[29] = {3 * 224 * 224 * 4};
  size_t n_layers = 1;
  const struct {
    uint64_t channels, n_convolutions;
  } stages[] = {{64, 2}, {128, 2}, {256, 4}, {512, 4}, {512, 4}};
  uint64_t side = 224;
  for (size_t s = 0; s < 5; s++, side /= 2) {
    for (uint64_t c = 0; c < stages[s].n_convolutions; c++)
      bytes[n_layers++] = stages[s].channels * side * side * 4;
    bytes[n_layers++] = stages[s].channels * (side / 2) * (side / 2) * 4;
  }
  const uint64_t head[] = {25088, 25088, 4096, 4096, 4096, 4096, 1000};
  for (size_t i = 0; i < 7; i++)
    bytes[n_layers++] = head[i] * 4;
  ck_assert_uint_eq(n_layers, 29);
  EchoChainSet set = {0};
  ck_assert_uint_eq(chain_store_all_bytes(bytes, n_layers), 79247264);
  chain_sqrt_n(n_layers, &set);
  ck_assert_uint_eq(echo_chain_peak(bytes, n_layers, &set), 56799232);
  chain_cubic(bytes, n_layers, &set);
  ck_assert_uint_eq(echo_chain_peak(bytes, n_layers, &set), 42348544);
  echo_chain_linear(bytes, n_layers, &set);
  ck_assert_uint_eq(echo_chain_peak(bytes, n_layers, &set), 39137280);
  echo_vector_destroy(&set);
}
END_TEST

/* Linear: steps that grew with the square would not come back before the test's time is over. */
START_TEST(a_million_layers)
{
  size_t n_layers = 1000001;
  uint64_t *bytes = malloc(n_layers * sizeof *bytes);
  random_state = 31;
  random_chain(bytes, n_layers, UINT64_C(1) << 26);
  EchoChainSet set = {0};
  echo_chain_linear(bytes, n_layers, &set);
  ck_assert_uint_gt(set.size, 2);
  free(bytes);
  echo_vector_destroy(&set);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("chain");
  TCase *tests = tcase_create("chain");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, reaches_the_least_peak);
  tcase_add_test(tests, cubic_is_optimal_for_its_objective);
  tcase_add_test(tests, linear_equals_quadratic_on_long_chains);
  tcase_add_test(tests, vgg19);
  tcase_add_test(tests, a_million_layers);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
