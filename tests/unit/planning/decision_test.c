/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* With a capacity the planners decide. On problems small enough every choice of offsets is tried,
 * with the verifier as the judge, and both answers must agree with that; larger problems are cut
 * from a rectangle, so that they are known to fit. */
#include "planning/offsets/offsets.h"
#include "tests/unit/suite.h"

#include <stdlib.h>

static uint64_t random_state;

static uint64_t next_below(uint64_t n)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state % n;
}

enum { N_SMALL = 5, N_ROUNDS = TEST_SIZE(150, 45) };

typedef enum Kind { PLAIN, ALIGNED, FIXED, STEPPED, INTERLOCKING, N_KINDS } Kind;

static void random_blocks(EchoOffsetBlock *blocks, Kind kind)
{
  for (int b = 0; b < N_SMALL; b++) {
    int64_t lower = (int64_t)next_below(6);
    blocks[b] = (EchoOffsetBlock){.lower = lower,
                                  .upper = lower + 1 + (int64_t)next_below(4),
                                  .size_bytes = 1 + next_below(4),
                                  .fixed_offset = ECHO_OFFSET_FREE};
    if (kind == ALIGNED)
      blocks[b].alignment = UINT64_C(1) << (1 + next_below(2));
    if (kind == STEPPED || kind == INTERLOCKING)
      blocks[b].alias_group = b < 4 ? 1 + (uint32_t)b / 2 : 0;
    if (kind == INTERLOCKING && b < 4) { /* never both: a group holds the bytes between, too */
      blocks[b].alias_offset_bytes = next_below(3);
      blocks[b].lower = b % 2 * 3 + (int64_t)next_below(2);
      blocks[b].upper = b % 2 * 3 + 3;
    }
  }
  if (kind == FIXED)
    blocks[0].fixed_offset = next_below(4);
}

/* Whether some offsets from `b` on make a plan of at most `capacity`. */
static bool fits_from(const EchoOffsetBlock *blocks, int b, uint64_t capacity, uint64_t *offsets)
{
  if (b == N_SMALL) {
    EchoBuffer error = {0};
    uint64_t height = 0;
    bool fine = echo_offsets_verify(blocks, N_SMALL, 0, offsets, &height, &error);
    echo_buffer_destroy(&error);
    return fine && height <= capacity;
  }
  uint64_t first = blocks[b].alias_offset_bytes, last = capacity - blocks[b].size_bytes;
  if (capacity < blocks[b].size_bytes)
    return false;
  if (b % 2 == 1 && blocks[b].alias_group != 0) { /* its group has a base already */
    first = offsets[b - 1] - blocks[b - 1].alias_offset_bytes + blocks[b].alias_offset_bytes;
    last = first <= last ? first : last;
  }
  for (offsets[b] = first; offsets[b] <= last; offsets[b]++)
    if (fits_from(blocks, b + 1, capacity, offsets))
      return true;
  return false;
}

static EchoOffsetResult decide(const EchoOffsetBlock *blocks, size_t n, uint64_t capacity,
                               uint64_t max_nodes, uint64_t *offsets)
{
  EchoOffsetOptions options = {.capacity_bytes = capacity, .max_nodes = max_nodes};
  EchoOffsetResult result;
  EchoBuffer error = {0};
  uint64_t height = 0;
  ck_assert_msg(echo_offsets_assign(blocks, n, &options, offsets, &result, &error), "%s",
                echo_buffer_c_str(&error));
  ck_assert_msg(echo_offsets_verify(blocks, n, 0, offsets, &height, &error), "%s",
                echo_buffer_c_str(&error));
  ck_assert_uint_eq(height, result.height_bytes);
  ck_assert_uint_ge(result.height_bytes, result.bound_bytes);
  echo_buffer_destroy(&error);
  return result;
}

/* Both answers, at every capacity up to the least height and a little more. */
START_TEST(small_problems_are_decided)
{
  Kind kind = (Kind)_i;
  random_state = 777 + (uint64_t)kind;
  int n_fits = 0, n_proved_above_load = 0, n_undecided = 0;
  for (int round = 0; round < N_ROUNDS; round++) {
    EchoOffsetBlock blocks[N_SMALL];
    uint64_t offsets[N_SMALL], load = 0;
    EchoBuffer error = {0};
    random_blocks(blocks, kind);
    ck_assert(echo_offsets_load(blocks, N_SMALL, 0, &load, &error));
    for (uint64_t capacity = load - 1; capacity <= load + 2; capacity++) {
      if (capacity == 0)
        continue;
      bool fits = fits_from(blocks, 0, capacity, offsets);
      EchoOffsetResult result = decide(blocks, N_SMALL, capacity, 20000, offsets);
      bool says_fits = result.height_bytes <= capacity;
      bool says_none = result.bound_bytes > capacity;
      ck_assert_msg(fits ? !says_none : !says_fits, "kind %d round %d capacity %u", kind, round,
                    (unsigned)capacity);
      n_fits += says_fits;
      n_undecided += !says_fits && !says_none;
      n_proved_above_load += says_none && capacity >= load;
      if (fits)
        break;
    }
    echo_buffer_destroy(&error);
  }
  ck_assert_int_gt(n_fits, N_ROUNDS / 3 * 2);
  if (kind != INTERLOCKING) /* no search is exhaustive there */
    ck_assert_int_eq(n_undecided, 0);
  if (kind == ALIGNED || kind == FIXED)
    ck_assert_int_gt(n_proved_above_load, N_ROUNDS / 15);
}
END_TEST

/* Cuts a rectangle at random into n and shrinks each piece by up to `loss` percent. */
static void cut_rectangle(EchoOffsetBlock *blocks, size_t n, int64_t duration, uint64_t height,
                          uint64_t loss)
{
  blocks[0] =
      (EchoOffsetBlock){.upper = duration, .size_bytes = height, .fixed_offset = ECHO_OFFSET_FREE};
  for (size_t m = 1; m < n;) {
    EchoOffsetBlock *cut = &blocks[next_below(m)];
    for (int tries = 0; tries < 3; tries++) {
      EchoOffsetBlock *other = &blocks[next_below(m)];
      if ((double)(other->upper - other->lower) * (double)other->size_bytes >
          (double)(cut->upper - cut->lower) * (double)cut->size_bytes)
        cut = other;
    }
    blocks[m] = *cut;
    if (next_below(2) == 0 && cut->upper - cut->lower > 1) {
      cut->upper = blocks[m].lower =
          cut->lower + 1 + (int64_t)next_below((uint64_t)(cut->upper - cut->lower) - 1);
      m++;
    } else if (cut->size_bytes > 1) {
      cut->size_bytes = 1 + next_below(cut->size_bytes - 1);
      blocks[m++].size_bytes -= cut->size_bytes;
    }
  }
  for (size_t b = 0; b < n && loss > 0; b++)
    blocks[b].size_bytes -= blocks[b].size_bytes * next_below(10 * loss) / 1000;
}

START_TEST(what_was_cut_fits_again)
{
  enum { N = 80 };
  random_state = 99 + (uint64_t)_i;
  for (int round = 0; round < TEST_SIZE(10, 3); round++) {
    EchoOffsetBlock blocks[N];
    uint64_t offsets[N];
    cut_rectangle(blocks, N, 1000, 1 << 20, _i == 0 ? 0 : 2);
    EchoOffsetResult result = decide(blocks, N, 1 << 20, 400000, offsets);
    ck_assert_uint_le(result.height_bytes, 1 << 20);
  }
}
END_TEST

/* Load 5, and yet the block of 3 finds no room but above the fixed one. */
START_TEST(a_proof_says_which_capacity_is_out_of_reach)
{
  EchoOffsetBlock blocks[] = {
      {.lower = 0, .upper = 2, .size_bytes = 3, .fixed_offset = ECHO_OFFSET_FREE},
      {.lower = 1, .upper = 3, .size_bytes = 2, .fixed_offset = 2}};
  uint64_t offsets[2];
  EchoOffsetResult result = decide(blocks, 2, 6, 1000, offsets);
  ck_assert_uint_eq(result.bound_bytes, 7);
  result = decide(blocks, 2, 7, 1000, offsets);
  ck_assert_uint_eq(result.height_bytes, 7);
}
END_TEST

START_TEST(too_few_nodes_decide_nothing)
{
  enum { N = 80 };
  EchoOffsetBlock blocks[N];
  uint64_t offsets[N];
  random_state = 100;
  int n_undecided = 0;
  for (int round = 0; round < 10; round++) {
    cut_rectangle(blocks, N, 1000, 1 << 20, 2);
    EchoOffsetResult result = decide(blocks, N, 1 << 20, 2, offsets);
    ck_assert_uint_le(result.bound_bytes, 1 << 20);
    ck_assert_uint_le(result.n_nodes, 2);
    n_undecided += result.height_bytes > 1 << 20;
  }
  ck_assert_int_gt(n_undecided, 0);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("decision");
  TCase *tests = tcase_create("decision");
  tcase_set_timeout(tests, 240);
  tcase_add_loop_test(tests, small_problems_are_decided, 0, N_KINDS);
  tcase_add_loop_test(tests, what_was_cut_fits_again, 0, 2);
  tcase_add_test(tests, a_proof_says_which_capacity_is_out_of_reach);
  tcase_add_test(tests, too_few_nodes_decide_nothing);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
