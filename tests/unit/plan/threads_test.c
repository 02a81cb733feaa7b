/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the search decides does not depend on the number of threads that look ahead for it: the text
 * of the step is the same to the byte. */
#include "ir/text/text.h"
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

#define N_SEEDS 2
#define N_FORWARD 60
#define N_LAYERS 10
#define STACK N_SEEDS /* the step behind the random ones */

static const char *const PIPELINES[] = {"dce,echo{budget=min}", "dce,echo{overhead=20%}",
                                        "dce,echo{budget=min swap=on}",
                                        "dce,echo{budget=min policy=levels}"};

static void decide(uint32_t seed, const char *pipeline, unsigned n_threads, EchoBuffer *text)
{
  TestStep step;
  if (seed == STACK)
    test_step_stack(&step, N_LAYERS);
  else
    test_step_random(&step, seed, N_FORWARD);
  echo_context_set_n_threads(step.ctx, n_threads);
  ck_assert_uint_eq(echo_context_n_threads(step.ctx), n_threads);
  ck_assert(test_step_run(&step, pipeline));
  echo_print_op(step.module, NULL, text);
  test_step_destroy(&step);
}

static void check_step(uint32_t seed, const char *pipeline)
{
  static const unsigned N_THREADS[] = {2, 7};
  EchoBuffer alone = {0};
  decide(seed, pipeline, 1, &alone);
  for (size_t i = 0; i < sizeof N_THREADS / sizeof N_THREADS[0]; ++i) {
    EchoBuffer together = {0};
    decide(seed, pipeline, N_THREADS[i], &together);
    ck_assert_msg(strcmp(echo_buffer_c_str(&alone), echo_buffer_c_str(&together)) == 0,
                  "step %u, %s: another plan on %u threads", seed, pipeline, N_THREADS[i]);
    echo_buffer_destroy(&together);
  }
  echo_buffer_destroy(&alone);
}

START_TEST(a_plan_is_the_same_on_any_number_of_threads)
{
  for (uint32_t seed = 0; seed <= STACK; ++seed)
    check_step(seed, PIPELINES[_i]);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("plan/threads");
  TCase *tcase = tcase_create("threads");
  tcase_set_timeout(tcase, 60);
  tcase_add_loop_test(tcase, a_plan_is_the_same_on_any_number_of_threads, 0,
                      (int)(sizeof PIPELINES / sizeof PIPELINES[0]));
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
