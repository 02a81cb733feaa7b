/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The laws of planning on random steps: what was estimated is what comes out, no order is worse
 * than the one given, recompute never raises the peak, a smaller budget never gives a larger one,
 * and every stage computes the same. */
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

#include <stdio.h>

#define N_SEEDS TEST_SIZE(120, 10)
#define N_FORWARD(seed) (6u + (seed) % 60u)

static void assert_same_results(const TestStep *step, uint32_t seed, const char *stage,
                                const uint64_t *expected, size_t n_expected)
{
  uint64_t hashes[TEST_MAX_RESULTS] = {0};
  ck_assert_uint_eq(test_step_results(step, hashes), n_expected);
  for (size_t i = 0; i < n_expected; ++i)
    ck_assert_msg(hashes[i] == expected[i], "seed %u: result %zu differs once %s", seed, i, stage);
}

START_TEST(every_stage_computes_the_same)
{
  for (uint32_t seed = 0; seed < N_SEEDS; ++seed) {
    TestStep step;
    uint64_t expected[TEST_MAX_RESULTS] = {0};
    test_step_random(&step, seed, N_FORWARD(seed));
    size_t n = test_step_results(&step, expected);
    ck_assert_uint_eq(n, 5);
    ck_assert(test_step_run(&step, "dce,echo{overhead=1000%}"));
    assert_same_results(&step, seed, "echoed", expected, n);
    ck_assert(test_step_run(&step, "cse,schedule"));
    assert_same_results(&step, seed, "scheduled", expected, n);
    ck_assert(test_step_run(&step, "fuse"));
    assert_same_results(&step, seed, "fused", expected, n);
    ck_assert(test_step_run(&step, "bufferize,plan-memory,verify-plan"));
    assert_same_results(&step, seed, "planned", expected, n);
    test_step_destroy(&step);
  }
}
END_TEST

/* Bound of the plan that a pipeline in front of the planned stage comes to. */
static int64_t planned_bytes(uint32_t seed, const char *passes, const char *estimate_name,
                             int64_t *estimate)
{
  TestStep step;
  test_step_random(&step, seed, N_FORWARD(seed));
  ck_assert(test_step_run(&step, passes));
  if (estimate != NULL)
    *estimate = test_step_fact(&step, estimate_name);
  ck_assert(test_step_run(&step, "schedule,fuse,bufferize,plan-memory,verify-plan"));
  int64_t bytes = test_step_fact(&step, "plan.bound_bytes");
  test_step_destroy(&step);
  return bytes;
}

START_TEST(the_estimate_is_what_comes_out)
{
  for (uint32_t seed = 0; seed < N_SEEDS; ++seed) {
    int64_t estimate;
    int64_t off = planned_bytes(seed, "dce", NULL, NULL);
    int64_t on = planned_bytes(seed, "dce,echo{overhead=1000%}", "echo.on_bytes", &estimate);
    ck_assert_msg(on == estimate, "seed %u: %lld come out, %lld were estimated", seed,
                  (long long)on, (long long)estimate);
    ck_assert_msg(on <= off, "seed %u: %lld with recompute, %lld without", seed, (long long)on,
                  (long long)off);
  }
}
END_TEST

/* Bytes times nanoseconds without recompute, in an order that the options may name. */
static double product_off(uint32_t seed, const char *pass)
{
  TestStep step;
  test_step_random(&step, seed, N_FORWARD(seed));
  ck_assert(test_step_run(&step, "dce"));
  ck_assert(test_step_run(&step, pass));
  double product = (double)test_step_fact(&step, "echo.off_bytes") *
                   (double)test_step_fact(&step, "echo.off_ns");
  test_step_destroy(&step);
  return product;
}

/* Of memory and time together: a percent of the one is worth a percent of the other. */
START_TEST(a_schedule_is_never_worse)
{
  for (uint32_t seed = 0; seed < N_SEEDS; ++seed)
    ck_assert_double_le(product_off(seed, "echo{overhead=0%}"),
                        product_off(seed, "echo{overhead=0% order=given}"));
}
END_TEST

/* What --schedule runs a step in is what Echo compares itself with. */
START_TEST(a_schedule_is_what_echo_calls_off)
{
  for (uint32_t seed = 0; seed < N_SEEDS; ++seed) {
    TestStep step;
    test_step_random(&step, seed, N_FORWARD(seed));
    ck_assert(test_step_run(&step, "dce,echo{overhead=0%}"));
    int64_t off = test_step_fact(&step, "echo.off_bytes");
    test_step_destroy(&step);
    ck_assert_int_eq(planned_bytes(seed, "dce", NULL, NULL), off);
  }
}
END_TEST

START_TEST(smaller_budgets_never_give_larger_peaks)
{
  for (uint32_t seed = 0; seed < N_SEEDS; seed += 5) {
    int64_t off = planned_bytes(seed, "dce", NULL, NULL);
    int64_t previous = INT64_MAX, least = planned_bytes(seed, "dce,echo{budget=min}", NULL, NULL);
    for (int eighths = 8; eighths > 0; --eighths) {
      int64_t wanted = off * eighths / 8 + 4 * 256 + 4 * 256 + 32 + 256; /* arguments and results */
      char passes[64];
      if (off * eighths / 8 < least)
        break;
      snprintf(passes, sizeof passes, "dce,echo{budget=%lld}", (long long)wanted);
      int64_t bytes = planned_bytes(seed, passes, NULL, NULL);
      ck_assert_int_le(bytes, previous);
      previous = bytes;
    }
  }
}
END_TEST

START_TEST(equal_inputs_give_equal_outputs)
{
  for (uint32_t seed = 0; seed < 10; ++seed) {
    int64_t first, second;
    planned_bytes(seed, "dce,echo{budget=min}", "echo.on_ns", &first);
    planned_bytes(seed, "dce,echo{budget=min}", "echo.on_ns", &second);
    ck_assert_int_eq(first, second);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("plan/step");
  TCase *tcase = tcase_create("step");
  tcase_set_timeout(tcase, 300);
  tcase_add_test(tcase, every_stage_computes_the_same);
  tcase_add_test(tcase, the_estimate_is_what_comes_out);
  tcase_add_test(tcase, a_schedule_is_never_worse);
  tcase_add_test(tcase, a_schedule_is_what_echo_calls_off);
  tcase_add_test(tcase, smaller_budgets_never_give_larger_peaks);
  tcase_add_test(tcase, equal_inputs_give_equal_outputs);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
