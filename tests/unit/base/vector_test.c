/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/vector.h"

#include "base/bitset.h"
#include "tests/unit/suite.h"

START_TEST(vector_grows_and_keeps_order)
{
  ECHO_VECTOR(uint64_t) numbers = {0};
  for (uint64_t i = 0; i < 100000; ++i)
    echo_vector_push(&numbers, i * i);
  ck_assert_uint_eq(numbers.size, 100000);
  ck_assert_uint_le(numbers.capacity, 200000);
  for (uint64_t i = 0; i < 100000; ++i)
    ck_assert_uint_eq(numbers.data[i], i * i);
  ck_assert_uint_eq(echo_vector_last(&numbers), UINT64_C(99999) * 99999);
  for (uint64_t i = 100000; i-- > 0;)
    ck_assert_uint_eq(echo_vector_pop(&numbers), i * i);
  ck_assert_uint_eq(numbers.size, 0);
  echo_vector_destroy(&numbers);
  ck_assert_ptr_null(numbers.data);
  ck_assert_uint_eq(numbers.capacity, 0);
}
END_TEST

typedef struct Pair {
  int a, b;
} Pair;

START_TEST(vector_reserve_and_clear)
{
  ECHO_VECTOR(Pair) pairs = {0};
  echo_vector_reserve(&pairs, 1000);
  ck_assert_uint_ge(pairs.capacity, 1000);
  Pair *data = pairs.data;
  for (int i = 0; i < 1000; ++i)
    echo_vector_push(&pairs, (Pair){i, -i});
  ck_assert_ptr_eq(pairs.data, data);
  ck_assert(pairs.data[999].a == 999 && pairs.data[999].b == -999);
  echo_vector_clear(&pairs);
  ck_assert_uint_eq(pairs.size, 0);
  ck_assert_ptr_eq(pairs.data, data);
  echo_vector_destroy(&pairs);
}
END_TEST

START_TEST(bitset_against_an_array_of_bool)
{
  static const size_t SIZES[] = {0, 1, 63, 64, 65, 127, 128, 1000};
  for (size_t s = 0; s < sizeof SIZES / sizeof SIZES[0]; ++s) {
    size_t n = SIZES[s];
    bool model[1000] = {false};
    EchoBitset set;
    echo_bitset_create(&set, n);
    uint64_t random = 12345;
    for (int step = 0; step < 3000 && n != 0; ++step) {
      random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
      size_t bit = (random >> 33) % n;
      model[bit] = (random >> 60 & 1) != 0;
      if (model[bit])
        echo_bitset_set(&set, bit);
      else
        echo_bitset_clear(&set, bit);
    }
    size_t count = 0, next = n;
    for (size_t bit = n; bit-- > 0;) {
      ck_assert_int_eq(echo_bitset_has(&set, bit), model[bit]);
      count += model[bit];
      if (model[bit])
        next = bit;
      ck_assert_uint_eq(echo_bitset_next(&set, bit), next);
    }
    ck_assert_uint_eq(echo_bitset_count(&set), count);
    ck_assert_uint_eq(echo_bitset_next(&set, n), n);
    ck_assert_uint_eq(echo_bitset_next(&set, SIZE_MAX), n);
    echo_bitset_clear_all(&set);
    ck_assert_uint_eq(echo_bitset_count(&set), 0);
    ck_assert_uint_eq(echo_bitset_next(&set, 0), n);
    echo_bitset_destroy(&set);
  }
}
END_TEST

START_TEST(bitset_union_says_whether_it_changed)
{
  EchoBitset target, source;
  echo_bitset_create(&target, 130);
  echo_bitset_create(&source, 130);
  ck_assert(!echo_bitset_union(&target, &source));
  echo_bitset_set(&source, 129);
  echo_bitset_set(&source, 3);
  echo_bitset_set(&target, 64);
  ck_assert(echo_bitset_union(&target, &source));
  ck_assert(!echo_bitset_union(&target, &source));
  ck_assert_uint_eq(echo_bitset_count(&target), 3);
  ck_assert_uint_eq(echo_bitset_count(&source), 2);
  echo_bitset_destroy(&target);
  echo_bitset_destroy(&source);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("vector");
  TCase *cases = tcase_create("vector");
  tcase_add_test(cases, vector_grows_and_keeps_order);
  tcase_add_test(cases, vector_reserve_and_clear);
  tcase_add_test(cases, bitset_against_an_array_of_bool);
  tcase_add_test(cases, bitset_union_says_whether_it_changed);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
