/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lowering/model/element_codec_t.h"

#include <math.h>

#include "dialects/quant/quant.h"
#include "ir/attributes/float_format.h"
#include "ir/attributes/tensor.h"

/* ---- which, and as what ---- */

static bool is_narrow_int(const EchoType *element)
{
  uint32_t width = element->kind == ECHO_TYPE_INTEGER ? element->as.integer.width : 0;
  return width == 2 || width == 4;
}

static bool is_narrow_float(const EchoType *element)
{
  return element->kind == ECHO_TYPE_FLOAT && echo_type_bit_width(element) <= 8;
}

bool echo_element_is_narrow(const EchoType *element)
{
  return is_narrow_int(element) || is_narrow_float(element) || echo_is_quantized(element);
}

static bool is_unsigned(const EchoType *element)
{
  return element->as.integer.signedness == ECHO_UNSIGNED;
}

/* What a quantized type stores. */
static const EchoType *storage_of(EchoContext *ctx, const EchoQuantized *q)
{
  return echo_type_integer(ctx, q->storage_bits, q->is_unsigned ? ECHO_UNSIGNED : ECHO_SIGNLESS);
}

static const EchoType *byte_type(EchoContext *ctx)
{
  return echo_type_integer(ctx, 8, ECHO_UNSIGNED);
}

const EchoType *echo_element_at_rest(EchoContext *ctx, const EchoType *element)
{
  EchoQuantized q;
  if (!echo_quantized_read(element, &q))
    return byte_type(ctx);
  const EchoType *storage = storage_of(ctx, &q);
  echo_quantized_destroy(&q);
  return is_narrow_int(storage) ? byte_type(ctx) : storage;
}

const EchoType *echo_element_computed_or_null(EchoContext *ctx, const EchoType *element)
{
  EchoQuantized q;
  if (is_narrow_float(element))
    return echo_type_f32(ctx);
  if (is_narrow_int(element))
    return echo_type_integer(ctx, 8, is_unsigned(element) ? ECHO_UNSIGNED : ECHO_SIGNLESS);
  if (!echo_quantized_read(element, &q))
    return NULL;
  const EchoType *expressed = echo_type_float(ctx, q.expressed);
  echo_quantized_destroy(&q);
  return is_narrow_float(expressed) ? NULL : expressed;
}

void echo_element_int_range(const EchoType *element, int64_t *least, int64_t *most)
{
  uint32_t width = element->as.integer.width;
  *most = (INT64_C(1) << (is_unsigned(element) ? width : width - 1)) - 1;
  *least = is_unsigned(element) ? 0 : -*most - 1;
}

/* ---- shorthands ---- */

static EchoValue *number(EchoBuilder *b, EchoValue *like, int64_t value)
{
  return echo_hlo_constant_i64(b, like->type, value);
}

static EchoValue *shifted_left(EchoBuilder *b, EchoValue *x, int64_t by)
{
  return by == 0 ? x : echo_hlo_shift_left(b, x, number(b, x, by));
}

static EchoValue *shifted_right(EchoBuilder *b, EchoValue *x, int64_t by)
{
  return by == 0 ? x : echo_hlo_shift_right_logical(b, x, number(b, x, by));
}

static EchoValue *masked(EchoBuilder *b, EchoValue *x, int64_t mask)
{
  return echo_hlo_and(b, x, number(b, x, mask));
}

static EchoValue *compared(EchoBuilder *b, EchoCompareDirection direction, EchoValue *x, int64_t to)
{
  return echo_hlo_compare(b, direction, x, number(b, x, to));
}

static EchoValue *as(EchoBuilder *b, EchoValue *x, const EchoType *element)
{
  return echo_hlo_bitcast_convert(b, x, echo_type_with_element(b->ctx, x->type, element));
}

/* ---- integers ---- */

static EchoValue *decode_int(EchoBuilder *b, EchoValue *stored, const EchoType *element)
{
  if (is_unsigned(element))
    return stored;
  EchoValue *x = as(b, stored, echo_type_integer(b->ctx, 8, ECHO_SIGNLESS));
  EchoValue *by = number(b, x, 8 - (int64_t)element->as.integer.width);
  return echo_hlo_shift_right_arithmetic(b, echo_hlo_shift_left(b, x, by), by);
}

static EchoValue *encode_int(EchoBuilder *b, EchoValue *value, const EchoType *element)
{
  EchoValue *bits = is_unsigned(element) ? value : as(b, value, byte_type(b->ctx));
  return masked(b, bits, (1 << element->as.integer.width) - 1);
}

/* ---- floats: a field of exponent and mantissa, and a sign above it ---- */

typedef struct Fields {
  const EchoFloatFormat *format;
  int64_t all, exponents, largest, sign; /* masks of the field, largest finite one, sign bit */
} Fields;

static Fields fields_of(const EchoType *element)
{
  Fields f = {.format = echo_float_format(element->as.float_kind)};
  f.all = (INT64_C(1) << (f.format->exponent_bits + f.format->mantissa_bits)) - 1;
  f.exponents = f.all & ~((INT64_C(1) << f.format->mantissa_bits) - 1);
  f.sign = f.format->specials == ECHO_FLOAT_SCALE ? 0 : f.all + 1;
  switch (f.format->specials) {
  case ECHO_FLOAT_IEEE:
    f.largest = f.exponents - 1;
    break;
  case ECHO_FLOAT_NAN_ONLY:
  case ECHO_FLOAT_SCALE:
    f.largest = f.all - 1;
    break;
  default:
    f.largest = f.all;
  }
  return f;
}

static EchoValue *decode_special(EchoBuilder *b, const Fields *f, EchoValue *stored,
                                 EchoValue *field, EchoValue *value)
{
  EchoValue *nan = echo_hlo_constant_like(b, value, (double)NAN);
  switch (f->format->specials) {
  case ECHO_FLOAT_IEEE:
    value = echo_hlo_select(b, compared(b, ECHO_COMPARE_EQ, field, f->exponents),
                            echo_hlo_constant_like(b, value, (double)INFINITY), value);
    return echo_hlo_select(b, compared(b, ECHO_COMPARE_GT, field, f->exponents), nan, value);
  case ECHO_FLOAT_NAN_ONLY:
  case ECHO_FLOAT_SCALE:
    return echo_hlo_select(b, compared(b, ECHO_COMPARE_EQ, field, f->all), nan, value);
  case ECHO_FLOAT_NAN_ZERO:
    return echo_hlo_select(b, compared(b, ECHO_COMPARE_EQ, stored, f->sign), nan, value);
  case ECHO_FLOAT_FINITE:
    return value;
  }
  ECHO_UNREACHABLE("format '%s'", f->format->name);
}

enum { F32_MANTISSA = 23, F32_BIAS = 127 };

static EchoValue *decode_float(EchoBuilder *b, EchoValue *bytes, const EchoType *element)
{
  const Fields f = fields_of(element);
  int64_t m = f.format->mantissa_bits;
  EchoValue *stored = echo_hlo_convert(b, bytes, echo_type_integer(b->ctx, 32, ECHO_UNSIGNED));
  EchoValue *field = masked(b, stored, f.all);
  EchoValue *bits = shifted_left(b, field, F32_MANTISSA - m);
  bits = echo_hlo_add(b, bits, number(b, bits, (int64_t)(F32_BIAS - f.format->bias) << 23));
  EchoValue *value = as(b, bits, echo_type_f32(b->ctx));
  /* Below the smallest exponent the mantissa counts; 2^0 * 2^-bias is the smallest scale. */
  bool is_scale = f.format->specials == ECHO_FLOAT_SCALE;
  EchoValue *counted = echo_hlo_convert(b, field, echo_type_f32(b->ctx));
  EchoValue *unit = echo_hlo_constant_like(b, counted, ldexp(1, 1 - f.format->bias - (int)m));
  EchoValue *small = is_scale ? echo_hlo_constant_like(b, value, ldexp(1, -f.format->bias))
                              : echo_hlo_multiply(b, counted, unit);
  value = echo_hlo_select(b, compared(b, ECHO_COMPARE_LT, field, INT64_C(1) << m), small, value);
  value = decode_special(b, &f, stored, field, value);
  if (f.sign == 0)
    return value;
  EchoValue *is_negative =
      echo_hlo_compare(b, ECHO_COMPARE_NE, masked(b, stored, f.sign), number(b, stored, 0));
  return echo_hlo_select(b, is_negative, echo_hlo_negate(b, value), value);
}

/* A working type's own format, and an integer of its bits. */
typedef struct Working {
  int64_t mantissa_bits, bias, width;
  const EchoType *bits;
} Working;

static Working working_of(EchoContext *ctx, const EchoType *element)
{
  const EchoFloatFormat *format = echo_float_format(element->as.float_kind);
  return (Working){format->mantissa_bits, format->bias, format->width,
                   echo_type_integer(ctx, format->width, ECHO_UNSIGNED)};
}

/* The field of |value|, rounded; too large a one is one above the largest. */
static EchoValue *rounded_field(EchoBuilder *b, const Fields *f, const Working *w, EchoValue *value,
                                EchoValue *magnitude)
{
  int64_t m = f->format->mantissa_bits, drop = w->mantissa_bits - m;
  bool is_scale = f->format->specials == ECHO_FLOAT_SCALE;
  int64_t half = INT64_C(1) << (drop - 1), below = w->bias - f->format->bias;
  EchoValue *odd = masked(b, shifted_right(b, magnitude, drop), 1);
  EchoValue *more =
      is_scale ? number(b, magnitude, half) : echo_hlo_add(b, odd, number(b, magnitude, half - 1));
  EchoValue *field = shifted_right(b, echo_hlo_add(b, magnitude, more), drop);
  field = echo_hlo_subtract(b, field, number(b, field, below << m));
  EchoValue *is_small =
      compared(b, ECHO_COMPARE_LT, magnitude, (below + !is_scale) << w->mantissa_bits);
  if (is_scale)
    return echo_hlo_select(b, is_small, number(b, field, 0), field);
  EchoValue *scaled =
      echo_hlo_multiply(b, echo_hlo_abs(b, value),
                        echo_hlo_constant_like(b, value, ldexp(1, f->format->bias - 1 + (int)m)));
  EchoValue *whole = echo_hlo_round_nearest_even(b, scaled);
  /* where it is not small it may be too large to count */
  whole = echo_hlo_select(b, is_small, whole, echo_hlo_constant_like(b, whole, 0));
  return echo_hlo_select(b, is_small, echo_hlo_convert(b, whole, w->bits), field);
}

static EchoValue *encode_float(EchoBuilder *b, EchoValue *value, const EchoType *element)
{
  const Fields f = fields_of(element);
  EchoFloatSpecials specials = f.format->specials;
  if (specials == ECHO_FLOAT_SCALE)
    value = echo_hlo_convert(b, value, echo_type_f32(b->ctx));
  const Working w = working_of(b->ctx, echo_type_element(value->type));
  EchoValue *bits = as(b, value, w.bits);
  EchoValue *sign = shifted_right(b, bits, w.width - 1);
  EchoValue *magnitude = masked(b, bits, (int64_t)((UINT64_C(1) << (w.width - 1)) - 1));
  int64_t infinity = ((INT64_C(1) << (w.width - 1 - w.mantissa_bits)) - 1) << w.mantissa_bits;
  EchoValue *is_nan = compared(b, ECHO_COMPARE_GT, magnitude, infinity);
  EchoValue *field = rounded_field(b, &f, &w, value, magnitude);
  EchoValue *is_over = compared(b, ECHO_COMPARE_GT, field, f.largest);
  EchoValue *code = field;
  if (specials == ECHO_FLOAT_IEEE) {
    code = echo_hlo_select(b, is_over, number(b, code, f.exponents), code);
    code = echo_hlo_select(
        b, is_nan, number(b, code, f.exponents | INT64_C(1) << (f.format->mantissa_bits - 1)),
        code);
  } else if (specials == ECHO_FLOAT_FINITE) {
    code = echo_hlo_select(b, is_over, number(b, code, f.largest), code);
  } else {
    code = echo_hlo_select(b, echo_hlo_or(b, is_over, is_nan), number(b, code, f.all), code);
  }
  if (f.sign != 0)
    code = echo_hlo_or(b, code, shifted_left(b, sign, f.format->width - 1));
  if (specials == ECHO_FLOAT_NAN_ZERO) {
    code = echo_hlo_select(b, compared(b, ECHO_COMPARE_EQ, field, 0), number(b, code, 0), code);
    is_nan = echo_hlo_or(b, is_over, is_nan);
  }
  if (specials == ECHO_FLOAT_NAN_ZERO || specials == ECHO_FLOAT_FINITE)
    code = echo_hlo_select(b, is_nan, number(b, code, f.sign), code);
  if (specials == ECHO_FLOAT_SCALE) {
    /* by its bits: a comparison would take the smallest scale, a denormal, for zero */
    EchoValue *is_positive = echo_hlo_and(b, compared(b, ECHO_COMPARE_GT, magnitude, 0),
                                          compared(b, ECHO_COMPARE_EQ, sign, 0));
    code = echo_hlo_select(b, is_positive, code, number(b, code, f.all));
  }
  return echo_hlo_convert(b, code, byte_type(b->ctx));
}

/* ---- quantized ---- */

/* One number for each element of `type`, of as many as there are slices. */
static EchoValue *spread(EchoBuilder *b, const EchoType *type, const EchoQuantized *q,
                         const double *values)
{
  if (q->axis < 0)
    return echo_hlo_constant_f64(b, type, values[0]);
  int64_t n = (int64_t)q->n_scales;
  EchoTensor *tensor =
      echo_tensor_create(echo_hlo_tensor(b->ctx, &n, 1, type->as.shaped.element), false);
  for (int64_t i = 0; i < n; ++i)
    echo_tensor_set_f64(tensor, i, values[i]);
  EchoValue *constant = echo_hlo_constant(b, echo_tensor_to_elements(b->ctx, tensor));
  echo_tensor_destroy(tensor);
  return echo_hlo_broadcast_in_dim(b, constant, type, &q->axis, 1);
}

static EchoValue *zero_points(EchoBuilder *b, const EchoType *type, const EchoQuantized *q)
{
  double *values = echo_alloc_array(q->n_scales, sizeof *values);
  for (size_t i = 0; i < q->n_scales; ++i)
    values[i] = (double)q->zero_points[i];
  EchoValue *all = spread(b, type, q, values);
  echo_free(values);
  return all;
}

static EchoValue *decode_quantized(EchoBuilder *b, EchoValue *stored, const EchoQuantized *q)
{
  const EchoType *storage = storage_of(b->ctx, q);
  if (is_narrow_int(storage))
    stored = decode_int(b, stored, storage);
  EchoValue *x = echo_hlo_convert(b, stored, echo_type_i32(b->ctx));
  x = echo_hlo_subtract(b, x, zero_points(b, x->type, q));
  x = echo_hlo_convert(b, x, echo_type_float(b->ctx, q->expressed));
  return echo_hlo_multiply(b, x, spread(b, x->type, q, q->scales));
}

static EchoValue *encode_quantized(EchoBuilder *b, EchoValue *value, const EchoQuantized *q)
{
  const EchoType *storage = storage_of(b->ctx, q);
  EchoValue *x = echo_hlo_divide(b, value, spread(b, value->type, q, q->scales));
  x = echo_hlo_add(b, x, zero_points(b, x->type, q));
  x = echo_hlo_clamp(b, echo_hlo_constant_like(b, x, (double)q->min), x,
                     echo_hlo_constant_like(b, x, (double)q->max));
  x = echo_hlo_round_nearest_even(b, x);
  if (!is_narrow_int(storage))
    return echo_hlo_convert(b, x, storage);
  return encode_int(b, echo_hlo_convert(b, x, echo_element_computed_or_null(b->ctx, storage)),
                    storage);
}

/* ---- all of them ---- */

EchoValue *echo_element_decode(EchoBuilder *b, EchoValue *stored, const EchoType *element)
{
  EchoQuantized q;
  if (is_narrow_int(element))
    return decode_int(b, stored, element);
  if (!echo_quantized_read(element, &q))
    return decode_float(b, stored, element);
  EchoValue *value = decode_quantized(b, stored, &q);
  echo_quantized_destroy(&q);
  return value;
}

EchoValue *echo_element_encode(EchoBuilder *b, EchoValue *value, const EchoType *element)
{
  EchoQuantized q;
  if (is_narrow_int(element))
    return encode_int(b, value, element);
  if (!echo_quantized_read(element, &q))
    return encode_float(b, value, element);
  EchoValue *stored = encode_quantized(b, value, &q);
  echo_quantized_destroy(&q);
  return stored;
}
