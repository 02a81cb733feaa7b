/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elementary functions in arith and exact math ops: what the text of a function is made of. Where a
 * product is added to, math.fma says so: it is one rounding on every target and at every vector
 * width, so that all give the same bits (a processor without the instruction calls C's fma, which
 * is slow and the same). Private to lowering/. */
#ifndef ECHO_LOWERING_MATH_EXPAND_MATH_T_H
#define ECHO_LOWERING_MATH_EXPAND_MATH_T_H

#include "dialects/arith/arith.h"

/* Where to build, and the type at work: f32 or f64, or an integer for ipowi alone. */
typedef struct EchoMath {
  EchoBuilder *builder;
  const EchoType *type, *int_type; /* the integer of the same width */
  bool is_f64;
} EchoMath;

/* Expands every math op on f32, f64 or integer scalars inside `root`; returns how many. */
uint64_t echo_expand_math(EchoOp *root);

EchoMath echo_math_of(EchoBuilder *builder, const EchoType *type);

/* ---- shorthands ---- */
EchoValue *echo_math_constant(const EchoMath *m, double value);
EchoValue *echo_math_int(const EchoMath *m, int64_t value);
EchoValue *echo_math_add(const EchoMath *m, EchoValue *a, EchoValue *b);
EchoValue *echo_math_sub(const EchoMath *m, EchoValue *a, EchoValue *b);
EchoValue *echo_math_mul(const EchoMath *m, EchoValue *a, EchoValue *b);
EchoValue *echo_math_div(const EchoMath *m, EchoValue *a, EchoValue *b);
EchoValue *echo_math_fused(const EchoMath *m, EchoValue *a, EchoValue *b, EchoValue *c); /* fma */
EchoValue *echo_math_abs(const EchoMath *m, EchoValue *a);
EchoValue *echo_math_neg(const EchoMath *m, EchoValue *a);
EchoValue *echo_math_copysign(const EchoMath *m, EchoValue *magnitude, EchoValue *sign);
EchoValue *echo_math_round(const EchoMath *m, EchoValue *a); /* to nearest even */
EchoValue *echo_math_if(const EchoMath *m, EchoCmpfPredicate predicate, EchoValue *a, EchoValue *b,
                        EchoValue *on_true, EchoValue *on_false);
/* a + b x + …, coefficients from the constant up; by Horner's rule. */
EchoValue *echo_math_polynomial(const EchoMath *m, EchoValue *x, const double *coefficients,
                                size_t n);
EchoValue *echo_math_bits(const EchoMath *m, EchoValue *a);      /* float to integer, by bits */
EchoValue *echo_math_from_bits(const EchoMath *m, EchoValue *a); /* integer to float, by bits */
EchoValue *echo_math_widen(const EchoMath *m, EchoValue *a);     /* f32 to f64 */
EchoValue *echo_math_narrow(const EchoMath *m, EchoValue *a);    /* f64 to f32 */
EchoValue *echo_math_int_op(const EchoMath *m, const char *name, EchoValue *a, EchoValue *b);

/* What log gives for 0, infinity, negative numbers and NaN in `result`'s place. */
EchoValue *echo_math_log_specials(const EchoMath *m, EchoValue *x, EchoValue *result);
/* In f64, where m->type is f32 rounded once. */
typedef EchoValue *EchoMathFn(const EchoMath *m, EchoValue *x);
EchoValue *echo_math_in_f64(const EchoMath *m, EchoValue *x, EchoMathFn *function);

/* ---- functions ----
 * One for each row of dialects/math/rows.h that is expanded, echo_expand_exp(m, x) …; the row has
 * the bounds of its error, which tests/unit/exec/math_ulp_test.c measures: f32 against double over
 * all of f32 at a stride, f64 against long double at random (ECHO_MATH_REPORT=1 prints the largest
 * seen, ECHO_MATH_STRIDE=1 takes every f32). */
#define ECHO_EXPANDS_ELEMENTARY1(name)                                                             \
  EchoValue *echo_expand_##name(const EchoMath *m, EchoValue *x);
#define ECHO_EXPANDS_ELEMENTARY2(name)                                                             \
  EchoValue *echo_expand_##name(const EchoMath *m, EchoValue *x, EchoValue *y);
#define ECHO_EXPANDS_POWER ECHO_EXPANDS_ELEMENTARY2
#define ECHO_EXPANDS_FLOAT1(name)
#define ECHO_EXPANDS_SIGN1(name)
#define ECHO_EXPANDS_SIGN2(name)
#define ECHO_EXPANDS_FMA(name)
#define ECHO_EXPANDS_INT1(name)
#define ECHO_EXPANDS(form, opcode, name, ...) ECHO_EXPANDS_##form(name)
ECHO_MATH_ROWS(ECHO_EXPANDS)

#endif
