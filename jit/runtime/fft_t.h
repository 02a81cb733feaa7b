/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The discrete Fourier transform as a routine of a library of our own, "echo", which kernel.library
 * and kernel.invoke call by name: any length, computed in double. Not a kernel: nothing fuses with
 * it. */
#ifndef ECHO_JIT_RUNTIME_FFT_T_H
#define ECHO_JIT_RUNTIME_FFT_T_H

#include <stdint.h>

/* One transform of `n` numbers re + im i: X[k] = sum of x[j] e^(-2 pi i jk / n); inverse: with the
 * other sign, over n; `space` has echo_kernel_fft_space(n) doubles. Results may not lie where
 * operands do. O(n log n) for every n: lengths of prime factors up to 13 by their factors, others
 * by a convolution of a power of two (Bluestein).
 */
void echo_fft_f32(const float *re, const float *im, float *re_out, float *im_out, double *space,
                  int64_t n, int64_t inverse);
void echo_fft_f64(const double *re, const double *im, double *re_out, double *im_out, double *space,
                  int64_t n, int64_t inverse);

#endif
