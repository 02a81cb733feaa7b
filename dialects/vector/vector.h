/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Building vector ops on one-dimensional vectors. A NULL, or what does not fit, is a misuse
 * as for echo_build_op, and the answer NULL. */
#ifndef ECHO_DIALECTS_VECTOR_VECTOR_H
#define ECHO_DIALECTS_VECTOR_VECTOR_H

#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

EchoValue *echo_vector_load(EchoBuilder *builder, const EchoType *vector, EchoValue *memref,
                            EchoValue *const *indices, size_t n);
void echo_vector_store(EchoBuilder *builder, EchoValue *vector, EchoValue *memref,
                       EchoValue *const *indices, size_t n);
EchoValue *echo_vector_broadcast(EchoBuilder *builder, const EchoType *vector, EchoValue *scalar);
/* Lanes [first, first + n) of `vector`. */
EchoValue *echo_vector_slice(EchoBuilder *builder, EchoValue *vector, int64_t first, int64_t n);
/* One lane, as a scalar. */
EchoValue *echo_vector_extract(EchoBuilder *builder, EchoValue *vector, int64_t lane);

#ifdef __cplusplus
}
#endif

#endif
