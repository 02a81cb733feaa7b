/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fourier transforms against their sums, term by term: lengths of small factors, of large ones, odd
 * and even, of several rows at once. */
#include "jit/runtime/fft_t.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "dialects/kernel/kernel.h"
#include "tests/unit/suite.h"

enum { MAX_N = 257, MAX_ROWS = 9 };

static const int64_t LENGTHS[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,   11,  12,  13,
                                  15, 16, 17, 34, 37, 49, 64, 97, 128, 169, 210, 257};
static const int64_t ROWS[] = {1, 2, 4, 8, MAX_ROWS};

/* Rows of n numbers, and what they are transformed to. */
static double re[MAX_ROWS * MAX_N], im[MAX_ROWS * MAX_N];
static double to_re[MAX_ROWS * MAX_N], to_im[MAX_ROWS * MAX_N];
static double got_re[MAX_ROWS * MAX_N], got_im[MAX_ROWS * MAX_N];

static void fill(int64_t n, int64_t rows, bool is_real)
{
  for (int64_t i = 0; i < n * rows; i++) {
    re[i] = (double)rand() / RAND_MAX - 0.5;
    im[i] = is_real ? 0 : (double)rand() / RAND_MAX - 0.5;
  }
}

static void sum_terms(int64_t n, int64_t rows, int sign)
{
  const double TURN = 2 * 3.14159265358979323846;
  for (int64_t r = 0; r < rows; r++)
    for (int64_t k = 0; k < n; k++) {
      double sum_re = 0, sum_im = 0;
      for (int64_t j = 0; j < n; j++) {
        double angle = sign * TURN * (double)(j * k % n) / (double)n;
        sum_re += re[r * n + j] * cos(angle) - im[r * n + j] * sin(angle);
        sum_im += re[r * n + j] * sin(angle) + im[r * n + j] * cos(angle);
      }
      to_re[r * n + k] = sum_re;
      to_im[r * n + k] = sum_im;
    }
}

static double *space_for(int64_t n, int64_t rows)
{
  return calloc((size_t)(echo_kernel_fft_space(n) * rows), sizeof(double));
}

static void check_complex(int64_t n, int64_t rows)
{
  double *space = space_for(n, rows);
  fill(n, rows, false);
  for (int inverse = 0; inverse < 2; inverse++) {
    sum_terms(n, rows, inverse ? 1 : -1);
    echo_fft_f64(re, im, got_re, got_im, space, n, rows, inverse);
    for (int64_t i = 0; i < n * rows; i++) {
      ck_assert_double_eq_tol(got_re[i], to_re[i] / (inverse ? (double)n : 1), 1e-12);
      ck_assert_double_eq_tol(got_im[i], to_im[i] / (inverse ? (double)n : 1), 1e-12);
    }
  }
  free(space);
}

static void check_real(int64_t n, int64_t rows)
{
  double *space = space_for(n, rows);
  int64_t n_half = n / 2 + 1;
  fill(n, rows, true);
  sum_terms(n, rows, -1);
  echo_rfft_f64(re, got_re, got_im, space, n, rows);
  for (int64_t i = 0; i < n_half * rows; i++) {
    int64_t at = i / n_half * n + i % n_half;
    ck_assert_double_eq_tol(got_re[i], to_re[at], 1e-12);
    ck_assert_double_eq_tol(got_im[i], to_im[at], 1e-12);
  }
  for (int64_t r = 0; r < rows; r++) { /* what counts as zero need not be */
    got_im[r * n_half] = 3;
    if (n % 2 == 0)
      got_im[r * n_half + n / 2] = 5;
  }
  echo_irfft_f64(got_re, got_im, to_re, space, n, rows);
  for (int64_t i = 0; i < n * rows; i++)
    ck_assert_double_eq_tol(to_re[i], re[i], 1e-13);
  free(space);
}

START_TEST(test_lengths)
{
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    check_complex(LENGTHS[_i], ROWS[i]);
    check_real(LENGTHS[_i], ROWS[i]);
  }
}
END_TEST

/* The same numbers beside others, or alone: the same bits, whichever fill a vector. Of small
 * factors, of odd ones, of a large one. */
START_TEST(test_rows_do_not_matter)
{
  static const int64_t N[] = {34, 105, 128, 37, 192};
  int64_t n = N[_i], n_half = n / 2 + 1;
  double *space = space_for(n, MAX_ROWS);
  fill(n, MAX_ROWS, false);
  for (int64_t rows = 2; rows <= MAX_ROWS; rows++) {
    echo_fft_f64(re, im, got_re, got_im, space, n, rows, 0);
    for (int64_t r = 0; r < rows; r++) {
      echo_fft_f64(re + n * r, im + n * r, to_re, to_im, space, n, 1, 0);
      ck_assert_mem_eq(got_re + n * r, to_re, (size_t)n * sizeof(double));
      ck_assert_mem_eq(got_im + n * r, to_im, (size_t)n * sizeof(double));
    }
    echo_rfft_f64(re, got_re, got_im, space, n, rows);
    for (int64_t r = 0; r < rows; r++) {
      echo_rfft_f64(re + n * r, to_re, to_im, space, n, 1);
      ck_assert_mem_eq(got_re + n_half * r, to_re, (size_t)n_half * sizeof(double));
      ck_assert_mem_eq(got_im + n_half * r, to_im, (size_t)n_half * sizeof(double));
    }
    echo_irfft_f64(re, im, got_re, space, n, rows);
    for (int64_t r = 0; r < rows; r++) {
      echo_irfft_f64(re + n_half * r, im + n_half * r, to_re, space, n, 1);
      ck_assert_mem_eq(got_re + n * r, to_re, (size_t)n * sizeof(double));
    }
  }
  free(space);
}
END_TEST

/* Of f32 and of f64 that hold the same numbers: the same results, but for how they are rounded. */
START_TEST(test_narrow_numbers)
{
  enum { N = 96, ROWS_OF = 8 };
  static float x[ROWS_OF * N], narrow_re[ROWS_OF * N], narrow_im[ROWS_OF * N];
  double *space = space_for(N, ROWS_OF);
  for (int64_t i = 0; i < ROWS_OF * N; i++)
    re[i] = (double)(x[i] = (float)sin((double)(i * i)));
  echo_rfft_f64(re, got_re, got_im, space, N, ROWS_OF);
  echo_rfft_f32(x, narrow_re, narrow_im, space, N, ROWS_OF);
  for (int64_t i = 0; i < ROWS_OF * (N / 2 + 1); i++) {
    ck_assert_float_eq(narrow_re[i], (float)got_re[i]);
    ck_assert_float_eq(narrow_im[i], (float)got_im[i]);
  }
  for (int64_t i = 0; i < ROWS_OF * (N / 2 + 1); i++) {
    got_re[i] = (double)narrow_re[i];
    got_im[i] = (double)narrow_im[i];
  }
  echo_irfft_f64(got_re, got_im, to_re, space, N, ROWS_OF);
  echo_irfft_f32(narrow_re, narrow_im, x, space, N, ROWS_OF);
  for (int64_t i = 0; i < ROWS_OF * N; i++)
    ck_assert_float_eq(x[i], (float)to_re[i]);
  free(space);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("fft");
  TCase *tcase = tcase_create("fft");
  tcase_add_loop_test(tcase, test_lengths, 0, sizeof LENGTHS / sizeof *LENGTHS);
  tcase_add_loop_test(tcase, test_rows_do_not_matter, 0, 5);
  tcase_add_test(tcase, test_narrow_numbers);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
