/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reference evaluation of chlo on real tensors: scalar functions in long double, rounded to the
 * element type at the end, so that results are within 1 ULP of the exact ones in f64 and below
 * (digamma and lgamma: but beside their zeros, where the error is 1e-18 absolute). Sources of the
 * series: Abramowitz and Stegun 6.3 (digamma), 9.6, 9.7 (Bessel), 23.2 (zeta, by Euler and
 * Maclaurin). */
#include <math.h>

#include "dialects/chlo/chlo_t.h"
#include "dialects/stablehlo/evaluate/evaluate_t.h"
#include "ir/diagnostics.h"

typedef long double R;

static const R PI = 3.14159265358979323846264338327950288L;

/* ---- functions of one number ---- */

/* Newton's method on erf, or on erfc where erf is near 1. */
static R erf_inv(R y)
{
  R delta = 1 - fabsl(y);
  if (!(delta > 0))
    return delta == 0 ? copysignl(INFINITY, y) : (R)NAN;
  /* a start that is right to a few digits: Winitzki's formula */
  R log_term = logl(delta * (2 - delta)), a = 0.147L;
  R half = 2 / (PI * a) + log_term / 2;
  R x = sqrtl(sqrtl(half * half - log_term / a) - half);
  for (int i = 0; i < 6 && y != 0; i++) {
    R error = x > 0.5L ? delta - erfcl(x) : erfl(x) - fabsl(y);
    x -= error * sqrtl(PI) / 2 * expl(x * x);
  }
  return y == 0 ? y : copysignl(x, y);
}

/* B(2n) / (2n): the coefficients of the series for large x. */
static const R BERNOULLI[] = {1.0L / 6,       -1.0L / 30,      1.0L / 42, -1.0L / 30,
                              5.0L / 66,      -691.0L / 2730,  7.0L / 6,  -3617.0L / 510,
                              43867.0L / 798, -174611.0L / 330};
enum { N_BERNOULLI = sizeof BERNOULLI / sizeof *BERNOULLI };

static R digamma(R x)
{
  if (x <= 0 && x == floorl(x))
    return (R)NAN;
  if (x < 0)
    return digamma(1 - x) - PI / tanl(PI * (x - floorl(x)));
  R sum = 0;
  for (; x < 24; x += 1)
    sum -= 1 / x;
  sum += logl(x) - 1 / (2 * x);
  R power = 1;
  for (int n = 0; n < N_BERNOULLI; n++) {
    power /= x * x;
    sum -= BERNOULLI[n] / (2 * (n + 1)) * power;
  }
  return sum;
}

/* exp(-|x|) I1(x) */
static R bessel_i1e(R x)
{
  R z = fabsl(x);
  if (z > 60) { /* terms (4 - 1)(4 - 9)(4 - 25)… / (k! (8z)^k) with alternating signs */
    R sum = 1, term = 1;
    for (int k = 1; k < 20; k++) {
      term *= -(4 - (R)(2 * k - 1) * (R)(2 * k - 1)) / ((R)k * 8 * z);
      sum += term;
    }
    return copysignl(sum / sqrtl(2 * PI * z), x);
  }
  R term = z / 2, sum = term;
  for (int k = 1; k < 400; k++) {
    term *= z / 2 / (R)k * (z / 2 / (R)(k + 1));
    sum += term;
  }
  return copysignl(sum * expl(-z), x);
}

static R log_gamma(R x)
{
  int sign;
  return lgammal_r(x, &sign);
}

/* ---- functions of two numbers ---- */

/* Hurwitz: the sum of (q + k)^-x. */
static R zeta(R x, R q)
{
  if (x == 1)
    return (R)INFINITY;
  if (!(x > 1) || isnan(q))
    return (R)NAN;
  if (q <= 0) {
    if (q == floorl(q))
      return (R)INFINITY;
    if (x != floorl(x))
      return (R)NAN;
  }
  R sum = 0;
  for (; q < 24; q += 1)
    sum += powl(q, -x);
  sum += powl(q, 1 - x) / (x - 1) + powl(q, -x) / 2;
  R factor = x * powl(q, -x - 1) / 2; /* x (x + 1) … (x + 2n) q^(-x - 2n - 1) / (2n + 2)! */
  for (int n = 0; n < N_BERNOULLI; n++) {
    sum += BERNOULLI[n] * factor;
    factor *= (x + 2 * n + 1) * (x + 2 * n + 2) / ((R)(2 * n + 3) * (R)(2 * n + 4) * q * q);
  }
  return sum;
}

static R polygamma(R n, R x)
{
  if (n < 0 || n != floorl(n))
    return (R)NAN;
  if (n == 0)
    return digamma(x);
  R sign = fmodl(n, 2) == 0 ? -1 : 1;
  return sign * tgammal(n + 1) * zeta(n + 1, x);
}

/* ---- rows ---- */

static bool check_real(const EchoOp *op, const EchoTensor *operand)
{
  return operand->kind != ECHO_ELEMENT_NONE ||
         echo_op_error(op, "cannot be interpreted on '%s'",
                       echo_type_text(echo_op_context(op), operand->type));
}

static bool evaluate_unary(const EchoOp *op, const EchoTensor *x, EchoTensor **result,
                           R (*function)(R))
{
  if (!check_real(op, x))
    return false;
  *result = echo_hlo_new_result(op, 0);
  for (int64_t i = 0; i < x->n_elements; i++)
    echo_hlo_set_number(*result, i, (double)function(echo_hlo_get_number(x, i)));
  return true;
}

static bool evaluate_same(const EchoOp *op, const EchoTensor *x, EchoTensor **result)
{
  *result = check_real(op, x) ? echo_tensor_clone(x) : NULL;
  return *result != NULL;
}

static bool evaluate_binary(const EchoOp *op, const EchoTensor *const *x, EchoTensor **result,
                            R (*function)(R, R))
{
  if (!check_real(op, x[0]))
    return false;
  *result = echo_hlo_new_result(op, 0);
  for (int64_t i = 0; i < x[0]->n_elements; i++)
    echo_hlo_set_number(
        *result, i, (double)function(echo_hlo_get_number(x[0], i), echo_hlo_get_number(x[1], i)));
  return true;
}

static bool evaluate_predicate(const EchoOp *op, const EchoTensor *x, EchoTensor **result,
                               bool (*holds)(R))
{
  *result = echo_hlo_new_result(op, 0);
  for (int64_t i = 0; i < x->n_elements; i++)
    echo_tensor_set_i64(*result, i, holds(echo_hlo_get_number(x, i)));
  return true;
}

#define HOOK(op_name, call)                                                                        \
  bool echo_chlo_evaluate_##op_name(EchoEvaluator *evaluator, const EchoOp *op,                    \
                                    const EchoTensor *const *operands, EchoTensor **results)       \
  {                                                                                                \
    (void)evaluator;                                                                               \
    return call;                                                                                   \
  }
#define CHLO_PLAIN(op_name, type, summary, evaluate)                                               \
  static R value_of_##op_name(R x)                                                                 \
  {                                                                                                \
    return evaluate;                                                                               \
  }                                                                                                \
  HOOK(op_name, evaluate_unary(op, operands[0], results, value_of_##op_name))
#define CHLO_SAME(op_name, type, summary, evaluate)                                                \
  HOOK(op_name, evaluate_same(op, operands[0], results))
#define CHLO_FUNCTION(op_name, type, summary, evaluate, derivative)                                \
  CHLO_PLAIN(op_name, type, summary, evaluate)
#define CHLO_PREDICATE(op_name, summary, evaluate)                                                 \
  static bool value_of_##op_name(R x)                                                              \
  {                                                                                                \
    return evaluate;                                                                               \
  }                                                                                                \
  HOOK(op_name, evaluate_predicate(op, operands[0], results, value_of_##op_name))
#define CHLO_BINARY(op_name, first, second, summary, evaluate, derivative)                         \
  static R value_of_##op_name(R a, R b)                                                            \
  {                                                                                                \
    return evaluate;                                                                               \
  }                                                                                                \
  HOOK(op_name, evaluate_binary(op, operands, results, value_of_##op_name))
#include "dialects/chlo/functions.def"

/* ---- other hooks ---- */

/* The neighbour in the format of the element: magnitudes are ordered as their patterns are. */
static double next_after(EchoFloatKind kind, double x, double y)
{
  if (isnan(x) || isnan(y))
    return NAN;
  if (x == y)
    return y;
  uint64_t sign = UINT64_C(1) << (echo_float_bit_width(kind) - 1);
  if (x == 0)
    return echo_float_to_f64(kind, (y < 0 ? sign : 0) | 1);
  uint64_t bits = echo_float_from_f64(kind, x);
  return echo_float_to_f64(kind, (x < y) == (x > 0) ? bits + 1 : bits - 1);
}

bool echo_chlo_evaluate_next_after(EchoEvaluator *evaluator, const EchoOp *op,
                                   const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  EchoFloatKind kind = echo_type_element(operands[0]->type)->as.float_kind;
  if (!check_real(op, operands[0]))
    return false;
  results[0] = echo_hlo_new_result(op, 0);
  EchoFloatMode before = echo_float_mode_set(false); /* no arithmetic: a step among patterns */
  for (int64_t i = 0; i < operands[0]->n_elements; i++)
    echo_tensor_set_f64(
        results[0], i,
        next_after(kind, echo_tensor_get_f64(operands[0], i), echo_tensor_get_f64(operands[1], i)));
  echo_float_mode_restore(before);
  return true;
}

bool echo_chlo_evaluate_mulhi(EchoEvaluator *evaluator, const EchoOp *op,
                              const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  uint32_t width = echo_type_element(operands[0]->type)->as.integer.width;
  bool is_unsigned = echo_element_is_unsigned(operands[0]->kind);
  results[0] = echo_hlo_new_result(op, 0);
  for (int64_t i = 0; i < operands[0]->n_elements; i++) {
    int64_t a = echo_tensor_get_i64(operands[0], i), b = echo_tensor_get_i64(operands[1], i);
    __extension__ typedef __int128 Wide;
    __extension__ typedef unsigned __int128 UnsignedWide;
    int64_t high = is_unsigned ? (int64_t)((UnsignedWide)(uint64_t)a * (uint64_t)b >> width)
                               : (int64_t)((Wide)a * b >> width);
    echo_tensor_set_i64(results[0], i, high);
  }
  return true;
}

bool echo_chlo_evaluate_constant_like(EchoEvaluator *evaluator, const EchoOp *op,
                                      const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator, (void)operands;
  const EchoAttr *value = echo_op_attr_or_null(op, "value");
  results[0] = echo_hlo_new_result(op, 0);
  for (int64_t i = 0; i < results[0]->n_elements; i++) {
    if (value->kind == ECHO_ATTR_FLOAT)
      echo_tensor_set_f64(results[0], i, value->as.floating.value);
    else
      echo_tensor_set_i64(results[0], i, value->as.integer.value);
  }
  return true;
}

/* Floats in total order: -NaN < -inf < … < -0 < 0 < … < inf < NaN. */
static bool is_greater(const EchoTensor *x, int64_t i, int64_t j)
{
  if (echo_element_is_unsigned(x->kind))
    return (uint64_t)echo_tensor_get_i64(x, i) > (uint64_t)echo_tensor_get_i64(x, j);
  if (!echo_element_is_float(x->kind))
    return echo_tensor_get_i64(x, i) > echo_tensor_get_i64(x, j);
  double a = echo_tensor_get_f64(x, i), b = echo_tensor_get_f64(x, j);
  double class_a = isnan(a) ? copysign(1, a) : 0, class_b = isnan(b) ? copysign(1, b) : 0;
  if (class_a != class_b || class_a != 0)
    return class_a > class_b;
  return a > b || (a == b && !signbit(a) && signbit(b));
}

/* Of equal elements the first comes first. */
bool echo_chlo_evaluate_top_k(EchoEvaluator *evaluator, const EchoOp *op,
                              const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  const EchoTensor *x = operands[0];
  int64_t n = echo_type_dim(x->type, echo_type_rank(x->type) - 1);
  int64_t k = echo_op_attr_i64(op, "k", 0);
  results[0] = echo_hlo_new_result(op, 0);
  results[1] = echo_hlo_new_result(op, 1);
  bool *taken = echo_alloc_zero((size_t)n + 1, sizeof *taken);
  EchoFloatMode before = echo_float_mode_set(false); /* an order of patterns */
  for (int64_t row = 0; n != 0 && row < x->n_elements / n; row++) {
    memset(taken, 0, (size_t)n * sizeof *taken);
    for (int64_t i = 0; i < k; i++) {
      int64_t best = -1;
      for (int64_t j = 0; j < n; j++)
        if (!taken[j] && (best < 0 || is_greater(x, row * n + j, row * n + best)))
          best = j;
      taken[best] = true;
      echo_hlo_copy_element(results[0], row * k + i, x, row * n + best);
      echo_tensor_set_i64(results[1], row * k + i, best);
    }
  }
  echo_float_mode_restore(before);
  echo_free(taken);
  return true;
}
