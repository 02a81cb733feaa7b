/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of complex numbers that are pairs of real tensors. Private to lowering/. */
#ifndef ECHO_LOWERING_MODEL_COMPLEX_MATH_T_H
#define ECHO_LOWERING_MODEL_COMPLEX_MATH_T_H

#include "dialects/stablehlo/build.h"

typedef struct EchoComplex {
  EchoValue *re, *im; /* of one type */
} EchoComplex;

/* An elementwise op of one or two complex operands. f32 parts are computed in f64 and rounded once,
 * all but sums and products. */
typedef struct EchoComplexFunction {
  const char *op; /* "stablehlo.exponential" */
  bool is_direct; /* in the type of its parts */
  EchoComplex (*unary)(EchoBuilder *b, EchoComplex z);
  EchoComplex (*binary)(EchoBuilder *b, EchoComplex z, EchoComplex w);
} EchoComplexFunction;

/* NULL: it has no formula. */
const EchoComplexFunction *echo_complex_function_or_null(const EchoOp *op);
/* |z| */
EchoValue *echo_complex_length(EchoBuilder *b, EchoComplex z);
/* |x| with the sign of y, zeros too */
EchoValue *echo_complex_with_sign(EchoBuilder *b, EchoValue *x, EchoValue *y);
/* Inverse functions (complex_inverse.c). */
EchoComplex echo_complex_acos(EchoBuilder *b, EchoComplex z);
EchoComplex echo_complex_acosh(EchoBuilder *b, EchoComplex z);
EchoComplex echo_complex_asin(EchoBuilder *b, EchoComplex z);
EchoComplex echo_complex_asinh(EchoBuilder *b, EchoComplex z);
EchoComplex echo_complex_atan(EchoBuilder *b, EchoComplex z);
EchoComplex echo_complex_atanh(EchoBuilder *b, EchoComplex z);
/* What this stablehlo.fft makes of its operand (of a real one, with zeros beside it); im is NULL
 * where that is real. */
EchoComplex echo_complex_fft(EchoBuilder *b, const EchoOp *op, EchoComplex z);

#endif
