/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Short names for real arithmetic, by which formulas of complex numbers are written: for
 * complex_math.c and complex_inverse.c alone. */
#ifndef ECHO_LOWERING_MODEL_COMPLEX_TERMS_T_H
#define ECHO_LOWERING_MODEL_COMPLEX_TERMS_T_H

#include "lowering/model/complex_math_t.h"

static inline EchoValue *number(EchoBuilder *b, EchoValue *like, double value)
{
  return echo_hlo_constant_like(b, like, value);
}
static inline EchoValue *add(EchoBuilder *b, EchoValue *x, EchoValue *y)
{
  return echo_hlo_add(b, x, y);
}
static inline EchoValue *sub(EchoBuilder *b, EchoValue *x, EchoValue *y)
{
  return echo_hlo_subtract(b, x, y);
}
static inline EchoValue *mul(EchoBuilder *b, EchoValue *x, EchoValue *y)
{
  return echo_hlo_multiply(b, x, y);
}
static inline EchoValue *quotient(EchoBuilder *b, EchoValue *x, EchoValue *y)
{
  return echo_hlo_divide(b, x, y);
}
static inline EchoValue *scaled(EchoBuilder *b, EchoValue *x, double factor)
{
  return mul(b, x, number(b, x, factor));
}
static inline EchoValue *is(EchoBuilder *b, EchoCompareDirection direction, EchoValue *x,
                            double value)
{
  return echo_hlo_compare(b, direction, x, number(b, x, value));
}

#endif
