/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types of MLIR's quant dialect as its bytecode has them. They are written as text, which MLIR
 * reads as well. */
#include "dialects/quant/bytecode_t.h"

#include "dialects/quant/quant_t.h"
#include "ir/attributes/float_format.h"
#include "ir/text/text.h"

#include <inttypes.h>

typedef enum TypeCode {
  TYPE_ANY = 1,
  TYPE_ANY_EXPRESSED = 2,
  TYPE_CALIBRATED = 3,
  TYPE_UNIFORM = 4,
  TYPE_UNIFORM_PER_AXIS = 5
} TypeCode;

static bool read_float_type(EchoBytecodeReader *reader, const EchoType **type)
{
  return echo_bytecode_read_type(reader, type) &&
         ((*type)->kind == ECHO_TYPE_FLOAT ||
          echo_bytecode_error(reader, "a quantized type of what is no float"));
}

static bool read_f64(EchoBytecodeReader *reader, double *value)
{
  uint64_t bits;
  if (!echo_bytecode_read_int(reader, 64, &bits))
    return false;
  memcpy(value, &bits, sizeof bits);
  return true;
}

static void make_parameters(EchoQuantized *quantized, size_t n)
{
  quantized->n_scales = n;
  quantized->scales = echo_alloc_zero(n + 1, sizeof *quantized->scales);
  quantized->zero_points = echo_alloc_zero(n + 1, sizeof *quantized->zero_points);
}

/* Scales, then zero points, of one axis. */
static bool read_parameters(EchoBytecodeReader *reader, EchoQuantized *quantized)
{
  size_t n, n_points;
  if (!echo_bytecode_read_count(reader, &n))
    return false;
  make_parameters(quantized, n);
  for (size_t i = 0; i < n; i++)
    if (!read_f64(reader, &quantized->scales[i]))
      return false;
  if (!echo_bytecode_read_count(reader, &n_points))
    return false;
  if (n_points != n)
    return echo_bytecode_error(reader, "%zu scales, %zu zero points", n, n_points);
  for (size_t i = 0; i < n; i++)
    if (!echo_bytecode_read_signed(reader, &quantized->zero_points[i]))
      return false;
  return true;
}

/* What is stored, and of all but `any` the float that it stands for. */
static bool read_head(EchoBytecodeReader *reader, bool is_expressed, EchoQuantized *quantized)
{
  uint64_t flags;
  const EchoType *storage, *expressed;
  if (!echo_bytecode_read_varint(reader, &flags) || !echo_bytecode_read_type(reader, &storage))
    return false;
  if (storage->kind != ECHO_TYPE_INTEGER || storage->as.integer.width > 64 ||
      storage->as.integer.width == 0)
    return echo_bytecode_error(reader, "a quantized type without an integer to store");
  quantized->storage_bits = storage->as.integer.width;
  quantized->is_unsigned = (flags & 1) == 0;
  quantized->axis = -1;
  return !is_expressed || (read_float_type(reader, &expressed) &&
                           (quantized->expressed = expressed->as.float_kind, true));
}

static bool read_uniform(EchoBytecodeReader *reader, bool per_axis, EchoQuantized *quantized)
{
  uint64_t axis = 0;
  if (!read_head(reader, true, quantized))
    return false;
  if (per_axis) {
    if (!echo_bytecode_read_varint(reader, &axis))
      return false;
    quantized->axis = (int64_t)(axis & INT64_MAX);
  } else {
    make_parameters(quantized, 1);
    if (!read_f64(reader, &quantized->scales[0]) ||
        !echo_bytecode_read_signed(reader, &quantized->zero_points[0]))
      return false;
  }
  return echo_bytecode_read_signed(reader, &quantized->min) &&
         echo_bytecode_read_signed(reader, &quantized->max) &&
         (!per_axis || read_parameters(reader, quantized));
}

bool echo_quant_read_uniform(EchoBytecodeReader *reader, bool per_axis, const EchoType **type)
{
  EchoContext *ctx = echo_bytecode_context(reader);
  EchoQuantized quantized = {0};
  EchoBuffer text = {0};
  bool fine = read_uniform(reader, per_axis, &quantized);
  if (fine) {
    echo_buffer_append_c(&text, "!quant.");
    echo_quantized_print(ctx, &quantized, &text);
    *type = echo_parse_type_or_null(ctx, echo_buffer_str(&text));
  }
  echo_buffer_destroy(&text);
  echo_quantized_destroy(&quantized);
  return fine && *type != NULL;
}

/* "any<i8<-8:7>:f32>" */
static bool read_any(EchoBytecodeReader *reader, bool is_expressed, EchoBuffer *text)
{
  EchoQuantized quantized = {0};
  if (!read_head(reader, is_expressed, &quantized) ||
      !echo_bytecode_read_signed(reader, &quantized.min) ||
      !echo_bytecode_read_signed(reader, &quantized.max))
    return false;
  echo_buffer_append_c(text, "!quant.any<");
  echo_quant_print_storage(&quantized, text);
  if (is_expressed)
    echo_buffer_printf(text, ":%s", echo_float_format(quantized.expressed)->name);
  echo_buffer_append_c(text, ">");
  return true;
}

/* "calibrated<f32<-1.0:1.0>>" */
static bool read_calibrated(EchoBytecodeReader *reader, EchoBuffer *text)
{
  EchoContext *ctx = echo_bytecode_context(reader);
  const EchoType *expressed;
  double min, max;
  if (!read_float_type(reader, &expressed) || !read_f64(reader, &min) || !read_f64(reader, &max))
    return false;
  echo_buffer_printf(text, "!quant.calibrated<%s<", echo_type_text(ctx, expressed));
  echo_quant_print_number(ctx, min, text);
  echo_buffer_append_c(text, ":");
  echo_quant_print_number(ctx, max, text);
  echo_buffer_append_c(text, ">>");
  return true;
}

static bool read_type(EchoBytecodeReader *reader, const EchoType **type)
{
  uint64_t code;
  if (!echo_bytecode_read_varint(reader, &code))
    return false;
  if (code == TYPE_UNIFORM || code == TYPE_UNIFORM_PER_AXIS)
    return echo_quant_read_uniform(reader, code == TYPE_UNIFORM_PER_AXIS, type);
  if (code < TYPE_ANY || code > TYPE_CALIBRATED)
    return echo_bytecode_error(reader, "a quantized type of code %" PRIu64 " is not known", code);
  EchoBuffer text = {0};
  bool fine = code == TYPE_CALIBRATED ? read_calibrated(reader, &text)
                                      : read_any(reader, code == TYPE_ANY_EXPRESSED, &text);
  if (fine)
    *type = echo_parse_type_or_null(echo_bytecode_context(reader), echo_buffer_str(&text));
  echo_buffer_destroy(&text);
  return fine && *type != NULL;
}

const EchoBytecodeDialect ECHO_QUANT_BYTECODE = {.read_type = read_type};
