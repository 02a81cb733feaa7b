/* Swapping on random traces: whatever the policy and the limit, the simulated peak stays within the
 * limit, nothing waits for ever, more memory never costs more time, and the best policy is no worse
 * than any. */
#include "planning/swap.h"

#include <check.h>
#include <stdlib.h>

#define MIB (UINT64_C(1) << 20)

static uint64_t random_state;

static uint64_t next_below(uint64_t n)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state % n;
}

typedef struct Recording {
  EchoSwapEvent events[4000];
  size_t n_events;
  uint64_t sizes[600];
  uint32_t n_blocks;
  int64_t time_ns;
} Recording;

static void add(Recording *recording, uint32_t block, EchoSwapAction action)
{
  recording->events[recording->n_events++] = (EchoSwapEvent){recording->time_ns, block, action};
  recording->time_ns += (int64_t)next_below(2) * (int64_t)next_below(2000000);
}

/* Iterations of a training step: weights live throughout, activations made forwards and freed
 * backwards, each layer also writes a gradient of its weight. */
static void record(Recording *recording, uint32_t n_layers, uint32_t iterations)
{
  *recording = (Recording){0};
  for (uint32_t l = 0; l < 2 * n_layers; l++)
    recording->sizes[recording->n_blocks++] = MIB / 2 + next_below(24 * MIB);
  uint64_t seed = random_state;
  for (uint32_t i = 0; i < iterations; i++) {
    random_state = seed; /* like iterations */
    uint32_t first = recording->n_blocks;
    for (uint32_t l = 0; l < n_layers; l++) {
      recording->sizes[recording->n_blocks++] = MIB / 2 + next_below(40 * MIB);
      add(recording, l, ECHO_SWAP_READ);
      add(recording, first + l, ECHO_SWAP_ALLOC);
      add(recording, first + l, ECHO_SWAP_WRITE);
      if (l > 0)
        add(recording, first + l - 1, ECHO_SWAP_READ);
    }
    for (uint32_t l = n_layers; l-- > 0;) {
      add(recording, first + l, ECHO_SWAP_READ);
      add(recording, n_layers + l, ECHO_SWAP_WRITE);
      add(recording, l, ECHO_SWAP_READ);
      add(recording, first + l, ECHO_SWAP_FREE);
    }
    for (uint32_t l = 0; l < n_layers; l++) {
      add(recording, n_layers + l, ECHO_SWAP_READ);
      add(recording, l, ECHO_SWAP_WRITE);
    }
  }
}

static void create(EchoSwapTrace *trace, const Recording *recording, uint32_t iterations)
{
  EchoSwapTransfer transfer = echo_swap_transfer_default();
  EchoBuffer error = {0};
  size_t bad = 0;
  bool fine =
      echo_swap_trace_create(trace, recording->events, recording->n_events, recording->sizes,
                             recording->n_blocks, iterations, MIB, &transfer, &bad, &error);
  ck_assert_msg(fine, "event %zu: %s", bad, echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
}

static int64_t overhead(const EchoSwapTrace *trace, uint64_t limit, EchoSwapPolicy policy)
{
  EchoSwapPlan plan;
  ck_assert(echo_swap_plan(trace, limit, policy, &plan));
  ck_assert_uint_le(plan.planned_peak_bytes, limit);
  ck_assert_int_ge(plan.overhead_ns, 0);
  for (size_t k = 0; k < plan.swaps.size; k++) {
    const EchoSwapGap *gap = &trace->gaps[plan.swaps.data[k].gap];
    ck_assert_int_ge(plan.swaps.data[k].out_start_ns, gap->from_ns);
    ck_assert_int_ge(plan.swaps.data[k].in_start_ns, gap->from_ns);
  }
  echo_vector_destroy(&plan.swaps);
  return plan.overhead_ns;
}

START_TEST(limits_hold_and_best_is_best)
{
  Recording *recording = malloc(sizeof *recording);
  for (uint32_t round = 0; round < 6; round++) {
    random_state = 1000 + round;
    uint32_t iterations = round % 2 == 0 ? 1 : 3;
    record(recording, 3 + (uint32_t)next_below(7), iterations);
    EchoSwapTrace trace;
    create(&trace, recording, iterations);
    uint64_t least = echo_swap_least_limit(&trace), span = trace.peak_bytes - least;
    ck_assert_uint_gt(span, 0);
    int64_t previous = INT64_MAX;
    for (uint64_t k = 0; k <= 6; k++) {
      uint64_t limit = least + span * k / 6;
      int64_t best = overhead(&trace, limit, ECHO_SWAP_BEST);
      for (int policy = ECHO_SWAP_DOA; policy < ECHO_SWAP_POLICIES; policy++)
        ck_assert_int_le(best, overhead(&trace, limit, (EchoSwapPolicy)policy));
      ck_assert_int_le(best, previous);
      previous = best;
    }
    ck_assert_int_eq(previous, 0); /* at the peak */
    EchoSwapPlan plan;
    ck_assert(!echo_swap_plan(&trace, least - 1, ECHO_SWAP_BEST, &plan));
    uint64_t zero = echo_swap_zero_overhead_limit(&trace, ECHO_SWAP_SWDOA, MIB);
    ck_assert_uint_le(zero, trace.peak_bytes);
    ck_assert_int_eq(overhead(&trace, trace.peak_bytes, ECHO_SWAP_SWDOA), 0);
    echo_swap_trace_destroy(&trace);
  }
  free(recording);
}
END_TEST

/* Two blocks of 10 MiB; the first is not needed for a second while the second lives. */
START_TEST(a_long_gap_is_free)
{
  const EchoSwapEvent events[] = {
      {0, 0, ECHO_SWAP_ALLOC},         {1000, 0, ECHO_SWAP_WRITE},
      {50000000, 2, ECHO_SWAP_ALLOC},  {100000000, 1, ECHO_SWAP_ALLOC},
      {200000000, 1, ECHO_SWAP_WRITE}, {300000000, 1, ECHO_SWAP_FREE},
      {900000000, 2, ECHO_SWAP_FREE},  {1000000000, 0, ECHO_SWAP_READ},
      {1000001000, 0, ECHO_SWAP_FREE},
  };
  const uint64_t sizes[] = {10 * MIB, 10 * MIB, MIB};
  EchoSwapTransfer transfer = echo_swap_transfer_default();
  EchoSwapTrace trace;
  EchoBuffer error = {0};
  size_t bad;
  ck_assert(echo_swap_trace_create(&trace, events, 9, sizes, 3, 1, MIB, &transfer, &bad, &error));
  ck_assert_uint_eq(trace.peak_bytes, 21 * MIB);
  EchoSwapPlan plan;
  ck_assert(echo_swap_plan(&trace, 12 * MIB, ECHO_SWAP_DOA, &plan));
  ck_assert_int_eq(plan.overhead_ns, 0);
  ck_assert_uint_eq(plan.swaps.size, 1);
  ck_assert_uint_eq(trace.gaps[plan.swaps.data[0].gap].block, 0);
  ck_assert_int_eq(plan.swaps.data[0].out_start_ns, 1000);
  ck_assert_int_eq(plan.swaps.data[0].in_start_ns, 1000000000 - trace.gaps[0].in_ns);
  echo_vector_destroy(&plan.swaps);
  echo_swap_trace_destroy(&trace);
}
END_TEST

START_TEST(inconsistent_recordings_are_errors)
{
  const uint64_t sizes[] = {MIB};
  EchoSwapTransfer transfer = echo_swap_transfer_default();
  EchoSwapTrace trace;
  EchoBuffer error = {0};
  size_t bad = 0;
  const EchoSwapEvent unsorted[] = {{5, 0, ECHO_SWAP_ALLOC}, {4, 0, ECHO_SWAP_READ}};
  ck_assert(
      !echo_swap_trace_create(&trace, unsorted, 2, sizes, 1, 1, MIB, &transfer, &bad, &error));
  ck_assert_uint_eq(bad, 1);
  const EchoSwapEvent twice[] = {{1, 0, ECHO_SWAP_ALLOC}, {4, 0, ECHO_SWAP_ALLOC}};
  ck_assert(!echo_swap_trace_create(&trace, twice, 2, sizes, 1, 1, MIB, &transfer, &bad, &error));
  const EchoSwapEvent freed[] = {{1, 0, ECHO_SWAP_FREE}, {4, 0, ECHO_SWAP_READ}};
  ck_assert(!echo_swap_trace_create(&trace, freed, 2, sizes, 1, 1, MIB, &transfer, &bad, &error));
  ck_assert_ptr_nonnull(strstr(echo_buffer_c_str(&error), "freed"));
  echo_buffer_destroy(&error);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("swap");
  TCase *tests = tcase_create("swap");
  tcase_set_timeout(tests, 240);
  tcase_add_test(tests, limits_hold_and_best_is_best);
  tcase_add_test(tests, a_long_gap_is_free);
  tcase_add_test(tests, inconsistent_recordings_are_errors);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
