/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Slices of arrays along one dimension, [.., i, ..] with that dimension kept as one of 1, and which
 * slices of its operands a slice of what an op makes is made of. The invariant: the op on those
 * slices, its result's type sliced, makes the same elements. Not of which arrays slices are worth
 * making. */
#ifndef ECHO_PLANNING_LOOPS_ALONG_H
#define ECHO_PLANNING_LOOPS_ALONG_H

#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_ALONG_WHOLE                                                                           \
  (-1)                       /* in place of a dimension: all of the operand goes into every slice */
#define ECHO_ALONG_NONE (-2) /* slices of the result are not made of slices of the operand */

/* Along which dimension operand `i` is sliced where the op's only result is along `dim`. O(rank).
 */
int64_t echo_along_operand(const EchoOp *op, size_t i, int64_t dim);
/* Along which the result is where operand `i` is along `dim`; ECHO_ALONG_NONE where it has no such
 * slices. O(rank^2). */
int64_t echo_along_result(const EchoOp *op, size_t i, int64_t dim);

const EchoType *echo_along_slice_type(EchoContext *ctx, const EchoType *type, int64_t dim);
/* Slice `index`, an integer scalar, of `value` along `dim`. */
EchoValue *echo_along_read(EchoBuilder *builder, EchoValue *value, int64_t dim, EchoValue *index);
/* The slice of a constant that is one number for all elements; NULL for other values. */
EchoValue *echo_along_splat_or_null(EchoBuilder *builder, const EchoValue *value, int64_t dim);
bool echo_along_is_splat(const EchoValue *value);

#ifdef __cplusplus
}
#endif

#endif
