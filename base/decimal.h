/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Decimal text to double by 128-bit arithmetic, correctly rounded or not at all: the few numbers
 * that lie too near a rounding boundary, and denormals, are left to slower code. Independent of the
 * locale. Not for hexadecimal text. Source: Eisel and Lemire, "Number parsing at a gigabyte per
 * second" (2021), with a bound on the error in place of exact tables. */
#ifndef ECHO_BASE_DECIMAL_H
#define ECHO_BASE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* digits * 10^exponent. False when it is not decided here. O(1). */
bool echo_decimal_to_f64(uint64_t digits, int exponent, double *value);
/* floor(significand * 2^exponent * 10^power) for a significand other than 0. False when it is not
 * decided here, or does not fit. O(1). */
bool echo_decimal_scale(uint64_t significand, int exponent, int power, uint64_t *value);
/* How many bits significand * 5^power has, for a significand other than 0 and a power that is not
 * negative. False when it is not decided here. O(1). */
bool echo_decimal_n_bits(uint64_t significand, int power, int *n_bits);
/* All of [begin, end): "-"? digits with or without a point, and an exponent or none. False when it
 * is something else or not decided here. O(size). */
bool echo_decimal_parse(const char *begin, const char *end, double *value);

#ifdef __cplusplus
}
#endif

#endif
