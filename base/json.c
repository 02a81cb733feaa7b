/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/json.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_DEPTH = 64 };

static uint64_t level_bit(const EchoJsonWriter *json)
{
  return UINT64_C(1) << (json->depth - 1);
}

static void new_line(EchoJsonWriter *json)
{
  echo_buffer_append_char(json->out, '\n');
  for (uint32_t i = 0; i < json->depth; ++i)
    echo_buffer_append(json->out, "  ", 2);
}

static void begin_item(EchoJsonWriter *json)
{
  if (json->depth == 0)
    return;
  if ((json->has_item & level_bit(json)) != 0)
    echo_buffer_append_char(json->out, ',');
  json->has_item |= level_bit(json);
  new_line(json);
}

static void begin_value(EchoJsonWriter *json)
{
  if (json->after_key) {
    json->after_key = false;
    return;
  }
  ECHO_CHECK(json->depth == 0 || (json->is_array & level_bit(json)) != 0,
             "JSON value in an object without a key");
  begin_item(json);
}

static void begin_level(EchoJsonWriter *json, bool is_array)
{
  begin_value(json);
  ECHO_CHECK(json->depth < MAX_DEPTH, "JSON nested deeper than %d levels", MAX_DEPTH);
  json->depth++;
  json->has_item &= ~level_bit(json);
  json->is_array = is_array ? json->is_array | level_bit(json) : json->is_array & ~level_bit(json);
  echo_buffer_append_char(json->out, is_array ? '[' : '{');
}

static void end_level(EchoJsonWriter *json, bool is_array)
{
  ECHO_CHECK(json->depth > 0 && !json->after_key &&
                 ((json->is_array & level_bit(json)) != 0) == is_array,
             "JSON %s closed that is not open", is_array ? "array" : "object");
  bool had_item = (json->has_item & level_bit(json)) != 0;
  json->depth--;
  if (had_item)
    new_line(json);
  echo_buffer_append_char(json->out, is_array ? ']' : '}');
  if (json->depth == 0)
    echo_buffer_append_char(json->out, '\n');
}

EchoJsonWriter echo_json_writer(EchoBuffer *out)
{
  return (EchoJsonWriter){.out = out};
}

void echo_json_begin_object(EchoJsonWriter *json)
{
  begin_level(json, false);
}

void echo_json_end_object(EchoJsonWriter *json)
{
  end_level(json, false);
}

void echo_json_begin_array(EchoJsonWriter *json)
{
  begin_level(json, true);
}

void echo_json_end_array(EchoJsonWriter *json)
{
  end_level(json, true);
}

/* The length of the well-formed UTF-8 sequence at `at`, 0 when there is none (Unicode 15, table
 * 3-7: no overlong forms, no surrogates, nothing above U+10FFFF). */
static size_t utf8_length(const unsigned char *at, size_t left)
{
  static const struct {
    unsigned char first_low, first_high, second_low, second_high;
    size_t length;
  } FORMS[] = {
      {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
      {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
      {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
  };
  for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; ++i) {
    if (at[0] < FORMS[i].first_low || at[0] > FORMS[i].first_high)
      continue;
    if (left < FORMS[i].length || at[1] < FORMS[i].second_low || at[1] > FORMS[i].second_high)
      return 0;
    for (size_t k = 2; k < FORMS[i].length; ++k)
      if ((at[k] & 0xc0) != 0x80)
        return 0;
    return FORMS[i].length;
  }
  return 0;
}

static void append_control(EchoBuffer *out, unsigned char c)
{
  static const char SHORT[] = "btn\0fr"; /* U+0008 to U+000D */
  if (c >= 8 && c <= 13 && SHORT[c - 8] != '\0')
    echo_buffer_printf(out, "\\%c", SHORT[c - 8]);
  else
    echo_buffer_printf(out, "\\u%04x", c);
}

/* Bytes that are not UTF-8 become U+FFFD, so that the output is always valid. */
static void append_quoted(EchoBuffer *out, EchoStr text)
{
  echo_buffer_append_char(out, '"');
  const unsigned char *bytes = (const unsigned char *)text.data;
  for (size_t i = 0; i < text.size;) {
    unsigned char c = bytes[i];
    size_t length = c < 0x80 ? 1 : utf8_length(bytes + i, text.size - i);
    if (c == '"' || c == '\\')
      echo_buffer_printf(out, "\\%c", c);
    else if (c < 0x20)
      append_control(out, c);
    else if (length == 0)
      echo_buffer_append_c(out, "\\ufffd");
    else
      echo_buffer_append(out, bytes + i, length);
    i += length != 0 ? length : 1;
  }
  echo_buffer_append_char(out, '"');
}

void echo_json_key(EchoJsonWriter *json, const char *key)
{
  ECHO_CHECK(json->depth > 0 && (json->is_array & level_bit(json)) == 0 && !json->after_key,
             "JSON key \"%s\" outside of an object", key);
  begin_item(json);
  append_quoted(json->out, echo_str(key));
  echo_buffer_append(json->out, ": ", 2);
  json->after_key = true;
}

/* Every scalar at the top level is a document, which ends with a line feed. */
static void end_scalar(EchoJsonWriter *json)
{
  if (json->depth == 0)
    echo_buffer_append_char(json->out, '\n');
}

void echo_json_string(EchoJsonWriter *json, EchoStr value)
{
  begin_value(json);
  append_quoted(json->out, value);
  end_scalar(json);
}

void echo_json_i64(EchoJsonWriter *json, int64_t value)
{
  begin_value(json);
  echo_buffer_append_i64(json->out, value);
  end_scalar(json);
}

void echo_json_u64(EchoJsonWriter *json, uint64_t value)
{
  begin_value(json);
  echo_buffer_append_u64(json->out, value);
  end_scalar(json);
}

/* For a normal double %.15g is the shortest text wherever 15 digits are enough; a subnormal may
 * need fewer. */
static void append_shortest(EchoBuffer *out, double value)
{
  char text[40];
  for (int precision = fabs(value) < DBL_MIN ? 1 : 15; precision <= 17; ++precision) {
    snprintf(text, sizeof text, "%.*g", precision, value);
    if (strtod(text, NULL) == value)
      break;
  }
  for (char *c = text; *c != '\0'; ++c)
    if (*c == ',')
      *c = '.'; /* the process may run under a locale with another decimal point */
  echo_buffer_append_c(out, text);
}

void echo_json_f64(EchoJsonWriter *json, double value)
{
  begin_value(json);
  if (isfinite(value))
    append_shortest(json->out, value);
  else
    echo_buffer_append_c(json->out, "null");
  end_scalar(json);
}

void echo_json_bool(EchoJsonWriter *json, bool value)
{
  begin_value(json);
  echo_buffer_append_c(json->out, value ? "true" : "false");
  end_scalar(json);
}

void echo_json_null(EchoJsonWriter *json)
{
  begin_value(json);
  echo_buffer_append_c(json->out, "null");
  end_scalar(json);
}

void echo_json_field_string(EchoJsonWriter *json, const char *key, EchoStr value)
{
  echo_json_key(json, key);
  echo_json_string(json, value);
}

void echo_json_field_i64(EchoJsonWriter *json, const char *key, int64_t value)
{
  echo_json_key(json, key);
  echo_json_i64(json, value);
}

void echo_json_field_u64(EchoJsonWriter *json, const char *key, uint64_t value)
{
  echo_json_key(json, key);
  echo_json_u64(json, value);
}

void echo_json_field_f64(EchoJsonWriter *json, const char *key, double value)
{
  echo_json_key(json, key);
  echo_json_f64(json, value);
}

void echo_json_field_bool(EchoJsonWriter *json, const char *key, bool value)
{
  echo_json_key(json, key);
  echo_json_bool(json, value);
}
