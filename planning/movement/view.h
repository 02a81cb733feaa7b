/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A view: a tensor each of whose elements is one element of a source, found by an affine map. Index
 * `r` of the result reads index `start + step * r[dim]` along each dimension of the source; result
 * dimensions that no source dimension names repeat. Slices, transposes, reversals, broadcasts and
 * what is composed of them are views; a reshape is one where it only adds and drops dimensions of
 * size 1, or where what is read of it does not cross a seam. Every view has at least one element
 * and reads inside its source. */
#ifndef ECHO_PLANNING_MOVEMENT_VIEW_H
#define ECHO_PLANNING_MOVEMENT_VIEW_H

#include "base/arena.h"
#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_VIEW_FIXED UINT32_MAX /* dim of an axis that one index is read of */

typedef struct EchoViewAxis {
  int64_t start, step; /* step is 0 where dim is ECHO_VIEW_FIXED, and nowhere else */
  uint32_t dim;        /* of the result; no two axes name the same */
} EchoViewAxis;

typedef struct EchoView {
  const EchoType *type;     /* of the result: static */
  const EchoViewAxis *axes; /* one a source dimension */
  uint32_t n_axes;
} EchoView;

/* The view that each element of `type` is its own source. Memory of this and all below is the
 * arena's. */
EchoView echo_view_identity(EchoArena *arena, const EchoType *type);
/* Whether `op` is a view of its operand 0, by itself: starts that are constants, indices that count
 * evenly. */
bool echo_view_of_op(EchoArena *arena, const EchoOp *op, EchoView *view);
/* `outer` of `inner`. */
EchoView echo_view_compose(EchoArena *arena, const EchoView *outer, const EchoView *inner);
/* What `view` of a reshape of `source` is of `source`; false where it is no view. */
bool echo_view_through_reshape(EchoArena *arena, const EchoView *view, const EchoType *reshaped,
                               const EchoType *source, EchoView *result);
/* First and last index that is read of source dimension `axis`. */
void echo_view_range(const EchoView *view, size_t axis, int64_t *first, int64_t *last);
/* The same view, of a source that begins `offset` further on along each dimension. */
EchoView echo_view_moved(EchoArena *arena, const EchoView *view, const int64_t *offset);
bool echo_view_is_identity(const EchoView *view, const EchoType *source);

/* Constant start indices of a dynamic_slice or dynamic_update_slice, from operand `first` on, moved
 * so that `part` lies inside `whole`; false where one is not constant. */
bool echo_view_constant_starts(const EchoOp *op, size_t first, const EchoType *whole,
                               const EchoType *part, int64_t *starts);

/* Ops that echo_view_build makes; reshapes, which cost nothing, are not counted. */
size_t echo_view_n_ops(const EchoView *view, const EchoType *source);
/* At most a slice, a reversal, a transpose or broadcast, and reshapes; `source` itself where the
 * view is the identity. */
EchoValue *echo_view_build(EchoBuilder *builder, const EchoView *view, EchoValue *source);

#ifdef __cplusplus
}
#endif

#endif
