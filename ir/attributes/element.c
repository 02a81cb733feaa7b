/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ir/attributes/element.h"

#include <assert.h>

#include "ir/attributes/float_format.h"

/* The low bytes of a word, little end first: host data has the machine's order, and that is it. */
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "host data is little-endian");

static uint64_t load_bytes(const unsigned char *bytes, size_t n)
{
  uint64_t word = 0;
  if (n == 8) {
    memcpy(&word, bytes, 8);
    return word;
  }
  if (n == 4) {
    uint32_t half;
    memcpy(&half, bytes, 4);
    return half;
  }
  for (size_t i = n; i-- > 0;)
    word = word << 8 | bytes[i];
  return word;
}

static void store_bytes(unsigned char *bytes, size_t n, uint64_t word)
{
  for (size_t i = 0; i < n; ++i, word >>= 8)
    bytes[i] = (unsigned char)word;
}

static uint64_t width_mask(uint32_t width)
{
  return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static bool is_unsigned(const EchoType *element)
{
  return element->kind == ECHO_TYPE_INTEGER &&
         (element->as.integer.signedness == ECHO_UNSIGNED || element->as.integer.width == 1);
}

int64_t echo_element_load_i64(const EchoType *element, const void *data)
{
  if (element->kind == ECHO_TYPE_INTEGER && element->as.integer.width == 64)
    return (int64_t)load_bytes(data, 8);
  if (element->kind == ECHO_TYPE_FLOAT) {
    int64_t truncated;
    echo_element_store_f64(&(EchoType){.kind = ECHO_TYPE_INDEX}, &truncated,
                           echo_element_load_f64(element, data));
    return truncated;
  }
  size_t bytes = echo_type_element_bytes(element);
  uint32_t width = echo_type_bit_width(element);
  uint64_t word = load_bytes(data, bytes < 8 ? bytes : 8) & width_mask(width);
  if (is_unsigned(element) || width >= 64 || width == 0)
    return (int64_t)word;
  uint64_t sign = UINT64_C(1) << (width - 1);
  return (int64_t)((word ^ sign) - sign);
}

void echo_element_store_i64(const EchoType *element, void *data, int64_t value)
{
  if (element->kind == ECHO_TYPE_FLOAT) {
    echo_element_store_f64(element, data, (double)value);
    return;
  }
  size_t bytes = echo_type_element_bytes(element);
  uint32_t width = echo_type_bit_width(element);
  store_bytes(data, bytes < 8 ? bytes : 8, (uint64_t)value & width_mask(width));
  if (bytes <= 8)
    return;
  uint64_t above = value < 0 && !is_unsigned(element) ? UINT64_MAX : 0;
  for (size_t at = 8; at < bytes; ++at) {
    uint32_t left = width - (uint32_t)at * 8;
    store_bytes((unsigned char *)data + at, 1, above & width_mask(left < 8 ? left : 8));
  }
}

double echo_element_load_f64(const EchoType *element, const void *data)
{
  if (element->kind != ECHO_TYPE_FLOAT) {
    int64_t value = echo_element_load_i64(element, data);
    return is_unsigned(element) ? (double)(uint64_t)value : (double)value;
  }
  switch (element->as.float_kind) {
  case ECHO_F32: {
    return echo_element_f32(data);
  }
  case ECHO_F64: {
    double value;
    memcpy(&value, data, sizeof value);
    return value;
  }
  default: {
    size_t bytes = echo_type_element_bytes(element);
    const unsigned char *at = data;
    uint64_t words[2] = {load_bytes(at, bytes < 8 ? bytes : 8),
                         bytes > 8 ? load_bytes(at + 8, bytes - 8) : 0};
    return echo_float_words_to_f64(element->as.float_kind, words);
  }
  }
}

static int64_t saturate_i64(double value, bool to_unsigned)
{
  if (value != value)
    return 0;
  if (to_unsigned) {
    if (value <= 0)
      return 0;
    return value >= 0x1p64 ? -1 : (int64_t)(uint64_t)value;
  }
  if (value <= -0x1p63)
    return INT64_MIN;
  return value >= 0x1p63 ? INT64_MAX : (int64_t)value;
}

/* Into the range of a type of at most 64 bits. */
static int64_t saturate_to_width(const EchoType *element, double value)
{
  uint32_t width = echo_type_bit_width(element);
  int64_t wide = saturate_i64(value, is_unsigned(element));
  if (width >= 64)
    return wide;
  if (is_unsigned(element)) {
    uint64_t largest = width_mask(width);
    return (uint64_t)wide > largest ? (int64_t)largest : wide;
  }
  int64_t largest = (int64_t)(width_mask(width) >> 1);
  if (wide > largest)
    return largest;
  return wide < -largest - 1 ? -largest - 1 : wide;
}

void echo_element_store_f64(const EchoType *element, void *data, double value)
{
  if (element->kind != ECHO_TYPE_FLOAT) {
    echo_element_store_i64(element, data, saturate_to_width(element, value));
    return;
  }
  size_t bytes = echo_type_element_bytes(element);
  uint64_t words[2];
  echo_float_words_from_f64(element->as.float_kind, value, words);
  store_bytes(data, bytes < 8 ? bytes : 8, words[0]);
  if (bytes > 8)
    store_bytes((unsigned char *)data + 8, bytes - 8, words[1]);
}
