/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The math rows: MLIR's names and meaning. The expansion in lowering/ turns those without a machine
 * instruction into arith; what stays (abs, floor, fma, sqrt …) is exact or correctly rounded. */
#include "dialects/dialects.h"

#define FLOAT1(op, more, text)                                                                     \
  {                                                                                                \
    .name = "math." op, .operands = "operand: floating-point-like",                                \
    .results = "result: floating-point-like", .attrs = "fastmath: any? = #arith.fastmath<none>",   \
    .traits = ECHO_PURE | ECHO_SAME_TYPE | (more), .summary = text                                 \
  }
#define FLOAT2(op, more, text)                                                                     \
  {                                                                                                \
    .name = "math." op, .operands = "lhs: floating-point-like, rhs: floating-point-like",          \
    .results = "result: floating-point-like", .attrs = "fastmath: any? = #arith.fastmath<none>",   \
    .traits = ECHO_PURE | ECHO_SAME_TYPE | (more), .summary = text                                 \
  }
#define INT1(op, text)                                                                             \
  {                                                                                                \
    .name = "math." op, .operands = "operand: signless-integer-like",                              \
    .results = "result: signless-integer-like", .traits = ECHO_PURE | ECHO_SAME_TYPE | ECHO_EXACT, \
    .summary = text                                                                                \
  }

static const EchoOpInfo OPS[] = {
    FLOAT1("absf", ECHO_EXACT, "Clears the sign bit"),
    FLOAT1("ceil", ECHO_EXACT, "Rounds towards plus infinity"),
    FLOAT1("floor", ECHO_EXACT, "Rounds towards minus infinity"),
    FLOAT1("round", ECHO_EXACT, "Rounds to nearest, halves away from zero"),
    FLOAT1("roundeven", ECHO_EXACT, "Rounds to nearest, halves to even"),
    FLOAT1("trunc", ECHO_EXACT, "Rounds towards zero"),
    FLOAT1("sqrt", ECHO_EXACT, "Square root, correctly rounded"),
    FLOAT1("rsqrt", 0, "1 / sqrt(x)"),
    FLOAT1("cbrt", 0, "Cube root"),
    FLOAT1("exp", 0, "e^x"),
    FLOAT1("exp2", 0, "2^x"),
    FLOAT1("expm1", 0, "e^x - 1"),
    FLOAT1("log", 0, "Natural logarithm"),
    FLOAT1("log2", 0, "Logarithm to base 2"),
    FLOAT1("log10", 0, "Logarithm to base 10"),
    FLOAT1("log1p", 0, "log(1 + x)"),
    FLOAT1("sin", 0, "Sine"),
    FLOAT1("cos", 0, "Cosine"),
    FLOAT1("tan", 0, "Tangent"),
    FLOAT1("tanh", 0, "Hyperbolic tangent"),
    FLOAT1("erf", 0, "Error function"),
    FLOAT1("atan", 0, "Inverse tangent"),
    FLOAT2("atan2", 0, "Angle of the point (rhs, lhs)"),
    FLOAT2("powf", 0, "lhs^rhs"),
    FLOAT2("copysign", ECHO_EXACT, "Magnitude of lhs with the sign of rhs"),
    {.name = "math.fma",
     .operands = "a: floating-point-like, b: floating-point-like, c: floating-point-like",
     .results = "result: floating-point-like",
     .attrs = "fastmath: any? = #arith.fastmath<none>",
     .traits = ECHO_PURE | ECHO_SAME_TYPE | ECHO_EXACT,
     .summary = "a * b + c, rounded once"},
    INT1("absi", "Absolute value, modulo 2^width"),
    INT1("ctlz", "Leading zero bits"),
    INT1("cttz", "Trailing zero bits"),
    INT1("ctpop", "One bits"),
    {.name = "math.ipowi",
     .operands = "lhs: signless-integer-like, rhs: signless-integer-like",
     .results = "result: signless-integer-like",
     .traits = ECHO_PURE | ECHO_SAME_TYPE | ECHO_EXACT,
     .summary = "Signed integer power"},
};

const EchoDialect ECHO_MATH_DIALECT = {.name = "math",
                                       .in_mlir = true,
                                       .summary = "Elementary functions of scalars and vectors, as "
                                                  "MLIR's",
                                       .ops = OPS,
                                       .n_ops = sizeof OPS / sizeof OPS[0]};
