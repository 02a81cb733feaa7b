/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The curve of peak against time on a stack of layers, whose activations only contractions can make
 * again: budgets find points all along it, in order, and what is refused is said to the byte. */
#include "ir/diagnostics.h"
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

#include <stdio.h>

#define N_LAYERS 32
#define N_BUDGETS TEST_SIZE(24, 4)

typedef struct Planned {
  bool is_planned;
  int64_t peak_bytes, ns; /* of everything; predicted */
  int64_t named_bytes;    /* that a refusal names */
} Planned;

static int64_t number_named(const TestStep *step)
{
  for (size_t i = 0; i < echo_context_n_diagnostics(step->ctx); ++i) {
    const char *message = echo_context_diagnostic(step->ctx, i)->message;
    const char *at = strstr(message, "the smallest possible one is ");
    if (at != NULL)
      return atoll(at + strlen("the smallest possible one is "));
  }
  return -1;
}

static Planned plan(const char *echo)
{
  TestStep step;
  Planned planned = {0};
  test_step_stack(&step, N_LAYERS);
  planned.is_planned = test_step_run(&step, echo);
  planned.ns = test_step_fact(&step, "echo.on_ns");
  planned.named_bytes = number_named(&step);
  if (planned.is_planned)
    ck_assert(test_step_run(&step, "schedule,fuse,bufferize,plan-memory,verify-plan"));
  planned.peak_bytes = test_step_fact(&step, "plan.peak_bytes");
  test_step_destroy(&step);
  return planned;
}

static Planned plan_budget(int64_t bytes)
{
  char echo[64];
  snprintf(echo, sizeof echo, "echo{budget=%lld}", (long long)bytes);
  return plan(echo);
}

START_TEST(budgets_find_points_all_along_the_curve)
{
  Planned off = plan("echo{overhead=0%}"), least = plan("echo{budget=min}");
  ck_assert_int_lt(least.peak_bytes * 2, off.peak_bytes);
  int n_distinct = 0;
  Planned before = off;
  for (int i = 1; i <= N_BUDGETS; ++i) {
    int64_t range = off.peak_bytes - least.peak_bytes;
    int64_t budget = off.peak_bytes - range * i / N_BUDGETS;
    Planned now = plan_budget(budget);
    ck_assert(now.is_planned);
    ck_assert_int_le(now.peak_bytes, budget);
    ck_assert_int_le(now.peak_bytes, before.peak_bytes);
    ck_assert_msg(now.peak_bytes == before.peak_bytes || now.ns >= before.ns || before.ns == off.ns,
                  "a smaller budget takes less time: %lld ns after %lld", (long long)now.ns,
                  (long long)before.ns);
    n_distinct += now.peak_bytes != before.peak_bytes;
    before = now;
  }
  ck_assert_int_ge(n_distinct, N_BUDGETS / 4);
}
END_TEST

START_TEST(what_is_refused_is_named)
{
  Planned least = plan("echo{budget=min}"), refused = plan_budget(least.peak_bytes / 2);
  ck_assert(!refused.is_planned);
  ck_assert_int_le(refused.named_bytes, least.peak_bytes);
  Planned named = plan_budget(refused.named_bytes);
  ck_assert(named.is_planned);
  ck_assert_int_eq(named.peak_bytes, refused.named_bytes);
  Planned below = plan_budget(refused.named_bytes - 1);
  ck_assert(!below.is_planned);
  ck_assert_int_eq(below.named_bytes, refused.named_bytes);
}
END_TEST

START_TEST(more_time_never_gives_a_larger_peak)
{
  static const char *const LIMITS[] = {"echo{overhead=0%}", "echo{overhead=5%}",
                                       "echo{overhead=20%}", "echo{overhead=100%}"};
  Planned off = plan(LIMITS[0]), before = off;
  for (size_t i = 1; i < sizeof LIMITS / sizeof LIMITS[0]; ++i) {
    Planned now = plan(LIMITS[i]);
    ck_assert_int_le(now.peak_bytes, before.peak_bytes);
    before = now;
  }
  ck_assert_int_lt(before.peak_bytes, off.peak_bytes);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("plan/curve");
  TCase *tcase = tcase_create("curve");
  tcase_set_timeout(tcase, 12); /* seconds, before sanitizers: a test makes some thirty plans */
  tcase_add_test(tcase, budgets_find_points_all_along_the_curve);
  tcase_add_test(tcase, what_is_refused_is_named);
  tcase_add_test(tcase, more_time_never_gives_a_larger_peak);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
