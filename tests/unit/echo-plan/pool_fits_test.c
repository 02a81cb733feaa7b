/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The named orders: each gives a plan, and places what its name says first. */
#include "tests/unit/suite.h"
#include "tools/echo-plan/commands.h"

static EchoOffsetBlock block(int64_t lower, int64_t upper, uint64_t size)
{
  return (EchoOffsetBlock){
      .lower = lower, .upper = upper, .size_bytes = size, .fixed_offset = ECHO_OFFSET_FREE};
}

static EchoOffsetResult fit(const char *name, const EchoOffsetBlock *blocks, size_t n,
                            int64_t period, uint64_t *offsets)
{
  EchoOffsetResult result;
  EchoBuffer error = {0};
  uint64_t height;
  size_t number = 0;
  while (!echo_str_is(echo_str(name), plan_fit_name_or_null(number)))
    number++;
  ck_assert(plan_fit(number, blocks, n, period, offsets, &result, &error));
  ck_assert_msg(echo_offsets_verify(blocks, n, period, offsets, &height, &error), "%s: %s", name,
                echo_buffer_c_str(&error));
  ck_assert_uint_eq(height, result.height_bytes);
  return result;
}

START_TEST(the_first_lies_at_the_bottom)
{
  /* All meet at time 4; the second is the largest, the third the longest, the fourth starts first,
   * and the fifth has the largest area. */
  const EchoOffsetBlock blocks[] = {block(4, 6, 50), block(4, 5, 90), block(1, 20, 1),
                                    block(0, 5, 2), block(3, 12, 30)};
  const struct {
    const char *name;
    size_t lowest;
  } rows[] = {{"first-fit", 1},         {"best-fit", 1},        {"best-fit-area", 4},
              {"best-fit-lifetime", 2}, {"first-fit-start", 3}, {"first-fit-lifetime", 2}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    uint64_t offsets[5];
    fit(rows[r].name, blocks, 5, 0, offsets);
    ck_assert_msg(offsets[rows[r].lowest] == 0, "%s", rows[r].name);
  }
  ck_assert_ptr_null(plan_fit_name_or_null(sizeof rows / sizeof *rows));
}
END_TEST

START_TEST(a_block_that_wraps_is_as_long_as_it_is)
{
  const EchoOffsetBlock blocks[] = {block(0, 6, 5), block(5, 2, 5)};
  uint64_t offsets[2];
  fit("best-fit-lifetime", blocks, 2, 10, offsets);
  ck_assert_uint_eq(offsets[1], 0);
}
END_TEST

START_TEST(smartpool_best_fit_uses_the_hole_below)
{
  /* The largest block is placed first, at 0; the next conflicts and goes on top; the third meets
   * the second only and fits below it. */
  const EchoOffsetBlock blocks[] = {block(0, 4, 50), block(3, 9, 40), block(5, 9, 30)};
  uint64_t offsets[3];
  EchoOffsetResult result = fit("best-fit", blocks, 3, 0, offsets);
  ck_assert_uint_eq(offsets[2], 0);
  ck_assert_uint_eq(result.height_bytes, 90);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("named fits");
  TCase *tests = tcase_create("named fits");
  tcase_add_test(tests, the_first_lies_at_the_bottom);
  tcase_add_test(tests, a_block_that_wraps_is_as_long_as_it_is);
  tcase_add_test(tests, smartpool_best_fit_uses_the_hole_below);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
