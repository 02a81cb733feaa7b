/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Element types that nothing computes in: integers of 2 and 4 bits, floats of 4, 6 and 8 bits, and
 * quantized ones. Each has a type that it lies in memory as, of the same bytes, and one that it is
 * computed in. Private to lowering. */
#ifndef ECHO_LOWERING_MODEL_ELEMENT_CODEC_T_H
#define ECHO_LOWERING_MODEL_ELEMENT_CODEC_T_H

#include "dialects/stablehlo/build.h"

bool echo_element_is_narrow(const EchoType *element);
/* ui8, bits above the element's zero; of a quantized type what it stores. */
const EchoType *echo_element_at_rest(EchoContext *ctx, const EchoType *element);
/* i8 or ui8, f32, or what a quantized type expresses; NULL: nothing computes in it. */
const EchoType *echo_element_computed_or_null(EchoContext *ctx, const EchoType *element);

/* A tensor of at-rest elements as computed ones, exactly. */
EchoValue *echo_element_decode(EchoBuilder *builder, EchoValue *stored, const EchoType *element);
/* And back: floats are rounded as ir/attributes/float_format.h says, integers wrap, quantized ones
 * are rounded to nearest even and clamped. `value` may be of f64 for a float element, which is then
 * rounded once. */
EchoValue *echo_element_encode(EchoBuilder *builder, EchoValue *value, const EchoType *element);
/* The element's range, of an integer. */
void echo_element_int_range(const EchoType *element, int64_t *least, int64_t *most);

#endif
