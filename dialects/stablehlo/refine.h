/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is known of results' shapes from operands that are known better than when the op was made:
 * static ones, and constants that say a shape. Changes nothing. */
#ifndef ECHO_DIALECTS_STABLEHLO_REFINE_H
#define ECHO_DIALECTS_STABLEHLO_REFINE_H

#include "dialects/stablehlo/attributes/attributes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `type` with those of its dimensions that are not known as `other` has them; element and all that
 * is known stay; bounds go once all is known, before that they keep `type` as it is. `type` itself
 * where the two are no tensors or of other ranks. A rank that is not known is `other`'s. */
const EchoType *echo_stablehlo_refine_type(EchoContext *ctx, const EchoType *type,
                                           const EchoType *other);

/* Fills types[0..n_results) for an op of any dialect: its results' types, with what operands,
 * attributes and the ends of its regions tell. False after an error at the op: they contradict
 * each other. O(operands + results). */
bool echo_stablehlo_refine_results(const EchoOp *op, const EchoType **types);

/* The windows of a call of @stablehlo.dynamic_reduce_window of `n` values, `n` initial ones, and
 * sizes, strides, dilations of base and window, and padding; false where these are not constants
 * that a window can have, as many as the values have dimensions. */
bool echo_stablehlo_called_windows(const EchoOp *call, EchoWindowDim *windows);

#ifdef __cplusplus
}
#endif

#endif
