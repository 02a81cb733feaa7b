/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/string.h"
#include "tests/unit/suite.h"

static uint64_t state;

static uint64_t next_random(void)
{
  state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = state;
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static bool same_bits(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0;
}

/* What is decided is decided as strtod does; returns whether it was. */
static bool check(const char *text)
{
  double value, all, expected = strtod(text, NULL);
  bool decided = echo_decimal_parse(text, text + strlen(text), &value);
  ck_assert_msg(!decided || same_bits(value, expected), "%s: %a, not %a", text, value, expected);
  ck_assert_msg(echo_str_to_f64(echo_str(text), &all) && same_bits(all, expected), "%s", text);
  return decided;
}

/* Up to 19 digits nearly all normal numbers are decided: those between 2^53 and 2^64 may be halves.
 */
START_TEST(random_numbers)
{
  enum { N = 200000 };
  char text[64];
  uint64_t n_normal = 0, n_decided = 0;
  for (int i = 0; i < N; i++) {
    uint64_t bits = next_random();
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value))
      continue;
    snprintf(text, sizeof text, "%.*e", (int)(next_random() % 19), value);
    bool decided = check(text), is_normal = isnormal(value) != 0;
    n_normal += is_normal;
    n_decided += decided && is_normal;
  }
  ck_assert_uint_gt(n_decided, n_normal - n_normal / 1000);
}
END_TEST

START_TEST(random_digits)
{
  enum { N = 200000 };
  char text[128];
  for (int i = 0; i < N; i++) {
    size_t size = 0, n_digits = 1 + next_random() % 40, point = next_random() % (n_digits + 1);
    for (size_t d = 0; d < n_digits; d++) {
      if (d == point)
        text[size++] = '.';
      text[size++] = (char)('0' + next_random() % 10);
    }
    snprintf(text + size, sizeof text - size, "e%d", (int)(next_random() % 700) - 350);
    check(text);
  }
}
END_TEST

/* Floats in decimal as they are mostly written: all of them are decided. */
START_TEST(single_precision)
{
  enum { N = 200000 };
  char text[64];
  for (int i = 0; i < N; i++) {
    uint32_t bits = (uint32_t)next_random();
    float value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value))
      continue;
    snprintf(text, sizeof text, "%.9g", (double)value);
    ck_assert_msg(check(text), "%s", text);
  }
}
END_TEST

/* Halves between two doubles, and a digit far behind them that decides. */
START_TEST(halfway)
{
  char text[1200];
  for (int i = 0; i < 20000; i++) {
    uint64_t bits = next_random();
    double value;
    memcpy(&value, &bits, sizeof value);
    double magnitude = fabs(value);
    if (!isnormal(value) || magnitude > 1e15 || magnitude < 1e-15)
      continue;
    double half = (nextafter(magnitude, INFINITY) - magnitude) / 2; /* exact */
    snprintf(text, sizeof text, "%.200Lf", (long double)magnitude + (long double)half);
    check(text);
    strcat(text, "1");
    check(text);
  }
}
END_TEST

START_TEST(special_cases)
{
  static const char *const TEXTS[] = {
      "0",
      "-0",
      "0.0e999",
      "1.",
      ".5",
      "00001.5",
      "9007199254740993",
      "9007199254740992.999999999",
      "9007199254740993.0000000000000000000000000001",
      "2.2250738585072011e-308",
      "2.2250738585072014e-308",
      "4.9e-324",
      "2.4703282292062327e-324",
      "1.7976931348623157e308",
      "1.7976931348623159e308",
      "1e308",
      "1e309",
      "1e-400",
      "1e400",
      "1e99999999999",
      "1e-99999999999",
      "0.000000000000000000000000000000000000000000000000000000000000000000000001e72",
      "123456789012345678901234567890",
      "7.3177701707893310e+15",
      "18446744073709551615",
      "18446744073709551616",
      "9999999999999999999.5",
      "99999999999999999999999999e-20"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
    check(TEXTS[i]);
}
END_TEST

/* Against exact integers: significand * 5^power below 2^128, and its quotients by powers of two. */
START_TEST(scaled_integers)
{
  __extension__ typedef unsigned __int128 Wide;
  for (int i = 0; i < 20000; i++) {
    int power = (int)(next_random() % 27), n_bits;
    uint64_t significand = (next_random() >> next_random() % 63) | 1, value;
    Wide product = significand;
    for (int k = 0; k < power; k++)
      product *= 5;
    int expected = 0;
    for (Wide rest = product; rest != 0; rest >>= 1)
      expected++;
    ck_assert(echo_decimal_n_bits(significand, power, &n_bits));
    ck_assert_int_eq(n_bits, expected);
    int shift = (int)(next_random() % 120);
    bool fits = product >> shift <= UINT64_MAX;
    if (!echo_decimal_scale(significand, -shift - power, power, &value))
      continue;
    ck_assert(fits);
    ck_assert_uint_eq(value, (uint64_t)(product >> shift));
  }
}
END_TEST

START_TEST(no_numbers)
{
  static const char *const TEXTS[] = {"",      "-",   ".",    "e5", "1e", "1e+", "1x",  "0x10",
                                      "1.2.3", "--1", "1e5.", " 1", "1 ", "inf", "nan", "1,5"};
  double value;
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
    ck_assert_msg(!echo_decimal_parse(TEXTS[i], TEXTS[i] + strlen(TEXTS[i]), &value), "%s",
                  TEXTS[i]);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("decimal");
  TCase *cases = tcase_create("decimal");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, random_numbers);
  tcase_add_test(cases, random_digits);
  tcase_add_test(cases, single_precision);
  tcase_add_test(cases, halfway);
  tcase_add_test(cases, special_cases);
  tcase_add_test(cases, scaled_integers);
  tcase_add_test(cases, no_numbers);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
