/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Expands elementwise.def into functions on scalars and the table of them. */
#include "dialects/stablehlo/rows/elementwise_t.h"
#include "dialects/stablehlo/rows/formulas_t.h"
#include "ir/diagnostics.h"

int64_t echo_hlo_neutral_i64(EchoHloNeutralInt neutral, EchoElementKind kind)
{
  uint32_t width = echo_element_bits(kind);
  bool is_unsigned = echo_element_is_unsigned(kind) || kind == ECHO_ELEMENT_I1;
  int64_t highest = (int64_t)(is_unsigned ? low_bits(width) : low_bits(width) >> 1);
  switch (neutral) {
  case ECHO_NEUTRAL_ZERO:
    return 0;
  case ECHO_NEUTRAL_ONE:
    return 1;
  case ECHO_NEUTRAL_ALL_ONES:
    return is_unsigned ? highest : -1;
  case ECHO_NEUTRAL_LOWEST:
    return is_unsigned ? 0 : -highest - 1;
  case ECHO_NEUTRAL_HIGHEST:
    return highest;
  }
  ECHO_UNREACHABLE("neutral integer %d", (int)neutral);
}

/* ---- the rows' functions ---- */

#define OP1(name) echo_arith_unary(b, name, x, NULL)
#define OP2(name) echo_arith_binary(b, name, lhs, rhs)

#define FLOAT_UNARY(op, evaluate, emit)                                                            \
  static double op##_of_float(double x, double unused)                                             \
  {                                                                                                \
    long double wide = x;                                                                          \
    (void)wide, (void)unused;                                                                      \
    return (double)(evaluate);                                                                     \
  }                                                                                                \
  static EchoValue *emit_##op##_of_float(EchoBuilder *b, EchoElementKind kind, EchoValue *x,       \
                                         EchoValue *unused)                                        \
  {                                                                                                \
    (void)b, (void)kind, (void)unused;                                                             \
    return emit;                                                                                   \
  }
#define FLOAT_BINARY(op, evaluate, emit)                                                           \
  static double op##_of_float(double lhs, double rhs)                                              \
  {                                                                                                \
    return (double)(evaluate);                                                                     \
  }                                                                                                \
  static EchoValue *emit_##op##_of_float(EchoBuilder *b, EchoElementKind kind, EchoValue *lhs,     \
                                         EchoValue *rhs)                                           \
  {                                                                                                \
    (void)kind;                                                                                    \
    return emit;                                                                                   \
  }

/* What a row may ask of integers of this kind. */
#define INT_FACTS(value)                                                                           \
  const uint32_t width = echo_element_bits(kind);                                                  \
  const uint64_t bits = (uint64_t)(value)&low_bits(width);                                         \
  (void)width, (void)bits
#define KIND_FACTS                                                                                 \
  const bool is_pred = kind == ECHO_ELEMENT_I1;                                                    \
  const bool is_unsigned = is_pred || echo_element_is_unsigned(kind);                              \
  (void)is_pred, (void)is_unsigned

#define INT_UNARY(op, evaluate, emit)                                                              \
  static int64_t op##_of_int(EchoElementKind kind, int64_t x, int64_t unused)                      \
  {                                                                                                \
    INT_FACTS(x);                                                                                  \
    KIND_FACTS;                                                                                    \
    (void)unused;                                                                                  \
    return (int64_t)(evaluate);                                                                    \
  }                                                                                                \
  static EchoValue *emit_##op##_of_int(EchoBuilder *b, EchoElementKind kind, EchoValue *x,         \
                                       EchoValue *unused)                                          \
  {                                                                                                \
    KIND_FACTS;                                                                                    \
    (void)unused;                                                                                  \
    return emit;                                                                                   \
  }
#define INT_BINARY(op, evaluate, emit)                                                             \
  static int64_t op##_of_int(EchoElementKind kind, int64_t lhs, int64_t rhs)                       \
  {                                                                                                \
    INT_FACTS(lhs);                                                                                \
    KIND_FACTS;                                                                                    \
    return (int64_t)(evaluate);                                                                    \
  }                                                                                                \
  static EchoValue *emit_##op##_of_int(EchoBuilder *b, EchoElementKind kind, EchoValue *lhs,       \
                                       EchoValue *rhs)                                             \
  {                                                                                                \
    KIND_FACTS;                                                                                    \
    return emit;                                                                                   \
  }

#define ZERO NULL
#define UNARY_GRADIENT(op, gradient)                                                               \
  static void differentiate_##op(EchoGradient *g, EchoOp *of, EchoValue *gy)                       \
  {                                                                                                \
    EchoBuilder *b = g->builder;                                                                   \
    EchoValue *x = echo_op_operand(of, 0), *y = echo_op_result(of, 0);                             \
    (void)b, (void)x, (void)y, (void)gy;                                                           \
    EchoValue *gx = gradient;                                                                      \
    if (gx != NULL)                                                                                \
      echo_gradient_add(g, x, gx);                                                                 \
  }
#define EACH(to_lhs, to_rhs)                                                                       \
  if (echo_gradient_needs(g, lhs))                                                                 \
    echo_gradient_add(g, lhs, to_lhs);                                                             \
  if (echo_gradient_needs(g, rhs))                                                                 \
  echo_gradient_add(g, rhs, to_rhs)
#define WHOLE(formula) formula(g, of, gy)
#define BINARY_GRADIENT(op, gradient)                                                              \
  static void differentiate_##op(EchoGradient *g, EchoOp *of, EchoValue *gy)                       \
  {                                                                                                \
    EchoBuilder *b = g->builder;                                                                   \
    EchoValue *lhs = echo_op_operand(of, 0), *rhs = echo_op_operand(of, 1);                        \
    EchoValue *y = echo_op_result(of, 0);                                                          \
    (void)b, (void)lhs, (void)rhs, (void)y;                                                        \
    gradient;                                                                                      \
  }

#define HLO_OP(...)
#define HLO_UNARY(OPCODE, op, types, attributes, traits, cost, summary, evaluate_float,            \
                  emit_float, evaluate_int, emit_int, gradient)                                    \
  FLOAT_UNARY(op, evaluate_float, emit_float)                                                      \
  INT_UNARY(op, evaluate_int, emit_int)                                                            \
  UNARY_GRADIENT(op, gradient)
#define HLO_FLOAT_UNARY(OPCODE, op, types, attributes, traits, cost, summary, evaluate, emit,      \
                        gradient)                                                                  \
  FLOAT_UNARY(op, evaluate, emit)                                                                  \
  UNARY_GRADIENT(op, gradient)
#define HLO_INT_UNARY(OPCODE, op, types, attributes, traits, cost, summary, evaluate, emit)        \
  INT_UNARY(op, evaluate, emit)
#define HLO_PREDICATE(OPCODE, op, types, attributes, traits, cost, summary, evaluate, emit)        \
  FLOAT_UNARY(op, evaluate, emit)
#define HLO_BINARY(OPCODE, op, types, traits, cost, summary, neutral, evaluate_float, emit_float,  \
                   evaluate_int, emit_int, gradient)                                               \
  FLOAT_BINARY(op, evaluate_float, emit_float)                                                     \
  INT_BINARY(op, evaluate_int, emit_int)                                                           \
  BINARY_GRADIENT(op, gradient)
#define HLO_FLOAT_BINARY(OPCODE, op, types, traits, cost, summary, evaluate, emit, gradient)       \
  FLOAT_BINARY(op, evaluate, emit)                                                                 \
  BINARY_GRADIENT(op, gradient)
#define HLO_INT_BINARY(OPCODE, op, types, traits, cost, summary, neutral, evaluate, emit)          \
  INT_BINARY(op, evaluate, emit)
#include "dialects/stablehlo/rows/ops.def"

/* ---- the table ---- */

#define OF_FLOAT(op) .evaluate_float = op##_of_float, .emit_float = emit_##op##_of_float
#define OF_INT(op) .evaluate_int = op##_of_int, .emit_int = emit_##op##_of_int
#define GRADIENT(op) .differentiate = differentiate_##op

#define NEUTRAL_AS(sides, of_float, of_int)                                                        \
  .neutral = sides, .neutral_float = of_float, .neutral_int = ECHO_NEUTRAL_##of_int
#define IDENTITY(of_float, of_int) NEUTRAL_AS(ECHO_NEUTRAL_BOTH, of_float, of_int)
#define RIGHT_IDENTITY(of_float, of_int) NEUTRAL_AS(ECHO_NEUTRAL_RIGHT, of_float, of_int)
#define NEUTRAL(of_float, of_int) NEUTRAL_AS(ECHO_NEUTRAL_OF_REDUCTIONS, of_float, of_int)
#define NO_NEUTRAL .neutral = ECHO_NEUTRAL_NONE
#undef ZERO /* among the neutral integers */

#define HLO_OP(...)
#define HLO_UNARY(OPCODE, op, ...)                                                                 \
  [ECHO_HLO_##OPCODE] = {.n_operands = 1, OF_FLOAT(op), OF_INT(op), GRADIENT(op)},
#define HLO_BITS_UNARY(OPCODE, op, ...)                                                            \
  [ECHO_HLO_##                                                                                     \
      OPCODE] = {.n_operands = 1, .moves_bits = true, OF_FLOAT(op), OF_INT(op), GRADIENT(op)},
#define HLO_FLOAT_BITS_UNARY(OPCODE, op, ...)                                                      \
  [ECHO_HLO_##OPCODE] = {.n_operands = 1, .moves_bits = true, OF_FLOAT(op), GRADIENT(op)},
#define HLO_FLOAT_UNARY(OPCODE, op, ...)                                                           \
  [ECHO_HLO_##OPCODE] = {.n_operands = 1, OF_FLOAT(op), GRADIENT(op)},
#define HLO_INT_UNARY(OPCODE, op, ...) [ECHO_HLO_##OPCODE] = {.n_operands = 1, OF_INT(op)},
#define HLO_PREDICATE(OPCODE, op, ...)                                                             \
  [ECHO_HLO_##OPCODE] = {.n_operands = 1, .gives_predicate = true, OF_FLOAT(op)},
#define HLO_BINARY(OPCODE, op, types, traits, cost, summary, neutral_element, ...)                 \
  [ECHO_HLO_##OPCODE] = {.n_operands = 2, neutral_element, OF_FLOAT(op), OF_INT(op), GRADIENT(op)},
#define HLO_FLOAT_BINARY(OPCODE, op, ...)                                                          \
  [ECHO_HLO_##OPCODE] = {.n_operands = 2, OF_FLOAT(op), GRADIENT(op)},
#define HLO_INT_BINARY(OPCODE, op, types, traits, cost, summary, neutral_element, ...)             \
  [ECHO_HLO_##OPCODE] = {.n_operands = 2, neutral_element, OF_INT(op)},

/* One row more than there are ops, for ops of other dialects: all NULL. */
const EchoHloElementwise ECHO_HLO_ELEMENTWISE[ECHO_N_HLO_OPCODES + 1] = {
#include "dialects/stablehlo/rows/ops.def"
};
