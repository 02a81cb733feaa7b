/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reverse-mode differentiation, the op table's side. A rule (EchoDifferentiateFn) runs with the
 * builder placed in the backward part; it reads the gradients of the op's results and adds to the
 * gradients of its operands. It asks only for the forward values that it needs: what it mentions is
 * what memory must hold. */
#ifndef ECHO_DIALECTS_INTERFACES_GRADIENT_H
#define ECHO_DIALECTS_INTERFACES_GRADIENT_H

#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

struct EchoGradient {
  EchoBuilder *builder; /* insertion point of the backward code; phase and location set */
  void *state;          /* private to the driver */
  EchoValue *(*gradient)(EchoGradient *gradient, EchoValue *value);
  bool (*needs)(EchoGradient *gradient, EchoValue *value);
  void (*add)(EchoGradient *gradient, EchoValue *value, EchoValue *contribution);
  void (*add_slice)(EchoGradient *gradient, EchoValue *value, EchoValue *contribution,
                    const int64_t *start, const int64_t *stride);
  bool (*of_block)(EchoGradient *gradient, EchoBlock *block, EchoValue *const *outputs,
                   EchoValue *const *seeds, size_t n_outputs, EchoValue *const *sources,
                   size_t n_sources, EchoValue **gradients);
};

/* Gradient that has arrived at a result of the op (same type as the value), or NULL when it is
 * zero. */
static inline EchoValue *echo_gradient_of_or_null(EchoGradient *gradient, EchoValue *value)
{
  return gradient->gradient(gradient, value);
}
/* Whether anybody wants the gradient of `value` (it depends on a differentiated parameter and is of
 * float type). */
static inline bool echo_gradient_needs(EchoGradient *gradient, EchoValue *value)
{
  return gradient->needs(gradient, value);
}
/* Adds `contribution` (same type) to the gradient of `value`; ignored when nobody needs it. */
static inline void echo_gradient_add(EchoGradient *gradient, EchoValue *value,
                                     EchoValue *contribution)
{
  gradient->add(gradient, value, contribution);
}
/* The same for a part of `value`: contribution element i belongs to element start + i * stride (an
 * entry a dimension) of it. Parts that tile a dimension become one concatenation instead of a sum
 * of padded tensors. */
static inline void echo_gradient_add_slice(EchoGradient *gradient, EchoValue *value,
                                           EchoValue *contribution, const int64_t *start,
                                           const int64_t *stride)
{
  gradient->add_slice(gradient, value, contribution, start, stride);
}
/* Differentiates straight-line code in a block of its own (a branch or a loop body that stands in
 * the backward part): `block` holds the forward ops and no terminator yet; the backward code is
 * appended to it. outputs[i] has the gradient seeds[i] (NULL = zero); gradients[i] is set to that
 * of sources[i] (values of the block or from outside), NULL when zero. */
static inline bool echo_gradient_of_block(EchoGradient *gradient, EchoBlock *block,
                                          EchoValue *const *outputs, EchoValue *const *seeds,
                                          size_t n_outputs, EchoValue *const *sources,
                                          size_t n_sources, EchoValue **gradients)
{
  return gradient->of_block(gradient, block, outputs, seeds, n_outputs, sources, n_sources,
                            gradients);
}

#ifdef __cplusplus
}
#endif

#endif
