/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/json.h"

#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/unit/suite.h"

START_TEST(layout)
{
  EchoBuffer out = {0};
  EchoJsonWriter json = echo_json_writer(&out);
  echo_json_begin_object(&json);
  echo_json_field_string(&json, "name", ECHO_STR("echo"));
  echo_json_key(&json, "steps");
  echo_json_begin_array(&json);
  echo_json_i64(&json, -1);
  echo_json_u64(&json, UINT64_MAX);
  echo_json_begin_array(&json);
  echo_json_end_array(&json);
  echo_json_begin_object(&json);
  echo_json_end_object(&json);
  echo_json_end_array(&json);
  echo_json_field_bool(&json, "fine", true);
  echo_json_field_f64(&json, "loss", 0.5);
  echo_json_field_i64(&json, "low", INT64_MIN);
  echo_json_field_u64(&json, "peak_bytes", 7);
  echo_json_key(&json, "nothing");
  echo_json_null(&json);
  echo_json_end_object(&json);
  ck_assert_str_eq(out.data, "{\n"
                             "  \"name\": \"echo\",\n"
                             "  \"steps\": [\n"
                             "    -1,\n"
                             "    18446744073709551615,\n"
                             "    [],\n"
                             "    {}\n"
                             "  ],\n"
                             "  \"fine\": true,\n"
                             "  \"loss\": 0.5,\n"
                             "  \"low\": -9223372036854775808,\n"
                             "  \"peak_bytes\": 7,\n"
                             "  \"nothing\": null\n"
                             "}\n");
  echo_buffer_destroy(&out);
}
END_TEST

static void assert_text(EchoStr value, const char *expected)
{
  EchoBuffer out = {0};
  EchoJsonWriter json = echo_json_writer(&out);
  echo_json_string(&json, value);
  ck_assert_str_eq(out.data, expected);
  echo_buffer_destroy(&out);
}

START_TEST(escapes)
{
  assert_text((EchoStr){NULL, 0}, "\"\"\n");
  assert_text(ECHO_STR("a\"b\\c/"), "\"a\\\"b\\\\c/\"\n");
  assert_text(ECHO_STR("\b\t\n\f\r"), "\"\\b\\t\\n\\f\\r\"\n");
  assert_text(ECHO_STR("\0\x01\x0b\x1f\x7f"), "\"\\u0000\\u0001\\u000b\\u001f\x7f\"\n");
  assert_text(ECHO_STR("\u00e9\u20ac\U0001f600"), "\"\u00e9\u20ac\U0001f600\"\n");
}
END_TEST

START_TEST(bytes_that_are_not_utf8_are_replaced)
{
  assert_text(ECHO_STR("\xff"), "\"\\ufffd\"\n");
  assert_text(ECHO_STR("\x80x"), "\"\\ufffdx\"\n");
  assert_text(ECHO_STR("\xc3"), "\"\\ufffd\"\n");                       /* cut */
  assert_text(ECHO_STR("\xe2\x82"), "\"\\ufffd\\ufffd\"\n");            /* cut */
  assert_text(ECHO_STR("\xc0\x80"), "\"\\ufffd\\ufffd\"\n");            /* overlong */
  assert_text(ECHO_STR("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"\n"); /* surrogate */
  assert_text(ECHO_STR("\xf4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"\n");
}
END_TEST

/* Any bytes give a document that another JSON library reads; valid UTF-8 comes back as it was. */
START_TEST(every_string_reads_back)
{
  uint64_t state = 3;
  for (int i = 0; i < 20000; ++i) {
    char bytes[24];
    size_t size = 0;
    for (; size < (size_t)(i % 24); ++size) {
      state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
      bytes[size] = (char)((state >> 40) % (i % 2 != 0 ? 128 : 256));
    }
    EchoBuffer out = {0};
    EchoJsonWriter json = echo_json_writer(&out);
    echo_json_string(&json, (EchoStr){bytes, size});
    json_error_t error;
    json_t *value = json_loadb(out.data, out.size, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    ck_assert_msg(value != NULL, "%s: %s", error.text, out.data);
    if (i % 2 != 0) {
      ck_assert_uint_eq(json_string_length(value), size);
      ck_assert_int_eq(memcmp(json_string_value(value), bytes, size), 0);
    }
    json_decref(value);
    echo_buffer_destroy(&out);
  }
}
END_TEST

static void assert_number(double value, const char *expected)
{
  EchoBuffer out = {0};
  EchoJsonWriter json = echo_json_writer(&out);
  echo_json_f64(&json, value);
  if (expected != NULL)
    ck_assert_str_eq(out.data, expected);
  if (isfinite(value)) {
    double back = strtod(out.data, NULL);
    ck_assert_int_eq(memcmp(&back, &value, sizeof back), 0);
  }
  echo_buffer_destroy(&out);
}

START_TEST(doubles_are_shortest)
{
  assert_number(0, "0\n");
  assert_number(-0.0, "-0\n");
  assert_number(0.1, "0.1\n");
  assert_number(1.0 / 3, "0.3333333333333333\n");
  assert_number(0.1 + 0.2, "0.30000000000000004\n");
  assert_number(5e-324, "5e-324\n");
  assert_number(1e21, "1e+21\n");
  assert_number(1.7976931348623157e308, "1.7976931348623157e+308\n");
  assert_number(INFINITY, "null\n");
  assert_number(-INFINITY, "null\n");
  assert_number(NAN, "null\n");
  uint64_t state = 9;
  for (int i = 0; i < 50000; ++i) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    double value;
    memcpy(&value, &state, sizeof value);
    assert_number(value, NULL);
  }
}
END_TEST

START_TEST(levels_up_to_64)
{
  EchoBuffer out = {0};
  EchoJsonWriter json = echo_json_writer(&out);
  for (int i = 0; i < 32; ++i) {
    echo_json_begin_array(&json);
    echo_json_begin_object(&json);
    echo_json_key(&json, "x");
  }
  echo_json_null(&json);
  for (int i = 0; i < 32; ++i) {
    echo_json_end_object(&json);
    echo_json_end_array(&json);
  }
  json_t *value = json_loads(out.data, 0, NULL);
  ck_assert_ptr_nonnull(value);
  json_decref(value);
  echo_buffer_destroy(&out);
}
END_TEST

/* Each misuse is a bug of the caller: the writer's own state is checked. */
START_TEST(misuse_panics)
{
  EchoBuffer out = {0};
  EchoJsonWriter json = echo_json_writer(&out);
  switch (_i) {
  case 0: /* a value without a key */
    echo_json_begin_object(&json);
    echo_json_null(&json);
    break;
  case 1: /* a key in an array */
    echo_json_begin_array(&json);
    echo_json_key(&json, "x");
    break;
  case 2: /* a key outside */
    echo_json_key(&json, "x");
    break;
  case 3: /* two keys */
    echo_json_begin_object(&json);
    echo_json_key(&json, "x");
    echo_json_key(&json, "y");
    break;
  case 4: /* the wrong end */
    echo_json_begin_object(&json);
    echo_json_end_array(&json);
    break;
  case 5: /* an end too many */
    echo_json_end_object(&json);
    break;
  case 6: /* a key without a value */
    echo_json_begin_object(&json);
    echo_json_key(&json, "x");
    echo_json_end_object(&json);
    break;
  default: /* too deep */
    for (int i = 0; i < 65; ++i)
      echo_json_begin_array(&json);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("json");
  TCase *cases = tcase_create("json");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, layout);
  tcase_add_test(cases, escapes);
  tcase_add_test(cases, bytes_that_are_not_utf8_are_replaced);
  tcase_add_test(cases, every_string_reads_back);
  tcase_add_test(cases, doubles_are_shortest);
  tcase_add_test(cases, levels_up_to_64);
  tcase_add_loop_test_raise_signal(cases, misuse_panics, SIGABRT, 0, 8);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
