/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every plan of every policy goes through the verifier, which shares no code with the planners;
 * small problems are also compared with the least height found by trying all orders. */
#include "planning/offsets/offsets.h"

#include "tests/unit/suite.h"

#include <pthread.h>

static uint64_t random_state;

static uint64_t next_below(uint64_t n)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state % n;
}

static EchoOffsetBlock block(int64_t lower, int64_t upper, uint64_t size)
{
  return (EchoOffsetBlock){
      .lower = lower, .upper = upper, .size_bytes = size, .fixed_offset = ECHO_OFFSET_FREE};
}

/* Verifies a plan and what is said of it. */
static void check_plan(const EchoOffsetBlock *blocks, size_t n, int64_t period,
                       const uint64_t *offsets, const EchoOffsetResult *result, const char *name)
{
  EchoBuffer error = {0};
  uint64_t height = 0;
  bool fine = echo_offsets_verify(blocks, n, period, offsets, &height, &error);
  ck_assert_msg(fine, "%s: %s", name, echo_buffer_c_str(&error));
  ck_assert_uint_eq(height, result->height_bytes);
  ck_assert_uint_ge(result->height_bytes, result->bound_bytes);
  ck_assert_uint_ge(result->bound_bytes, result->load_bytes);
  ck_assert(result->is_optimal == (result->height_bytes == result->bound_bytes));
  echo_buffer_destroy(&error);
}

static EchoOffsetResult plan(const EchoOffsetBlock *blocks, size_t n, EchoOffsetPolicy policy,
                             int64_t period, uint64_t *offsets)
{
  /* Small problems are searched briefly, since some of them have no plan at the bound. */
  EchoOffsetOptions options = {
      .policy = policy, .period = period, .max_nodes = n < 100 ? 4000 : 400000};
  EchoOffsetResult result;
  EchoBuffer error = {0};
  bool fine = echo_offsets_assign(blocks, n, &options, offsets, &result, &error);
  ck_assert_msg(fine, "%s", echo_buffer_c_str(&error));
  check_plan(blocks, n, period, offsets, &result, echo_offset_policy_name(policy));
  echo_buffer_destroy(&error);
  return result;
}

/* Blocks with everything: alignment, groups, fixed places, wrap-around. */
static size_t random_blocks(EchoOffsetBlock *blocks, size_t n, bool with_all, int64_t period)
{
  for (size_t b = 0; b < n; b++) {
    int64_t lower = (int64_t)next_below((uint64_t)period),
            upper = (int64_t)next_below((uint64_t)period + 1);
    if (lower > upper && !(with_all && next_below(3) == 0)) {
      int64_t swap = lower;
      lower = upper;
      upper = swap;
    }
    blocks[b] = block(lower, upper, next_below(40));
    if (!with_all)
      continue;
    blocks[b].alignment = UINT64_C(1) << next_below(4);
    if (next_below(4) == 0) {
      blocks[b].alias_group = 1 + (uint32_t)next_below(5);
      blocks[b].alias_offset_bytes = blocks[b].alignment * next_below(3);
    }
  }
  if (with_all && next_below(2) == 0) {
    blocks[0].alignment = 4;
    blocks[0].alias_group = 0;
    blocks[0].alias_offset_bytes = 0;
    blocks[0].fixed_offset = 4 * next_below(20);
  }
  return n;
}

START_TEST(every_policy_gives_a_plan)
{
  random_state = 1009;
  for (int round = 0; round < 40; round++) {
    EchoOffsetBlock blocks[60];
    uint64_t offsets[60];
    bool with_all = round % 2 == 1;
    int64_t period = 3 + (int64_t)next_below(40);
    size_t n = random_blocks(blocks, next_below(60), with_all, period);
    for (int policy = 0; policy < ECHO_OFFSETS_POLICIES; policy++)
      plan(blocks, n, (EchoOffsetPolicy)policy, with_all ? period : 0, offsets);
  }
}
END_TEST

START_TEST(every_order_gives_a_plan)
{
  random_state = 2003;
  for (int round = 0; round < 80; round++) {
    EchoOffsetBlock blocks[60];
    uint64_t offsets[60];
    uint32_t order[60];
    EchoOffsetResult result;
    EchoBuffer error = {0};
    bool with_all = round % 4 >= 2;
    int64_t period = 3 + (int64_t)next_below(40);
    size_t n = random_blocks(blocks, next_below(60), with_all, period);
    for (size_t k = 0; k < n; k++) { /* inserted at a random place */
      size_t place = next_below(k + 1);
      order[k] = order[place];
      order[place] = (uint32_t)k;
    }
    period = with_all ? period : 0;
    ck_assert_msg(echo_offsets_fit(blocks, n, period, order,
                                   round % 2 == 0 ? ECHO_FIT_FIRST : ECHO_FIT_BEST, offsets,
                                   &result, &error),
                  "%s", echo_buffer_c_str(&error));
    check_plan(blocks, n, period, offsets, &result, "fit");
  }
}
END_TEST

/* Some order of first fit gives an optimal plan: sort an optimal plan, pushed down, by offset. */
static uint64_t least_height(const EchoOffsetBlock *blocks, size_t n)
{
  size_t order[8];
  uint64_t best = UINT64_MAX, n_orders = 1;
  for (size_t k = 2; k <= n; k++)
    n_orders *= k;
  for (uint64_t number = 0; number < n_orders; number++) {
    uint64_t rest = number, offsets[8], height = 0;
    bool is_used[8] = {false};
    for (size_t k = 0; k < n; k++) {
      uint64_t pick = rest % (n - k);
      rest /= n - k;
      size_t b = 0;
      for (;; b++)
        if (!is_used[b] && pick-- == 0)
          break;
      is_used[b] = true;
      order[k] = b;
      offsets[b] = 0;
      for (size_t again = 0; again <= k; again++) /* rise above what is in the way */
        for (size_t m = 0; m < k; m++) {
          size_t c = order[m];
          bool meets = blocks[b].lower < blocks[c].upper && blocks[c].lower < blocks[b].upper;
          if (meets && offsets[b] < offsets[c] + blocks[c].size_bytes &&
              offsets[c] < offsets[b] + blocks[b].size_bytes)
            offsets[b] = offsets[c] + blocks[c].size_bytes;
        }
      if (offsets[b] + blocks[b].size_bytes > height)
        height = offsets[b] + blocks[b].size_bytes;
    }
    best = height < best ? height : best;
  }
  return best;
}

START_TEST(default_and_exact_reach_the_least_height)
{
  random_state = 31337;
  for (int round = 0; round < 200; round++) {
    EchoOffsetBlock blocks[7];
    uint64_t offsets[7];
    size_t n = 2 + next_below(6);
    for (size_t b = 0; b < n; b++) {
      int64_t lower = (int64_t)next_below(8);
      blocks[b] = block(lower, lower + 1 + (int64_t)next_below(5), 1 + next_below(9));
    }
    uint64_t least = least_height(blocks, n);
    for (int exact = 0; exact < 2; exact++) {
      EchoOffsetResult result =
          plan(blocks, n, exact ? ECHO_OFFSETS_EXACT : ECHO_OFFSETS_DEFAULT, 0, offsets);
      ck_assert_uint_eq(result.height_bytes, least);
      ck_assert(result.is_optimal);
    }
  }
}
END_TEST

/* Cuts a rectangle at random into n; the optimum is its height. */
static size_t cut_rectangle(EchoOffsetBlock *blocks, size_t n, int64_t duration, uint64_t height)
{
  blocks[0] = block(0, duration, height);
  for (size_t m = 1; m < n;) {
    EchoOffsetBlock *cut = &blocks[next_below(m)];
    for (int tries = 0; tries < 3; tries++) { /* large pieces are cut sooner */
      EchoOffsetBlock *other = &blocks[next_below(m)];
      if ((double)(other->upper - other->lower) * (double)other->size_bytes >
          (double)(cut->upper - cut->lower) * (double)cut->size_bytes)
        cut = other;
    }
    if (next_below(2) == 0 && cut->upper - cut->lower > 1) {
      int64_t time = cut->lower + 1 + (int64_t)next_below((uint64_t)(cut->upper - cut->lower) - 1);
      blocks[m] = *cut;
      blocks[m++].lower = time;
      cut->upper = time;
    } else if (cut->size_bytes > 1) {
      uint64_t size = 1 + next_below(cut->size_bytes - 1);
      blocks[m] = *cut;
      blocks[m++].size_bytes -= size;
      cut->size_bytes = size;
    }
  }
  for (size_t b = n; b-- > 1;) {
    size_t other = next_below(b + 1);
    EchoOffsetBlock swap = blocks[b];
    blocks[b] = blocks[other];
    blocks[other] = swap;
  }
  return n;
}

START_TEST(perfect_packings_are_found)
{
  random_state = 20240229;
  for (size_t n = 100; n <= 500; n += 50) {
    EchoOffsetBlock blocks[512];
    uint64_t offsets[512];
    cut_rectangle(blocks, n, n % 100 == 0 ? 10000 : 1000, 1 << 20);
    EchoOffsetResult result = plan(blocks, n, ECHO_OFFSETS_DEFAULT, 0, offsets);
    ck_assert_uint_eq(result.height_bytes, 1 << 20);
    ck_assert(result.is_optimal);
  }
}
END_TEST

/* Forward values freed in reverse order with short temporaries between, as training steps have
 * them. */
START_TEST(sixty_thousand_blocks)
{
  size_t n = 60000;
  EchoOffsetBlock *blocks = malloc(n * sizeof *blocks);
  uint64_t *offsets = malloc(n * sizeof *offsets);
  random_state = 4;
  for (int kind = 0; kind < 2; kind++) {
    for (size_t b = 0; b < n; b++) {
      int64_t lower = (int64_t)next_below(2 * n), upper = (int64_t)next_below(2 * n);
      if (kind == 1 && b % 3 != 0)
        upper = lower + 1 + (int64_t)next_below(20);
      blocks[b] = lower < upper ? block(lower, upper, 0) : block(upper, lower + 1, 0);
      blocks[b].size_bytes = 1 + next_below(1 << 20);
    }
    EchoOffsetResult result = plan(blocks, n, ECHO_OFFSETS_DEFAULT, 0, offsets);
    ck_assert_uint_le(result.height_bytes, result.load_bytes / 100 * 102);
  }
  free(blocks);
  free(offsets);
}
END_TEST

START_TEST(aliases_share_and_slices_follow)
{
  /* A concatenation of 100 bytes whose two slices live before it, and a value in the way of the
   * first slice. */
  EchoOffsetBlock blocks[] = {block(5, 9, 100), block(0, 5, 40), block(2, 5, 60), block(0, 6, 10)};
  blocks[0].alias_group = blocks[1].alias_group = blocks[2].alias_group = 7;
  blocks[2].alias_offset_bytes = 40;
  uint64_t offsets[4];
  EchoOffsetResult result = plan(blocks, 4, ECHO_OFFSETS_DEFAULT, 0, offsets);
  ck_assert_uint_eq(result.load_bytes, 110);
  ck_assert_uint_eq(result.height_bytes, 110);
  ck_assert_uint_eq(offsets[1], offsets[0]);
  ck_assert_uint_eq(offsets[2], offsets[0] + 40);
}
END_TEST

START_TEST(fits_choose_their_holes)
{
  /* Two blocks leave a hole of 50 below and one of 30 between; the last fits in both. */
  EchoOffsetBlock blocks[] = {block(0, 4, 50), block(0, 9, 40), block(3, 6, 30), block(3, 9, 10),
                              block(6, 9, 20)};
  const uint32_t order[] = {0, 1, 2, 3, 4};
  uint64_t offsets[5];
  EchoOffsetResult result;
  EchoBuffer error = {0};
  blocks[1].fixed_offset = 50;
  blocks[3].fixed_offset = 120;
  ck_assert(echo_offsets_fit(blocks, 5, 0, order, ECHO_FIT_FIRST, offsets, &result, &error));
  ck_assert_uint_eq(offsets[2], 90);
  ck_assert_uint_eq(offsets[4], 0);
  ck_assert(echo_offsets_fit(blocks, 5, 0, order, ECHO_FIT_BEST, offsets, &result, &error));
  ck_assert_uint_eq(offsets[4], 90);
  ck_assert_uint_eq(result.height_bytes, 130);
}
END_TEST

START_TEST(wrapping_blocks_meet_both_ends)
{
  EchoOffsetBlock blocks[] = {block(8, 2, 10), block(0, 3, 5), block(7, 10, 6), block(3, 7, 16)};
  uint64_t offsets[4];
  EchoOffsetResult result = plan(blocks, 4, ECHO_OFFSETS_DEFAULT, 10, offsets);
  ck_assert_uint_eq(result.load_bytes, 16);
  ck_assert_uint_eq(result.height_bytes, 16);
}
END_TEST

START_TEST(alignment_raises_the_bound)
{
  EchoOffsetBlock blocks[] = {block(0, 5, 65), block(0, 5, 65), block(0, 5, 65)};
  for (int b = 0; b < 3; b++)
    blocks[b].alignment = 64;
  uint64_t offsets[3];
  EchoOffsetResult result = plan(blocks, 3, ECHO_OFFSETS_DEFAULT, 0, offsets);
  ck_assert_uint_eq(result.load_bytes, 195);
  ck_assert_uint_eq(result.height_bytes, 321);
  ck_assert(result.is_optimal);
}
END_TEST

START_TEST(verifier_sees_what_is_wrong)
{
  EchoOffsetBlock blocks[] = {block(0, 5, 10), block(4, 9, 10), block(5, 6, 10)};
  EchoBuffer error = {0};
  uint64_t height;
  const uint64_t good[] = {0, 10, 0}, shared[] = {0, 9, 30};
  ck_assert(echo_offsets_verify(blocks, 3, 0, good, &height, &error));
  ck_assert_uint_eq(height, 20);
  ck_assert(!echo_offsets_verify(blocks, 3, 0, shared, &height, &error));
  ck_assert_ptr_nonnull(strstr(echo_buffer_c_str(&error), "share bytes at time 4"));
  blocks[1].alignment = 4;
  ck_assert(!echo_offsets_verify(blocks, 3, 0, good, &height, &error));
  blocks[1].alignment = 0;
  blocks[0].fixed_offset = 64;
  ck_assert(!echo_offsets_verify(blocks, 3, 0, good, &height, &error));
  blocks[0].fixed_offset = ECHO_OFFSET_FREE;
  blocks[0].alias_group = blocks[1].alias_group = 3;
  ck_assert(!echo_offsets_verify(blocks, 3, 0, good, &height, &error));
  blocks[1].lower = 9; /* wraps and meets the first */
  blocks[1].upper = 1;
  blocks[0].alias_group = 0;
  ck_assert(!echo_offsets_verify(blocks, 2, 10, shared, &height, &error));
  echo_buffer_destroy(&error);
}
END_TEST

static void expect_error(const EchoOffsetBlock *blocks, size_t n, int64_t period, const char *text)
{
  EchoOffsetOptions options = {.period = period};
  EchoOffsetResult result;
  EchoBuffer error = {0};
  uint64_t offsets[4];
  ck_assert(!echo_offsets_assign(blocks, n, &options, offsets, &result, &error));
  ck_assert_msg(strstr(echo_buffer_c_str(&error), text) != NULL, "%s", echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
}

START_TEST(contradictions_are_errors)
{
  EchoOffsetBlock blocks[] = {block(0, 5, 10), block(2, 9, 10)};
  EchoOffsetBlock bad = block(5, 2, 1);
  expect_error(&bad, 1, 0, "ends before it begins");
  bad = block(0, 12, 1);
  expect_error(&bad, 1, 10, "outside the period");
  bad = block(0, 1, 1);
  bad.alignment = 3;
  expect_error(&bad, 1, 0, "power of two");
  bad.alignment = 0;
  bad.size_bytes = UINT64_C(1) << 63;
  expect_error(&bad, 1, 0, "too large");
  blocks[0].fixed_offset = 0;
  blocks[1].fixed_offset = 5;
  expect_error(blocks, 2, 0, "overlap");
  blocks[0].alias_group = blocks[1].alias_group = 1;
  expect_error(blocks, 2, 0, "already has a base");
  blocks[0].alias_group = blocks[1].alias_group = 0;
  blocks[0].fixed_offset = blocks[1].fixed_offset = ECHO_OFFSET_FREE;
  blocks[0].size_bytes = blocks[1].size_bytes = UINT64_C(3) << 60;
  expect_error(blocks, 2, 0, "2^62");
}
END_TEST

static bool stop_at_once(void *user)
{
  ++*(int *)user;
  return true;
}

/* One long chain of blocks that overlap, so that each one that is placed leaves the next ones to be
 * placed below it in the search, which gives up at the lower bound. */
#define CHAIN 1500
#define SMALL_STACK_BYTES ((size_t)192 << 10)

static void *search_chain(void *user)
{
  EchoOffsetBlock *blocks = user;
  static uint64_t offsets[CHAIN];
  EchoOffsetOptions options = {.policy = ECHO_OFFSETS_EXACT, .max_nodes = 20000};
  static EchoOffsetResult result;
  EchoBuffer error = {0};
  ck_assert(echo_offsets_assign(blocks, CHAIN, &options, offsets, &result, &error));
  check_plan(blocks, CHAIN, 0, offsets, &result, "exact");
  ck_assert_uint_ge(result.n_nodes, CHAIN);
  return NULL;
}

/* However deep the search goes, it does so on no thread's stack. */
START_TEST(a_deep_search_takes_no_stack)
{
  static EchoOffsetBlock blocks[CHAIN];
  pthread_t thread;
  pthread_attr_t attributes;
  random_state = 5;
  for (int64_t b = 0; b < CHAIN; b++)
    blocks[b] = block(b, b + 3 + (int64_t)next_below(3), 1000 + next_below(5000));
  ck_assert_int_eq(pthread_attr_init(&attributes), 0);
  ck_assert_int_eq(pthread_attr_setstacksize(&attributes, SMALL_STACK_BYTES), 0);
  ck_assert_int_eq(pthread_create(&thread, &attributes, search_chain, blocks), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  pthread_attr_destroy(&attributes);
}
END_TEST

START_TEST(a_stop_still_gives_a_plan)
{
  EchoOffsetBlock blocks[300];
  uint64_t offsets[300], height;
  random_state = 12;
  cut_rectangle(blocks, 300, 10000, 1 << 20);
  int n_calls = 0;
  EchoOffsetOptions options = {.should_stop = stop_at_once, .stop_user = &n_calls};
  EchoOffsetResult result;
  EchoBuffer error = {0};
  ck_assert(echo_offsets_assign(blocks, 300, &options, offsets, &result, &error));
  ck_assert(echo_offsets_verify(blocks, 300, 0, offsets, &height, &error));
  ck_assert(result.was_stopped && n_calls > 0);
}
END_TEST

/* Other times and another order of the blocks, but the same conflicts: the same height, and a plan
 * all the same. */
START_TEST(lifetimes_that_conflict_alike_are_packed_alike)
{
  enum { N = 120 };
  EchoOffsetBlock blocks[N], others[N];
  uint64_t offsets[N], other_offsets[N], height = 0;
  EchoOffsetOptions options = ECHO_OFFSETS_OF_COMPILER;
  EchoOffsetResult result, other_result;
  EchoBuffer error = {0};
  random_state = 4000 + (uint64_t)_i;
  random_blocks(blocks, N, false, 200);
  int64_t times[201] = {0};
  for (int t = 1; t <= 200; t++)
    times[t] = times[t - 1] + 1 + (int64_t)next_below(50);
  for (size_t b = 0; b < N; b++) {
    others[b] = blocks[N - 1 - b];
    others[b].lower = times[others[b].lower];
    others[b].upper = times[others[b].upper];
  }
  ck_assert(echo_offsets_assign_canonical(blocks, N, &options, offsets, &result, &error));
  ck_assert(
      echo_offsets_assign_canonical(others, N, &options, other_offsets, &other_result, &error));
  ck_assert_uint_eq(result.height_bytes, other_result.height_bytes);
  ck_assert(echo_offsets_verify(blocks, N, 0, offsets, &height, &error));
  ck_assert_uint_eq(height, result.height_bytes);
  ck_assert(echo_offsets_verify(others, N, 0, other_offsets, &height, &error));
  ck_assert_uint_eq(height, result.height_bytes);
}
END_TEST

/* What a quick plan fits, a whole one does, too: whoever decides by the first may leave the offsets
 * to the second. So with a height that is enough, which ends either as soon as there is one. */
START_TEST(a_quick_plan_is_never_lower_than_a_whole_one)
{
  enum { N = 150 };
  EchoOffsetBlock blocks[N];
  uint64_t offsets[N], height = 0;
  EchoOffsetOptions options = ECHO_OFFSETS_OF_COMPILER;
  EchoOffsetResult whole, quick, enough;
  EchoBuffer error = {0};
  random_state = 5000 + (uint64_t)_i;
  random_blocks(blocks, N, false, 200);
  ck_assert(echo_offsets_assign_canonical(blocks, N, &options, offsets, &whole, &error));
  options.is_quick = true;
  ck_assert(echo_offsets_assign_canonical(blocks, N, &options, offsets, &quick, &error));
  ck_assert(echo_offsets_verify(blocks, N, 0, offsets, &height, &error));
  ck_assert_uint_le(whole.height_bytes, quick.height_bytes);
  ck_assert_uint_le(quick.work, whole.work);
  options.enough_bytes = quick.height_bytes + quick.height_bytes / 100;
  ck_assert(echo_offsets_assign_canonical(blocks, N, &options, offsets, &enough, &error));
  ck_assert(echo_offsets_verify(blocks, N, 0, offsets, &height, &error));
  ck_assert_uint_le(quick.height_bytes, enough.height_bytes);
  ck_assert_uint_le(enough.height_bytes, options.enough_bytes);
  ck_assert_uint_le(enough.work, quick.work);
}
END_TEST

/* Blocks that live long stand in hundreds of cliques: for each choice of a node the search looks at
 * thousands of members, so its nodes alone do not bound it. */
START_TEST(searches_among_long_lives_end)
{
  enum { N = 1800, LONGEST = 1000 };
  static EchoOffsetBlock blocks[N];
  static uint64_t offsets[N];
  uint64_t height = 0;
  EchoOffsetOptions options = ECHO_OFFSETS_OF_COMPILER;
  EchoOffsetResult result;
  EchoBuffer error = {0};
  random_state = 6000;
  for (size_t b = 0; b < N; b++) {
    int64_t begin = (int64_t)next_below(1500);
    int64_t life = 1 + (int64_t)next_below(next_below(4) == 0 ? LONGEST : LONGEST / 10);
    blocks[b] = (EchoOffsetBlock){.lower = begin,
                                  .upper = begin + life,
                                  .size_bytes = 64 * (1 + next_below(4096)),
                                  .alignment = 64,
                                  .fixed_offset = ECHO_OFFSET_FREE};
  }
  ck_assert(echo_offsets_assign_canonical(blocks, N, &options, offsets, &result, &error));
  ck_assert(echo_offsets_verify(blocks, N, 0, offsets, &height, &error));
  ck_assert_uint_le(result.work, 400 * 1000 * 1000);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("offsets");
  TCase *tests = tcase_create("offsets");
  tcase_set_timeout(tests, 240);
  tcase_add_test(tests, every_policy_gives_a_plan);
  tcase_add_test(tests, searches_among_long_lives_end);
  tcase_add_test(tests, every_order_gives_a_plan);
  tcase_add_test(tests, default_and_exact_reach_the_least_height);
  tcase_add_test(tests, perfect_packings_are_found);
  tcase_add_test(tests, sixty_thousand_blocks);
  tcase_add_test(tests, aliases_share_and_slices_follow);
  tcase_add_test(tests, fits_choose_their_holes);
  tcase_add_test(tests, wrapping_blocks_meet_both_ends);
  tcase_add_test(tests, alignment_raises_the_bound);
  tcase_add_test(tests, verifier_sees_what_is_wrong);
  tcase_add_test(tests, contradictions_are_errors);
  tcase_add_test(tests, a_deep_search_takes_no_stack);
  tcase_add_test(tests, a_stop_still_gives_a_plan);
  tcase_add_loop_test(tests, lifetimes_that_conflict_alike_are_packed_alike, 0, 20);
  tcase_add_loop_test(tests, a_quick_plan_is_never_lower_than_a_whole_one, 0, 20);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
