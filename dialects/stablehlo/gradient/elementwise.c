/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gradients of elementwise ops. Where a rule may read the result instead of the operand it does,
 * when that saves keeping the operand: tanh keeps its output. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks_t.h"
#include "dialects/stablehlo/rows/elementwise_t.h"

static EchoValue *zeros_like(EchoBuilder *b, EchoValue *x)
{
  return echo_hlo_constant_like(b, x, 0);
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
  echo_hlo_elementwise(op)->differentiate(g, op, gy);
  return true;
}

bool echo_hlo_differentiate_binary(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  if (gy == NULL)
    return true;
  if (is_complex(gy))
    return refuse_complex(op);
  echo_hlo_elementwise(op)->differentiate(g, op, gy);
  return true;
}

bool echo_hlo_differentiate_complex(EchoGradient *g, EchoOp *op)
{
  return echo_gradient_of_or_null(g, echo_op_result(op, 0)) == NULL || refuse_complex(op);
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
