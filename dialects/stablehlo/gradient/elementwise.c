/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gradients of elementwise ops. Where a rule may read the result instead of the operand it does,
 * when that saves keeping the operand: tanh keeps its output. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks.h"

/* c * x for a number c */
static EchoValue *scale(EchoBuilder *b, EchoValue *x, double c)
{
  return echo_hlo_multiply(b, x, echo_hlo_constant_like(b, x, c));
}

static EchoValue *zeros_like(EchoBuilder *b, EchoValue *x)
{
  return echo_hlo_constant_like(b, x, 0);
}

/* dy/dx times gy; NULL = zero. x and y are fetched only where they are read. */
static EchoValue *unary_gradient(EchoGradient *g, EchoOp *op, EchoValue *gy)
{
  EchoBuilder *b = g->builder;
#define X echo_op_operand(op, 0)
#define Y echo_op_result(op, 0)
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_ABS:
    return echo_hlo_multiply(b, gy, echo_hlo_sign(b, X));
  case ECHO_HLO_CBRT: { /* 1 / (3 y^2) */
    EchoValue *y = Y;
    return echo_hlo_divide(b, gy, scale(b, echo_hlo_multiply(b, y, y), 3));
  }
  case ECHO_HLO_COSINE:
    return echo_hlo_negate(b, echo_hlo_multiply(b, gy, echo_hlo_sine(b, X)));
  case ECHO_HLO_EXPONENTIAL:
    return echo_hlo_multiply(b, gy, Y);
  case ECHO_HLO_EXPONENTIAL_MINUS_ONE: { /* y + 1 */
    EchoValue *y = Y;
    return echo_hlo_multiply(b, gy, echo_hlo_add(b, y, echo_hlo_constant_like(b, y, 1)));
  }
  case ECHO_HLO_LOG:
    return echo_hlo_divide(b, gy, X);
  case ECHO_HLO_LOG_PLUS_ONE: {
    EchoValue *x = X;
    return echo_hlo_divide(b, gy, echo_hlo_add(b, x, echo_hlo_constant_like(b, x, 1)));
  }
  case ECHO_HLO_LOGISTIC: { /* y (1 - y) */
    EchoValue *y = Y;
    EchoValue *rest = echo_hlo_subtract(b, echo_hlo_constant_like(b, y, 1), y);
    return echo_hlo_multiply(b, gy, echo_hlo_multiply(b, y, rest));
  }
  case ECHO_HLO_NEGATE:
    return echo_hlo_negate(b, gy);
  case ECHO_HLO_REAL: /* of a real number, the number */
    return gy;
  case ECHO_HLO_RSQRT: { /* -y^3 / 2 */
    EchoValue *y = Y;
    EchoValue *cube = echo_hlo_multiply(b, y, echo_hlo_multiply(b, y, y));
    return echo_hlo_multiply(b, gy, scale(b, cube, -0.5));
  }
  case ECHO_HLO_SINE:
    return echo_hlo_multiply(b, gy, echo_hlo_cosine(b, X));
  case ECHO_HLO_SQRT: /* 1 / (2 y) */
    return echo_hlo_divide(b, scale(b, gy, 0.5), Y);
  case ECHO_HLO_TAN: { /* 1 + y^2 */
    EchoValue *y = Y;
    EchoValue *square = echo_hlo_multiply(b, y, y);
    return echo_hlo_multiply(b, gy, echo_hlo_add(b, square, echo_hlo_constant_like(b, square, 1)));
  }
  case ECHO_HLO_TANH: { /* 1 - y^2 */
    EchoValue *y = Y;
    EchoValue *square = echo_hlo_multiply(b, y, y);
    return echo_hlo_multiply(b, gy,
                             echo_hlo_subtract(b, echo_hlo_constant_like(b, square, 1), square));
  }
  case ECHO_HLO_CEIL:
  case ECHO_HLO_FLOOR:
  case ECHO_HLO_IMAG: /* of a real number, 0 */
  case ECHO_HLO_ROUND_NEAREST_AFZ:
  case ECHO_HLO_ROUND_NEAREST_EVEN:
  case ECHO_HLO_SIGN:
    return NULL;
  default:
    ECHO_CHECK_OP(false, op, "no gradient rule for this unary op");
    return NULL;
  }
#undef X
#undef Y
}

static bool is_complex(const EchoValue *value)
{
  return echo_type_element(value->type)->kind == ECHO_TYPE_COMPLEX;
}

static bool refuse_complex(const EchoOp *op)
{
  return echo_op_error(op, "has no gradient: complex numbers are not differentiated");
}

bool echo_hlo_differentiate_unary(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  if (gy == NULL || !echo_gradient_needs(g, echo_op_operand(op, 0)))
    return true;
  if (is_complex(echo_op_operand(op, 0)))
    return refuse_complex(op);
  EchoValue *gx = unary_gradient(g, op, gy);
  if (gx != NULL)
    echo_gradient_add(g, echo_op_operand(op, 0), gx);
  return true;
}

/* The share of gy that goes to the larger (GT) or smaller (LT) operand; equal operands share it. */
static EchoValue *extremum_share(EchoBuilder *b, EchoCompareDirection direction, EchoValue *mine,
                                 EchoValue *other, EchoValue *gy)
{
  EchoValue *wins = echo_hlo_compare(b, direction, mine, other);
  EchoValue *ties = echo_hlo_compare(b, ECHO_COMPARE_EQ, mine, other);
  EchoValue *shared = echo_hlo_select(b, ties, scale(b, gy, 0.5), zeros_like(b, gy));
  return echo_hlo_select(b, wins, gy, shared);
}

/* x rounded towards zero */
static EchoValue *truncate_towards_zero(EchoBuilder *b, EchoValue *x)
{
  return echo_hlo_multiply(b, echo_hlo_sign(b, x), echo_hlo_floor(b, echo_hlo_abs(b, x)));
}

static void power_gradient(EchoGradient *g, EchoOp *op, EchoValue *gy)
{
  EchoBuilder *b = g->builder;
  EchoValue *base = echo_op_operand(op, 0), *exponent = echo_op_operand(op, 1);
  EchoValue *x = base;
  if (echo_gradient_needs(g, base)) { /* e x^(e-1), and 0 where e = 0 */
    EchoValue *e = exponent;
    EchoValue *is_zero = echo_hlo_compare(b, ECHO_COMPARE_EQ, e, zeros_like(b, e));
    EchoValue *lower = echo_hlo_subtract(b, e, echo_hlo_constant_like(b, e, 1));
    EchoValue *safe = echo_hlo_select(b, is_zero, echo_hlo_constant_like(b, e, 1), lower);
    EchoValue *slope = echo_hlo_multiply(b, e, echo_hlo_power(b, x, safe));
    echo_gradient_add(g, base, echo_hlo_multiply(b, gy, slope));
  }
  if (echo_gradient_needs(g, exponent)) { /* y log x, and 0 where x = 0 */
    EchoValue *y = echo_op_result(op, 0);
    EchoValue *is_zero = echo_hlo_compare(b, ECHO_COMPARE_EQ, x, zeros_like(b, x));
    EchoValue *safe = echo_hlo_select(b, is_zero, echo_hlo_constant_like(b, x, 1), x);
    EchoValue *slope = echo_hlo_multiply(b, y, echo_hlo_log(b, safe));
    echo_gradient_add(g, exponent, echo_hlo_multiply(b, gy, slope));
  }
}

static void divide_gradient(EchoGradient *g, EchoOp *op, EchoValue *gy)
{
  EchoBuilder *b = g->builder;
  EchoValue *divisor = echo_op_operand(op, 1);
  EchoValue *quotient = echo_hlo_divide(b, gy, divisor);
  echo_gradient_add(g, echo_op_operand(op, 0), quotient);
  if (echo_gradient_needs(g, echo_op_operand(op, 1))) {
    EchoValue *y = echo_op_result(op, 0);
    EchoValue *slope = echo_hlo_negate(b, echo_hlo_multiply(b, quotient, y));
    echo_gradient_add(g, echo_op_operand(op, 1), slope);
  }
}

static void atan2_gradient(EchoGradient *g, EchoOp *op, EchoValue *gy)
{
  EchoBuilder *b = g->builder;
  EchoValue *y = echo_op_operand(op, 0);
  EchoValue *x = echo_op_operand(op, 1);
  EchoValue *norm = echo_hlo_add(b, echo_hlo_multiply(b, x, x), echo_hlo_multiply(b, y, y));
  EchoValue *scaled = echo_hlo_divide(b, gy, norm);
  echo_gradient_add(g, echo_op_operand(op, 0), echo_hlo_multiply(b, scaled, x));
  echo_gradient_add(g, echo_op_operand(op, 1), echo_hlo_negate(b, echo_hlo_multiply(b, scaled, y)));
}

bool echo_hlo_differentiate_binary(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  EchoValue *lhs = echo_op_operand(op, 0), *rhs = echo_op_operand(op, 1);
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  if (gy == NULL)
    return true;
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  if (is_complex(echo_op_result(op, 0)))
    return refuse_complex(op);
  bool needs_lhs = echo_gradient_needs(g, lhs), needs_rhs = echo_gradient_needs(g, rhs);
  switch (opcode) {
  case ECHO_HLO_ADD:
    echo_gradient_add(g, lhs, gy);
    echo_gradient_add(g, rhs, gy);
    return true;
  case ECHO_HLO_SUBTRACT:
    echo_gradient_add(g, lhs, gy);
    if (needs_rhs)
      echo_gradient_add(g, rhs, echo_hlo_negate(b, gy));
    return true;
  case ECHO_HLO_MULTIPLY:
    if (needs_lhs)
      echo_gradient_add(g, lhs, echo_hlo_multiply(b, gy, rhs));
    if (needs_rhs)
      echo_gradient_add(g, rhs, echo_hlo_multiply(b, gy, lhs));
    return true;
  case ECHO_HLO_DIVIDE:
    divide_gradient(g, op, gy);
    return true;
  case ECHO_HLO_MAXIMUM:
  case ECHO_HLO_MINIMUM: {
    EchoCompareDirection wins = opcode == ECHO_HLO_MAXIMUM ? ECHO_COMPARE_GT : ECHO_COMPARE_LT;
    EchoValue *a = lhs, *c = rhs;
    if (needs_lhs)
      echo_gradient_add(g, lhs, extremum_share(b, wins, a, c, gy));
    if (needs_rhs)
      echo_gradient_add(g, rhs, extremum_share(b, wins, c, a, gy));
    return true;
  }
  case ECHO_HLO_POWER:
    power_gradient(g, op, gy);
    return true;
  case ECHO_HLO_REMAINDER: /* x - trunc(x / d) d */
    echo_gradient_add(g, lhs, gy);
    if (needs_rhs) {
      EchoValue *quotient = echo_hlo_divide(b, lhs, rhs);
      EchoValue *whole = truncate_towards_zero(b, quotient);
      echo_gradient_add(g, rhs, echo_hlo_negate(b, echo_hlo_multiply(b, gy, whole)));
    }
    return true;
  case ECHO_HLO_ATAN2:
    atan2_gradient(g, op, gy);
    return true;
  default:
    ECHO_CHECK_OP(false, op, "no gradient rule for this binary op");
    return false;
  }
}

/* Sums a tensor's gradient for an operand that may be the scalar that was spread over it. */
static void add_maybe_scalar(EchoGradient *g, EchoValue *value, EchoValue *contribution)
{
  uint32_t rank = echo_type_rank(contribution->type);
  if (echo_type_rank(value->type) == rank) {
    echo_gradient_add(g, value, contribution);
    return;
  }
  int64_t dims[ECHO_MAX_RANK];
  for (uint32_t i = 0; i < rank; i++)
    dims[i] = i;
  echo_gradient_add(g, value, echo_hlo_reduce_sum(g->builder, contribution, dims, rank));
}

bool echo_hlo_differentiate_select(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  if (gy == NULL)
    return true;
  EchoValue *pred = echo_op_operand(op, 0);
  EchoValue *zero = zeros_like(b, gy);
  if (echo_gradient_needs(g, echo_op_operand(op, 1)))
    echo_gradient_add(g, echo_op_operand(op, 1), echo_hlo_select(b, pred, gy, zero));
  if (echo_gradient_needs(g, echo_op_operand(op, 2)))
    echo_gradient_add(g, echo_op_operand(op, 2), echo_hlo_select(b, pred, zero, gy));
  return true;
}

bool echo_hlo_differentiate_clamp(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  if (gy == NULL)
    return true;
  EchoValue *x = echo_op_operand(op, 1), *bounds[2], *outside[2];
  static const EchoCompareDirection beyond[2] = {ECHO_COMPARE_LT, ECHO_COMPARE_GT};
  EchoValue *zero = zeros_like(b, gy);
  for (size_t i = 0; i < 2; i++) {
    EchoValue *bound = echo_op_operand(op, 2 * i);
    bounds[i] = bound->type == x->type ? bound : echo_hlo_broadcast_scalar(b, bound, x->type);
    outside[i] = echo_hlo_compare(b, beyond[i], x, bounds[i]);
    if (echo_gradient_needs(g, echo_op_operand(op, 2 * i)))
      add_maybe_scalar(g, echo_op_operand(op, 2 * i), echo_hlo_select(b, outside[i], gy, zero));
  }
  if (echo_gradient_needs(g, echo_op_operand(op, 1)))
    echo_gradient_add(g, echo_op_operand(op, 1),
                      echo_hlo_select(b, echo_hlo_or(b, outside[0], outside[1]), zero, gy));
  return true;
}

bool echo_hlo_differentiate_convert(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0)), *x = echo_op_operand(op, 0);
  if (gy != NULL && echo_gradient_needs(g, x))
    echo_gradient_add(g, x, echo_hlo_convert(g->builder, gy, echo_type_element(x->type)));
  return true;
}

bool echo_hlo_differentiate_reduce_precision(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  if (gy != NULL && echo_gradient_needs(g, echo_op_operand(op, 0)))
    echo_gradient_add(
        g, echo_op_operand(op, 0),
        echo_hlo_reduce_precision(g->builder, gy, (int32_t)echo_op_attr_i64(op, "exponent_bits", 8),
                                  (int32_t)echo_op_attr_i64(op, "mantissa_bits", 23)));
  return true;
}

bool echo_hlo_differentiate_zero(EchoGradient *g, EchoOp *op)
{
  (void)g, (void)op;
  return true;
}
