/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the ways of scattering share. Private to lowering/. */
#ifndef ECHO_LOWERING_KERNELS_LOWER_SCATTER_T_H
#define ECHO_LOWERING_KERNELS_LOWER_SCATTER_T_H

#include "lowering/kernels/lower_kernel_t.h"

/* A window dimension of the updates: which dimension of the updates and of the results it is. */
typedef struct EchoScatterWindowDim {
  size_t update, operand;
  int64_t size;
} EchoScatterWindowDim;

typedef struct EchoScatter {
  EchoKernelEmitter *emitter;
  const EchoOp *op;
  const EchoScatterDims *dims;
  size_t n_inputs;
  int64_t scatter_dims[ECHO_MAX_RANK]; /* sizes of the updates' other dimensions */
  size_t scatter_at[ECHO_MAX_RANK];    /* … and where they stand */
  size_t n_scatter;
  EchoScatterWindowDim apart[ECHO_MAX_RANK],
      shared[ECHO_MAX_RANK]; /* windows never meet in `apart` dimensions */
  size_t n_apart, n_shared;
  EchoValue *update_indices[ECHO_MAX_RANK], *result_indices[ECHO_MAX_RANK];
} EchoScatter;

/* Where the window of the scatter indices `scatter` starts, by dimension of the operand: sets those
 * that the indices say. False after an error. */
bool echo_scatter_starts(EchoScatter *s, EchoValue *const *scatter, EchoValue **starts);
/* result[...] = body(result[...], update) for all inputs, at the indices that are set. */
void echo_scatter_update(EchoScatter *s);

typedef struct EchoSelection {
  EchoValue *value, *position; /* of the chosen element; its row-major position */
} EchoSelection;

/* The element of the window at `place` that select keeps, seen in row-major order. */
bool echo_emit_window_choice(EchoKernelEmitter *emitter, const EchoOp *op,
                             const EchoWindowDim *windows, EchoValue *const *place,
                             EchoSelection *selection);

/* ---- a GPU's ---- */

/* The updates, n_scatter of n_apart elements each, in parallel over destinations; the results hold
 * what they start from. False, and nothing emitted, for what has no such way. */
bool echo_emit_gpu_scatter(EchoScatter *s, int64_t n_scatter, int64_t n_apart);
/* Element by element of the result. */
bool echo_emit_gpu_select_and_scatter(EchoKernelEmitter *emitter, const EchoOp *op);

#endif
