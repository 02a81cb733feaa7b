/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/quant/quant.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "dialects/quant/quant_t.h"
#include "ir/attributes/float_format.h"
#include "ir/diagnostics.h"
#include "ir/text/text.h"

enum { MAX_STORAGE_BITS = 32, MAX_NUMBER = 48 };

/* ---- reading ---- */

typedef struct Reader {
  const char *at, *end;
} Reader;

static void skip_space(Reader *reader)
{
  while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\n'))
    reader->at++;
}

static bool take(Reader *reader, char c)
{
  skip_space(reader);
  bool is_there = reader->at < reader->end && *reader->at == c;
  reader->at += is_there;
  return is_there;
}

/* The characters of `set` that stand next, into `text`; false: none, or too many. */
static bool take_span(Reader *reader, const char *set, char text[MAX_NUMBER])
{
  size_t n = 0;
  skip_space(reader);
  while (reader->at + n < reader->end && strchr(set, reader->at[n]) != NULL && n < MAX_NUMBER - 1)
    n++;
  memcpy(text, reader->at, n);
  text[n] = '\0';
  reader->at += n;
  return n != 0;
}

static bool take_integer(Reader *reader, int64_t *value)
{
  char text[MAX_NUMBER], *end;
  if (!take_span(reader, "-0123456789", text))
    return false;
  *value = strtoll(text, &end, 10);
  return *end == '\0';
}

static bool take_scale(Reader *reader, double *value)
{
  char text[MAX_NUMBER], *end;
  if (!take_span(reader, "-+.eE0123456789", text))
    return false;
  *value = strtod(text, &end);
  return *end == '\0';
}

/* i8, u8 or ui8, and what it may hold: all of it, or <least:most>. */
static bool take_storage(Reader *reader, EchoQuantized *q)
{
  int64_t bits;
  q->is_unsigned = take(reader, 'u');
  bool has_i = take(reader, 'i');
  if ((!has_i && !q->is_unsigned) || !take_integer(reader, &bits) || bits < 1 ||
      bits > MAX_STORAGE_BITS)
    return false;
  q->storage_bits = (uint32_t)bits;
  q->max = (INT64_C(1) << (q->is_unsigned ? bits : bits - 1)) - 1;
  q->min = q->is_unsigned ? 0 : -q->max - 1;
  if (!take(reader, '<'))
    return true;
  return take_integer(reader, &q->min) && take(reader, ':') && take_integer(reader, &q->max) &&
         take(reader, '>');
}

static bool take_expressed(Reader *reader, EchoFloatKind *kind)
{
  char text[MAX_NUMBER];
  if (!take_span(reader, "bfEMNUZ0123456789", text))
    return false;
  for (int i = 0; i < ECHO_N_FLOAT_KINDS; ++i)
    if (strcmp(echo_float_format((EchoFloatKind)i)->name, text) == 0) {
      *kind = (EchoFloatKind)i;
      return true;
    }
  return false;
}

static bool take_parameter(Reader *reader, EchoQuantized *q, size_t i)
{
  return take_scale(reader, &q->scales[i]) &&
         (!take(reader, ':') || take_integer(reader, &q->zero_points[i]));
}

/* "0.1:-30", or such in braces. */
static bool take_parameters(Reader *reader, EchoQuantized *q)
{
  q->n_scales = 1;
  for (const char *c = reader->at; c < reader->end; ++c)
    q->n_scales += *c == ',';
  q->scales = echo_alloc_zero(q->n_scales, sizeof *q->scales);
  q->zero_points = echo_alloc_zero(q->n_scales, sizeof *q->zero_points);
  if (q->axis < 0)
    return q->n_scales == 1 && take_parameter(reader, q, 0);
  if (!take(reader, '{'))
    return false;
  for (size_t i = 0; i < q->n_scales; ++i)
    if ((i != 0 && !take(reader, ',')) || !take_parameter(reader, q, i))
      return false;
  return take(reader, '}');
}

/* *has_axis: whether one stands there, of whatever value. */
static bool read(EchoStr text, EchoQuantized *q, int64_t *axis, bool *has_axis)
{
  static const char head[] = "uniform<";
  *q = (EchoQuantized){.axis = -1};
  if (!echo_str_starts_with(text, head) || text.data[text.size - 1] != '>')
    return false;
  Reader reader = {text.data + sizeof head - 1, text.data + text.size - 1};
  if (!take_storage(&reader, q) || !take(&reader, ':') || !take_expressed(&reader, &q->expressed))
    return false;
  *has_axis = take(&reader, ':');
  if (*has_axis && !take_integer(&reader, axis))
    return false;
  if (*has_axis)
    q->axis = *axis < 0 ? 0 : *axis;
  bool ok = take(&reader, ',') && take_parameters(&reader, q);
  skip_space(&reader);
  return ok && reader.at == reader.end;
}

/* ---- what others ask ---- */

bool echo_is_quantized(const EchoType *element)
{
  return element != NULL && element->kind == ECHO_TYPE_OPAQUE &&
         echo_str_is(element->as.opaque.dialect, "quant");
}

bool echo_quantized_read(const EchoType *element, EchoQuantized *quantized)
{
  int64_t axis;
  bool has_axis;
  if (!echo_is_quantized(element) || quantized == NULL)
    return false;
  if (read(element->as.opaque.text, quantized, &axis, &has_axis))
    return true;
  echo_quantized_destroy(quantized);
  return false;
}

void echo_quantized_destroy(EchoQuantized *quantized)
{
  if (quantized == NULL)
    return;
  echo_free(quantized->scales);
  echo_free(quantized->zero_points);
  quantized->scales = NULL;
  quantized->zero_points = NULL;
}

/* ---- printing ---- */

void echo_quant_print_number(EchoContext *ctx, double value, EchoBuffer *out)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  EchoBuffer text = {0};
  echo_print_attr(echo_attr_float_bits(ctx, echo_type_f64(ctx), bits), &text);
  echo_buffer_append(out, text.data, strcspn(echo_buffer_c_str(&text), " "));
  echo_buffer_destroy(&text);
}

static void print_parameter(EchoContext *ctx, double scale, int64_t zero_point, EchoBuffer *out)
{
  echo_quant_print_number(ctx, scale, out);
  if (zero_point != 0)
    echo_buffer_printf(out, ":%" PRId64, zero_point);
}

void echo_quant_print_storage(const EchoQuantized *quantized, EchoBuffer *out)
{
  uint32_t width = quantized->storage_bits;
  bool is_signed = !quantized->is_unsigned;
  int64_t least = is_signed && width < 64 ? -(INT64_C(1) << (width - 1)) : 0;
  int64_t most = width >= 63 ? INT64_MAX : (INT64_C(1) << (width - is_signed)) - 1;
  echo_buffer_printf(out, "%c%u", is_signed ? 'i' : 'u', width);
  if (quantized->min != least || quantized->max != most)
    echo_buffer_printf(out, "<%" PRId64 ":%" PRId64 ">", quantized->min, quantized->max);
}

void echo_quantized_print(EchoContext *ctx, const EchoQuantized *quantized, EchoBuffer *out)
{
  if (ctx == NULL || quantized == NULL || out == NULL || quantized->storage_bits == 0)
    return;
  echo_buffer_append_c(out, "uniform<");
  echo_quant_print_storage(quantized, out);
  echo_buffer_printf(out, ":%s", echo_float_format(quantized->expressed)->name);
  if (quantized->axis >= 0)
    echo_buffer_printf(out, ":%" PRId64, quantized->axis);
  echo_buffer_append_c(out, quantized->axis >= 0 ? ", {" : ", ");
  for (size_t i = 0; i < quantized->n_scales; i++) {
    echo_buffer_append_c(out, i == 0 ? "" : ",");
    print_parameter(ctx, quantized->scales[i], quantized->zero_points[i], out);
  }
  echo_buffer_append_c(out, quantized->axis >= 0 ? "}>" : ">");
}

/* ---- types as they are read ---- */

/* A scale is a number of the expressed type that is not zero. */
static bool check_scale(EchoContext *ctx, EchoLoc loc, const EchoQuantized *q, double scale)
{
  const EchoFloatFormat *format = echo_float_format(q->expressed);
  int most = (1 << format->exponent_bits) - 1 - (format->specials == ECHO_FLOAT_IEEE);
  double largest = ldexp(2 - ldexp(1, -(int)format->mantissa_bits), most - format->bias);
  double least = ldexp(1, 1 - format->bias - (int)format->mantissa_bits);
  if (scale >= least && scale <= largest)
    return true;
  return echo_error(ctx, loc, "scale %e out of expressed type range", scale);
}

bool echo_quant_check_type(EchoContext *ctx, EchoLoc loc, EchoStr text)
{
  EchoQuantized q;
  int64_t axis = 0;
  bool has_axis = false, ok = true;
  if (read(text, &q, &axis, &has_axis)) {
    if (has_axis && axis < 0)
      ok = echo_error(ctx, loc, "illegal quantized dimension: %lld", (long long)axis);
    for (size_t i = 0; ok && i < q.n_scales; ++i)
      ok = check_scale(ctx, loc, &q, q.scales[i]);
  }
  echo_quantized_destroy(&q);
  return ok;
}

bool echo_quant_canonical_type(EchoContext *ctx, EchoStr text, EchoBuffer *out)
{
  EchoQuantized q;
  int64_t axis = 0;
  bool has_axis = false, is_uniform = read(text, &q, &axis, &has_axis);
  if (is_uniform)
    echo_quantized_print(ctx, &q, out);
  echo_quantized_destroy(&q);
  return is_uniform;
}
