/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The discrete Fourier transform as a routine of a library of our own, "echo", which kernel.library
 * and kernel.invoke call by name: any length, computed in double. Not a kernel: nothing fuses with
 * it. */
#ifndef ECHO_JIT_RUNTIME_FFT_T_H
#define ECHO_JIT_RUNTIME_FFT_T_H

#include <stdint.h>

/* `rows` transforms, one row behind the other, of `n` numbers re + im i each: X[k] = sum of x[j]
 * e^(-2 pi i jk / n); inverse: with the other sign, over n. rfft: of real numbers, the first n / 2
 * + 1 of the transform; irfft: the n real numbers whose transform begins with those, the imaginary
 * parts of the first and of the middle one taken for zero. `space` has echo_kernel_fft_space(n)
 * doubles for each row. Results may not lie where operands do. O(n log n) for every n: lengths of
 * prime factors up to 31 by their factors, others by a convolution of a power of two (Bluestein).
 * What depends on `n` alone, 2 n doubles and 6 times as many where it has a larger factor, is kept
 * for good. */
#define ECHO_FFT_ROUTINES(suffix, type)                                                            \
  void echo_fft_##suffix(const type *re, const type *im, type *re_out, type *im_out,               \
                         double *space, int64_t n, int64_t rows, int64_t inverse);                 \
  void echo_rfft_##suffix(const type *re, type *re_out, type *im_out, double *space, int64_t n,    \
                          int64_t rows);                                                           \
  void echo_irfft_##suffix(const type *re, const type *im, type *out, double *space, int64_t n,    \
                           int64_t rows);
ECHO_FFT_ROUTINES(f32, float)
ECHO_FFT_ROUTINES(f64, double)

#endif
