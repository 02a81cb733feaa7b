/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reference evaluation of linear algebra, by the textbook's loops, in double. */
#include <math.h>

#include "dialects/stablehlo/evaluate/evaluate_t.h"

/* Matrices of a batched tensor: [..., rows, columns]. */
typedef struct Matrices {
  int64_t n, rows, columns;
} Matrices;

static Matrices matrices_of(const EchoTensor *tensor)
{
  size_t rank = echo_type_rank(tensor->type);
  Matrices m = {.n = 1,
                .rows = echo_type_dim(tensor->type, rank - 2),
                .columns = echo_type_dim(tensor->type, rank - 1)};
  for (size_t i = 0; i + 2 < rank; i++)
    m.n *= echo_type_dim(tensor->type, i);
  return m;
}

/* ---- cholesky ---- */

/* l l^T = a, from the lower triangle of a, n x n; what is not positive definite gives NaN
 * throughout. */
static void factor(double *l, const double *a, int64_t n)
{
  bool fails = false;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j <= i; j++) {
      double sum = a[i * n + j];
      for (int64_t k = 0; k < j; k++)
        sum -= l[i * n + k] * l[j * n + k];
      fails |= i == j && !(sum > 0);
      l[i * n + j] = i == j ? sqrt(sum) : sum / l[j * n + j];
    }
  for (int64_t i = 0; i < n * n && fails; i++)
    l[i] = NAN;
}

bool echo_hlo_evaluate_cholesky(EchoEvaluator *evaluator, const EchoOp *op,
                                const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  Matrices m = matrices_of(operands[0]);
  int64_t n = m.rows;
  const EchoAttr *lower = echo_op_attr_or_null(op, "lower");
  bool is_lower = lower != NULL && lower->as.integer.value != 0;
  double *a = echo_alloc_array((size_t)(n * n) + 1, sizeof *a);
  double *l = echo_alloc_array((size_t)(n * n) + 1, sizeof *l);
  results[0] = echo_hlo_new_result(op, 0);
  for (int64_t b = 0; b < m.n; b++) {
    for (int64_t i = 0; i < n; i++)
      for (int64_t j = 0; j < n; j++) {
        int64_t at = b * n * n + (is_lower ? i * n + j : j * n + i);
        a[i * n + j] = echo_hlo_get_number(operands[0], at);
        l[i * n + j] = 0;
      }
    factor(l, a, n);
    for (int64_t i = 0; i < n; i++)
      for (int64_t j = 0; j < n; j++)
        echo_hlo_set_number(results[0], b * n * n + (is_lower ? i * n + j : j * n + i),
                            l[i * n + j]);
  }
  echo_free(a);
  echo_free(l);
  return true;
}

/* ---- triangular_solve ---- */

typedef struct Triangle {
  const double *a; /* n x n */
  int64_t n;
  bool is_transposed, is_unit;
} Triangle;

/* Element of op(a). */
static double coefficient(const Triangle *t, int64_t i, int64_t j)
{
  return t->is_transposed ? t->a[j * t->n + i] : t->a[i * t->n + j];
}

/* op(a) x = x in place, forwards where op(a) is lower; x[i] is x[i * stride]. */
static void solve(const Triangle *t, bool forwards, double *x, int64_t stride)
{
  for (int64_t step = 0; step < t->n; step++) {
    int64_t i = forwards ? step : t->n - 1 - step;
    double sum = x[i * stride];
    for (int64_t k = forwards ? 0 : i + 1; k < (forwards ? i : t->n); k++)
      sum -= coefficient(t, i, k) * x[k * stride];
    x[i * stride] = t->is_unit ? sum : sum / coefficient(t, i, i);
  }
}

static bool flag(const EchoOp *op, const char *name)
{
  return echo_op_attr_or_null(op, name)->as.integer.value != 0;
}

bool echo_hlo_evaluate_triangular_solve(EchoEvaluator *evaluator, const EchoOp *op,
                                        const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  Matrices m = matrices_of(operands[0]), right = matrices_of(operands[1]);
  bool is_left = flag(op, "left_side"), is_lower = flag(op, "lower");
  Triangle t = {.n = m.rows,
                .is_transposed = echo_stablehlo_transpose_kind(op) != ECHO_NO_TRANSPOSE,
                .is_unit = flag(op, "unit_diagonal")};
  int64_t size = right.rows * right.columns;
  double *a = echo_alloc_array((size_t)(t.n * t.n) + 1, sizeof *a);
  double *x = echo_alloc_array((size_t)size + 1, sizeof *x);
  t.a = a;
  results[0] = echo_hlo_new_result(op, 0);
  for (int64_t b = 0; b < m.n; b++) {
    for (int64_t i = 0; i < t.n * t.n; i++)
      a[i] = echo_hlo_get_number(operands[0], b * t.n * t.n + i);
    for (int64_t i = 0; i < size; i++)
      x[i] = echo_hlo_get_number(operands[1], b * size + i);
    /* x op(a) = b is op(a)^T x^T = b^T, a row of x at a time */
    Triangle side = t;
    side.is_transposed = t.is_transposed == is_left; /* once more on the right */
    bool forwards = is_lower != side.is_transposed;
    for (int64_t k = 0; k < (is_left ? right.columns : right.rows); k++)
      solve(&side, forwards, is_left ? x + k : x + k * right.columns, is_left ? right.columns : 1);
    for (int64_t i = 0; i < size; i++)
      echo_hlo_set_number(results[0], b * size + i, x[i]);
  }
  echo_free(a);
  echo_free(x);
  return true;
}
