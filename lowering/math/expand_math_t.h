/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elementary functions in arith and exact math ops: what the text of a function is made of. Each
 * keeps to plain multiplications and additions (no fused ones), so that every target and every
 * vector width gives the same bits. Private to lowering/. */
#ifndef ECHO_LOWERING_MATH_EXPAND_MATH_T_H
#define ECHO_LOWERING_MATH_EXPAND_MATH_T_H

#include "dialects/arith/arith.h"

/* Where to build, and the float type at work: f32 or f64. */
typedef struct EchoMath {
  EchoBuilder *builder;
  const EchoType *type, *int_type; /* the integer of the same width */
  bool is_f64;
} EchoMath;

/* Expands every math op of f32 or f64 scalars inside `root`; returns how many. */
uint64_t echo_expand_math(EchoOp *root);

EchoMath echo_math_of(EchoBuilder *builder, const EchoType *type);

/* ---- shorthands ---- */
EchoValue *echo_math_constant(const EchoMath *m, double value);
EchoValue *echo_math_int(const EchoMath *m, int64_t value);
EchoValue *echo_math_add(const EchoMath *m, EchoValue *a, EchoValue *b);
EchoValue *echo_math_sub(const EchoMath *m, EchoValue *a, EchoValue *b);
EchoValue *echo_math_mul(const EchoMath *m, EchoValue *a, EchoValue *b);
EchoValue *echo_math_div(const EchoMath *m, EchoValue *a, EchoValue *b);
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

/* ---- functions ----
 * Bounds are the largest errors in units of the last place, and in brackets the largest seen: f32
 * against double over all of f32 at a stride, f64 against long double at random
 * (tests/unit/exec/math_ulp_test.c; ECHO_MATH_REPORT=1 prints them, ECHO_MATH_STRIDE=1 takes every
 * f32). 0.51 = computed in f64 and rounded once. */
EchoValue *echo_expand_exp(const EchoMath *m, EchoValue *x);   /* f32 1 (0.94), f64 1 (0.92) */
EchoValue *echo_expand_expm1(const EchoMath *m, EchoValue *x); /* f32 2 (1.43), f64 2 (1.89) */
EchoValue *echo_expand_log(const EchoMath *m, EchoValue *x);   /* f32 1 (0.79), f64 1 (0.71) */
EchoValue *echo_expand_log1p(const EchoMath *m, EchoValue *x); /* f32 2 (1.44), f64 2 (1.44) */
EchoValue *echo_expand_tanh(const EchoMath *m, EchoValue *x);  /* f32 2 (1.30), f64 3 (2.48) */
EchoValue *echo_expand_erf(const EchoMath *m, EchoValue *x);   /* f32 0.51, f64 3 (1.94) */
EchoValue *echo_expand_rsqrt(const EchoMath *m, EchoValue *x); /* 1.5 (1.48) */
EchoValue *echo_expand_cbrt(const EchoMath *m, EchoValue *x);  /* f32 0.51, f64 2 (0.94) */
/* f32 0.51, f64 5 (4.01) */
EchoValue *echo_expand_pow(const EchoMath *m, EchoValue *x, EchoValue *y);
/* f32 0.51, f64 3 (2.25) */
EchoValue *echo_expand_atan2(const EchoMath *m, EchoValue *y, EchoValue *x);
EchoValue *echo_expand_atan(const EchoMath *m, EchoValue *x); /* f32 0.51, f64 3 (2.05) */
/* Of every finite x: f32 0.51, f64 3 (2.40). */
EchoValue *echo_expand_sin(const EchoMath *m, EchoValue *x);
EchoValue *echo_expand_cos(const EchoMath *m, EchoValue *x);
EchoValue *echo_expand_tan(const EchoMath *m, EchoValue *x); /* f32 0.51, f64 5 (3.75) */
/* Half away from zero: exact. */
EchoValue *echo_expand_round(const EchoMath *m, EchoValue *x);

#endif
