/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The live-bytes profile against an array that is updated position by position. */
#include "planning/swap/profile_t.h"

#include <check.h>
#include <stdlib.h>

static uint64_t random_state;

static uint64_t next_random(void)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static size_t next_below(size_t n)
{
  return (size_t)(next_random() % n);
}

static int64_t naive_max(const int64_t *values, size_t begin, size_t end, size_t *where)
{
  *where = begin;
  for (size_t i = begin; i < end; i++)
    if (values[i] > values[*where])
      *where = i;
  return values[*where];
}

static void expect_same(const EchoProfile *profile, const int64_t *values, size_t n)
{
  size_t where;
  ck_assert_int_eq(echo_profile_max(profile), naive_max(values, 0, n, &where));
  ck_assert_uint_eq(echo_profile_argmax(profile), where);
  size_t begin = next_below(n), end = begin + 1 + next_below(n - begin);
  ck_assert_int_eq(echo_profile_max_in(profile, begin, end), naive_max(values, begin, end, &where));
  ck_assert_uint_eq(echo_profile_argmax_in(profile, begin, end), where);
  size_t position = next_below(n);
  ck_assert_int_eq(echo_profile_at(profile, position), values[position]);
  int64_t above = values[next_below(n)];
  size_t next = position;
  while (next < n && values[next] <= above)
    next++;
  ck_assert_uint_eq(echo_profile_next_above(profile, position, above), next);
}

START_TEST(agrees_with_an_array)
{
  random_state = 88172645463325252u;
  for (size_t n = 1; n < 70; n++) {
    int64_t values[70], saved[70];
    EchoProfile profile;
    for (size_t i = 0; i < n; i++)
      values[i] = (int64_t)next_below(50);
    echo_profile_create_from(&profile, values, n);
    expect_same(&profile, values, n);
    size_t mark = 0;
    for (int step = 0; step < 200; step++) {
      if (step == 100) {
        mark = echo_profile_checkpoint(&profile);
        for (size_t i = 0; i < n; i++)
          saved[i] = values[i];
      }
      size_t begin = next_below(n + 1), end = begin + next_below(n + 1 - begin);
      int64_t bytes = (int64_t)next_below(41) - 20;
      echo_profile_add(&profile, begin, end, bytes);
      for (size_t i = begin; i < end; i++)
        values[i] += bytes;
      expect_same(&profile, values, n);
    }
    echo_profile_undo(&profile, mark);
    for (int probe = 0; probe < 20; probe++)
      expect_same(&profile, saved, n);
    echo_profile_commit(&profile);
    ck_assert_uint_eq(echo_profile_checkpoint(&profile), 0);
    echo_profile_destroy(&profile);
  }
}
END_TEST

START_TEST(negative_everywhere_stays_below_zero)
{
  EchoProfile profile;
  echo_profile_create(&profile, 5);
  echo_profile_add(&profile, 0, 5, -7);
  ck_assert_int_eq(echo_profile_max(&profile), -7);
  ck_assert_uint_eq(echo_profile_argmax(&profile), 0);
  ck_assert_uint_eq(echo_profile_next_above(&profile, 0, -7), 5);
  echo_profile_destroy(&profile);
}
END_TEST

START_TEST(a_million_positions)
{
  EchoProfile profile;
  size_t n = 1000000;
  random_state = 7;
  echo_profile_create(&profile, n);
  for (int i = 0; i < 200000; i++) {
    size_t begin = next_below(n), end = begin + 1 + next_below(n - begin);
    echo_profile_add(&profile, begin, end, (int64_t)next_below(1000));
  }
  ck_assert_int_gt(echo_profile_max(&profile), 0);
  echo_profile_undo(&profile, 0);
  ck_assert_int_eq(echo_profile_max(&profile), 0);
  echo_profile_destroy(&profile);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("profile");
  TCase *tests = tcase_create("profile");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, agrees_with_an_array);
  tcase_add_test(tests, negative_everywhere_stays_below_zero);
  tcase_add_test(tests, a_million_positions);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
