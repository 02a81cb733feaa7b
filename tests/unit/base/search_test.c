/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/search.h"

#include "tests/unit/suite.h"

enum { MAX_NUMBERS = 9 };

/* Of all numbers from the front, one after the other. */
static uint32_t first_not_below(const int64_t *numbers, uint32_t n, int64_t wanted)
{
  uint32_t i = 0;
  while (i < n && numbers[i] < wanted)
    ++i;
  return i;
}

/* Numbers that ascend by 0, 1 or 2, which of them by the digits of _i: several are equal. */
START_TEST(finds_what_looking_at_each_finds)
{
  int64_t numbers[MAX_NUMBERS];
  uint32_t small[MAX_NUMBERS];
  int64_t number = 1;
  for (int i = 0, digits = _i; i < MAX_NUMBERS; ++i, digits /= 3) {
    number += digits % 3;
    numbers[i] = number;
    small[i] = (uint32_t)number;
  }
  for (uint32_t n = 0; n <= MAX_NUMBERS; ++n)
    for (int64_t wanted = 0; wanted <= 2 * MAX_NUMBERS + 2; ++wanted) {
      uint32_t first = first_not_below(numbers, n, wanted);
      ck_assert_uint_eq(echo_lower_bound_i64(numbers, n, wanted), first);
      ck_assert_uint_eq(echo_lower_bound(small, n, (uint32_t)wanted), first);
    }
}
END_TEST

START_TEST(the_largest_and_the_least)
{
  const uint32_t small[] = {0, UINT32_MAX, UINT32_MAX};
  const int64_t numbers[] = {INT64_MIN, -1, INT64_MAX};
  ck_assert_uint_eq(echo_lower_bound(small, 3, UINT32_MAX), 1);
  ck_assert_uint_eq(echo_lower_bound(small, 1, UINT32_MAX), 1);
  ck_assert_uint_eq(echo_lower_bound_i64(numbers, 3, INT64_MIN), 0);
  ck_assert_uint_eq(echo_lower_bound_i64(numbers, 3, INT64_MAX), 2);
  ck_assert_uint_eq(echo_lower_bound_i64(NULL, 0, 0), 0);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("search");
  TCase *cases = tcase_create("search");
  tcase_add_loop_test(cases, finds_what_looking_at_each_finds, 0, 243);
  tcase_add_test(cases, the_largest_and_the_least);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
