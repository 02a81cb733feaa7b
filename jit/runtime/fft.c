/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stockham's transform: pass by pass from one array into another, so that nothing is put in order
 * by bits and the inner loop runs over neighbours. What depends on the length alone, its factors
 * and roots, is made once and kept for as long as the process runs. */
#include "jit/runtime/fft_t.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "dialects/kernel/kernel.h"

enum { MAX_FACTORS = 64 };

/* The passes again for processors that take four numbers at a time: the same operations on each
 * (avx2 has no fused ones), so the same bits. Where the loader can choose, and no sanitizer is
 * called before it may be. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) &&                            \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONED __attribute__((target_clones("avx2", "default")))
#else
#define CLONED
#endif

/* ---- what depends on the length ---- */

/* Numbers re[i] + im[i] i. */
typedef struct Numbers {
  double *re, *im;
} Numbers;

typedef struct Plan Plan;
struct Plan {
  int64_t n;
  Plan *next;
  Numbers roots; /* e^(-2 pi i k / n) */
  size_t n_factors;
  int64_t factors[MAX_FACTORS];
  const Plan *power; /* NULL, or of a power of two, where n has a large factor: then */
  Numbers chirp;     /* e^(-pi i k^2 / n), and the transform of what it is convolved with */
  Numbers filter;
};

static Numbers make_numbers(int64_t n)
{
  double *both = echo_alloc_array(2 * (size_t)n, sizeof(double));
  return (Numbers){both, both + n};
}

/* e^(-2 pi i k / n), from an angle of at most an eighth of a turn: so that the quarters are exact.
 */
static void set_root(Numbers to, int64_t i, int64_t k, int64_t n)
{
  int64_t eighth = 8 * k / n, quarter = (eighth + 1) / 2;
  double angle = 2 * 3.14159265358979323846 * (double)(4 * k - quarter * n) / (4 * (double)n);
  double c = cos(angle), s = sin(angle);
  double re[] = {c, -s, -c, s}, im[] = {-s, -c, s, c};
  to.re[i] = re[quarter % 4];
  to.im[i] = im[quarter % 4];
}

static void find_factors(Plan *plan)
{
  static const int64_t ORDER[] = {4, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31};
  int64_t rest = plan->n;
  for (size_t i = 0; i < sizeof ORDER / sizeof ORDER[0]; i++)
    for (; rest % ORDER[i] == 0; rest /= ORDER[i])
      plan->factors[plan->n_factors++] = ORDER[i];
}

static const Plan *plan_of(int64_t n);
static Numbers transform(const Plan *plan, Numbers x, Numbers y, int64_t rows);

/* jk = (j^2 + k^2 - (k - j)^2) / 2: a convolution with the conjugate chirp (Bluestein). */
static void make_chirp(Plan *plan, int64_t m)
{
  int64_t n = plan->n;
  plan->power = plan_of(m);
  plan->chirp = make_numbers(n);
  for (int64_t k = 0; k < n; k++)
    set_root(plan->chirp, k, (int64_t)((uint64_t)k * (uint64_t)k % (uint64_t)(2 * n)), 2 * n);
  Numbers x = make_numbers(m), y = make_numbers(m);
  for (int64_t i = 0; i < m; i++) {
    int64_t k = i < n ? i : m - i;
    x.re[i] = k < n ? plan->chirp.re[k] : 0;
    x.im[i] = k < n ? -plan->chirp.im[k] : 0;
  }
  plan->filter = transform(plan->power, x, y, 1);
  echo_free(plan->filter.re == x.re ? y.re : x.re);
}

static Plan *make_plan(int64_t n)
{
  Plan *plan = echo_alloc_zero(1, sizeof *plan);
  int64_t m = echo_kernel_fft_length(n);
  plan->n = n;
  plan->roots = make_numbers(n);
  for (int64_t k = 0; k < n; k++)
    set_root(plan->roots, k, k, n);
  if (m == n)
    find_factors(plan);
  else
    make_chirp(plan, m);
  return plan;
}

static void free_plan(Plan *plan)
{
  echo_free(plan->roots.re);
  echo_free(plan->chirp.re);
  echo_free(plan->filter.re);
  echo_free(plan);
}

/* Two threads may make the same one; the one that comes second throws its own away. */
static const Plan *plan_of(int64_t n)
{
  static _Atomic(Plan *) plans;
  Plan *made = NULL, *first = atomic_load(&plans);
  for (;;) {
    for (Plan *plan = first; plan != NULL; plan = plan->next)
      if (plan->n == n) {
        if (made != NULL)
          free_plan(made);
        return plan;
      }
    if (made == NULL)
      made = make_plan(n);
    made->next = first = atomic_load(&plans);
    bool is_known = false;
    for (Plan *plan = first; plan != NULL; plan = plan->next)
      is_known |= plan->n == n;
    if (!is_known && atomic_compare_exchange_strong(&plans, &first, made))
      return made;
  }
}

/* ---- passes ---- */

/* A pass of radix r over n / r = m * s: y[q + s (r p + k)] is the k-th of the transform of the r
 * numbers x[q + s (p + j m)], times the root of k p s. Of several rows at once, whose numbers lie
 * side by side: `w` is s times as many. */

CLONED static void pass2(int64_t m, int64_t s, int64_t w, Numbers x, Numbers y, Numbers roots)
{
  for (int64_t p = 0; p < m; p++) {
    double wr = roots.re[p * s], wi = roots.im[p * s];
    const double *restrict ar = x.re + w * p, *restrict ai = x.im + w * p;
    const double *restrict br = ar + w * m, *restrict bi = ai + w * m;
    double *restrict yr = y.re + 2 * w * p, *restrict yi = y.im + 2 * w * p;
    for (int64_t q = 0; q < w; q++) {
      double dr = ar[q] - br[q], di = ai[q] - bi[q];
      yr[q] = ar[q] + br[q];
      yi[q] = ai[q] + bi[q];
      yr[q + w] = dr * wr - di * wi;
      yi[q + w] = dr * wi + di * wr;
    }
  }
}

CLONED static void pass4(int64_t m, int64_t s, int64_t w, Numbers x, Numbers y, Numbers roots)
{
  for (int64_t p = 0; p < m; p++) {
    double w1r = roots.re[p * s], w1i = roots.im[p * s];
    double w2r = roots.re[2 * p * s], w2i = roots.im[2 * p * s];
    double w3r = roots.re[3 * p * s], w3i = roots.im[3 * p * s];
    const double *restrict ar = x.re + w * p, *restrict ai = x.im + w * p;
    const double *restrict br = ar + w * m, *restrict bi = ai + w * m;
    const double *restrict cr = br + w * m, *restrict ci = bi + w * m;
    const double *restrict dr = cr + w * m, *restrict di = ci + w * m;
    double *restrict yr = y.re + 4 * w * p, *restrict yi = y.im + 4 * w * p;
    for (int64_t q = 0; q < w; q++) {
      double sum_r = ar[q] + cr[q], sum_i = ai[q] + ci[q];
      double less_r = ar[q] - cr[q], less_i = ai[q] - ci[q];
      double odd_r = br[q] + dr[q], odd_i = bi[q] + di[q];
      double turned_r = di[q] - bi[q], turned_i = br[q] - dr[q]; /* i (b - d) */
      double y1r = less_r - turned_r, y1i = less_i - turned_i;
      double y2r = sum_r - odd_r, y2i = sum_i - odd_i;
      double y3r = less_r + turned_r, y3i = less_i + turned_i;
      yr[q] = sum_r + odd_r;
      yi[q] = sum_i + odd_i;
      yr[q + w] = y1r * w1r - y1i * w1i;
      yi[q + w] = y1r * w1i + y1i * w1r;
      yr[q + 2 * w] = y2r * w2r - y2i * w2i;
      yi[q + 2 * w] = y2r * w2i + y2i * w2r;
      yr[q + 3 * w] = y3r * w3r - y3i * w3i;
      yi[q + 3 * w] = y3r * w3i + y3i * w3r;
    }
  }
}

/* Any radix: r^2 products each. `n` is the whole length. */
CLONED static void pass_any(int64_t r, int64_t m, int64_t s, int64_t w, Numbers x, Numbers y,
                            Numbers roots, int64_t n)
{
  for (int64_t p = 0; p < m; p++)
    for (int64_t k = 0; k < r; k++) {
      double *restrict yr = y.re + w * (r * p + k), *restrict yi = y.im + w * (r * p + k);
      for (int64_t j = 0; j < r; j++) {
        int64_t at = (j * k % r * (n / r) + k * p * s) % n;
        double wr = roots.re[at], wi = roots.im[at];
        const double *restrict ar = x.re + w * (p + j * m), *restrict ai = x.im + w * (p + j * m);
        for (int64_t q = 0; q < w; q++) {
          double re = ar[q] * wr - ai[q] * wi, im = ar[q] * wi + ai[q] * wr;
          yr[q] = j == 0 ? re : yr[q] + re;
          yi[q] = j == 0 ? im : yi[q] + im;
        }
      }
    }
}

/* Of a length of small factors; in x or in y, whichever is returned. */
static Numbers transform(const Plan *plan, Numbers x, Numbers y, int64_t rows)
{
  int64_t s = 1;
  for (size_t i = 0; i < plan->n_factors; i++) {
    int64_t r = plan->factors[i], m = plan->n / s / r;
    if (r == 2)
      pass2(m, s, s * rows, x, y, plan->roots);
    else if (r == 4)
      pass4(m, s, s * rows, x, y, plan->roots);
    else
      pass_any(r, m, s, s * rows, x, y, plan->roots, plan->n);
    Numbers swapped = x;
    x = y;
    y = swapped;
    s *= r;
  }
  return x;
}

/* x[i] *= y[i] in each row, i < n */
static void multiply(Numbers x, Numbers y, int64_t n, int64_t rows)
{
  for (int64_t i = 0; i < n; i++)
    for (int64_t at = i * rows; at < (i + 1) * rows; at++) {
      double re = x.re[at] * y.re[i] - x.im[at] * y.im[i];
      x.im[at] = x.re[at] * y.im[i] + x.im[at] * y.re[i];
      x.re[at] = re;
    }
}

/* Of any length, with room in x and y for echo_kernel_fft_length numbers of each row. */
static Numbers transform_any(const Plan *plan, Numbers x, Numbers y, int64_t rows)
{
  if (plan->power == NULL)
    return transform(plan, x, y, rows);
  int64_t n = plan->n, m = plan->power->n;
  multiply(x, plan->chirp, n, rows);
  for (int64_t i = n * rows; i < m * rows; i++)
    x.re[i] = x.im[i] = 0;
  Numbers z = transform(plan->power, x, y, rows), other = z.re == x.re ? y : x;
  multiply(z, plan->filter, m, rows);
  z = transform(plan->power, (Numbers){z.im, z.re}, other, rows); /* back: the parts exchanged */
  z = (Numbers){z.im, z.re};
  for (int64_t i = 0; i < n * rows; i++) {
    z.re[i] /= (double)m;
    z.im[i] /= (double)m;
  }
  multiply(z, plan->chirp, n, rows);
  return z;
}

/* The numbers of a call's rows, and where they are transformed. */
typedef struct Work {
  Numbers x, y;
} Work;

static Work work_in(double *space, int64_t n, int64_t rows)
{
  int64_t size = echo_kernel_fft_length(n) * rows;
  return (Work){{space, space + size}, {space + 2 * size, space + 3 * size}};
}

/* ---- real numbers ---- */

/* An even number 2 h of real numbers is h complex ones, x[2 j] + i x[2 j + 1]; with Z their
 * transform, X[k] = E + w^k O, where E = (Z[k] + Z*[h - k]) / 2, O = (Z[k] - Z*[h - k]) / 2 i. */
CLONED static void split_halves(Numbers z, Numbers x, Numbers roots, int64_t h, int64_t rows)
{
  for (int64_t k = 0; k <= h; k++) {
    int64_t a = (k == h ? 0 : k) * rows, b = (k == 0 ? 0 : h - k) * rows;
    double wr = k == h ? -1 : roots.re[k], wi = k == h ? 0 : roots.im[k];
    const double *restrict ar = z.re + a, *restrict ai = z.im + a;
    const double *restrict br = z.re + b, *restrict bi = z.im + b;
    double *restrict xr = x.re + k * rows, *restrict xi = x.im + k * rows;
    for (int64_t r = 0; r < rows; r++) {
      double er = (ar[r] + br[r]) / 2, ei = (ai[r] - bi[r]) / 2;
      double odd_r = (ai[r] + bi[r]) / 2, odd_i = (br[r] - ar[r]) / 2;
      xr[r] = er + (odd_r * wr - odd_i * wi);
      xi[r] = ei + (odd_r * wi + odd_i * wr);
    }
  }
}

/* The other way: Z[k] = E + i O, k < h. */
CLONED static void join_halves(Numbers x, Numbers z, Numbers roots, int64_t h, int64_t rows)
{
  for (int64_t k = 0; k < h; k++) {
    double wr = roots.re[k], wi = roots.im[k];
    const double *restrict ar = x.re + k * rows, *restrict ai = x.im + k * rows;
    const double *restrict br = x.re + (h - k) * rows, *restrict bi = x.im + (h - k) * rows;
    double *restrict zr = z.re + k * rows, *restrict zi = z.im + k * rows;
    for (int64_t r = 0; r < rows; r++) {
      double er = (ar[r] + br[r]) / 2, ei = (ai[r] - bi[r]) / 2;
      double dr = (ar[r] - br[r]) / 2, di = (ai[r] + bi[r]) / 2;
      zr[r] = er - (di * wr - dr * wi);
      zi[r] = ei + (dr * wr + di * wi); /* by the conjugate of the root */
    }
  }
}

/* ---- the routines ---- */

/* Rows that lie one behind the other, `size` numbers from one to the next, of which every `step`-th
 * is taken; in `x` they lie side by side. */
#define ECHO_ROWS(suffix, type)                                                                    \
  CLONED static void read_##suffix(const type *restrict from, int64_t size, int64_t step,          \
                                   double *restrict x, int64_t n, int64_t rows)                    \
  {                                                                                                \
    for (int64_t i = 0; i < n; i++)                                                                \
      for (int64_t r = 0; r < rows; r++)                                                           \
        x[i * rows + r] = (double)from[r * size + i * step];                                       \
  }                                                                                                \
                                                                                                   \
  CLONED static void write_##suffix(const double *restrict x, double scale, type *restrict to,     \
                                    int64_t size, int64_t step, int64_t n, int64_t rows)           \
  {                                                                                                \
    for (int64_t r = 0; r < rows; r++)                                                             \
      for (int64_t i = 0; i < n; i++)                                                              \
        to[r * size + i * step] = (type)(x[i * rows + r] * scale);                                 \
  }

/* Its parts may have been exchanged on the way. */
static bool is_in(Numbers x, Numbers z)
{
  return z.re == x.re || z.re == x.im;
}

/* The inverse is the transform with real and imaginary parts exchanged, before and behind it. An
 * odd number of real numbers is as many complex ones. */
#define ECHO_FFT(suffix, type)                                                                     \
  void echo_fft_##suffix(const type *re, const type *im, type *re_out, type *im_out,               \
                         double *space, int64_t n, int64_t rows, int64_t inverse)                  \
  {                                                                                                \
    Work work = work_in(space, n, rows);                                                           \
    double scale = inverse ? 1 / (double)n : 1;                                                    \
    read_##suffix(inverse ? im : re, n, 1, work.x.re, n, rows);                                    \
    read_##suffix(inverse ? re : im, n, 1, work.x.im, n, rows);                                    \
    Numbers z = transform_any(plan_of(n), work.x, work.y, rows);                                   \
    write_##suffix(z.re, scale, inverse ? im_out : re_out, n, 1, n, rows);                         \
    write_##suffix(z.im, scale, inverse ? re_out : im_out, n, 1, n, rows);                         \
  }                                                                                                \
                                                                                                   \
  void echo_rfft_##suffix(const type *re, type *re_out, type *im_out, double *space, int64_t n,    \
                          int64_t rows)                                                            \
  {                                                                                                \
    Work work = work_in(space, n, rows);                                                           \
    bool is_even = n % 2 == 0;                                                                     \
    int64_t step = is_even ? 2 : 1, h = n / step, n_out = n / 2 + 1;                               \
    read_##suffix(re, n, step, work.x.re, h, rows);                                                \
    memset(work.x.im, 0, (size_t)(h * rows) * sizeof(double));                                     \
    if (is_even)                                                                                   \
      read_##suffix(re + 1, n, step, work.x.im, h, rows);                                          \
    Numbers z = transform_any(plan_of(h), work.x, work.y, rows);                                   \
    if (is_even) {                                                                                 \
      Numbers halves = is_in(work.x, z) ? work.y : work.x;                                         \
      split_halves(z, halves, plan_of(n)->roots, h, rows);                                         \
      z = halves;                                                                                  \
    }                                                                                              \
    write_##suffix(z.re, 1, re_out, n_out, 1, n_out, rows);                                        \
    write_##suffix(z.im, 1, im_out, n_out, 1, n_out, rows);                                        \
  }                                                                                                \
                                                                                                   \
  void echo_irfft_##suffix(const type *re, const type *im, type *out, double *space, int64_t n,    \
                           int64_t rows)                                                           \
  {                                                                                                \
    Work work = work_in(space, n, rows);                                                           \
    Numbers x = work.x, y = work.y;                                                                \
    bool is_even = n % 2 == 0;                                                                     \
    int64_t step = is_even ? 2 : 1, h = n / step, n_in = n / 2 + 1;                                \
    read_##suffix(re, n_in, 1, x.re, n_in, rows);                                                  \
    read_##suffix(im, n_in, 1, x.im, n_in, rows);                                                  \
    memset(x.im, 0, (size_t)rows * sizeof(double));                                                \
    if (is_even) {                                                                                 \
      memset(x.im + h * rows, 0, (size_t)rows * sizeof(double));                                   \
      join_halves(x, y, plan_of(n)->roots, h, rows);                                               \
      x = y;                                                                                       \
      y = work.x;                                                                                  \
    }                                                                                              \
    for (int64_t i = n_in * rows; i < n * rows && !is_even; i++) {                                 \
      int64_t from = (n - i / rows) * rows + i % rows;                                             \
      x.re[i] = x.re[from];                                                                        \
      x.im[i] = -x.im[from];                                                                       \
    }                                                                                              \
    Numbers z = transform_any(plan_of(h), (Numbers){x.im, x.re}, y, rows);                         \
    write_##suffix(z.im, 1 / (double)h, out, n, step, h, rows);                                    \
    if (is_even)                                                                                   \
      write_##suffix(z.re, 1 / (double)h, out + 1, n, step, h, rows);                              \
  }

ECHO_ROWS(f32, float)
ECHO_ROWS(f64, double)
ECHO_FFT(f32, float)
ECHO_FFT(f64, double)
