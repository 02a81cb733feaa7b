/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nmt/numerals.h"

#include "samples/common/random.h"

static const char *const english_small[] = {
    "zero",     "one",     "two",     "three",     "four",     "five",    "six",
    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
static const char *const english_tens[] = {"",      "",      "twenty",  "thirty", "forty",
                                           "fifty", "sixty", "seventy", "eighty", "ninety"};

/* 1 to 999 */
static void english_below_thousand(uint32_t n, EchoBuffer *out)
{
  if (n >= 100) {
    echo_buffer_printf(out, "%s hundred", english_small[n / 100]);
    n %= 100;
    if (n != 0)
      echo_buffer_append_char(out, ' ');
  }
  if (n >= 20) {
    echo_buffer_append_c(out, english_tens[n / 10]);
    n %= 10;
    if (n != 0)
      echo_buffer_append_char(out, '-');
  }
  if (n != 0)
    echo_buffer_append_c(out, english_small[n]);
}

void nmt_english_numeral(uint32_t n, EchoBuffer *out)
{
  if (n == 0) {
    echo_buffer_append_c(out, english_small[0]);
    return;
  }
  if (n >= 1000) {
    english_below_thousand(n / 1000, out);
    echo_buffer_append_c(out, n % 1000 != 0 ? " thousand " : " thousand");
  }
  english_below_thousand(n % 1000, out);
}

static const char *const german_small[] = {
    "null",     "ein",      "zwei",     "drei",     "vier",     "fünf",    "sechs",
    "sieben",   "acht",     "neun",     "zehn",     "elf",      "zwölf",   "dreizehn",
    "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"};
static const char *const german_tens[] = {"",        "",        "zwanzig", "dreißig", "vierzig",
                                          "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"};

/* 0 (nothing) to 999; `last` when nothing follows: a final one is "eins". */
static void german_below_thousand(uint32_t n, bool last, EchoBuffer *out)
{
  if (n >= 100)
    echo_buffer_printf(out, "%shundert", german_small[n / 100]);
  n %= 100;
  if (n == 1 && last)
    echo_buffer_append_c(out, "eins");
  else if (n >= 1 && n < 20)
    echo_buffer_append_c(out, german_small[n]);
  else if (n >= 20)
    echo_buffer_printf(out, "%s%s%s", n % 10 != 0 ? german_small[n % 10] : "",
                       n % 10 != 0 ? "und" : "", german_tens[n / 10]);
}

void nmt_german_numeral(uint32_t n, EchoBuffer *out)
{
  if (n == 0) {
    echo_buffer_append_c(out, german_small[0]);
    return;
  }
  if (n >= 1000) {
    german_below_thousand(n / 1000, false, out);
    echo_buffer_append_c(out, "tausend");
  }
  german_below_thousand(n % 1000, true, out);
}

bool nmt_numeral_is_test(uint32_t n)
{
  return sample_hash(n) % 20 == 7;
}

uint32_t nmt_numeral_sample(uint64_t seed, uint64_t i, bool test)
{
  static const uint32_t powers[] = {10, 100, 1000, 10000, 100000, 1000000};
  uint64_t state = sample_hash(seed ^ sample_hash(i));
  for (;;) {
    state = sample_hash(state + 1);
    uint32_t limit = state & 1 ? NMT_N_NUMERALS : powers[(state >> 1) % 6];
    uint32_t n = (uint32_t)((sample_hash(state) >> 11) % limit);
    if (nmt_numeral_is_test(n) == test)
      return n;
  }
}
