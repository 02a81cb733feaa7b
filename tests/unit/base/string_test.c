/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/string.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/unit/suite.h"

static EchoStr str_of(const char *c_string)
{
  return echo_str(c_string);
}

START_TEST(views)
{
  EchoStr empty = {NULL, 0};
  ck_assert(echo_str_equal(empty, ECHO_STR("")));
  ck_assert(!echo_str_equal(empty, ECHO_STR("a")));
  ck_assert(echo_str_equal(ECHO_STR("a\0b"), (EchoStr){"a\0b", 3}));
  ck_assert(!echo_str_equal(ECHO_STR("a\0b"), ECHO_STR("a\0c")));
  ck_assert(echo_str_is(ECHO_STR("func"), "func"));
  ck_assert(!echo_str_is(ECHO_STR("func"), "fun"));
  ck_assert(echo_str_starts_with(ECHO_STR("func.call"), "func."));
  ck_assert(echo_str_starts_with(ECHO_STR("f"), ""));
  ck_assert(!echo_str_starts_with(ECHO_STR("f"), "fu"));
}
END_TEST

START_TEST(compare_is_bytewise)
{
  static const char *const SORTED[] = {"", "\x01", "A", "a", "ab", "a\x7f", "b", "\x80", "\xff"};
  for (size_t i = 0; i < 9; ++i)
    for (size_t k = 0; k < 9; ++k) {
      int order = echo_str_compare(str_of(SORTED[i]), str_of(SORTED[k]));
      ck_assert_int_eq((order > 0) - (order < 0), (i > k) - (i < k));
    }
}
END_TEST

START_TEST(trim)
{
  static const char *const texts[][2] = {{"", ""},          {" \t ", ""},   {"a", "a"},
                                         {" a b\t", "a b"}, {"\ta\r", "a"}, {"\ra", "\ra"}};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    ck_assert(echo_str_is(echo_str_trim(echo_str(texts[i][0])), texts[i][1]));
}
END_TEST

START_TEST(whole_numbers)
{
  uint64_t u = 7;
  int64_t i = 7;
  ck_assert(echo_str_to_u64(ECHO_STR("0"), &u) && u == 0);
  ck_assert(echo_str_to_u64(ECHO_STR("18446744073709551615"), &u) && u == UINT64_MAX);
  ck_assert(echo_str_to_u64(ECHO_STR("00012"), &u) && u == 12);
  ck_assert(echo_str_to_i64(ECHO_STR("-9223372036854775808"), &i) && i == INT64_MIN);
  ck_assert(echo_str_to_i64(ECHO_STR("9223372036854775807"), &i) && i == INT64_MAX);
  ck_assert(echo_str_to_i64(ECHO_STR("-0"), &i) && i == 0);
  u = 7;
  i = 7;
  static const char *const BAD_U64[] = {"",
                                        "-",
                                        "-1",
                                        "+1",
                                        " 1",
                                        "1 ",
                                        "1x",
                                        "0x1",
                                        "1.0",
                                        "18446744073709551616",
                                        ":",
                                        "/",
                                        "99999999999999999999999999999999"};
  for (size_t k = 0; k < sizeof BAD_U64 / sizeof BAD_U64[0]; ++k)
    ck_assert_msg(!echo_str_to_u64(str_of(BAD_U64[k]), &u), "'%s'", BAD_U64[k]);
  static const char *const BAD_I64[] = {
      "", "-", "--1", "- 1", "9223372036854775808", "-9223372036854775809"};
  for (size_t k = 0; k < sizeof BAD_I64 / sizeof BAD_I64[0]; ++k)
    ck_assert_msg(!echo_str_to_i64(str_of(BAD_I64[k]), &i), "'%s'", BAD_I64[k]);
  ck_assert(u == 7 && i == 7); /* untouched by failures */
}
END_TEST

static void assert_parses_like_strtod(const char *text)
{
  double expected = strtod(text, NULL), value = 42;
  ck_assert_msg(echo_str_to_f64(str_of(text), &value), "'%s'", text);
  ck_assert_msg(memcmp(&value, &expected, sizeof value) == 0, "'%s' gave %a, not %a", text, value,
                expected);
}

START_TEST(floating_point)
{
  static const char *const GOOD[] = {"0",
                                     "-0",
                                     "-0.0",
                                     "1",
                                     "1.",
                                     ".5",
                                     "+2.5",
                                     "0.1",
                                     "1e22",
                                     "1e23",
                                     "1e-22",
                                     "1e-23",
                                     "9007199254740991e22",
                                     "9007199254740993",
                                     "123456789012345678",
                                     "1234567890123456789012345",
                                     "1.7976931348623157e308",
                                     "1e309",
                                     "-1e400",
                                     "5e-324",
                                     "2.4703282292062327e-324",
                                     "2.2250738585072011e-308",
                                     "1e-400",
                                     "1e0000005",
                                     "0x1.8p3",
                                     "0x1p-1074",
                                     "3.14159265358979323846264338327950288"};
  for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; ++i)
    assert_parses_like_strtod(GOOD[i]);
  static const char *const BAD[] = {"",    ".",   "-",    "e5",  "1e",   "1e+", "1x", " 1",   "1 ",
                                    "inf", "nan", "-inf", "1,5", "1..2", "--1", "0x", "1e5.0"};
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; ++i) {
    double value = 42;
    ck_assert_msg(!echo_str_to_f64(str_of(BAD[i]), &value), "'%s' gave %g", BAD[i], value);
    ck_assert(value == 42);
  }
  double value;
  ck_assert(!echo_str_to_f64((EchoStr){"1\0002", 3}, &value));
  ck_assert(echo_str_to_f64((EchoStr){"1.5999", 3}, &value) && value == 1.5); /* no NUL needed */
}
END_TEST

START_TEST(floating_point_at_random)
{
  uint64_t state = 1;
  char text[64];
  for (int i = 0; i < 100000; ++i) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    uint64_t bits = state ^ (state >> 29);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value))
      continue;
    snprintf(text, sizeof text, i % 2 != 0 ? "%.17g" : "%.9g", value);
    assert_parses_like_strtod(text);
    snprintf(text, sizeof text, "%d.%06de%d", (int)(bits % 1000), (int)((bits >> 20) % 1000000),
             (int)(bits >> 40 & 63) - 32);
    assert_parses_like_strtod(text);
  }
}
END_TEST

/* A host program may have chosen a locale whose decimal point is a comma. */
START_TEST(floating_point_under_another_locale)
{
  static const char *const NAMES[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
  bool set = false;
  for (size_t i = 0; i < 4 && !set; ++i)
    set = setlocale(LC_NUMERIC, NAMES[i]) != NULL;
  double value = 0;
  ck_assert(echo_str_to_f64(ECHO_STR("1.2345678901234567890123"), &value));
  ck_assert(value == 1.2345678901234567890123);
  if (!set)
    fprintf(stderr, "no locale with a decimal comma is installed: checked under C only\n");
}
END_TEST

START_TEST(buffer_grows)
{
  EchoBuffer buffer = {0};
  ck_assert_str_eq(echo_buffer_c_str(&buffer), "");
  ck_assert_uint_eq(echo_buffer_str(&buffer).size, 0);
  echo_buffer_append(&buffer, NULL, 0);
  ck_assert_ptr_null(buffer.data);
  for (int i = 0; i < 100000; ++i) {
    echo_buffer_append_char(&buffer, (char)('a' + i % 26));
    ck_assert(buffer.data[buffer.size] == '\0');
  }
  for (int i = 0; i < 100000; ++i)
    ck_assert(buffer.data[i] == 'a' + i % 26);
  ck_assert_uint_le(buffer.capacity, 200000);
  char *data = buffer.data;
  echo_buffer_clear(&buffer);
  ck_assert_str_eq(echo_buffer_c_str(&buffer), "");
  ck_assert_ptr_eq(buffer.data, data);
  echo_buffer_destroy(&buffer);
  ck_assert_str_eq(echo_buffer_c_str(&buffer), "");
}
END_TEST

START_TEST(buffer_at_each_size)
{
  char text[300];
  memset(text, 'x', sizeof text);
  for (size_t first = 0; first < 70; ++first)
    for (size_t second = 0; second < 300; second += 7) {
      EchoBuffer buffer = {0};
      echo_buffer_append(&buffer, text, first);
      echo_buffer_append(&buffer, text, second);
      ck_assert_uint_eq(buffer.size, first + second);
      ck_assert_uint_eq(strlen(echo_buffer_c_str(&buffer)), first + second);
      echo_buffer_destroy(&buffer);
    }
}
END_TEST

START_TEST(buffer_numbers)
{
  EchoBuffer buffer = {0};
  uint64_t power = 1;
  for (int digits = 1; digits <= 20; ++digits, power *= 10) {
    for (uint64_t number = power - 1; number != power + 2; ++number) {
      char expected[32];
      snprintf(expected, sizeof expected, "%llu", (unsigned long long)number);
      echo_buffer_clear(&buffer);
      echo_buffer_append_u64(&buffer, number);
      ck_assert_str_eq(buffer.data, expected);
    }
  }
  echo_buffer_clear(&buffer);
  echo_buffer_append_u64(&buffer, UINT64_MAX);
  echo_buffer_append_char(&buffer, ' ');
  echo_buffer_append_i64(&buffer, INT64_MIN);
  echo_buffer_append_char(&buffer, ' ');
  echo_buffer_append_i64(&buffer, -1);
  echo_buffer_append_str(&buffer, ECHO_STR(" "));
  echo_buffer_append_i64(&buffer, INT64_MAX);
  ck_assert_str_eq(buffer.data, "18446744073709551615 -9223372036854775808 -1 9223372036854775807");
  echo_buffer_destroy(&buffer);
}
END_TEST

START_TEST(buffer_printf_of_each_length)
{
  EchoBuffer buffer = {0};
  size_t expected = 0;
  for (int width = 0; width < 400; ++width) {
    echo_buffer_printf(&buffer, "%*s", width, "");
    expected += (size_t)width;
    ck_assert_uint_eq(buffer.size, expected);
    ck_assert_uint_eq(strlen(buffer.data), expected);
  }
  echo_buffer_append_c(&buffer, "end");
  ck_assert_str_eq(buffer.data + expected, "end");
  echo_buffer_destroy(&buffer);
}
END_TEST

START_TEST(absurd_reserve_runs_out_of_memory)
{
  EchoBuffer buffer = {0};
  echo_buffer_append_char(&buffer, 'x');
  echo_buffer_reserve(&buffer, SIZE_MAX);
}
END_TEST

START_TEST(sizes_in_bytes)
{
  static const struct {
    const char *text;
    uint64_t bytes;
  } GOOD[] = {{"0", 0},
              {"18446744073709551615", UINT64_MAX},
              {"7B", 7},
              {"64KiB", 65536},
              {"64K", 65536},
              {"64k", 65536},
              {"64kB", 64000},
              {"64KB", 64000},
              {"3MB", 3000000},
              {"3M", UINT64_C(3) << 20},
              {"2TiB", UINT64_C(2) << 40},
              {"2T", UINT64_C(2) << 40},
              {"2TB", UINT64_C(2000000000000)},
              {"1.5GB", UINT64_C(1500000000)},
              {"0.29GB", UINT64_C(290000000)}, /* 289999999.99999994 in binary */
              {"1.5GiB", UINT64_C(3) << 29},
              {"1.0009KiB", 1024},
              {"1.0010KiB", 1025},
              {"1.99999999999999999999999999kB", 1999}};
  static const char *const BAD[] = {"",
                                    "B",
                                    "GB",
                                    "-1",
                                    "1.5",
                                    "1.5B",
                                    "1.GB",
                                    ".5G",
                                    "1..5G",
                                    "1 GB",
                                    "1gb",
                                    "1e9",
                                    "1GBs",
                                    "1.5.5G",
                                    "17179869184G",
                                    "18446744073709551616",
                                    "18446744.1TB"};
  uint64_t bytes = 7;
  for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; i++)
    ck_assert_msg(echo_str_to_bytes(echo_str(GOOD[i].text), &bytes) && bytes == GOOD[i].bytes,
                  "'%s' is %llu", GOOD[i].text, (unsigned long long)bytes);
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
    ck_assert_msg(!echo_str_to_bytes(echo_str(BAD[i]), &bytes), "'%s' is taken", BAD[i]);
}
END_TEST

START_TEST(bytes_for_people)
{
  static const struct {
    uint64_t bytes;
    const char *text;
  } CASES[] = {{0, "0 B"},
               {999, "999 B"},
               {1000, "1.00 kB"},
               {9994, "9.99 kB"},
               {9995, "10.0 kB"},
               {99949, "99.9 kB"},
               {99951, "100 kB"},
               {999499, "999 kB"},
               {999501, "1.00 MB"},
               {27720000, "27.7 MB"},
               {UINT64_C(4120000000), "4.12 GB"},
               {UINT64_MAX, "18.4 EB"}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    EchoBuffer text = {0};
    echo_buffer_append_bytes(&text, CASES[i].bytes);
    ck_assert_str_eq(echo_buffer_c_str(&text), CASES[i].text);
    echo_buffer_destroy(&text);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("string");
  TCase *cases = tcase_create("string");
  tcase_add_test(cases, views);
  tcase_add_test(cases, compare_is_bytewise);
  tcase_add_test(cases, trim);
  tcase_add_test(cases, whole_numbers);
  tcase_add_test(cases, floating_point);
  tcase_add_test(cases, floating_point_at_random);
  tcase_add_test(cases, floating_point_under_another_locale);
  tcase_add_test(cases, sizes_in_bytes);
  tcase_add_test(cases, bytes_for_people);
  tcase_add_test(cases, buffer_grows);
  tcase_add_test(cases, buffer_at_each_size);
  tcase_add_test(cases, buffer_numbers);
  tcase_add_test(cases, buffer_printf_of_each_length);
  tcase_add_exit_test(cases, absurd_reserve_runs_out_of_memory, 1);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
