/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/string.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "base/memory.h"

int echo_str_compare(EchoStr a, EchoStr b)
{
  size_t common = a.size < b.size ? a.size : b.size;
  int order = common != 0 ? memcmp(a.data, b.data, common) : 0;
  return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

EchoStr echo_str_trim(EchoStr text)
{
  while (text.size > 0 && (text.data[0] == ' ' || text.data[0] == '\t')) {
    text.data++;
    text.size--;
  }
  while (text.size > 0 && (text.data[text.size - 1] == ' ' || text.data[text.size - 1] == '\t' ||
                           text.data[text.size - 1] == '\r'))
    text.size--;
  return text;
}

bool echo_str_to_u64(EchoStr str, uint64_t *value)
{
  uint64_t sum = 0;
  if (str.size == 0)
    return false;
  for (size_t i = 0; i < str.size; ++i) {
    unsigned digit = (unsigned)(unsigned char)str.data[i] - '0';
    if (digit > 9 || !echo_mul_u64(sum, 10, &sum) || !echo_add_u64(sum, digit, &sum))
      return false;
  }
  *value = sum;
  return true;
}

static bool unit_bytes(EchoStr unit, uint64_t *bytes)
{
  static const struct {
    const char *name;
    uint64_t bytes;
  } units[] = {{"", 1},
               {"B", 1},
               {"k", UINT64_C(1) << 10},
               {"K", UINT64_C(1) << 10},
               {"M", UINT64_C(1) << 20},
               {"G", UINT64_C(1) << 30},
               {"T", UINT64_C(1) << 40},
               {"KiB", UINT64_C(1) << 10},
               {"MiB", UINT64_C(1) << 20},
               {"GiB", UINT64_C(1) << 30},
               {"TiB", UINT64_C(1) << 40},
               {"kB", UINT64_C(1000)},
               {"KB", UINT64_C(1000)},
               {"MB", UINT64_C(1000000)},
               {"GB", UINT64_C(1000000000)},
               {"TB", UINT64_C(1000000000000)}};
  for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i)
    if (echo_str_is(unit, units[i].name)) {
      *bytes = units[i].bytes;
      return true;
    }
  return false;
}

static size_t count_digits(EchoStr str, size_t begin)
{
  size_t end = begin;
  while (end < str.size && str.data[end] >= '0' && str.data[end] <= '9')
    ++end;
  return end - begin;
}

bool echo_str_to_bytes(EchoStr str, uint64_t *bytes)
{
  size_t n_whole = count_digits(str, 0);
  bool has_point = n_whole < str.size && str.data[n_whole] == '.';
  size_t fraction = n_whole + has_point, n_fraction = has_point ? count_digits(str, fraction) : 0;
  size_t end = fraction + n_fraction;
  uint64_t whole, unit, part = 0;
  if (!echo_str_to_u64((EchoStr){str.data, n_whole}, &whole) ||
      !unit_bytes((EchoStr){str.data + end, str.size - end}, &unit))
    return false;
  if (has_point && (n_fraction == 0 || unit == 1))
    return false;
  for (size_t i = end; i-- > fraction;) /* rounding down digit by digit is rounding down once */
    part = (part + (uint64_t)(str.data[i] - '0') * unit) / 10;
  return echo_mul_u64(whole, unit, &whole) && echo_add_u64(whole, part, bytes);
}

bool echo_str_to_i64(EchoStr str, int64_t *value)
{
  bool negative = str.size != 0 && str.data[0] == '-';
  uint64_t magnitude;
  if (!echo_str_to_u64((EchoStr){str.data + negative, str.size - negative}, &magnitude))
    return false;
  if (magnitude > (uint64_t)INT64_MAX + negative)
    return false;
  *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
  return true;
}

/* strtod on a NUL-terminated copy, with the decimal point that the process's locale wants. */
static bool decimal_slow(EchoStr str, double *value)
{
  EchoBuffer copy = {0};
  for (size_t i = 0; i < str.size; ++i)
    if (str.data[i] == '.')
      echo_buffer_append_c(&copy, localeconv()->decimal_point);
    else
      echo_buffer_append_char(&copy, str.data[i]);
  char *end;
  double parsed = strtod(copy.data, &end);
  bool whole = end == copy.data + copy.size;
  echo_buffer_destroy(&copy);
  if (whole)
    *value = parsed;
  return whole;
}

bool echo_str_to_f64(EchoStr str, double *value)
{
  size_t sign = str.size != 0 && (str.data[0] == '-' || str.data[0] == '+');
  if (str.size == sign)
    return false;
  char first = str.data[sign]; /* keeps out white space, "inf" and "nan", which strtod would take */
  if (first != '.' && (first < '0' || first > '9'))
    return false;
  if (echo_decimal_parse(str.data, str.data + str.size, value))
    return true;
  for (size_t i = 0; i < str.size; ++i)
    if (str.data[i] == ',' || str.data[i] == '\0')
      return false;
  return decimal_slow(str, value);
}

void echo_buffer_destroy(EchoBuffer *buffer)
{
  echo_free(buffer->data);
  *buffer = (EchoBuffer){0};
}

void echo_buffer_clear(EchoBuffer *buffer)
{
  buffer->size = 0;
  if (buffer->data != NULL)
    buffer->data[0] = '\0';
}

void echo_buffer_reserve(EchoBuffer *buffer, size_t extra_bytes)
{
  enum { FIRST_CAPACITY = 64 };
  size_t needed; /* with the NUL behind */
  if (__builtin_add_overflow(buffer->size, extra_bytes, &needed) || ++needed == 0)
    needed = SIZE_MAX; /* more than any machine has: the allocator refuses it */
  if (needed <= buffer->capacity)
    return;
  size_t capacity =
      buffer->capacity < FIRST_CAPACITY ? FIRST_CAPACITY : buffer->capacity + buffer->capacity / 2;
  if (capacity < needed)
    capacity = needed;
  buffer->data = echo_realloc_array(buffer->data, capacity, 1);
  buffer->capacity = capacity;
  buffer->data[buffer->size] = '\0';
}

void echo_buffer_append_u64(EchoBuffer *buffer, uint64_t value)
{
  static const char PAIRS[] = "00010203040506070809101112131415161718192021222324"
                              "25262728293031323334353637383940414243444546474849"
                              "50515253545556575859606162636465666768697071727374"
                              "75767778798081828384858687888990919293949596979899";
  char text[20];
  char *at = text + sizeof text;
  for (; value >= 100; value /= 100)
    memcpy(at -= 2, PAIRS + 2 * (value % 100), 2);
  if (value >= 10)
    memcpy(at -= 2, PAIRS + 2 * value, 2);
  else
    *--at = (char)('0' + value);
  echo_buffer_append(buffer, at, (size_t)(text + sizeof text - at));
}

void echo_buffer_append_i64(EchoBuffer *buffer, int64_t value)
{
  if (value < 0)
    echo_buffer_append_char(buffer, '-');
  echo_buffer_append_u64(buffer, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void echo_buffer_vprintf(EchoBuffer *buffer, const char *format, va_list arguments)
{
  if (buffer == NULL)
    return;
  echo_buffer_reserve(buffer, 64); /* most texts fit at the first try */
  va_list again;
  va_copy(again, arguments);
  size_t room = buffer->capacity - buffer->size;
  int length = vsnprintf(buffer->data + buffer->size, room, format, arguments);
  ECHO_CHECK(length >= 0, "cannot format \"%s\"", format);
  if ((size_t)length >= room) {
    echo_buffer_reserve(buffer, (size_t)length);
    vsnprintf(buffer->data + buffer->size, (size_t)length + 1, format, again);
  }
  va_end(again);
  buffer->size += (size_t)length;
}

void echo_buffer_append_bytes(EchoBuffer *buffer, uint64_t bytes)
{
  static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 1000) {
    echo_buffer_printf(buffer, "%u B", (unsigned)bytes);
    return;
  }
  double value = (double)bytes / 1000;
  size_t unit = 0;
  for (; value >= 999.5; unit++) /* what would be printed as 1000 */
    value /= 1000;
  int n_decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  echo_buffer_printf(buffer, "%.*f %s", n_decimals, value, units[unit]);
}

void echo_buffer_printf(EchoBuffer *buffer, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_vprintf(buffer, format, arguments);
  va_end(arguments);
}
