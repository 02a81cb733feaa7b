/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Swapping on random traces: whatever the policy and the limit, the simulated peak stays within the
 * limit, nothing waits for ever, more memory never costs more time, and the best policy is no worse
 * than any. */
#include "planning/swap/program.h"

#include <check.h>
#include <stdlib.h>

#include "tests/unit/suite.h"

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
    ck_assert(!echo_swap_plan_at(&trace, least - 1, ECHO_SWAP_BEST, &plan));
    ck_assert_int_eq(overhead(&trace, trace.peak_bytes, ECHO_SWAP_SWDOA), 0);
    echo_swap_trace_destroy(&trace);
  }
  free(recording);
}
END_TEST

enum { N_STEPS = 400, N_VALUES = 60 };

/* Random gaps of a random program, at a limit that taking all of them away just meets: wherever the
 * copies are put, the program stays within it, and each value is there when it is used. */
START_TEST(places_stay_within_the_limit)
{
  random_state = 77 + (uint64_t)_i;
  int64_t live[N_STEPS] = {0}, least[N_STEPS], placed[N_STEPS], start_ns[N_STEPS + 1] = {0};
  EchoSwapPlace places[N_VALUES];
  for (uint32_t i = 0; i < N_VALUES; i++) {
    uint32_t first = (uint32_t)(i * (N_STEPS - 40) / N_VALUES);
    uint32_t last = first + (uint32_t)next_below(20), next = last + 2 + (uint32_t)next_below(150);
    next = next < N_STEPS ? next : N_STEPS - 1;
    places[i] = (EchoSwapPlace){.last_step = last,
                                .next_step = next,
                                .copies_out = true,
                                .size_bytes = MIB + next_below(64) * MIB};
    for (uint32_t s = first; s <= next; s++)
      live[s] += (int64_t)places[i].size_bytes;
  }
  for (uint32_t i = 1; i < N_VALUES; i++) /* by last_step */
    for (uint32_t k = i; k > 0 && places[k].last_step < places[k - 1].last_step; k--) {
      EchoSwapPlace moved = places[k];
      places[k] = places[k - 1];
      places[k - 1] = moved;
    }
  for (uint32_t s = 0; s < N_STEPS; s++) {
    start_ns[s + 1] = start_ns[s] + (int64_t)next_below(4000000);
    least[s] = placed[s] = live[s];
  }
  for (uint32_t i = 0; i < N_VALUES; i++)
    for (uint32_t s = places[i].last_step + 1; s < places[i].next_step; s++)
      least[s] -= (int64_t)places[i].size_bytes;
  int64_t limit = 0;
  for (uint32_t s = 0; s < N_STEPS; s++)
    limit = least[s] > limit ? least[s] : limit;
  limit += (int64_t)next_below(3) * (int64_t)(50 * MIB);
  EchoSwapTransfer transfer = echo_swap_transfer_default();
  echo_swap_place(places, N_VALUES, live, start_ns, N_STEPS, (uint64_t)limit, &transfer);
  for (uint32_t i = 0; i < N_VALUES; i++) {
    ck_assert_uint_lt(places[i].last_step, places[i].wait_step);
    ck_assert_uint_le(places[i].wait_step, places[i].in_step);
    ck_assert_uint_le(places[i].in_step, places[i].next_step);
    for (uint32_t s = places[i].wait_step; s < places[i].in_step; s++)
      placed[s] -= (int64_t)places[i].size_bytes;
  }
  for (uint32_t s = 0; s < N_STEPS; s++)
    ck_assert_int_le(placed[s], limit);
}
END_TEST

/* With room and time enough nobody waits: the copy out has its time before it is waited for, and so
 * has the copy in. */
START_TEST(places_leave_time_for_copies)
{
  enum { N = 100 };
  int64_t live[N], start_ns[N + 1];
  for (int s = 0; s <= N; s++) {
    start_ns[s] = s * INT64_C(1000000);
    if (s < N)
      live[s] = (int64_t)(10 * MIB);
  }
  EchoSwapPlace place = {
      .last_step = 10, .next_step = 90, .copies_out = true, .size_bytes = 10 * MIB};
  EchoSwapTransfer transfer = echo_swap_transfer_default();
  echo_swap_place(&place, 1, live, start_ns, N, 20 * MIB, &transfer);
  ck_assert_int_ge(start_ns[place.wait_step] - start_ns[11], echo_swap_out_ns(&transfer, 10 * MIB));
  ck_assert_int_ge(start_ns[90] - start_ns[place.in_step], echo_swap_in_ns(&transfer, 10 * MIB));
  ck_assert_uint_eq(place.wait_step, 12);
  ck_assert_uint_eq(place.in_step, 89);
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
  tcase_add_loop_test(tests, places_stay_within_the_limit, 0, 50);
  tcase_add_test(tests, places_leave_time_for_copies);
  tcase_add_test(tests, inconsistent_recordings_are_errors);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
