/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gradients of chlo's functions by their known derivatives (functions.def), which read the operand
 * or the result alone. --chlo-to-stablehlo leaves these ops to --differentiate where there is an
 * nn.gradient: what the lowered formula keeps of itself would be many times larger. Source:
 * Abramowitz and Stegun 4.4, 4.6, 6.3, 6.4, 7.1. */
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

static V *square_plus_one(B *b, V *x)
{
  V *one = number(b, x, 1);
  return echo_hlo_add(b, square(b, x), one);
}

static V *inverse(B *b, V *x)
{
  return echo_hlo_divide(b, number(b, x, 1), x);
}

static V *of_asin(B *b, V *x)
{
  return echo_hlo_rsqrt(b, one_less_square(b, x));
}

static V *of_acosh(B *b, V *x)
{
  V *one = number(b, x, 1), *above = echo_hlo_rsqrt(b, echo_hlo_add(b, x, one));
  return echo_hlo_multiply(b, echo_hlo_rsqrt(b, echo_hlo_subtract(b, x, one)), above);
}

/* ---- rows ---- */

static bool refuse_complex(const EchoOp *op)
{
  return echo_op_error(op, "has no gradient: complex numbers are not differentiated");
}

/* The gradient by the operand, where somebody wants it. */
static bool differentiate(EchoGradient *g, EchoOp *op, V *(*derivative)(B *, V *x, V *y))
{
  V *y = echo_op_result(op, 0), *x = echo_op_operand(op, 0);
  V *gy = echo_gradient_of_or_null(g, y);
  if (gy == NULL || !echo_gradient_needs(g, x))
    return true;
  if (echo_type_element(x->type)->kind == ECHO_TYPE_COMPLEX)
    return refuse_complex(op);
  V *slope = derivative(g->builder, x, y);
  echo_gradient_add(g, x, echo_hlo_multiply(g->builder, gy, slope));
  return true;
}

#define CHLO_FUNCTION(op_name, type, summary, evaluate, derivative)                                \
  static V *derivative_of_##op_name(B *b, V *x, V *y)                                              \
  {                                                                                                \
    (void)x, (void)y;                                                                              \
    return derivative;                                                                             \
  }                                                                                                \
  bool echo_chlo_differentiate_##op_name(EchoGradient *g, EchoOp *op)                              \
  {                                                                                                \
    return differentiate(g, op, derivative_of_##op_name);                                          \
  }
#define CHLO_PLAIN(...)
#define CHLO_PREDICATE(...)
#define CHLO_BINARY(...)
#include "dialects/chlo/functions.def"

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
