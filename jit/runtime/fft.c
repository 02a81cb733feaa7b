/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/fft_t.h"

#include <math.h>

#include "dialects/kernel/kernel.h"

enum { MAX_FACTOR = ECHO_KERNEL_FFT_MAX_FACTOR };

typedef struct Complex {
  double re, im;
} Complex;

static Complex add(Complex a, Complex b)
{
  return (Complex){a.re + b.re, a.im + b.im};
}

static Complex multiply(Complex a, Complex b)
{
  return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* e^(-2 pi i k / n), from an angle of at most an eighth of a turn: so that the quarters are exact.
 */
static Complex root(int64_t k, int64_t n)
{
  int64_t eighth = 8 * k / n, quarter = (eighth + 1) / 2;
  double angle = 2 * 3.14159265358979323846 * (double)(4 * k - quarter * n) / (4 * (double)n);
  double c = cos(angle), s = sin(angle);
  switch (quarter % 4) {
  case 0:
    return (Complex){c, -s};
  case 1:
    return (Complex){-s, -c};
  case 2:
    return (Complex){-c, s};
  default:
    return (Complex){s, c};
  }
}

/* ---- lengths of small factors ---- */

static int64_t smallest_factor(int64_t n)
{
  if (n % 4 == 0)
    return 4;
  for (int64_t p = 2; p <= MAX_FACTOR; p++)
    if (n % p == 0)
      return p;
  return n;
}

/* `out` = transform of x[0], x[stride], …; roots of the whole length, of which this one takes every
 * `step`-th. By factors: p transforms of length n / p, and sums of p over them. */
static void transform(const Complex *x, int64_t stride, Complex *out, int64_t n,
                      const Complex *roots, int64_t step, int64_t whole)
{
  if (n == 1) {
    out[0] = x[0];
    return;
  }
  int64_t p = smallest_factor(n), part = n / p;
  for (int64_t i = 0; i < p; i++)
    transform(x + i * stride, stride * p, out + i * part, part, roots, step * p, whole);
  for (int64_t k = 0; k < part; k++) {
    Complex terms[MAX_FACTOR];
    for (int64_t i = 0; i < p; i++)
      terms[i] = multiply(out[i * part + k], roots[i * k * step % whole]);
    for (int64_t j = 0; j < p; j++) {
      Complex sum = terms[0];
      for (int64_t i = 1; i < p; i++)
        sum = add(sum, multiply(terms[i], roots[i * j * part * step % whole]));
      out[j * part + k] = sum;
    }
  }
}

/* ---- other lengths ---- */

/* e^(-pi i k^2 / n), k < n < 2^32 */
static Complex chirp(int64_t k, int64_t n)
{
  return root((int64_t)((uint64_t)k * (uint64_t)k % (uint64_t)(2 * n)), 2 * n);
}

static Complex conjugate(Complex z)
{
  return (Complex){z.re, -z.im};
}

/* jk = (j^2 + k^2 - (k - j)^2) / 2: a convolution with the conjugate chirp, made by transforms of
 * length m >= 2 n - 1. `a`, `b`, `c` have m elements. */
static void bluestein(const Complex *x, Complex *out, int64_t n, int64_t m, const Complex *roots,
                      Complex *a, Complex *b, Complex *c)
{
  for (int64_t i = 0; i < m; i++)
    a[i] = i < n ? multiply(x[i], chirp(i, n)) : (Complex){0, 0};
  for (int64_t i = 0; i < m; i++)
    b[i] = i < n       ? conjugate(chirp(i, n))
           : i > m - n ? conjugate(chirp(m - i, n))
                       : (Complex){0, 0};
  transform(a, 1, c, m, roots, 1, m);
  transform(b, 1, a, m, roots, 1, m);
  for (int64_t i = 0; i < m; i++)
    b[i] = conjugate(multiply(c[i], a[i]));
  transform(b, 1, c, m, roots, 1, m);
  for (int64_t i = 0; i < n; i++) {
    Complex z = conjugate(c[i]);
    out[i] = multiply((Complex){z.re / (double)m, z.im / (double)m}, chirp(i, n));
  }
}

/* ---- the routine ---- */

/* x, and behind it the result, of n each. */
static void run(Complex *x, int64_t n)
{
  int64_t m = echo_kernel_fft_length(n);
  Complex *out = x + n, *roots = out + n;
  for (int64_t i = 0; i < m; i++)
    roots[i] = root(i, m);
  if (m == n)
    transform(x, 1, out, n, roots, 1, n);
  else
    bluestein(x, out, n, m, roots, roots + m, roots + 2 * m, roots + 3 * m);
}

/* The inverse is the transform with real and imaginary parts exchanged, before and behind it. */
#define ECHO_FFT(name, type)                                                                       \
  void name(const type *re, const type *im, type *re_out, type *im_out, double *space, int64_t n,  \
            int64_t inverse)                                                                       \
  {                                                                                                \
    Complex *x = (Complex *)(void *)space;                                                         \
    for (int64_t i = 0; i < n; i++)                                                                \
      x[i] = inverse ? (Complex){(double)im[i], (double)re[i]}                                     \
                     : (Complex){(double)re[i], (double)im[i]};                                    \
    run(x, n);                                                                                     \
    for (int64_t i = 0; i < n; i++) {                                                              \
      Complex y = x[n + i];                                                                        \
      re_out[i] = (type)(inverse ? y.im / (double)n : y.re);                                       \
      im_out[i] = (type)(inverse ? y.re / (double)n : y.im);                                       \
    }                                                                                              \
  }

ECHO_FFT(echo_fft_f32, float)
ECHO_FFT(echo_fft_f64, double)
