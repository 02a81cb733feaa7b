/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the ops of arith and math mean on scalars, once: folds, the simulator of GPU kernels and the
 * tests of generated code evaluate them here. The rows stand in dialects/arith/rows.h and
 * dialects/math/rows.h. Vectors and tensors go element by element.
 *
 * A scalar is its bits: integers and index zero-extended, floats in their own format. Integers and
 * floats of up to 64 bits are evaluated, a float op as if exactly and then rounded once; a target
 * that computes in a wider type and narrows gives the same bits. */
#ifndef ECHO_DIALECTS_INTERFACES_SCALAR_H
#define ECHO_DIALECTS_INTERFACES_SCALAR_H

#include "dialects/arith/rows.h"
#include "dialects/math/rows.h"
#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_ARITH_OPCODE(form, opcode, ...) ECHO_ARITH_##opcode,
#define ECHO_MATH_OPCODE(form, opcode, ...) ECHO_MATH_##opcode,
#define ECHO_ADD_ONE(...) +1
/* Numbers mean nothing outside one build. */
typedef enum EchoScalarOpcode {
  ECHO_ARITH_ROWS(ECHO_ARITH_OPCODE) ECHO_MATH_ROWS(ECHO_MATH_OPCODE) ECHO_N_SCALAR_OPCODES,
  ECHO_N_ARITH_OPS = ECHO_ARITH_ROWS(ECHO_ADD_ONE),
  ECHO_N_MATH_OPS = ECHO_MATH_ROWS(ECHO_ADD_ONE)
} EchoScalarOpcode;
#undef ECHO_ARITH_OPCODE
#undef ECHO_MATH_OPCODE
#undef ECHO_ADD_ONE

/* Numbers of the "predicate" attribute of arith.cmpi and arith.cmpf. */
#define ECHO_CMPI_ID(id, word, holds) ECHO_CMPI_##id,
#define ECHO_CMPF_ID(id, word, holds) ECHO_CMPF_##id,
typedef enum EchoCmpiPredicate {
  ECHO_CMPI_PREDICATES(ECHO_CMPI_ID) ECHO_N_CMPI_PREDICATES
} EchoCmpiPredicate;
typedef enum EchoCmpfPredicate {
  ECHO_CMPF_PREDICATES(ECHO_CMPF_ID) ECHO_N_CMPF_PREDICATES
} EchoCmpfPredicate;
#undef ECHO_CMPI_ID
#undef ECHO_CMPF_ID

/* How much an evaluation says. Poison: a division by zero, a shift by the width or more, an integer
 * that does not hold the float; integer overflow wraps, whatever overflowFlags say, as it does in
 * MLIR's folds. Loose: one result of several that targets may give: a NaN, whose sign and payload
 * are nobody's business, the zero that maxnumf picks of two, an elementary function. Folds keep
 * their hands off both. */
typedef enum EchoScalarOutcome {
  ECHO_SCALAR_POISON, /* nothing is written */
  ECHO_SCALAR_LOOSE,
  ECHO_SCALAR_DEFINED
} EchoScalarOutcome;

/* What a meaning depends on beside its operands. */
typedef struct EchoScalarCase {
  const EchoType *from, *to; /* of the last operand and of the first result; scalars */
  int64_t predicate;         /* of a comparison */
} EchoScalarCase;

/* `in`: an entry an operand; `out`: an entry a result. */
typedef EchoScalarOutcome EchoScalarFn(const EchoScalarCase *at, const uint64_t *in, uint64_t *out);

enum {
  ECHO_SCALAR_MAX_OPERANDS = 3,
  ECHO_SCALAR_MAX_RESULTS = 2,
  ECHO_SCALAR_NONE = INT32_MIN /* no identity, no absorbing element */
};

typedef struct EchoScalar {
  const EchoOpInfo *info;
  EchoScalarFn *evaluate;       /* NULL: arith.constant, which computes nothing */
  bool is_expanded;             /* has no instruction: lowering/math writes it in others */
  int32_t f32_error, f64_error; /* of the expansion, in hundredths of a unit in the last place */
  int32_t right_identity, right_absorbing; /* x op this = x; x op this = this */
} EchoScalar;

extern const EchoScalar ECHO_SCALARS[ECHO_N_SCALAR_OPCODES];
/* The rows: ECHO_ARITH_OPS[opcode], ECHO_MATH_OPS[opcode - ECHO_N_ARITH_OPS]. */
extern const EchoOpInfo ECHO_ARITH_OPS[ECHO_N_ARITH_OPS];
extern const EchoOpInfo ECHO_MATH_OPS[ECHO_N_MATH_OPS];

/* ECHO_N_SCALAR_OPCODES for a row of another dialect. O(1). */
static inline EchoScalarOpcode echo_scalar_opcode(const EchoOpInfo *info)
{
  uintptr_t in_arith = (uintptr_t)info - (uintptr_t)ECHO_ARITH_OPS;
  uintptr_t in_math = (uintptr_t)info - (uintptr_t)ECHO_MATH_OPS;
  if (in_arith < sizeof ECHO_ARITH_OPS)
    return (EchoScalarOpcode)(in_arith / sizeof *info);
  if (in_math < sizeof ECHO_MATH_OPS)
    return (EchoScalarOpcode)(ECHO_N_ARITH_OPS + in_math / sizeof *info);
  return ECHO_N_SCALAR_OPCODES;
}

/* The meaning of `op` and what it depends on. NULL when there is none: another dialect, an
 * arith.constant, a type of more than 64 bits, a rounding mode other than to nearest even. */
const EchoScalar *echo_scalar_or_null(const EchoOp *op, EchoScalarCase *at);

#ifdef __cplusplus
}
#endif

#endif
