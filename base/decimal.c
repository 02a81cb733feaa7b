/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/decimal.h"

#include <string.h>

/* ---- powers of five ---- */

/* 5^q = 5^(27 a) * 5^b with 0 <= b < 27. The coarse powers are cut to their upper 128 bits, the
 * highest of which is set; the fine ones are exact. */
enum { FINE_POWERS = 27, FIRST_COARSE = -13, LAST_COARSE = 11 };

typedef struct U128 {
  uint64_t high, low;
} U128;

static const U128 COARSE[] = {
    {UINT64_C(0x8049a4ac0c5811ae), UINT64_C(0x205b896d777d6278)}, /* 5^-351 */
    {UINT64_C(0xcf42894a5dce35ea), UINT64_C(0x52064cac828675b9)}, /* 5^-324 */
    {UINT64_C(0xa76c582338ed2621), UINT64_C(0xaf2af2b80af6f24e)}, /* 5^-297 */
    {UINT64_C(0x873e4f75e2224e68), UINT64_C(0x5a7744a6e804a291)}, /* 5^-270 */
    {UINT64_C(0xda7f5bf590966848), UINT64_C(0xaf39a475506a899e)}, /* 5^-243 */
    {UINT64_C(0xb080392cc4349dec), UINT64_C(0xbd8d794d96aacfb3)}, /* 5^-216 */
    {UINT64_C(0x8e938662882af53e), UINT64_C(0x547eb47b7282ee9c)}, /* 5^-189 */
    {UINT64_C(0xe65829b3046b0afa), UINT64_C(0x0cb4a5a3112a5112)}, /* 5^-162 */
    {UINT64_C(0xba121a4650e4ddeb), UINT64_C(0x92f34d62616ce413)}, /* 5^-135 */
    {UINT64_C(0x964e858c91ba2655), UINT64_C(0x3a6a07f8d510f86f)}, /* 5^-108 */
    {UINT64_C(0xf2d56790ab41c2a2), UINT64_C(0xfae27299423fb9c3)}, /* 5^-81 */
    {UINT64_C(0xc428d05aa4751e4c), UINT64_C(0xaa97e14c3c26b886)}, /* 5^-54 */
    {UINT64_C(0x9e74d1b791e07e48), UINT64_C(0x775ea264cf55347d)}, /* 5^-27 */
    {UINT64_C(0x8000000000000000), UINT64_C(0x0000000000000000)}, /* 5^0 */
    {UINT64_C(0xcecb8f27f4200f3a), UINT64_C(0x0000000000000000)}, /* 5^27 */
    {UINT64_C(0xa70c3c40a64e6c51), UINT64_C(0x999090b65f67d924)}, /* 5^54 */
    {UINT64_C(0x86f0ac99b4e8dafd), UINT64_C(0x69a028bb3ded71a3)}, /* 5^81 */
    {UINT64_C(0xda01ee641a708de9), UINT64_C(0xe80e6f4820cc9495)}, /* 5^108 */
    {UINT64_C(0xb01ae745b101e9e4), UINT64_C(0x5ec05dcff72e7f8f)}, /* 5^135 */
    {UINT64_C(0x8e41ade9fbebc27d), UINT64_C(0x14588f13be847307)}, /* 5^162 */
    {UINT64_C(0xe5d3ef282a242e81), UINT64_C(0x8f1668c8a86da5fa)}, /* 5^189 */
    {UINT64_C(0xb9a74a0637ce2ee1), UINT64_C(0x6d953e2bd7173692)}, /* 5^216 */
    {UINT64_C(0x95f83d0a1fb69cd9), UINT64_C(0x4abdaf101564f98e)}, /* 5^243 */
    {UINT64_C(0xf24a01a73cf2dccf), UINT64_C(0xbc633b39673c8cec)}, /* 5^270 */
    {UINT64_C(0xc3b8358109e84f07), UINT64_C(0x0a862f80ec4700c8)}, /* 5^297 */
};

static const uint64_t FINE[FINE_POWERS] = {UINT64_C(1),
                                           UINT64_C(5),
                                           UINT64_C(25),
                                           UINT64_C(125),
                                           UINT64_C(625),
                                           UINT64_C(3125),
                                           UINT64_C(15625),
                                           UINT64_C(78125),
                                           UINT64_C(390625),
                                           UINT64_C(1953125),
                                           UINT64_C(9765625),
                                           UINT64_C(48828125),
                                           UINT64_C(244140625),
                                           UINT64_C(1220703125),
                                           UINT64_C(6103515625),
                                           UINT64_C(30517578125),
                                           UINT64_C(152587890625),
                                           UINT64_C(762939453125),
                                           UINT64_C(3814697265625),
                                           UINT64_C(19073486328125),
                                           UINT64_C(95367431640625),
                                           UINT64_C(476837158203125),
                                           UINT64_C(2384185791015625),
                                           UINT64_C(11920928955078125),
                                           UINT64_C(59604644775390625),
                                           UINT64_C(298023223876953125),
                                           UINT64_C(1490116119384765625)};

static U128 multiply(uint64_t a, uint64_t b)
{
  __extension__ typedef unsigned __int128 Wide;
  Wide product = (Wide)a * b;
  return (U128){(uint64_t)(product >> 64), (uint64_t)product};
}

/* The upper 128 of the 192 bits of a * b. */
static U128 multiply_high(U128 a, uint64_t b)
{
  U128 upper = multiply(a.high, b), lower = multiply(a.low, b);
  uint64_t low = upper.low + lower.high;
  return (U128){upper.high + (low < lower.high), low};
}

static bool power_of_five(int q, U128 *power)
{
  int a = (q + FINE_POWERS * -FIRST_COARSE) / FINE_POWERS + FIRST_COARSE;
  if (q < FINE_POWERS * FIRST_COARSE || a > LAST_COARSE)
    return false;
  uint64_t fine = FINE[q - FINE_POWERS * a];
  *power = multiply_high(COARSE[a - FIRST_COARSE], fine << __builtin_clzll(fine));
  if (power->high >> 63 == 0)
    *power = (U128){power->high << 1 | power->low >> 63, power->low << 1};
  return true;
}

/* A product with a power of five is known to less than this many units of its 128th bit, from
 * below: what is cut off the coarse power, doubled by normalising, and off two products. */
enum { SLACK = 8 };

/* floor(log2(5^q)) in the range of the table */
static int log2_of_five_to(int q)
{
  return (int)((217706 * (int64_t)q) >> 16) - q;
}

/* ---- rounding ---- */

static double make_double(uint64_t significand, int exponent)
{
  uint64_t bits = (significand & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(exponent + 1023) << 52;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Where the slack cannot change how 53 bits are rounded, they are the answer. */
bool echo_decimal_to_f64(uint64_t digits, int exponent, double *value)
{
  enum { KEPT_BITS = 54, MIN_EXPONENT = -1022, MAX_EXPONENT = 1023 };
  if (digits == 0) {
    *value = 0;
    return true;
  }
  U128 power;
  if (!power_of_five(exponent, &power))
    return false;
  int zeros = __builtin_clzll(digits);
  U128 product = multiply_high(power, digits << zeros);
  int top = (int)(product.high >> 63);
  int shift = 64 - KEPT_BITS - 1 + top;
  uint64_t kept = product.high >> shift;
  uint64_t rest = product.high & ((UINT64_C(1) << shift) - 1);
  bool may_carry = rest == (UINT64_C(1) << shift) - 1 && product.low > UINT64_MAX - SLACK;
  bool may_be_tie = (kept & 1) != 0 && rest == 0 && product.low == 0;
  if (may_carry || may_be_tie)
    return false;
  uint64_t significand = (kept + (kept & 1)) >> 1;
  int binary = log2_of_five_to(exponent) + exponent + 63 - zeros + top;
  if (significand >> 53 != 0) {
    significand >>= 1;
    binary++;
  }
  if (binary < MIN_EXPONENT || binary > MAX_EXPONENT)
    return false; /* denormals are rounded elsewhere */
  *value = make_double(significand, binary);
  return true;
}

bool echo_decimal_scale(uint64_t significand, int exponent, int power, uint64_t *value)
{
  U128 five;
  if (!power_of_five(power, &five))
    return false;
  int zeros = __builtin_clzll(significand);
  U128 product = multiply_high(five, significand << zeros);
  /* The value is product * 2^-shift; its whole part is taken from the upper half. */
  int shift = 63 + zeros - log2_of_five_to(power) - exponent - power;
  if (shift < 64)
    return false;
  if (shift >= 128) {
    *value = 0;
    return shift > 128;
  }
  uint64_t mask = (UINT64_C(1) << (shift - 64)) - 1;
  if ((product.high & mask) == mask && product.low > UINT64_MAX - SLACK)
    return false;
  *value = product.high >> (shift - 64);
  return true;
}

bool echo_decimal_n_bits(uint64_t significand, int power, int *n_bits)
{
  U128 five;
  if (!power_of_five(power, &five))
    return false;
  int zeros = __builtin_clzll(significand);
  U128 product = multiply_high(five, significand << zeros);
  if (product.high == UINT64_MAX >> 1 && product.low > UINT64_MAX - SLACK)
    return false;
  *n_bits = 64 - zeros + log2_of_five_to(power) + (int)(product.high >> 63);
  return true;
}

/* ---- text ---- */

/* What stands before and behind the point, without leading zeros: up to 19 digits of it. */
typedef struct Scan {
  uint64_t digits;
  int n_digits; /* in `digits` */
  int64_t
      n_left;    /* digits of the whole part that are not in it, less those of the fraction that are
                  */
  bool any, cut; /* digits other than zero were left out */
} Scan;

enum { MAX_DIGITS = 19 };

static const char *scan_digits(Scan *scan, const char *c, const char *end, bool is_fraction)
{
  for (; c < end; c++) {
    unsigned digit = (unsigned)(unsigned char)*c - '0';
    if (digit > 9)
      break;
    scan->any = true;
    if (scan->n_digits < MAX_DIGITS) {
      scan->digits = scan->digits * 10 + digit;
      scan->n_digits += scan->digits != 0;
      scan->n_left -= is_fraction;
    } else {
      scan->cut |= digit != 0;
      scan->n_left += !is_fraction;
    }
  }
  return c;
}

/* "e-12" to its number; NULL when it is none. What is out of any range stays so. */
static const char *scan_exponent(const char *c, const char *end, int64_t *exponent)
{
  enum { LARGEST = 1 << 20 };
  bool negative = ++c < end && *c == '-';
  c += c < end && (*c == '-' || *c == '+');
  if (c == end)
    return NULL;
  int64_t sum = 0;
  for (; c < end && *c >= '0' && *c <= '9'; c++)
    if (sum < LARGEST)
      sum = sum * 10 + (*c - '0');
  *exponent = negative ? -sum : sum;
  return c;
}

/* Clinger's case: digits below 2^53 times or over an exact power of ten is one rounding. */
static bool exact_operands(const Scan *scan, int64_t exponent, double *value)
{
  static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (scan->digits >> 53 != 0 || scan->cut || exponent < -22 || exponent > 22)
    return false;
  *value = exponent < 0 ? (double)scan->digits / POWERS[-exponent]
                        : (double)scan->digits * POWERS[exponent];
  return true;
}

bool echo_decimal_parse(const char *begin, const char *end, double *value)
{
  const char *c = begin;
  bool negative = c < end && *c == '-';
  c += negative;
  Scan scan = {0};
  c = scan_digits(&scan, c, end, false);
  if (c < end && *c == '.')
    c = scan_digits(&scan, c + 1, end, true);
  int64_t exponent = 0;
  if (c < end && (*c == 'e' || *c == 'E'))
    c = scan_exponent(c, end, &exponent);
  if (c != end || !scan.any)
    return false;
  exponent += scan.n_left;
  double magnitude;
  if (!exact_operands(&scan, exponent, &magnitude)) {
    if (exponent < -400 || exponent > 400 ||
        !echo_decimal_to_f64(scan.digits, (int)exponent, &magnitude))
      return false;
    double above; /* the digits that were left out lie between these two */
    if (scan.cut &&
        (!echo_decimal_to_f64(scan.digits + 1, (int)exponent, &above) || above != magnitude))
      return false;
  }
  *value = negative ? -magnitude : magnitude;
  return true;
}
