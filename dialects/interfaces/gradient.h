/* Reverse-mode differentiation, the op table's side. A rule (EchoDifferentiateFn) runs with the builder placed in the backward
 * part; it reads the gradients of the op's results and adds to the gradients of its operands. It asks only for the forward
 * values that it needs: what it mentions is what memory must hold. */
#ifndef ECHO_DIALECTS_INTERFACES_GRADIENT_H
#define ECHO_DIALECTS_INTERFACES_GRADIENT_H

#include "ir/builder.h"

struct EchoGradient {
  EchoBuilder *builder; /* insertion point of the backward code; phase and location set */
  void *state;          /* private to the driver */
  EchoValue *(*gradient)(EchoGradient *gradient, EchoValue *value);
  bool (*needs)(EchoGradient *gradient, EchoValue *value);
  void (*add)(EchoGradient *gradient, EchoValue *value, EchoValue *contribution);
  EchoValue *(*forward)(EchoGradient *gradient, EchoValue *value);
};

/* Gradient that has arrived at a result of the op (same type as the value), or NULL when it is zero. */
static inline EchoValue *echo_gradient_of_or_null(EchoGradient *gradient, EchoValue *value)
{
  return gradient->gradient(gradient, value);
}
/* Whether anybody wants the gradient of `value` (it depends on a differentiated parameter and is of float type). */
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
/* The forward value as it is visible at the builder's place: the value itself, or its slice of a saved stack inside loops. */
static inline EchoValue *echo_gradient_forward(EchoGradient *gradient, EchoValue *value)
{
  return gradient->forward(gradient, value);
}

#endif
