/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions between f64 and every float format, by bits: one decoder and one encoder over a table
 * of formats, so that results do not depend on the machine's rounding mode or instructions. */
#include "ir/attributes/float_format.h"

/* name, width, exponent, mantissa, bias, specials. Biases as in LLVM's APFloat semantics. */
static const EchoFloatFormat FORMATS[ECHO_N_FLOAT_KINDS] = {
    [ECHO_F4E2M1FN] = {"f4E2M1FN", 4, 2, 1, 1, ECHO_FLOAT_FINITE},
    [ECHO_F6E2M3FN] = {"f6E2M3FN", 6, 2, 3, 1, ECHO_FLOAT_FINITE},
    [ECHO_F6E3M2FN] = {"f6E3M2FN", 6, 3, 2, 3, ECHO_FLOAT_FINITE},
    [ECHO_F8E3M4] = {"f8E3M4", 8, 3, 4, 3, ECHO_FLOAT_IEEE},
    [ECHO_F8E4M3] = {"f8E4M3", 8, 4, 3, 7, ECHO_FLOAT_IEEE},
    [ECHO_F8E4M3B11FNUZ] = {"f8E4M3B11FNUZ", 8, 4, 3, 11, ECHO_FLOAT_NAN_ZERO},
    [ECHO_F8E4M3FN] = {"f8E4M3FN", 8, 4, 3, 7, ECHO_FLOAT_NAN_ONLY},
    [ECHO_F8E4M3FNUZ] = {"f8E4M3FNUZ", 8, 4, 3, 8, ECHO_FLOAT_NAN_ZERO},
    [ECHO_F8E5M2] = {"f8E5M2", 8, 5, 2, 15, ECHO_FLOAT_IEEE},
    [ECHO_F8E5M2FNUZ] = {"f8E5M2FNUZ", 8, 5, 2, 16, ECHO_FLOAT_NAN_ZERO},
    [ECHO_F8E8M0FNU] = {"f8E8M0FNU", 8, 8, 0, 127, ECHO_FLOAT_SCALE},
    [ECHO_BF16] = {"bf16", 16, 8, 7, 127, ECHO_FLOAT_IEEE},
    [ECHO_F16] = {"f16", 16, 5, 10, 15, ECHO_FLOAT_IEEE},
    [ECHO_TF32] = {"tf32", 19, 8, 10, 127, ECHO_FLOAT_IEEE},
    [ECHO_F32] = {"f32", 32, 8, 23, 127, ECHO_FLOAT_IEEE},
    [ECHO_F64] = {"f64", 64, 11, 52, 1023, ECHO_FLOAT_IEEE},
    [ECHO_F80] = {"f80", 80, 15, 63, 16383, ECHO_FLOAT_IEEE},
    [ECHO_F128] = {"f128", 128, 15, 112, 16383, ECHO_FLOAT_IEEE},
};

#define F64_SIGN (UINT64_C(1) << 63)
#define F64_INFINITY (UINT64_C(0x7ff) << 52)
#define F64_QUIET_BIT (UINT64_C(1) << 51)
#define F64_MANTISSA ((UINT64_C(1) << 52) - 1)

static uint64_t bits_of(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double from_bits(uint64_t bits)
{
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t low_mask(uint32_t n_bits)
{
  return n_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << n_bits) - 1;
}

const EchoFloatFormat *echo_float_format(EchoFloatKind kind)
{
  ECHO_CHECK((unsigned)kind < ECHO_N_FLOAT_KINDS, "float kind %d", (int)kind);
  return &FORMATS[kind];
}

uint32_t echo_float_bit_width(EchoFloatKind kind)
{
  return echo_float_format(kind)->width;
}

const char *echo_float_name(EchoFloatKind kind)
{
  return echo_float_format(kind)->name;
}

/* ---- f64 to narrow ---- */

static uint64_t sign_bit(const EchoFloatFormat *format)
{
  return UINT64_C(1) << (format->width - 1);
}

/* All ones in the exponent. */
static uint64_t exponent_mask(const EchoFloatFormat *format)
{
  return low_mask(format->exponent_bits) << format->mantissa_bits;
}

static uint64_t largest_finite(const EchoFloatFormat *format)
{
  uint64_t magnitude = low_mask(format->exponent_bits + format->mantissa_bits);
  switch (format->specials) {
  case ECHO_FLOAT_IEEE:
    return exponent_mask(format) - 1;
  case ECHO_FLOAT_NAN_ONLY:
  case ECHO_FLOAT_SCALE:
    return magnitude - 1;
  case ECHO_FLOAT_NAN_ZERO:
  case ECHO_FLOAT_FINITE:
    return magnitude;
  }
  ECHO_UNREACHABLE("format '%s'", format->name);
}

/* NaN; IEEE formats keep the sign and the payload's high bits, quieted when those are all zero. */
static uint64_t encode_nan(const EchoFloatFormat *format, uint64_t f64_bits)
{
  bool negative = (f64_bits & F64_SIGN) != 0;
  uint64_t magnitude = low_mask(format->exponent_bits + format->mantissa_bits);
  switch (format->specials) {
  case ECHO_FLOAT_IEEE: {
    uint64_t payload = (f64_bits & F64_MANTISSA) >> (52 - format->mantissa_bits);
    if (payload == 0)
      payload = UINT64_C(1) << (format->mantissa_bits - 1);
    return (negative ? sign_bit(format) : 0) | exponent_mask(format) | payload;
  }
  case ECHO_FLOAT_NAN_ONLY:
    return (negative ? sign_bit(format) : 0) | magnitude;
  case ECHO_FLOAT_NAN_ZERO:
  case ECHO_FLOAT_FINITE:
    return sign_bit(format);
  case ECHO_FLOAT_SCALE:
    return magnitude;
  }
  ECHO_UNREACHABLE("format '%s'", format->name);
}

/* What a magnitude above the largest finite one becomes. */
static uint64_t encode_overflow(const EchoFloatFormat *format, bool negative)
{
  uint64_t sign = negative && format->specials != ECHO_FLOAT_SCALE ? sign_bit(format) : 0;
  switch (format->specials) {
  case ECHO_FLOAT_IEEE:
    return sign | exponent_mask(format);
  case ECHO_FLOAT_FINITE:
    return sign | largest_finite(format);
  default:
    return encode_nan(format, negative ? F64_SIGN : 0);
  }
}

/* significand / 2^drop, to nearest, ties to even. */
static uint64_t shift_round(uint64_t significand, uint32_t drop)
{
  if (drop == 0)
    return significand;
  if (drop > 63)
    return 0; /* significands have 53 bits: below half */
  uint64_t half = UINT64_C(1) << (drop - 1);
  uint64_t rest = significand & low_mask(drop);
  uint64_t kept = significand >> drop;
  return kept + (rest > half || (rest == half && (kept & 1) != 0));
}

/* A finite value that is not zero: significand * 2^(exponent - 52), significand in [2^52, 2^53).
 * Rounding may carry into the exponent, which is then what it should be. */
static uint64_t encode_magnitude(const EchoFloatFormat *format, uint64_t significand,
                                 int32_t exponent)
{
  int32_t smallest = 1 - format->bias; /* exponent of the smallest normal value */
  uint32_t drop = 52 - format->mantissa_bits;
  if (exponent >= smallest) {
    /* the significand's leading one adds one to the exponent field */
    uint64_t field = (uint64_t)(exponent - smallest) << format->mantissa_bits;
    return field + shift_round(significand, drop);
  }
  uint32_t below = (uint32_t)(smallest - exponent);
  return shift_round(significand, below > 64 ? 64 : drop + below);
}

/* Of a power-of-two format: its field is exponent + bias, with no zero below. */
static uint64_t encode_scale(const EchoFloatFormat *format, uint64_t significand, int32_t exponent)
{
  int32_t rounded = exponent + (int32_t)shift_round(significand, 52) - 1;
  return rounded < -format->bias ? 0 : (uint64_t)(rounded + format->bias);
}

static uint64_t encode(const EchoFloatFormat *format, double value)
{
  uint64_t bits = bits_of(value);
  bool negative = (bits & F64_SIGN) != 0;
  uint64_t magnitude = bits & ~F64_SIGN;
  if (magnitude > F64_INFINITY)
    return encode_nan(format, bits);
  if (magnitude == F64_INFINITY)
    return encode_overflow(format, negative);
  bool is_scale = format->specials == ECHO_FLOAT_SCALE;
  if (is_scale && (negative || magnitude == 0))
    return encode_nan(format, bits);

  uint64_t result = 0;
  if (magnitude != 0) {
    int32_t exponent = (int32_t)(magnitude >> 52);
    uint64_t significand = magnitude & F64_MANTISSA;
    if (exponent == 0) {
      int shift = __builtin_clzll(significand) - 11;
      significand <<= shift;
      exponent = 1 - shift;
    } else {
      significand |= F64_MANTISSA + 1;
    }
    exponent -= 1023;
    result = is_scale ? encode_scale(format, significand, exponent)
                      : encode_magnitude(format, significand, exponent);
  }
  if (result > largest_finite(format))
    return encode_overflow(format, negative);
  if (result == 0 && format->specials == ECHO_FLOAT_NAN_ZERO)
    return 0;
  return negative ? result | sign_bit(format) : result;
}

/* The common case in one step: a value that is normal in an IEEE format, whose rounding may carry
 * into the exponent, up to infinity. */
static bool encode_normal(const EchoFloatFormat *format, double value, uint64_t *result)
{
  uint64_t magnitude = bits_of(value) & ~F64_SIGN, exponent = magnitude >> 52;
  uint64_t bias = 1023 - (uint64_t)format->bias; /* what its exponents have less */
  uint32_t drop = 52 - format->mantissa_bits;
  if (format->specials != ECHO_FLOAT_IEEE || exponent <= bias ||
      exponent >= bias + low_mask(format->exponent_bits))
    return false;
  uint64_t below_half = (UINT64_C(1) << (drop - 1)) - 1, is_odd = magnitude >> drop & 1;
  *result = ((magnitude + below_half + is_odd) >> drop) - (bias << format->mantissa_bits);
  if (value < 0)
    *result |= sign_bit(format);
  return true;
}

uint64_t echo_float_from_f64(EchoFloatKind kind, double value)
{
  if (kind == ECHO_F64)
    return bits_of(value);
  const EchoFloatFormat *format = echo_float_format(kind);
  ECHO_CHECK(format->width < 64, "'%s' does not fit in a word", format->name);
  uint64_t result;
  return encode_normal(format, value, &result) ? result : encode(format, value);
}

/* ---- narrow to f64: always exact ---- */

/* The value of a pattern that is neither NaN nor infinity. */
static double decode_finite(const EchoFloatFormat *format, uint64_t exponent, uint64_t mantissa,
                            uint64_t sign)
{
  int64_t f64_exponent = (int64_t)exponent - format->bias + 1023;
  uint64_t fraction = mantissa << (52 - format->mantissa_bits);
  if (exponent == 0 && format->specials != ECHO_FLOAT_SCALE) {
    if (mantissa == 0)
      return from_bits(sign);
    int shift = __builtin_clzll(fraction) - 11;
    fraction = (fraction << shift) & F64_MANTISSA;
    f64_exponent += 1 - shift;
  }
  return from_bits(sign | (uint64_t)f64_exponent << 52 | fraction);
}

static double decode(const EchoFloatFormat *format, uint64_t bits)
{
  bits &= low_mask(format->width);
  bool is_scale = format->specials == ECHO_FLOAT_SCALE;
  bool negative = !is_scale && (bits & sign_bit(format)) != 0;
  uint64_t sign = negative ? F64_SIGN : 0;
  uint64_t magnitude = bits & low_mask(format->exponent_bits + format->mantissa_bits);
  uint64_t exponent = magnitude >> format->mantissa_bits;
  uint64_t mantissa = magnitude & low_mask(format->mantissa_bits);
  if (format->specials == ECHO_FLOAT_NAN_ZERO && bits == sign_bit(format))
    return from_bits(F64_INFINITY | F64_QUIET_BIT);
  if (magnitude > largest_finite(format)) {
    if (format->specials != ECHO_FLOAT_IEEE)
      return from_bits(sign | F64_INFINITY | F64_QUIET_BIT);
    return from_bits(sign | F64_INFINITY | mantissa << (52 - format->mantissa_bits));
  }
  return decode_finite(format, exponent, mantissa, sign);
}

double echo_float_to_f64(EchoFloatKind kind, uint64_t bits)
{
  if (kind == ECHO_F64)
    return from_bits(bits);
  const EchoFloatFormat *format = echo_float_format(kind);
  ECHO_CHECK(format->width < 64, "'%s' does not fit in a word", format->name);
  return decode(format, bits);
}

/* ---- wide formats ---- */

/* A sign, an exponent field and a significand of 128 bits whose top bit is the integer bit. */
typedef struct Wide {
  uint64_t high, low;
  uint32_t exponent;
  bool negative;
} Wide;

enum { WIDE_BIAS = 16383, WIDE_SPECIAL = 0x7fff };

static Wide wide_from_f64(double value)
{
  uint64_t bits = bits_of(value);
  Wide wide = {.negative = (bits & F64_SIGN) != 0};
  uint32_t exponent = (uint32_t)(bits >> 52) & 0x7ff;
  uint64_t mantissa = bits & F64_MANTISSA;
  if (exponent == 0x7ff) {
    wide.exponent = WIDE_SPECIAL;
    wide.high = UINT64_C(1) << 63 | mantissa << 11;
  } else if (exponent != 0) {
    wide.exponent = exponent - 1023 + WIDE_BIAS;
    wide.high = UINT64_C(1) << 63 | mantissa << 11;
  } else if (mantissa != 0) {
    int shift = __builtin_clzll(mantissa);
    wide.exponent = (uint32_t)(1 - 1023 + WIDE_BIAS + 11 - shift);
    wide.high = mantissa << shift;
  }
  return wide;
}

/* The high word with what lies below it folded into its last bit: enough for correct rounding,
 * which needs 55 bits. */
static uint64_t sticky_high(Wide wide)
{
  return wide.high | (wide.low != 0);
}

static double wide_to_f64(Wide wide)
{
  uint64_t sign = wide.negative ? F64_SIGN : 0;
  uint64_t fraction = wide.high << 1; /* without the integer bit */
  if (wide.exponent == WIDE_SPECIAL) {
    uint64_t payload = fraction >> 12;
    bool is_nan = fraction != 0 || wide.low != 0;
    if (is_nan && payload == 0)
      payload = F64_QUIET_BIT;
    return from_bits(sign | F64_INFINITY | payload);
  }
  uint64_t significand = sticky_high(wide);
  if (significand == 0)
    return from_bits(sign);
  int32_t exponent = (int32_t)(wide.exponent != 0 ? wide.exponent : 1) - WIDE_BIAS;
  int shift = __builtin_clzll(significand);
  significand <<= shift;
  exponent -= shift;
  uint64_t magnitude;
  if (exponent > 1023)
    magnitude = F64_INFINITY;
  else if (exponent >= -1022)
    magnitude = ((uint64_t)(exponent + 1022) << 52) + shift_round(significand, 11);
  else if (exponent >= -1022 - 52)
    magnitude = shift_round(significand, (uint32_t)(11 - 1022 - exponent));
  else /* at most half of the smallest value: exactly half ties to zero */
    magnitude = exponent == -1022 - 53 && significand > UINT64_C(1) << 63;
  return from_bits(sign | magnitude);
}

static void pack_f80(Wide wide, uint64_t words[2])
{
  words[0] = wide.high;
  words[1] = (uint64_t)wide.negative << 15 | wide.exponent;
}

static Wide unpack_f80(const uint64_t words[2])
{
  return (Wide){.high = words[0],
                .exponent = (uint32_t)words[1] & 0x7fff,
                .negative = (words[1] >> 15 & 1) != 0};
}

/* 112 bits of mantissa: 48 in the high word. */
static void pack_f128(Wide wide, uint64_t words[2])
{
  uint64_t fraction = wide.high << 1; /* f64 fits: the low word of the significand is zero */
  words[0] = fraction << 48;
  words[1] = (uint64_t)wide.negative << 63 | (uint64_t)wide.exponent << 48 | fraction >> 16;
}

static Wide unpack_f128(const uint64_t words[2])
{
  Wide wide = {.exponent = (uint32_t)(words[1] >> 48) & 0x7fff, .negative = words[1] >> 63 != 0};
  uint64_t integer_bit = wide.exponent != 0 ? UINT64_C(1) << 63 : 0;
  wide.high = integer_bit | (words[1] & low_mask(48)) << 15 | words[0] >> 49;
  wide.low = words[0] << 15;
  return wide;
}

void echo_float_words_from_f64(EchoFloatKind kind, double value, uint64_t words[2])
{
  ECHO_CHECK(words != NULL, "a float is written, but 'words' is NULL");
  if (kind == ECHO_F80) {
    pack_f80(wide_from_f64(value), words);
  } else if (kind == ECHO_F128) {
    pack_f128(wide_from_f64(value), words);
  } else {
    words[0] = echo_float_from_f64(kind, value);
    words[1] = 0;
  }
}

double echo_float_words_to_f64(EchoFloatKind kind, const uint64_t words[2])
{
  ECHO_CHECK(words != NULL, "a float is read, but 'words' is NULL");
  if (kind == ECHO_F80)
    return wide_to_f64(unpack_f80(words));
  if (kind == ECHO_F128)
    return wide_to_f64(unpack_f128(words));
  return echo_float_to_f64(kind, words[0]);
}
