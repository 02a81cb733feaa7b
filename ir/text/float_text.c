/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ir/text/float_text_t.h"

#include <math.h>

#include "base/decimal.h"
#include "ir/attributes/float_format.h"

/* ---- unsigned integers of any size that a float's digits need ---- */

enum { MAX_LIMBS = 1300 }; /* f128: 113 bits times 5 to the 16494 */

typedef struct Big {
  uint32_t limbs[MAX_LIMBS]; /* least significant first */
  size_t n;                  /* without leading zeros */
} Big;

static void big_trim(Big *big)
{
  while (big->n != 0 && big->limbs[big->n - 1] == 0)
    big->n--;
}

static void big_multiply(Big *big, uint32_t factor)
{
  uint64_t carry = 0;
  for (size_t i = 0; i < big->n; i++) {
    carry += (uint64_t)big->limbs[i] * factor;
    big->limbs[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry != 0)
    big->limbs[big->n++] = (uint32_t)carry;
}

static uint32_t big_divide(Big *big, uint32_t divisor)
{
  uint64_t rest = 0;
  for (size_t i = big->n; i-- > 0;) {
    rest = rest << 32 | big->limbs[i];
    big->limbs[i] = (uint32_t)(rest / divisor);
    rest %= divisor;
  }
  big_trim(big);
  return (uint32_t)rest;
}

static void big_shift_left(Big *big, unsigned bits)
{
  for (; bits >= 16; bits -= 16)
    big_multiply(big, 1u << 16);
  big_multiply(big, 1u << bits);
}

static unsigned big_active_bits(const Big *big)
{
  if (big->n == 0)
    return 0;
  unsigned bits = 0;
  for (uint32_t top = big->limbs[big->n - 1]; top != 0; top >>= 1)
    bits++;
  return (unsigned)(big->n - 1) * 32 + bits;
}

/* ---- taking a number apart ---- */

typedef struct Parts {
  bool negative, is_special, is_zero;
  uint64_t significand[2]; /* value = significand * 2^exponent */
  int exponent;
} Parts;

static void parts_of_double(double value, Parts *parts)
{
  parts->negative = signbit(value) != 0;
  parts->is_special = isnan(value) || isinf(value);
  parts->is_zero = value == 0;
  if (parts->is_special || parts->is_zero)
    return;
  int exponent;
  double fraction = frexp(fabs(value), &exponent);
  parts->significand[0] = (uint64_t)ldexp(fraction, 53);
  parts->significand[1] = 0;
  parts->exponent = exponent - 53;
}

/* f80 (with its integer bit in the open) and f128. */
static void parts_of_wide(EchoFloatKind kind, const uint64_t words[2], Parts *parts)
{
  const EchoFloatFormat *format = echo_float_format(kind);
  bool is_f80 = kind == ECHO_F80;
  uint64_t top = is_f80 ? words[1] & 0xffff : words[1] >> 48;
  unsigned biased = (unsigned)(top & 0x7fff);
  parts->negative = (top & 0x8000) != 0;
  parts->is_special = biased == 0x7fff;
  parts->significand[0] = words[0];
  parts->significand[1] = is_f80 ? 0 : words[1] & ((UINT64_C(1) << 48) - 1);
  if (!is_f80 && biased != 0)
    parts->significand[1] |= UINT64_C(1) << 48;
  parts->is_zero = (parts->significand[0] | parts->significand[1]) == 0;
  int unbiased = (biased == 0 ? 1 : (int)biased) - format->bias;
  parts->exponent = unbiased - (is_f80 ? 63 : 112);
}

/* ---- digits ---- */

enum { MAX_DIGITS = 64 };

typedef struct Digits {
  char text[MAX_DIGITS]; /* most significant first, no trailing zeros */
  size_t n;
  int exponent; /* of the last digit */
} Digits;

static void drop_trailing_zeros(Digits *digits)
{
  while (digits->n > 1 && digits->text[digits->n - 1] == '0') {
    digits->n--;
    digits->exponent++;
  }
}

/* Half up, as APFloat has it. */
static void round_digits(Digits *digits, unsigned precision)
{
  if (digits->n <= precision)
    return;
  bool up = digits->text[precision] >= '5';
  digits->exponent += (int)(digits->n - precision);
  digits->n = precision;
  size_t i = precision;
  while (up && i > 0) {
    i--;
    up = digits->text[i] == '9';
    digits->text[i] = up ? '0' : (char)(digits->text[i] + 1);
  }
  if (up) { /* carried through all: 1 with zeros */
    digits->text[0] = '1';
    digits->exponent++;
  }
  drop_trailing_zeros(digits);
}

/* As many tens as are cut off so that about `precision` digits are left, by the number of bits. */
static int n_tens_cut(int bits, unsigned precision)
{
  int required = (int)(precision * 196 + 58) / 59;
  return bits <= required ? 0 : (bits - required) * 59 / 196;
}

static void cut_to_precision(Big *big, unsigned precision, int *exponent)
{
  int tens = n_tens_cut((int)big_active_bits(big), precision);
  *exponent += tens;
  for (; tens >= 9; tens -= 9)
    big_divide(big, 1000000000);
  for (; tens > 0; tens--)
    big_divide(big, 10);
}

/* The same as exact_digits, by arithmetic of a fixed width; false where that does not decide. */
static bool quick_digits(const Parts *parts, unsigned precision, Digits *digits)
{
  enum { MOST_DIGITS = 17 }; /* the two or three more that are left fit 64 bits */
  static const uint64_t POWERS[] = {1,      10,      100,      1000,      10000,
                                    100000, 1000000, 10000000, 100000000, 1000000000};
  uint64_t significand = parts->significand[0], leading;
  if (parts->significand[1] != 0 || precision > MOST_DIGITS)
    return false;
  int exponent = parts->exponent;
  if (exponent < 0) {
    int zeros = __builtin_ctzll(significand), dropped = zeros < -exponent ? zeros : -exponent;
    significand >>= dropped;
    exponent += dropped;
  }
  int left = exponent < 0 ? -exponent : 0, bits; /* significand * 5^left * 10^-left */
  if (!echo_decimal_n_bits(significand, left, &bits))
    return false;
  bits += exponent > 0 ? exponent : 0;
  int power = left - n_tens_cut(bits, precision);
  int n_whole_bits = 64 - __builtin_clzll(significand) + exponent;
  if (power < 0 && power > -10 && n_whole_bits <= 64) /* a whole number's digits, exactly */
    leading = (exponent < 0 ? significand >> -exponent : significand << exponent) / POWERS[-power];
  else if (!echo_decimal_scale(significand, exponent, power, &leading))
    return false;
  char reversed[MAX_DIGITS];
  size_t n = 0;
  for (; leading != 0; leading /= 10)
    reversed[n++] = (char)('0' + leading % 10);
  digits->n = n;
  digits->exponent = -power;
  for (size_t i = 0; i < n; i++)
    digits->text[i] = reversed[n - 1 - i];
  return true;
}

static void exact_digits(const Parts *parts, unsigned precision, Digits *digits)
{
  Big big;
  big.n = 4;
  for (size_t i = 0; i < 4; i++)
    big.limbs[i] = (uint32_t)(parts->significand[i / 2] >> (i % 2 * 32));
  big_trim(&big);
  int exponent = parts->exponent;
  while (exponent < 0 && (big.limbs[0] & 1) == 0) {
    big_divide(&big, 2);
    exponent++;
  }
  if (exponent > 0) {
    big_shift_left(&big, (unsigned)exponent);
    exponent = 0;
  }
  int left = -exponent; /* N * 2^-e = N * 5^e * 10^-e */
  for (; left >= 13; left -= 13)
    big_multiply(&big, 1220703125);
  for (; left > 0; left--)
    big_multiply(&big, 5);
  cut_to_precision(&big, precision, &exponent);
  char reversed[MAX_DIGITS];
  size_t n = 0;
  while (big.n != 0 && n < MAX_DIGITS)
    reversed[n++] = (char)('0' + big_divide(&big, 10));
  digits->n = n;
  digits->exponent = exponent;
  for (size_t i = 0; i < n; i++)
    digits->text[i] = reversed[n - 1 - i];
}

static void to_digits(const Parts *parts, unsigned precision, Digits *digits)
{
  if (!quick_digits(parts, precision, digits))
    exact_digits(parts, precision, digits);
  drop_trailing_zeros(digits);
  round_digits(digits, precision);
}

/* ---- the two layouts ---- */

/* "1.234560e+00": a digit, a point, the others and zeros up to `precision`. */
static void append_scientific(const Digits *digits, unsigned precision, bool pad, EchoBuffer *out)
{
  int exponent = digits->exponent + (int)digits->n - 1;
  echo_buffer_append_char(out, digits->text[0]);
  echo_buffer_append_char(out, '.');
  if (digits->n == 1 && !pad)
    echo_buffer_append_char(out, '0');
  echo_buffer_append(out, digits->text + 1, digits->n - 1);
  for (size_t i = digits->n; pad && i <= precision; i++)
    echo_buffer_append_char(out, '0');
  echo_buffer_append_char(out, pad ? 'e' : 'E');
  echo_buffer_append_char(out, exponent < 0 ? '-' : '+');
  unsigned magnitude = (unsigned)(exponent < 0 ? -exponent : exponent);
  if (pad && magnitude < 10)
    echo_buffer_append_char(out, '0');
  echo_buffer_append_u64(out, magnitude);
}

/* The natural form: no exponent while at most three zeros pad it. */
static void append_natural(const Digits *digits, unsigned precision, EchoBuffer *out)
{
  enum { MAX_PADDING = 3 };
  int n = (int)digits->n, exponent = digits->exponent, top = exponent + n - 1;
  bool scientific = exponent >= 0 ? exponent > MAX_PADDING || n + exponent > (int)precision
                                  : top < 0 && -top > MAX_PADDING;
  if (scientific) {
    append_scientific(digits, precision, false, out);
    return;
  }
  if (exponent >= 0) {
    echo_buffer_append(out, digits->text, digits->n);
    for (int i = 0; i < exponent; i++)
      echo_buffer_append_char(out, '0');
    return;
  }
  int whole = n + exponent;
  if (whole > 0) {
    echo_buffer_append(out, digits->text, (size_t)whole);
    echo_buffer_append_char(out, '.');
    echo_buffer_append(out, digits->text + whole, (size_t)(n - whole));
    return;
  }
  echo_buffer_append_c(out, "0.");
  for (int i = 0; i < -whole; i++)
    echo_buffer_append_char(out, '0');
  echo_buffer_append(out, digits->text, digits->n);
}

/* ---- choosing ---- */

/* Whether the text reads back as the same bits. The wide formats hold more than a double does, so
 * that for them only digits that are the number itself count. */
static bool reads_back(EchoFloatKind kind, const Parts *parts, uint64_t bits, const Digits *digits,
                       EchoStr text)
{
  double value;
  if (echo_float_bit_width(kind) <= 64)
    return echo_str_to_f64(text, &value) && echo_float_from_f64(kind, value) == bits;
  Digits more;
  to_digits(parts, MAX_DIGITS - 8, &more);
  return more.n == digits->n && more.exponent == digits->exponent &&
         memcmp(more.text, digits->text, more.n) == 0;
}

static bool print_hex(const uint64_t words[2], EchoBuffer *out)
{
  if (words[1] != 0)
    echo_buffer_printf(out, "0x%llX%016llX", (unsigned long long)words[1],
                       (unsigned long long)words[0]);
  else
    echo_buffer_printf(out, "0x%llX", (unsigned long long)words[0]);
  return true;
}

bool echo_float_print(EchoFloatKind kind, const uint64_t bits[2], EchoBuffer *out)
{
  enum { SHORT_PRECISION = 6 };
  bool is_wide = echo_float_bit_width(kind) > 64;
  uint64_t words[2] = {bits[0], is_wide ? bits[1] : 0};
  if (kind == ECHO_F80 && (words[1] & 0x7fff) != 0 && words[0] >> 63 == 0)
    words[1] |= 0x7fff; /* no integer bit and no denormal: an encoding of nothing, NaN to LLVM */
  Parts parts = {0};
  if (is_wide)
    parts_of_wide(kind, words, &parts);
  else
    parts_of_double(echo_float_to_f64(kind, words[0]), &parts);
  if (parts.is_special)
    return print_hex(words, out);
  if (parts.is_zero) {
    echo_buffer_append_c(out, parts.negative ? "-0.000000e+00" : "0.000000e+00");
    return false;
  }
  size_t start = out->size;
  Digits digits;
  if (parts.negative)
    echo_buffer_append_char(out, '-');
  to_digits(&parts, SHORT_PRECISION, &digits);
  append_scientific(&digits, SHORT_PRECISION, true, out);
  if (reads_back(kind, &parts, words[0], &digits, (EchoStr){out->data + start, out->size - start}))
    return false;
  out->size = start + parts.negative;
  unsigned precision = 2 + (echo_float_format(kind)->mantissa_bits + 1) * 59 / 196;
  to_digits(&parts, precision, &digits);
  append_natural(&digits, precision, out);
  if (memchr(out->data + start, '.', out->size - start) != NULL)
    return false;
  out->size = start;
  return print_hex(words, out);
}
