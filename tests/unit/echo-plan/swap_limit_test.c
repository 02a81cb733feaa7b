/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The smallest limit that costs no time, where it can be told by hand. */
#include "tests/unit/suite.h"
#include "tools/echo-plan/commands.h"

#define MIB (UINT64_C(1) << 20)

/* Two blocks of 10 MiB and one of 1; the first is away while the second lives, and `idle_ns` tells
 * whether there is time for its copies. */
static void create(EchoSwapTrace *trace, int64_t idle_ns)
{
  const EchoSwapEvent events[] = {
      {0, 0, ECHO_SWAP_ALLOC},
      {1000, 0, ECHO_SWAP_WRITE},
      {idle_ns, 2, ECHO_SWAP_ALLOC},
      {idle_ns, 1, ECHO_SWAP_ALLOC},
      {idle_ns, 1, ECHO_SWAP_WRITE},
      {idle_ns + 1000, 1, ECHO_SWAP_FREE},
      {idle_ns + 1000, 2, ECHO_SWAP_FREE},
      {2 * idle_ns, 0, ECHO_SWAP_READ},
      {2 * idle_ns, 0, ECHO_SWAP_FREE},
  };
  const uint64_t sizes[] = {10 * MIB, 10 * MIB, MIB};
  EchoSwapTransfer transfer = echo_swap_transfer_default();
  EchoBuffer error = {0};
  size_t bad;
  ck_assert(echo_swap_trace_create(trace, events, 9, sizes, 3, 1, MIB, &transfer, &bad, &error));
  ck_assert_uint_eq(trace->peak_bytes, 21 * MIB);
  ck_assert_uint_eq(echo_swap_least_limit(trace), 11 * MIB);
}

START_TEST(time_enough_makes_the_least_limit_free)
{
  for (int policy = 0; policy < ECHO_SWAP_POLICIES; policy++) {
    EchoSwapTrace trace;
    create(&trace, INT64_C(1000000000));
    ck_assert_uint_eq(plan_free_limit(&trace, (EchoSwapPolicy)policy, MIB), 11 * MIB);
    echo_swap_trace_destroy(&trace);
  }
}
END_TEST

START_TEST(without_time_no_limit_below_the_peak_is_free)
{
  for (int policy = 0; policy < ECHO_SWAP_POLICIES; policy++) {
    EchoSwapTrace trace;
    create(&trace, 10000);
    ck_assert_uint_eq(plan_free_limit(&trace, (EchoSwapPolicy)policy, MIB), 21 * MIB);
    echo_swap_trace_destroy(&trace);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("swap limit");
  TCase *tests = tcase_create("swap limit");
  tcase_add_test(tests, time_enough_makes_the_least_limit_free);
  tcase_add_test(tests, without_time_no_limit_below_the_peak_is_free);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
