/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* f16 and bf16 as bits, to and from double, each rounded once to nearest, ties to even. */
#ifndef ECHO_TESTS_GPU_HALF_H
#define ECHO_TESTS_GPU_HALF_H

#include <stdint.h>

double half_to_double(uint16_t bits);
uint16_t half_from_double(double value);
double bfloat_to_double(uint16_t bits);
uint16_t bfloat_from_double(double value);
/* a * b + c of halves or bfloats, with one rounding to `double` that does not spoil the next: to
 * odd. */
double fma_to_odd(double a, double b, double c);

#endif
