/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* clang-format off */
/* The ops of math and what they mean on scalars, a row each; read like dialects/arith/rows.h.
 * Elementary functions (ELEMENTARY…) have no machine instruction: lowering/math writes them out in
 * arith. A row without its echo_expand_NAME there does not link; code generation never sees the op
 * (LLVM would call libm, or abort on a GPU). Their value here is libm's, in double: the reference
 * that the expansion is held to within the row's bounds (tests/unit/exec/math_ulp_test.c).
 *
 * Columns: form, opcode, MLIR's name, traits beyond the form's, summary, then what the form asks
 * for:
 *   FLOAT1                     the result, exact or correctly rounded: an instruction
 *   SIGN1, SIGN2               the result's bits; the second operand's are other_bits
 *   FMA                        nothing (-)
 *   ELEMENTARY1, ELEMENTARY2   the result, the expansion's largest error in f32 and in f64, in
 *                              hundredths of a unit in the last place: 51 is f64's result rounded
 *                              once, 0 is exact
 *   INT1                       the result
 *   POWER                      when the result is not poison, the result; expanded too */
#ifndef ECHO_DIALECTS_MATH_ROWS_H
#define ECHO_DIALECTS_MATH_ROWS_H

#include "ir/table/op_info.h" /* the traits */

#define ECHO_MATH_ROWS(X) \
  X(SIGN1, ABSF, absf, 0, "Clears the sign bit", bits & ~sign) \
  X(FLOAT1, CEIL, ceil, 0, "Rounds towards plus infinity", ceil(a)) \
  X(FLOAT1, FLOOR, floor, 0, "Rounds towards minus infinity", floor(a)) \
  X(ELEMENTARY1, ROUND, round, ECHO_EXACT, "Rounds to nearest, halves away from zero", \
    round(a), 0, 0) \
  X(FLOAT1, ROUNDEVEN, roundeven, 0, "Rounds to nearest, halves to even", nearbyint(a)) \
  X(FLOAT1, TRUNC, trunc, 0, "Rounds towards zero", trunc(a)) \
  X(FLOAT1, SQRT, sqrt, 0, "Square root, correctly rounded", sqrt(a)) \
  X(ELEMENTARY1, RSQRT, rsqrt, 0, "1 / sqrt(x)", 1 / sqrt(a), 150, 150) \
  X(ELEMENTARY1, CBRT, cbrt, 0, "Cube root", cbrt(a), 51, 200) \
  X(ELEMENTARY1, EXP, exp, 0, "e^x", exp(a), 100, 100) \
  X(ELEMENTARY1, EXP2, exp2, 0, "2^x", exp2(a), 100, 100) \
  X(ELEMENTARY1, EXPM1, expm1, 0, "e^x - 1", expm1(a), 200, 200) \
  X(ELEMENTARY1, LOG, log, 0, "Natural logarithm", log(a), 100, 100) \
  X(ELEMENTARY1, LOG2, log2, 0, "Logarithm to base 2", log2(a), 51, 51) \
  X(ELEMENTARY1, LOG10, log10, 0, "Logarithm to base 10", log10(a), 51, 51) \
  X(ELEMENTARY1, LOG1P, log1p, 0, "log(1 + x)", log1p(a), 100, 100) \
  X(ELEMENTARY1, SIN, sin, 0, "Sine", sin(a), 51, 300) \
  X(ELEMENTARY1, COS, cos, 0, "Cosine", cos(a), 51, 300) \
  X(ELEMENTARY1, TAN, tan, 0, "Tangent", tan(a), 51, 500) \
  X(ELEMENTARY1, TANH, tanh, 0, "Hyperbolic tangent", tanh(a), 200, 300) \
  X(ELEMENTARY1, ERF, erf, 0, "Error function", erf(a), 51, 300) \
  X(ELEMENTARY1, ATAN, atan, 0, "Inverse tangent", atan(a), 51, 300) \
  X(ELEMENTARY2, ATAN2, atan2, 0, "Angle of the point (rhs, lhs)", atan2(a, b), 51, 300) \
  X(ELEMENTARY2, POWF, powf, 0, "lhs^rhs", pow(a, b), 51, 500) \
  X(SIGN2, COPYSIGN, copysign, 0, "Magnitude of lhs with the sign of rhs", \
    (bits & ~sign) | (other_bits & sign)) \
  X(FMA, FMA, fma, 0, "a * b + c, rounded once", -) \
  X(INT1, ABSI, absi, 0, "Absolute value, modulo 2^width", a < 0 ? 0 - ua : ua) \
  X(INT1, CTLZ, ctlz, 0, "Leading zero bits", leading_zeros(ua, width)) \
  X(INT1, CTTZ, cttz, 0, "Trailing zero bits", trailing_zeros(ua, width)) \
  X(INT1, CTPOP, ctpop, 0, "One bits", one_bits(ua)) \
  X(POWER, IPOWI, ipowi, 0, "Signed integer power", a != 0 || b >= 0, power(a, b))
/* clang-format on */

#endif
