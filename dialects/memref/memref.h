/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Building memref ops: loads, stores and views of buffers, MLIR's by name and meaning. A
 * NULL, or what does not fit, is a misuse as for echo_build_op, and the answer NULL. */
#ifndef ECHO_DIALECTS_MEMREF_MEMREF_H
#define ECHO_DIALECTS_MEMREF_MEMREF_H

#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* indices: one index value a dimension. */
EchoValue *echo_memref_load(EchoBuilder *builder, EchoValue *memref, EchoValue *const *indices,
                            size_t n);
void echo_memref_store(EchoBuilder *builder, EchoValue *value, EchoValue *memref,
                       EchoValue *const *indices, size_t n);
/* Stack memory of a static type, freed when the enclosing function (or scf.parallel iteration)
 * ends; 64-byte aligned. */
EchoValue *echo_memref_alloca(EchoBuilder *builder, const EchoType *type);
/* The same elements, row-major, under `n_groups` dimensions: group g joins group_sizes[g]
 * neighbouring dimensions of the operand. */
EchoValue *echo_memref_collapse(EchoBuilder *builder, EchoValue *memref, const size_t *group_sizes,
                                size_t n_groups);
/* The elements of a memref of one dimension, row-major, under `rank` dimensions of these sizes,
 * which has as many. */
EchoValue *echo_memref_expand(EchoBuilder *builder, EchoValue *memref, const int64_t *dims,
                              size_t rank);
/* Address of the first element, as an index. */
EchoValue *echo_memref_address(EchoBuilder *builder, EchoValue *memref);

#ifdef __cplusplus
}
#endif

#endif
