/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every pattern of every format up to 19 bits, and every rounding decision between two neighbours,
 * against values computed from the formats' definitions with ldexp; wider formats against the
 * machine's own conversions. */
#include "ir/attributes/float_format.h"

#include <float.h>
#include <math.h>

#include "tests/unit/suite.h"

/* ck_assert_msg writes to a file each time it holds, which is too slow for millions. */
#define REQUIRE(condition, ...)                                                                    \
  do {                                                                                             \
    if (!(condition))                                                                              \
      ck_abort_msg(__VA_ARGS__);                                                                   \
  } while (0)

/* The formats again, from their papers and not from the library's table. */
typedef struct Expected {
  EchoFloatKind kind;
  const char *name;
  int width, exponent_bits, mantissa_bits, bias;
  char specials; /* i = IEEE, n = NaN only, z = NaN at -0, f = finite, s = scale */
} Expected;

static const Expected FORMATS[] = {{ECHO_F4E2M1FN, "f4E2M1FN", 4, 2, 1, 1, 'f'},
                                   {ECHO_F6E2M3FN, "f6E2M3FN", 6, 2, 3, 1, 'f'},
                                   {ECHO_F6E3M2FN, "f6E3M2FN", 6, 3, 2, 3, 'f'},
                                   {ECHO_F8E3M4, "f8E3M4", 8, 3, 4, 3, 'i'},
                                   {ECHO_F8E4M3, "f8E4M3", 8, 4, 3, 7, 'i'},
                                   {ECHO_F8E4M3B11FNUZ, "f8E4M3B11FNUZ", 8, 4, 3, 11, 'z'},
                                   {ECHO_F8E4M3FN, "f8E4M3FN", 8, 4, 3, 7, 'n'},
                                   {ECHO_F8E4M3FNUZ, "f8E4M3FNUZ", 8, 4, 3, 8, 'z'},
                                   {ECHO_F8E5M2, "f8E5M2", 8, 5, 2, 15, 'i'},
                                   {ECHO_F8E5M2FNUZ, "f8E5M2FNUZ", 8, 5, 2, 16, 'z'},
                                   {ECHO_F8E8M0FNU, "f8E8M0FNU", 8, 8, 0, 127, 's'},
                                   {ECHO_BF16, "bf16", 16, 8, 7, 127, 'i'},
                                   {ECHO_F16, "f16", 16, 5, 10, 15, 'i'},
                                   {ECHO_TF32, "tf32", 19, 8, 10, 127, 'i'}};
enum { N_FORMATS = sizeof FORMATS / sizeof FORMATS[0] };

/* The value of a pattern by definition. */
static double expected_value(const Expected *format, uint32_t bits)
{
  if (format->specials == 's')
    return bits == 255 ? (double)NAN : ldexp(1, (int)bits - 127);
  uint32_t sign = bits >> (format->width - 1);
  uint32_t exponent = (bits >> format->mantissa_bits) & ((1u << format->exponent_bits) - 1);
  uint32_t mantissa = bits & ((1u << format->mantissa_bits) - 1);
  uint32_t top_exponent = (1u << format->exponent_bits) - 1;
  uint32_t top_mantissa = (1u << format->mantissa_bits) - 1;
  if (format->specials == 'i' && exponent == top_exponent)
    return mantissa != 0 ? (double)NAN : sign ? -(double)INFINITY : (double)INFINITY;
  if (format->specials == 'n' && exponent == top_exponent && mantissa == top_mantissa)
    return (double)NAN;
  if (format->specials == 'z' && sign == 1 && exponent == 0 && mantissa == 0)
    return (double)NAN;
  double scaled = exponent == 0 ? ldexp(mantissa, 1 - format->bias - format->mantissa_bits)
                                : ldexp(mantissa + (1u << format->mantissa_bits),
                                        (int)exponent - format->bias - format->mantissa_bits);
  return sign ? -scaled : scaled;
}

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

START_TEST(every_pattern_decodes)
{
  const Expected *format = &FORMATS[_i];
  ck_assert_int_eq((int)echo_float_bit_width(format->kind), format->width);
  ck_assert_str_eq(echo_float_name(format->kind), format->name);
  for (uint32_t bits = 0; bits < 1u << format->width; ++bits) {
    double expected = expected_value(format, bits);
    double value = echo_float_to_f64(format->kind, bits);
    if (isnan(expected))
      REQUIRE(isnan(value), "%s %x is %a, not NaN", format->name, bits, value);
    else
      REQUIRE(bits_of(value) == bits_of(expected), "%s %x is %a, not %a", format->name, bits, value,
              expected);
  }
}
END_TEST

START_TEST(every_pattern_survives_f64)
{
  const Expected *format = &FORMATS[_i];
  for (uint32_t bits = 0; bits < 1u << format->width; ++bits) {
    double value = echo_float_to_f64(format->kind, bits);
    REQUIRE(echo_float_from_f64(format->kind, value) == bits, "%s %x becomes %llx", format->name,
            bits, (unsigned long long)echo_float_from_f64(format->kind, value));
  }
}
END_TEST

/* The pattern that `value` must become. */
static void check_rounds(const Expected *format, double value, uint64_t expected)
{
  uint64_t bits = echo_float_from_f64(format->kind, value);
  REQUIRE(bits == expected, "%s %a becomes %llx, not %llx", format->name, value,
          (unsigned long long)bits, (unsigned long long)expected);
  if (format->specials == 's' || isnan(value))
    return;
  uint64_t sign = UINT64_C(1) << (format->width - 1);
  uint64_t negated =
      format->specials == 'z' && (expected == 0 || expected == sign) ? expected : expected | sign;
  bits = echo_float_from_f64(format->kind, -value);
  REQUIRE(bits == negated, "%s %a becomes %llx, not %llx", format->name, -value,
          (unsigned long long)bits, (unsigned long long)negated);
}

static uint32_t largest_pattern(const Expected *format)
{
  uint32_t bits = (1u << (format->width - (format->specials == 's' ? 0 : 1))) - 1;
  while (!isfinite(expected_value(format, bits)))
    bits--;
  return bits;
}

/* What is too large becomes this. */
static uint64_t overflow_pattern(const Expected *format)
{
  uint32_t largest = largest_pattern(format);
  switch (format->specials) {
  case 'f':
    return largest;
  case 'z':
    return UINT64_C(1) << (format->width - 1);
  default:
    return largest + 1; /* infinity, or NaN */
  }
}

START_TEST(every_rounding_decision)
{
  const Expected *format = &FORMATS[_i];
  uint32_t largest = largest_pattern(format);
  for (uint32_t bits = 0; bits < largest; ++bits) {
    double low = expected_value(format, bits), high = expected_value(format, bits + 1);
    double middle = low + (high - low) / 2; /* exact: f64 has bits to spare */
    /* a power of two has the significand 1, which is odd: its ties go up */
    uint64_t even = format->specials == 's' || (bits & 1) != 0 ? bits + 1 : bits;
    check_rounds(format, low, bits);
    check_rounds(format, middle, even);
    check_rounds(format, nextafter(middle, 0), bits);
    check_rounds(format, nextafter(middle, INFINITY), bits + 1);
  }
}
END_TEST

START_TEST(overflow)
{
  const Expected *format = &FORMATS[_i];
  uint32_t largest = largest_pattern(format);
  uint64_t over = overflow_pattern(format);
  double last = expected_value(format, largest);
  int exponent;
  frexp(last, &exponent);
  double half_step = ldexp(1, exponent - 1 - format->mantissa_bits - 1);
  double bound = last + half_step;
  check_rounds(format, last, largest);
  check_rounds(format, nextafter(bound, 0), largest);
  /* the tie goes to the pattern that would be even */
  uint64_t at_tie = format->specials == 's' || (largest & 1) != 0 ? over : largest;
  check_rounds(format, bound, at_tie);
  check_rounds(format, nextafter(bound, INFINITY), over);
  check_rounds(format, DBL_MAX, over);
  check_rounds(format, (double)INFINITY, over);
}
END_TEST

START_TEST(nan_and_tiny)
{
  const Expected *format = &FORMATS[_i];
  uint64_t nan_bits = echo_float_from_f64(format->kind, (double)NAN);
  if (format->specials == 'f')
    ck_assert_uint_eq(nan_bits, UINT64_C(1) << (format->width - 1));
  else
    ck_assert(isnan(echo_float_to_f64(format->kind, nan_bits)));
  /* a payload in the low bits alone must not turn into infinity */
  double low_payload = from_bits(UINT64_C(0x7ff0000000000001));
  if (format->specials != 'f')
    ck_assert(
        isnan(echo_float_to_f64(format->kind, echo_float_from_f64(format->kind, low_payload))));
  if (format->specials == 's') {
    ck_assert_uint_eq(echo_float_from_f64(format->kind, 0), 255);
    ck_assert_uint_eq(echo_float_from_f64(format->kind, -1), 255);
    ck_assert_uint_eq(echo_float_from_f64(format->kind, DBL_TRUE_MIN), 0);
  } else {
    check_rounds(format, DBL_TRUE_MIN, 0);
    check_rounds(format, DBL_MIN, 0);
    check_rounds(format, 0.0, 0);
  }
}
END_TEST

static uint64_t next_random(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

/* Patterns with the exponents that matter to `target_bias` made likely. */
static double random_double(uint64_t *state)
{
  uint64_t bits = next_random(state);
  if (next_random(state) % 4 != 0) {
    uint64_t exponent = 1023 - 160 + next_random(state) % 320;
    bits = (bits & ~(UINT64_C(0x7ff) << 52)) | exponent << 52;
  }
  if (next_random(state) % 4 == 0)
    bits &= ~((UINT64_C(1) << 28) - 1); /* ties of f32 */
  return from_bits(bits);
}

START_TEST(f32_as_the_machine)
{
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 3000000; ++i) {
    double value = random_double(&state);
    if (isnan(value))
      continue;
    float narrow = (float)value;
    uint32_t expected;
    memcpy(&expected, &narrow, sizeof expected);
    REQUIRE(echo_float_from_f64(ECHO_F32, value) == expected, "%a", value);
  }
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 2311) {
    uint32_t pattern = (uint32_t)bits;
    float value;
    memcpy(&value, &pattern, sizeof value);
    if (isnan(value))
      REQUIRE(isnan(echo_float_to_f64(ECHO_F32, bits)), "pattern %llx", (unsigned long long)bits);
    else
      REQUIRE(bits_of(echo_float_to_f64(ECHO_F32, bits)) == bits_of((double)value), "pattern %llx",
              (unsigned long long)bits);
  }
}
END_TEST

START_TEST(f64_is_kept)
{
  uint64_t state = 3;
  for (int i = 0; i < 1000; ++i) {
    uint64_t bits = next_random(&state);
    ck_assert_uint_eq(bits_of(echo_float_to_f64(ECHO_F64, bits)), bits);
    ck_assert_uint_eq(echo_float_from_f64(ECHO_F64, from_bits(bits)), bits);
  }
}
END_TEST

#if LDBL_MANT_DIG == 64
START_TEST(f80_as_the_machine)
{
  uint64_t state = 17;
  for (int i = 0; i < 1000000; ++i) {
    double value = from_bits(next_random(&state));
    if (isnan(value))
      continue;
    long double wide = value;
    uint64_t expected[2] = {0};
    memcpy(expected, &wide, 10);
    uint64_t words[2];
    echo_float_words_from_f64(ECHO_F80, value, words);
    REQUIRE(words[0] == expected[0] && words[1] == expected[1], "%a", value);

    uint64_t pattern[2] = {next_random(&state) | UINT64_C(1) << 63, 0};
    pattern[1] = 16383 - 1100 + next_random(&state) % 2200;
    if (next_random(&state) % 2 == 0)
      pattern[0] &= ~UINT64_C(0x3ff); /* ties of f64 */
    memset(&wide, 0, sizeof wide);
    memcpy(&wide, pattern, 10);
    REQUIRE(bits_of(echo_float_words_to_f64(ECHO_F80, pattern)) == bits_of((double)wide), "%La",
            wide);
  }
}
END_TEST

__extension__ typedef __float128 Quad;

START_TEST(f128_as_the_machine)
{
  uint64_t state = 23;
  for (int i = 0; i < 1000000; ++i) {
    double value = from_bits(next_random(&state));
    if (isnan(value))
      continue;
    Quad wide = (Quad)value;
    uint64_t expected[2], words[2];
    memcpy(expected, &wide, sizeof expected);
    echo_float_words_from_f64(ECHO_F128, value, words);
    REQUIRE(words[0] == expected[0] && words[1] == expected[1], "%a", value);

    uint64_t exponent = 16383 - 1100 + next_random(&state) % 2200;
    uint64_t pattern[2] = {next_random(&state), next_random(&state) >> 16 | exponent << 48};
    if (next_random(&state) % 2 == 0)
      pattern[0] &= ~((UINT64_C(1) << 59) - 1); /* ties of f64 */
    memcpy(&wide, pattern, sizeof wide);
    REQUIRE(bits_of(echo_float_words_to_f64(ECHO_F128, pattern)) == bits_of((double)wide),
            "pattern %llx %llx", (unsigned long long)pattern[1], (unsigned long long)pattern[0]);
  }
}
END_TEST
#endif

START_TEST(wide_specials)
{
  for (EchoFloatKind kind = ECHO_F80; kind <= ECHO_F128; ++kind) {
    const double values[] = {0.0, -0.0, (double)INFINITY, -(double)INFINITY, DBL_TRUE_MIN, DBL_MAX};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
      uint64_t words[2];
      echo_float_words_from_f64(kind, values[i], words);
      ck_assert_uint_eq(bits_of(echo_float_words_to_f64(kind, words)), bits_of(values[i]));
    }
    uint64_t words[2];
    echo_float_words_from_f64(kind, (double)NAN, words);
    ck_assert(isnan(echo_float_words_to_f64(kind, words)));
  }
  /* far outside of f64's range */
  const uint64_t huge_f80[2] = {UINT64_C(1) << 63, 0x7ffe}, tiny_f80[2] = {UINT64_C(1) << 63, 1};
  ck_assert_double_infinite(echo_float_words_to_f64(ECHO_F80, huge_f80));
  ck_assert_uint_eq(bits_of(echo_float_words_to_f64(ECHO_F80, tiny_f80)), 0);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("float_format");
  TCase *narrow = tcase_create("narrow");
  tcase_set_timeout(narrow, 60);
  tcase_add_loop_test(narrow, every_pattern_decodes, 0, N_FORMATS);
  tcase_add_loop_test(narrow, every_pattern_survives_f64, 0, N_FORMATS);
  tcase_add_loop_test(narrow, every_rounding_decision, 0, N_FORMATS);
  tcase_add_loop_test(narrow, overflow, 0, N_FORMATS);
  tcase_add_loop_test(narrow, nan_and_tiny, 0, N_FORMATS);
  suite_add_tcase(suite, narrow);
  TCase *wide = tcase_create("wide");
  tcase_set_timeout(wide, 60);
  tcase_add_test(wide, f32_as_the_machine);
  tcase_add_test(wide, f64_is_kept);
#if LDBL_MANT_DIG == 64
  tcase_add_test(wide, f80_as_the_machine);
  tcase_add_test(wide, f128_as_the_machine);
#endif
  tcase_add_test(wide, wide_specials);
  suite_add_tcase(suite, wide);
  return echo_test_run(suite);
}
