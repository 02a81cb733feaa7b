/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/gpu/half.h"

#include <math.h>
#include <string.h>

double half_to_double(uint16_t bits)
{
  int exponent = bits >> 10 & 0x1f, mantissa = bits & 0x3ff;
  double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 0x1f)
    return mantissa != 0 ? NAN : sign * INFINITY;
  return sign * (exponent == 0 ? ldexp(mantissa, -24) : ldexp(mantissa + 1024, exponent - 25));
}

/* Of a format with `digits` bits of mantissa behind the point and exponents from `low` to `high`:
 * the magnitude as its bits, without a sign. */
static uint16_t round_to(double magnitude, int digits, int low, int high)
{
  int exponent;
  if (magnitude == 0.0)
    return 0;
  frexp(magnitude, &exponent);
  exponent -= 1; /* magnitude = 1.x * 2^exponent */
  if (exponent < low)
    exponent = low;
  double scaled = nearbyint(ldexp(magnitude, digits - exponent)); /* an integer: exact from here */
  int64_t mantissa = (int64_t)scaled;
  int64_t bits = ((int64_t)(exponent - low) << digits) + mantissa;
  int64_t infinity = (int64_t)(high - low + 2) << digits;
  /* a normal number has its leading one counted as an exponent step */
  return (uint16_t)(bits < infinity ? bits : infinity);
}

uint16_t half_from_double(double value)
{
  if (isnan(value))
    return 0x7fff;
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  if (isinf(value))
    return (uint16_t)(sign | 0x7c00);
  return (uint16_t)(sign | round_to(fabs(value), 10, -14, 15));
}

double bfloat_to_double(uint16_t bits)
{
  uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, sizeof value);
  return value;
}

uint16_t bfloat_from_double(double value)
{
  if (isnan(value))
    return 0x7fff;
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  if (isinf(value))
    return (uint16_t)(sign | 0x7f80);
  return (uint16_t)(sign | round_to(fabs(value), 7, -126, 127));
}

double fma_to_odd(double a, double b, double c)
{
  double product = a * b; /* exact: at most 22 digits */
  double sum = product + c;
  if (!isfinite(sum))
    return sum;
  double back = sum - product, error = (product - (sum - back)) + (c - back);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (error == 0.0 || (bits & 1) != 0)
    return sum;
  /* not exact and even: the neighbour towards the exact value is odd */
  return nextafter(sum, error > 0.0 ? INFINITY : -INFINITY);
}
