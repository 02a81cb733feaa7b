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

/* The passes again for processors that take four or eight numbers at a time: the same operations on
 * each (nothing is contracted to fused ones), so the same bits. Where the loader can choose, and no
 * sanitizer is called before it may be. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) &&                            \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONED __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLONED
#endif
#define INLINED static inline __attribute__((always_inline))

/* Eight neighbours at once, wherever they lie. Only behind pointers: by value they would be passed
 * as the processor has registers for them. */
enum { LANES = 8 };
typedef double Lanes __attribute__((vector_size(64), aligned(8), may_alias));
typedef float Lanes_f32 __attribute__((vector_size(32), aligned(4), may_alias));
typedef Lanes Lanes_f64;

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

/* re + im i, one number. */
typedef struct Root {
  double re, im;
} Root;

/* Eight of them. */
typedef struct Roots {
  Lanes re, im;
} Roots;

/* A pass of radix r over n / r = m * s: y[q + s (r p + k)] is the k-th of the transform of the r
 * numbers x[q + s (p + j m)], times the root of k p s. Of several rows at once, whose numbers lie
 * side by side: `w` is s times as many. Here what is done for one p, at some q: x and y point to
 * the first number, the next are `x_step` and `y_step` further; `roots[k - 1]` is that of k. */
#define ECHO_STEPS(suffix, type, root)                                                             \
  INLINED void step2_##suffix(Numbers x, int64_t x_step, Numbers y, int64_t y_step,                \
                              const root *roots)                                                   \
  {                                                                                                \
    const type ar = *(type *)x.re, ai = *(type *)x.im;                                             \
    const type br = *(type *)(x.re + x_step), bi = *(type *)(x.im + x_step);                       \
    const type dr = ar - br, di = ai - bi;                                                         \
    *(type *)y.re = ar + br;                                                                       \
    *(type *)y.im = ai + bi;                                                                       \
    *(type *)(y.re + y_step) = dr * roots[0].re - di * roots[0].im;                                \
    *(type *)(y.im + y_step) = dr * roots[0].im + di * roots[0].re;                                \
  }                                                                                                \
                                                                                                   \
  INLINED void step4_##suffix(Numbers x, int64_t x_step, Numbers y, int64_t y_step,                \
                              const root *roots)                                                   \
  {                                                                                                \
    const type ar = *(type *)x.re, ai = *(type *)x.im;                                             \
    const type br = *(type *)(x.re + x_step), bi = *(type *)(x.im + x_step);                       \
    const type cr = *(type *)(x.re + 2 * x_step), ci = *(type *)(x.im + 2 * x_step);               \
    const type dr = *(type *)(x.re + 3 * x_step), di = *(type *)(x.im + 3 * x_step);               \
    const type sum_r = ar + cr, sum_i = ai + ci, less_r = ar - cr, less_i = ai - ci;               \
    const type odd_r = br + dr, odd_i = bi + di;                                                   \
    const type turned_r = di - bi, turned_i = br - dr; /* i (b - d) */                             \
    const type y1r = less_r - turned_r, y1i = less_i - turned_i;                                   \
    const type y2r = sum_r - odd_r, y2i = sum_i - odd_i;                                           \
    const type y3r = less_r + turned_r, y3i = less_i + turned_i;                                   \
    *(type *)y.re = sum_r + odd_r;                                                                 \
    *(type *)y.im = sum_i + odd_i;                                                                 \
    *(type *)(y.re + y_step) = y1r * roots[0].re - y1i * roots[0].im;                              \
    *(type *)(y.im + y_step) = y1r * roots[0].im + y1i * roots[0].re;                              \
    *(type *)(y.re + 2 * y_step) = y2r * roots[1].re - y2i * roots[1].im;                          \
    *(type *)(y.im + 2 * y_step) = y2r * roots[1].im + y2i * roots[1].re;                          \
    *(type *)(y.re + 3 * y_step) = y3r * roots[2].re - y3i * roots[2].im;                          \
    *(type *)(y.im + 3 * y_step) = y3r * roots[2].im + y3i * roots[2].re;                          \
  }

#define ECHO_ODD_STEP(suffix, type)                                                                \
  /* An odd radix: a[j] and a[r - j] go into the results k and r - k as their sum times a cosine   \
   * and their difference times a sine, `turns[j k % r]`. Zero, the first result, has no root. */  \
  INLINED void step_odd_##suffix(Numbers x, int64_t x_step, Numbers y, int64_t y_step,             \
                                 const Root *roots, const Root *turns, int64_t r)                  \
  {                                                                                                \
    const type ar = *(type *)x.re, ai = *(type *)x.im;                                             \
    type sum_r = ar, sum_i = ai;                                                                   \
    type with_r[ECHO_KERNEL_FFT_MAX_FACTOR / 2], with_i[ECHO_KERNEL_FFT_MAX_FACTOR / 2];           \
    type less_r[ECHO_KERNEL_FFT_MAX_FACTOR / 2], less_i[ECHO_KERNEL_FFT_MAX_FACTOR / 2];           \
    for (int64_t j = 1; j <= r / 2; j++) {                                                         \
      const type br = *(type *)(x.re + j * x_step), bi = *(type *)(x.im + j * x_step);             \
      const type cr = *(type *)(x.re + (r - j) * x_step);                                          \
      const type ci = *(type *)(x.im + (r - j) * x_step);                                          \
      with_r[j - 1] = br + cr;                                                                     \
      with_i[j - 1] = bi + ci;                                                                     \
      less_r[j - 1] = br - cr;                                                                     \
      less_i[j - 1] = bi - ci;                                                                     \
      sum_r += with_r[j - 1];                                                                      \
      sum_i += with_i[j - 1];                                                                      \
    }                                                                                              \
    *(type *)y.re = sum_r;                                                                         \
    *(type *)y.im = sum_i;                                                                         \
    for (int64_t k = 1; k <= r / 2; k++) {                                                         \
      type even_r = ar, even_i = ai, odd_r = less_r[0] * turns[k].im, odd_i;                       \
      odd_i = less_i[0] * turns[k].im;                                                             \
      for (int64_t j = 1, at = k; j <= r / 2; j++, at = at + k < r ? at + k : at + k - r) {        \
        even_r += with_r[j - 1] * turns[at].re;                                                    \
        even_i += with_i[j - 1] * turns[at].re;                                                    \
        if (j > 1) {                                                                               \
          odd_r += less_r[j - 1] * turns[at].im;                                                   \
          odd_i += less_i[j - 1] * turns[at].im;                                                   \
        }                                                                                          \
      }                                                                                            \
      const type y1r = even_r - odd_i, y1i = even_i + odd_r;                                       \
      const type y2r = even_r + odd_i, y2i = even_i - odd_r;                                       \
      const Root at_k = roots[k - 1], at_rest = roots[r - k - 1];                                  \
      *(type *)(y.re + k * y_step) = y1r * at_k.re - y1i * at_k.im;                                \
      *(type *)(y.im + k * y_step) = y1r * at_k.im + y1i * at_k.re;                                \
      *(type *)(y.re + (r - k) * y_step) = y2r * at_rest.re - y2i * at_rest.im;                    \
      *(type *)(y.im + (r - k) * y_step) = y2r * at_rest.im + y2i * at_rest.re;                    \
    }                                                                                              \
  }
ECHO_STEPS(one, double, Root)
ECHO_STEPS(lanes, Lanes, Root)
ECHO_STEPS(few, Lanes, Roots) /* a root for each lane */
ECHO_ODD_STEP(one, double)
ECHO_ODD_STEP(lanes, Lanes)

INLINED Numbers further(Numbers x, int64_t by)
{
  return (Numbers){x.re + by, x.im + by};
}

/* Those of p s, 2 p s, … */
INLINED void find_roots(Numbers of, int64_t at, int64_t count, Root *roots)
{
  for (int64_t k = 1; k <= count; k++) {
    roots[k - 1].re = of.re[k * at];
    roots[k - 1].im = of.im[k * at];
  }
}

/* ---- lanes of less than eight neighbours ---- */

/* Where w, of at most four, is a power of two, a vector takes 8 / w places p, which have a root
 * each; results, neighbours of w numbers, lie apart by r w. */
INLINED bool is_few(int64_t m, int64_t w)
{
  return (w == 1 || w == 2 || w == 4) && m * w % LANES == 0;
}

INLINED void find_few(Numbers of, int64_t p, int64_t s, int64_t w, int64_t count, Roots *roots)
{
  for (int64_t k = 1; k <= count; k++) {
    double re[LANES], im[LANES];
    for (int64_t i = 0; i < LANES; i++) {
      re[i] = of.re[k * s * (p + i / w)];
      im[i] = of.im[k * s * (p + i / w)];
    }
    memcpy(&roots[k - 1].re, re, sizeof re);
    memcpy(&roots[k - 1].im, im, sizeof im);
  }
}

/* a[0], b[0], a[1], b[1], … of w numbers each: the lower and the upper half of it. */
INLINED void weave(const Lanes *a, const Lanes *b, int64_t w, Lanes *lower, Lanes *upper)
{
  const Lanes x = *a, y = *b;
  *lower = w == 1   ? __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11)
           : w == 2 ? __builtin_shufflevector(x, y, 0, 1, 8, 9, 2, 3, 10, 11)
                    : __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11);
  *upper = w == 1   ? __builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15)
           : w == 2 ? __builtin_shufflevector(x, y, 4, 5, 12, 13, 6, 7, 14, 15)
                    : __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15);
}

/* Four vectors, `from`, as they lie in memory, `to`. */
INLINED void weave4(const Lanes *from, int64_t w, double *to)
{
  Lanes even[2], odd[2], out[4];
  weave(&from[0], &from[2], w, &even[0], &even[1]);
  weave(&from[1], &from[3], w, &odd[0], &odd[1]);
  weave(&even[0], &odd[0], w, &out[0], &out[1]);
  weave(&even[1], &odd[1], w, &out[2], &out[3]);
  memcpy(to, out, sizeof out);
}

INLINED void few2(int64_t m, int64_t s, int64_t w, Numbers x, Numbers y, Numbers of)
{
  for (int64_t i = 0; i < m * w; i += LANES) {
    Roots roots[1];
    Lanes re[2], im[2], out[4];
    find_few(of, i / w, s, w, 1, roots);
    step2_few(further(x, i), w * m, (Numbers){(double *)re, (double *)im}, LANES, roots);
    weave(&re[0], &re[1], w, &out[0], &out[1]);
    weave(&im[0], &im[1], w, &out[2], &out[3]);
    memcpy(y.re + 2 * i, out, 2 * sizeof *out);
    memcpy(y.im + 2 * i, out + 2, 2 * sizeof *out);
  }
}

INLINED void few4(int64_t m, int64_t s, int64_t w, Numbers x, Numbers y, Numbers of)
{
  for (int64_t i = 0; i < m * w; i += LANES) {
    Roots roots[3];
    Lanes re[4], im[4];
    find_few(of, i / w, s, w, 3, roots);
    step4_few(further(x, i), w * m, (Numbers){(double *)re, (double *)im}, LANES, roots);
    weave4(re, w, y.re + 4 * i);
    weave4(im, w, y.im + 4 * i);
  }
}

/* ---- a pass over all ---- */

CLONED static void pass2(int64_t m, int64_t s, int64_t w, Numbers x, Numbers y, Numbers of)
{
  if (is_few(m, w)) {
    if (w == 1)
      few2(m, s, 1, x, y, of);
    else if (w == 2)
      few2(m, s, 2, x, y, of);
    else
      few2(m, s, 4, x, y, of);
    return;
  }
  for (int64_t p = 0, q; p < m; p++) {
    Root roots[1];
    find_roots(of, p * s, 1, roots);
    for (q = 0; q + LANES <= w; q += LANES)
      step2_lanes(further(x, w * p + q), w * m, further(y, 2 * w * p + q), w, roots);
    for (; q < w; q++)
      step2_one(further(x, w * p + q), w * m, further(y, 2 * w * p + q), w, roots);
  }
}

CLONED static void pass4(int64_t m, int64_t s, int64_t w, Numbers x, Numbers y, Numbers of)
{
  if (is_few(m, w)) {
    if (w == 1)
      few4(m, s, 1, x, y, of);
    else if (w == 2)
      few4(m, s, 2, x, y, of);
    else
      few4(m, s, 4, x, y, of);
    return;
  }
  for (int64_t p = 0, q; p < m; p++) {
    Root roots[3];
    find_roots(of, p * s, 3, roots);
    for (q = 0; q + LANES <= w; q += LANES)
      step4_lanes(further(x, w * p + q), w * m, further(y, 4 * w * p + q), w, roots);
    for (; q < w; q++)
      step4_one(further(x, w * p + q), w * m, further(y, 4 * w * p + q), w, roots);
  }
}

/* Any odd radix: r^2 products each. `n` is the whole length. */
CLONED static void pass_odd(int64_t r, int64_t m, int64_t s, int64_t w, Numbers x, Numbers y,
                            Numbers of, int64_t n)
{
  Root turns[ECHO_KERNEL_FFT_MAX_FACTOR], roots[ECHO_KERNEL_FFT_MAX_FACTOR];
  for (int64_t j = 0; j < r; j++)
    turns[j] = (Root){of.re[j * (n / r)], of.im[j * (n / r)]};
  for (int64_t p = 0, q; p < m; p++) {
    find_roots(of, p * s, r - 1, roots);
    for (q = 0; q + LANES <= w; q += LANES)
      step_odd_lanes(further(x, w * p + q), w * m, further(y, w * r * p + q), w, roots, turns, r);
    for (; q < w; q++)
      step_odd_one(further(x, w * p + q), w * m, further(y, w * r * p + q), w, roots, turns, r);
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
      pass_odd(r, m, s, s * rows, x, y, plan->roots, plan->n);
    Numbers swapped = x;
    x = y;
    y = swapped;
    s *= r;
  }
  return x;
}

#define ECHO_PRODUCT(suffix, type)                                                                 \
  INLINED void multiply_##suffix(Numbers x, Root y)                                                \
  {                                                                                                \
    const type re = *(type *)x.re, im = *(type *)x.im;                                             \
    *(type *)x.re = re * y.re - im * y.im;                                                         \
    *(type *)x.im = re * y.im + im * y.re;                                                         \
  }
ECHO_PRODUCT(one, double)
ECHO_PRODUCT(lanes, Lanes)

/* x[i] *= y[i] in each row, i < n */
CLONED static void multiply(Numbers x, Numbers y, int64_t n, int64_t rows)
{
  for (int64_t i = 0, r; i < n; i++) {
    Root root = {y.re[i], y.im[i]};
    for (r = 0; r + LANES <= rows; r += LANES)
      multiply_lanes(further(x, i * rows + r), root);
    for (; r < rows; r++)
      multiply_one(further(x, i * rows + r), root);
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
#define ECHO_HALVES(suffix, type, root)                                                            \
  INLINED void split_##suffix(Numbers a, Numbers b, Numbers x, const root *w)                      \
  {                                                                                                \
    const type ar = *(type *)a.re, ai = *(type *)a.im, br = *(type *)b.re, bi = *(type *)b.im;     \
    const type er = (ar + br) * 0.5, ei = (ai - bi) * 0.5;                                         \
    const type odd_r = (ai + bi) * 0.5, odd_i = (br - ar) * 0.5;                                   \
    *(type *)x.re = er + (odd_r * w->re - odd_i * w->im);                                          \
    *(type *)x.im = ei + (odd_r * w->im + odd_i * w->re);                                          \
  }                                                                                                \
                                                                                                   \
  /* The other way: Z[k] = E + i O. */                                                             \
  INLINED void join_##suffix(Numbers a, Numbers b, Numbers z, const root *w)                       \
  {                                                                                                \
    const type ar = *(type *)a.re, ai = *(type *)a.im, br = *(type *)b.re, bi = *(type *)b.im;     \
    const type er = (ar + br) * 0.5, ei = (ai - bi) * 0.5;                                         \
    const type dr = (ar - br) * 0.5, di = (ai + bi) * 0.5;                                         \
    *(type *)z.re = er - (di * w->re - dr * w->im);                                                \
    *(type *)z.im = ei + (dr * w->re + di * w->im); /* by the conjugate of the root */             \
  }
ECHO_HALVES(one, double, Root)
ECHO_HALVES(lanes, Lanes, Root)
ECHO_HALVES(few, Lanes, Roots) /* of one row, a root for each lane */

/* Of one row: the eight numbers from `at` on, and those from `back` on, the last first. */
INLINED void take_few(Numbers x, Numbers of, int64_t at, int64_t back, Lanes *turned, Roots *roots)
{
  const Lanes re = *(Lanes *)(x.re + back), im = *(Lanes *)(x.im + back);
  turned[0] = __builtin_shufflevector(re, re, 7, 6, 5, 4, 3, 2, 1, 0);
  turned[1] = __builtin_shufflevector(im, im, 7, 6, 5, 4, 3, 2, 1, 0);
  roots->re = *(Lanes *)(of.re + at);
  roots->im = *(Lanes *)(of.im + at);
}

CLONED static void split_halves(Numbers z, Numbers x, Numbers roots, int64_t h, int64_t rows)
{
  for (int64_t k = 0, r; k <= h; k++) {
    for (; rows == 1 && k > 0 && k + LANES <= h; k += LANES) {
      Lanes b[2];
      Roots few;
      take_few(z, roots, k, h - k - LANES + 1, b, &few);
      split_few(further(z, k), (Numbers){(double *)&b[0], (double *)&b[1]}, further(x, k), &few);
    }
    Numbers a = further(z, (k == h ? 0 : k) * rows), b = further(z, (k == 0 ? 0 : h - k) * rows);
    Root root = k == h ? (Root){-1, 0} : (Root){roots.re[k], roots.im[k]};
    for (r = 0; r + LANES <= rows; r += LANES)
      split_lanes(further(a, r), further(b, r), further(x, k * rows + r), &root);
    for (; r < rows; r++)
      split_one(further(a, r), further(b, r), further(x, k * rows + r), &root);
  }
}

CLONED static void join_halves(Numbers x, Numbers z, Numbers roots, int64_t h, int64_t rows)
{
  for (int64_t k = 0, r; k < h; k++) {
    for (; rows == 1 && k + LANES < h; k += LANES) {
      Lanes b[2];
      Roots few;
      take_few(x, roots, k, h - k - LANES + 1, b, &few);
      join_few(further(x, k), (Numbers){(double *)&b[0], (double *)&b[1]}, further(z, k), &few);
    }
    Numbers a = further(x, k * rows), b = further(x, (h - k) * rows);
    Root root = {roots.re[k], roots.im[k]};
    for (r = 0; r + LANES <= rows; r += LANES)
      join_lanes(further(a, r), further(b, r), further(z, k * rows + r), &root);
    for (; r < rows; r++)
      join_one(further(a, r), further(b, r), further(z, k * rows + r), &root);
  }
}

/* ---- from rows to lanes and back ---- */

/* a[0], b[0], a[1], b[1], …: the lower four, the upper four of each; and the even and odd ones. */
#define LOWER(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define UPPER(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)

/* Eight times eight, transposed: each of three shuffles takes the first bit of a number's place for
 * its last. */
INLINED void turn(Lanes *v)
{
  for (int stage = 0; stage < 3; stage++) {
    Lanes w[LANES];
    for (int i = 0; i < LANES / 2; i++) {
      w[2 * i] = LOWER(v[i], v[i + LANES / 2]);
      w[2 * i + 1] = UPPER(v[i], v[i + LANES / 2]);
    }
    memcpy(v, w, sizeof w);
  }
}

/* Rows that lie one behind the other, `size` numbers from one to the next; in `x` they lie side by
 * side. Of pairs of numbers the first go to `x.re` and the second to `x.im`. */
#define ECHO_ROWS(suffix, type)                                                                    \
  INLINED void take_##suffix(const type *from, Lanes *to)                                          \
  {                                                                                                \
    *to = __builtin_convertvector(*(const Lanes_##suffix *)from, Lanes);                           \
  }                                                                                                \
                                                                                                   \
  CLONED static void read_##suffix(const type *from, int64_t size, double *x, int64_t n,           \
                                   int64_t rows)                                                   \
  {                                                                                                \
    int64_t i = 0;                                                                                 \
    for (; rows == LANES && i + LANES <= n; i += LANES) {                                          \
      Lanes v[LANES];                                                                              \
      for (int r = 0; r < LANES; r++)                                                              \
        take_##suffix(from + r * size + i, &v[r]);                                                 \
      turn(v);                                                                                     \
      memcpy(x + i * LANES, v, sizeof v);                                                          \
    }                                                                                              \
    for (; rows == 1 && i + LANES <= n; i += LANES)                                                \
      take_##suffix(from + i, (Lanes *)(x + i));                                                   \
    for (; i < n; i++)                                                                             \
      for (int64_t r = 0; r < rows; r++)                                                           \
        x[i * rows + r] = (double)from[r * size + i];                                              \
  }                                                                                                \
                                                                                                   \
  CLONED static void read_pairs_##suffix(const type *from, int64_t size, Numbers x, int64_t n,     \
                                         int64_t rows)                                             \
  {                                                                                                \
    int64_t i = 0;                                                                                 \
    for (; rows == LANES && i + LANES <= n; i += LANES) {                                          \
      Lanes even[LANES], odd[LANES];                                                               \
      for (int r = 0; r < LANES; r++) {                                                            \
        Lanes first, second;                                                                       \
        take_##suffix(from + r * size + 2 * i, &first);                                            \
        take_##suffix(from + r * size + 2 * i + LANES, &second);                                   \
        even[r] = EVEN(first, second);                                                             \
        odd[r] = ODD(first, second);                                                               \
      }                                                                                            \
      turn(even);                                                                                  \
      turn(odd);                                                                                   \
      memcpy(x.re + i * LANES, even, sizeof even);                                                 \
      memcpy(x.im + i * LANES, odd, sizeof odd);                                                   \
    }                                                                                              \
    for (; rows == 1 && i + LANES <= n; i += LANES) {                                              \
      Lanes first, second;                                                                         \
      take_##suffix(from + 2 * i, &first);                                                         \
      take_##suffix(from + 2 * i + LANES, &second);                                                \
      *(Lanes *)(x.re + i) = EVEN(first, second);                                                  \
      *(Lanes *)(x.im + i) = ODD(first, second);                                                   \
    }                                                                                              \
    for (; i < n; i++)                                                                             \
      for (int64_t r = 0; r < rows; r++) {                                                         \
        x.re[i * rows + r] = (double)from[r * size + 2 * i];                                       \
        x.im[i * rows + r] = (double)from[r * size + 2 * i + 1];                                   \
      }                                                                                            \
  }                                                                                                \
                                                                                                   \
  INLINED void give_##suffix(const Lanes *from, double scale, type *to)                            \
  {                                                                                                \
    *(Lanes_##suffix *)to = __builtin_convertvector(*from * scale, Lanes_##suffix);                \
  }                                                                                                \
                                                                                                   \
  CLONED static void write_##suffix(const double *x, double scale, type *to, int64_t size,         \
                                    int64_t n, int64_t rows)                                       \
  {                                                                                                \
    int64_t i = 0;                                                                                 \
    for (; rows == LANES && i + LANES <= n; i += LANES) {                                          \
      Lanes v[LANES];                                                                              \
      memcpy(v, x + i * LANES, sizeof v);                                                          \
      turn(v);                                                                                     \
      for (int r = 0; r < LANES; r++)                                                              \
        give_##suffix(&v[r], scale, to + r * size + i);                                            \
    }                                                                                              \
    for (; rows == 1 && i + LANES <= n; i += LANES)                                                \
      give_##suffix((const Lanes *)(x + i), scale, to + i);                                        \
    for (; i < n; i++)                                                                             \
      for (int64_t r = 0; r < rows; r++)                                                           \
        to[r * size + i] = (type)(x[i * rows + r] * scale);                                        \
  }                                                                                                \
                                                                                                   \
  CLONED static void write_pairs_##suffix(Numbers x, double scale, type *to, int64_t size,         \
                                          int64_t n, int64_t rows)                                 \
  {                                                                                                \
    int64_t i = 0;                                                                                 \
    for (; rows == LANES && i + LANES <= n; i += LANES) {                                          \
      Lanes even[LANES], odd[LANES];                                                               \
      memcpy(even, x.re + i * LANES, sizeof even);                                                 \
      memcpy(odd, x.im + i * LANES, sizeof odd);                                                   \
      turn(even);                                                                                  \
      turn(odd);                                                                                   \
      for (int r = 0; r < LANES; r++) {                                                            \
        Lanes first = LOWER(even[r], odd[r]), second = UPPER(even[r], odd[r]);                     \
        give_##suffix(&first, scale, to + r * size + 2 * i);                                       \
        give_##suffix(&second, scale, to + r * size + 2 * i + LANES);                              \
      }                                                                                            \
    }                                                                                              \
    for (; rows == 1 && i + LANES <= n; i += LANES) {                                              \
      const Lanes even = *(Lanes *)(x.re + i), odd = *(Lanes *)(x.im + i);                         \
      const Lanes first = LOWER(even, odd), second = UPPER(even, odd);                             \
      give_##suffix(&first, scale, to + 2 * i);                                                    \
      give_##suffix(&second, scale, to + 2 * i + LANES);                                           \
    }                                                                                              \
    for (; i < n; i++)                                                                             \
      for (int64_t r = 0; r < rows; r++) {                                                         \
        to[r * size + 2 * i] = (type)(x.re[i * rows + r] * scale);                                 \
        to[r * size + 2 * i + 1] = (type)(x.im[i * rows + r] * scale);                             \
      }                                                                                            \
  }
ECHO_ROWS(f32, float)
ECHO_ROWS(f64, double)

/* ---- the routines ---- */

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
    read_##suffix(inverse ? im : re, n, work.x.re, n, rows);                                       \
    read_##suffix(inverse ? re : im, n, work.x.im, n, rows);                                       \
    Numbers z = transform_any(plan_of(n), work.x, work.y, rows);                                   \
    write_##suffix(z.re, scale, inverse ? im_out : re_out, n, n, rows);                            \
    write_##suffix(z.im, scale, inverse ? re_out : im_out, n, n, rows);                            \
  }                                                                                                \
                                                                                                   \
  void echo_rfft_##suffix(const type *re, type *re_out, type *im_out, double *space, int64_t n,    \
                          int64_t rows)                                                            \
  {                                                                                                \
    Work work = work_in(space, n, rows);                                                           \
    bool is_even = n % 2 == 0;                                                                     \
    int64_t h = is_even ? n / 2 : n, n_out = n / 2 + 1;                                            \
    if (is_even) {                                                                                 \
      read_pairs_##suffix(re, n, work.x, h, rows);                                                 \
    } else {                                                                                       \
      read_##suffix(re, n, work.x.re, h, rows);                                                    \
      memset(work.x.im, 0, (size_t)(h * rows) * sizeof(double));                                   \
    }                                                                                              \
    Numbers z = transform_any(plan_of(h), work.x, work.y, rows);                                   \
    if (is_even) {                                                                                 \
      Numbers halves = is_in(work.x, z) ? work.y : work.x;                                         \
      split_halves(z, halves, plan_of(n)->roots, h, rows);                                         \
      z = halves;                                                                                  \
    }                                                                                              \
    write_##suffix(z.re, 1, re_out, n_out, n_out, rows);                                           \
    write_##suffix(z.im, 1, im_out, n_out, n_out, rows);                                           \
  }                                                                                                \
                                                                                                   \
  void echo_irfft_##suffix(const type *re, const type *im, type *out, double *space, int64_t n,    \
                           int64_t rows)                                                           \
  {                                                                                                \
    Work work = work_in(space, n, rows);                                                           \
    Numbers x = work.x, y = work.y;                                                                \
    bool is_even = n % 2 == 0;                                                                     \
    int64_t h = is_even ? n / 2 : n, n_in = n / 2 + 1;                                             \
    read_##suffix(re, n_in, x.re, n_in, rows);                                                     \
    read_##suffix(im, n_in, x.im, n_in, rows);                                                     \
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
    if (is_even)                                                                                   \
      write_pairs_##suffix((Numbers){z.im, z.re}, 1 / (double)h, out, n, h, rows);                 \
    else                                                                                           \
      write_##suffix(z.im, 1 / (double)h, out, n, n, rows);                                        \
  }

ECHO_FFT(f32, float)
ECHO_FFT(f64, double)
