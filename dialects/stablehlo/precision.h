/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How exactly products are made: what dots and convolutions say of it, and which of f32 may be made
 * in tf32, whose significand has 11 bits where f32's has 24. That is a permission, of the op and
 * its module alone: a target without tf32 multiplies as exactly as always. */
#ifndef ECHO_DIALECTS_STABLEHLO_PRECISION_H
#define ECHO_DIALECTS_STABLEHLO_PRECISION_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a dot, dot_general or convolution. An algorithm decides by itself: one product of tf32 summed
 * in f32 is yes, any other no. Without one the module decides (echo.tf32) where both operands have
 * precision DEFAULT; HIGH and HIGHEST are no. O(depth). */
bool echo_stablehlo_allows_tf32(const EchoOp *op);
/* The element type, of 16 bits, that the algorithm of a dot_general has an operand rounded to
 * before it is multiplied, once; NULL: none, or the operand is no wider. O(1). */
const EchoType *echo_stablehlo_rounded_element_or_null(const EchoOp *dot, size_t operand);
/* Whether a module's products of default precision may be made in tf32: they may not, unless it is
 * said. */
void echo_module_allow_tf32(EchoOp *module, bool allows);

/* What `from` says of its precision and algorithm `to`, a part of it or of its gradient, says, too:
 * as JAX differentiates. False where they are of two contexts, or one is NULL. */
bool echo_stablehlo_copy_precision(const EchoOp *from, EchoOp *to);

#ifdef __cplusplus
}
#endif

#endif
