/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The op table of math: what the forms of rows.h say about operands, results and attributes. */
#include "dialects/arith/hooks_t.h"
#include "dialects/dialects.h"
#include "dialects/interfaces/scalar.h"

#define FASTMATH .attrs = "fastmath: any? = #arith.fastmath<none>"
#define SAME_TYPE(types, result, more)                                                             \
  .operands = types, .results = result, .traits = ECHO_PURE | ECHO_SAME_TYPE | (more),             \
  .fold = echo_arith_fold
#define FLOATS1(more)                                                                              \
  SAME_TYPE("operand: floating-point-like", "result: floating-point-like", more), FASTMATH
#define FLOATS2(more)                                                                              \
  SAME_TYPE("lhs: floating-point-like, rhs: floating-point-like", "result: floating-point-like",   \
            more),                                                                                 \
      FASTMATH

/* The forms of dialects/math/rows.h; `more` are a row's own traits. */
#define OP_FLOAT1(more, ...) FLOATS1(ECHO_EXACT | (more))
#define OP_SIGN1(more, ...) FLOATS1(ECHO_EXACT | (more))
#define OP_SIGN2(more, ...) FLOATS2(ECHO_EXACT | (more))
#define OP_FMA(more, ...)                                                                          \
  SAME_TYPE("a: floating-point-like, b: floating-point-like, c: floating-point-like",              \
            "result: floating-point-like", ECHO_EXACT | (more)),                                   \
      FASTMATH
#define OP_ELEMENTARY1(more, ...) FLOATS1(more)
#define OP_ELEMENTARY2(more, ...) FLOATS2(more)
#define OP_INT1(more, ...)                                                                         \
  SAME_TYPE("operand: signless-integer-like", "result: signless-integer-like", ECHO_EXACT | (more))
#define OP_POWER(more, ...)                                                                        \
  SAME_TYPE("lhs: signless-integer-like, rhs: signless-integer-like",                              \
            "result: signless-integer-like", ECHO_EXACT | (more))

#define OP(form, opcode, op, more, text, ...)                                                      \
  [ECHO_MATH_##opcode -                                                                            \
      ECHO_N_ARITH_OPS] = {.name = "math." #op, .summary = text, OP_##form(more, __VA_ARGS__)},
const EchoOpInfo ECHO_MATH_OPS[ECHO_N_MATH_OPS] = {ECHO_MATH_ROWS(OP)};

const EchoDialect ECHO_MATH_DIALECT = {.name = "math",
                                       .in_mlir = true,
                                       .summary = "Elementary functions of scalars and vectors, as "
                                                  "MLIR's",
                                       .ops = ECHO_MATH_OPS,
                                       .n_ops = ECHO_N_MATH_OPS,
                                       .materialize_constant = echo_arith_materialize_constant};
