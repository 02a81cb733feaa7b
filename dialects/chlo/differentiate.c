/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gradients of chlo's functions by their known derivatives, which read the operand or the result
 * alone. --chlo-to-stablehlo leaves these ops to --differentiate where there is an nn.gradient:
 * what the lowered formula keeps of itself would be many times larger. Source: Abramowitz and
 * Stegun 4.4, 4.6, 6.3, 6.4, 7.1. */
#include "dialects/chlo/chlo_t.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks_t.h"

typedef EchoBuilder B;
typedef EchoValue V;

static V *number(B *b, V *like, double value)
{
  return echo_hlo_constant_like(b, like, value);
}

static V *square(B *b, V *x)
{
  return echo_hlo_multiply(b, x, x);
}

/* 1 - x^2, exact near 1 */
static V *one_less_square(B *b, V *x)
{
  V *one = number(b, x, 1);
  return echo_hlo_multiply(b, echo_hlo_subtract(b, one, x), echo_hlo_add(b, one, x));
}

/* c e^(sign x^2) */
static V *bell(B *b, V *x, double sign, double c)
{
  V *power = echo_hlo_multiply(b, square(b, x), number(b, x, sign));
  return echo_hlo_multiply(b, echo_hlo_exponential(b, power), number(b, x, c));
}

#define TWO_OVER_ROOT_PI 1.1283791670955125739
#define HALF_ROOT_PI 0.88622692545275801365

/* Each: the derivative at x, where y is the function's value. */
static V *of_acos(B *b, V *x, V *y)
{
  (void)y;
  return echo_hlo_negate(b, echo_hlo_rsqrt(b, one_less_square(b, x)));
}

static V *of_asin(B *b, V *x, V *y)
{
  (void)y;
  return echo_hlo_rsqrt(b, one_less_square(b, x));
}

static V *of_atan(B *b, V *x, V *y)
{
  (void)y;
  return echo_hlo_divide(b, number(b, x, 1), echo_hlo_add(b, square(b, x), number(b, x, 1)));
}

static V *of_acosh(B *b, V *x, V *y)
{
  (void)y;
  V *one = number(b, x, 1);
  return echo_hlo_multiply(b, echo_hlo_rsqrt(b, echo_hlo_subtract(b, x, one)),
                           echo_hlo_rsqrt(b, echo_hlo_add(b, x, one)));
}

static V *of_asinh(B *b, V *x, V *y)
{
  (void)y;
  return echo_hlo_rsqrt(b, echo_hlo_add(b, square(b, x), number(b, x, 1)));
}

static V *of_atanh(B *b, V *x, V *y)
{
  (void)y;
  return echo_hlo_divide(b, number(b, x, 1), one_less_square(b, x));
}

static V *of_cosh(B *b, V *x, V *y)
{
  (void)y;
  return echo_build_unary(b, "chlo.sinh", x, NULL);
}

static V *of_sinh(B *b, V *x, V *y)
{
  (void)y;
  return echo_build_unary(b, "chlo.cosh", x, NULL);
}

static V *of_tan(B *b, V *x, V *y)
{
  (void)x;
  return echo_hlo_add(b, square(b, y), number(b, y, 1));
}

static V *of_erf(B *b, V *x, V *y)
{
  (void)y;
  return bell(b, x, -1, TWO_OVER_ROOT_PI);
}

static V *of_erfc(B *b, V *x, V *y)
{
  (void)y;
  return bell(b, x, -1, -TWO_OVER_ROOT_PI);
}

static V *of_erf_inv(B *b, V *x, V *y)
{
  (void)x;
  return bell(b, y, 1, HALF_ROOT_PI);
}

static V *of_lgamma(B *b, V *x, V *y)
{
  (void)y;
  return echo_build_unary(b, "chlo.digamma", x, NULL);
}

static V *of_digamma(B *b, V *x, V *y)
{
  (void)y;
  return echo_build_binary(b, "chlo.polygamma", number(b, x, 1), x, NULL);
}

static V *of_square(B *b, V *x, V *y)
{
  (void)y;
  return echo_hlo_multiply(b, x, number(b, x, 2));
}

static const struct {
  const char *op;
  V *(*derivative)(B *, V *x, V *y);
} ROWS[] = {{"chlo.acos", of_acos},       {"chlo.acosh", of_acosh},     {"chlo.asin", of_asin},
            {"chlo.asinh", of_asinh},     {"chlo.atan", of_atan},       {"chlo.atanh", of_atanh},
            {"chlo.cosh", of_cosh},       {"chlo.digamma", of_digamma}, {"chlo.erf", of_erf},
            {"chlo.erf_inv", of_erf_inv}, {"chlo.erfc", of_erfc},       {"chlo.lgamma", of_lgamma},
            {"chlo.sinh", of_sinh},       {"chlo.square", of_square},   {"chlo.tan", of_tan}};

static bool refuse_complex(const EchoOp *op)
{
  return echo_op_error(op, "has no gradient: complex numbers are not differentiated");
}

bool echo_chlo_differentiate_unary(EchoGradient *g, EchoOp *op)
{
  V *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0)), *x = echo_op_operand(op, 0);
  if (gy == NULL || !echo_gradient_needs(g, x))
    return true;
  if (echo_type_element(x->type)->kind == ECHO_TYPE_COMPLEX)
    return refuse_complex(op);
  size_t row = 0;
  while (!echo_op_is(op, ROWS[row].op))
    row++;
  V *slope = ROWS[row].derivative(g->builder, x, echo_op_result(op, 0));
  echo_gradient_add(g, x, echo_hlo_multiply(g->builder, gy, slope));
  return true;
}

/* By the argument the next order; the order itself is a whole number. */
bool echo_chlo_differentiate_polygamma(EchoGradient *g, EchoOp *op)
{
  B *b = g->builder;
  V *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  V *n = echo_op_operand(op, 0), *x = echo_op_operand(op, 1);
  if (gy == NULL)
    return true;
  if (echo_gradient_needs(g, n))
    return echo_op_error(op, "has no gradient by its order");
  V *next = echo_hlo_add(b, n, number(b, n, 1));
  V *slope = echo_build_binary(b, "chlo.polygamma", next, x, NULL);
  echo_gradient_add(g, x, echo_hlo_multiply(b, gy, slope));
  return true;
}
