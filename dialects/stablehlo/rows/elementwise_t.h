/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What elementwise rows do to scalars, as tables see it: rows/elementwise.c expands the list into
 * one of these for each opcode. The hooks of unary and binary ops (evaluate/elementwise.c,
 * emit/scalar.c, gradient/elementwise.c, fold.c) read it; none knows an op by name. */
#ifndef ECHO_DIALECTS_STABLEHLO_ROWS_ELEMENTWISE_T_H
#define ECHO_DIALECTS_STABLEHLO_ROWS_ELEMENTWISE_T_H

#include "dialects/interfaces/gradient.h"
#include "dialects/stablehlo/opcode.h"

/* Of one operand, `rhs` is 0 or NULL. */
typedef double EchoHloFloatFn(double lhs, double rhs);
typedef int64_t EchoHloIntFn(EchoElementKind kind, int64_t lhs, int64_t rhs);
/* `kind` is the operands'; floats come promoted (echo_scalar_promote). */
typedef EchoValue *EchoHloEmitFn(EchoBuilder *builder, EchoElementKind kind, EchoValue *lhs,
                                 EchoValue *rhs);
/* gy: the gradient of the result, which somebody wants. */
typedef void EchoHloGradientFn(EchoGradient *gradient, EchoOp *op, EchoValue *gy);

/* On which sides an op has a neutral element, and whether the op with it may be folded away. */
typedef enum EchoHloNeutralSides {
  ECHO_NEUTRAL_NONE,
  ECHO_NEUTRAL_OF_REDUCTIONS, /* both; the bits of a NaN are the op's to choose */
  ECHO_NEUTRAL_RIGHT,         /* to the bit */
  ECHO_NEUTRAL_BOTH           /* both, to the bit */
} EchoHloNeutralSides;

typedef enum EchoHloNeutralInt {
  ECHO_NEUTRAL_ZERO,
  ECHO_NEUTRAL_ONE,
  ECHO_NEUTRAL_ALL_ONES,
  ECHO_NEUTRAL_LOWEST,
  ECHO_NEUTRAL_HIGHEST
} EchoHloNeutralInt;

/* Members are NULL where the row's constraint takes no such type, and all of them for ops that are
 * not elementwise rows. */
typedef struct EchoHloElementwise {
  uint8_t n_operands;
  bool gives_predicate; /* of floats: evaluate_float gives 0 or 1, emit_float an i1 */
  bool moves_bits;      /* of floats: no arithmetic, so that denormals stay (float_mode.h) */
  EchoHloFloatFn *evaluate_float;
  EchoHloIntFn *evaluate_int; /* predicates too */
  EchoHloEmitFn *emit_float, *emit_int;
  EchoHloGradientFn *differentiate;
  EchoHloNeutralSides neutral;
  double neutral_float;
  EchoHloNeutralInt neutral_int;
} EchoHloElementwise;

/* By opcode; the last is for ops of other dialects. */
extern const EchoHloElementwise ECHO_HLO_ELEMENTWISE[ECHO_N_HLO_OPCODES + 1];

static inline const EchoHloElementwise *echo_hlo_elementwise(const EchoOp *op)
{
  return &ECHO_HLO_ELEMENTWISE[echo_hlo_opcode(op)];
}

/* The neutral integer of an element kind, extended as echo_tensor_get_i64 does. */
int64_t echo_hlo_neutral_i64(EchoHloNeutralInt neutral, EchoElementKind kind);

#endif
