/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The built-in task: English numerals to German, 0 to 999,999, generated. "twenty-one" to
 * "einundzwanzig". */
#ifndef ECHO_SAMPLES_NMT_NUMERALS_H
#define ECHO_SAMPLES_NMT_NUMERALS_H

#include "base/string.h"

#define NMT_N_NUMERALS 1000000u

/* Appends the numeral of n < NMT_N_NUMERALS. */
void nmt_english_numeral(uint32_t n, EchoBuffer *out);
void nmt_german_numeral(uint32_t n, EchoBuffer *out);

/* Whether n is held out for testing: one number in twenty, by a fixed hash. */
bool nmt_numeral_is_test(uint32_t n);
/* The i-th number of a reproducible stream of training (or test) numbers: half of them uniform,
 * half with a uniform number of digits, so that short ones occur too. */
uint32_t nmt_numeral_sample(uint64_t seed, uint64_t i, bool test);

#endif
