/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A reduce_window place by place, in row-major order: what each way to go through places and
 * results has in common. Private to lowering/kernels/. */
#ifndef ECHO_LOWERING_KERNELS_WINDOW_PLACES_T_H
#define ECHO_LOWERING_KERNELS_WINDOW_PLACES_T_H

#include "lowering/kernels/lower_kernel_t.h"

typedef struct EchoWindowPlaces {
  const EchoOp *op;
  size_t n, rank; /* values that are reduced; dimensions */
  EchoWindowDim dims[ECHO_MAX_RANK];
  int64_t sizes[ECHO_MAX_RANK], n_taps;
  EchoValue *const *indices; /* of the result */
  EchoValue **inits;
  bool is_empty; /* there is nothing but padding */
} EchoWindowPlaces;

EchoWindowPlaces echo_window_places(const EchoOp *op);
/* Sets inits, and indices to those of the result that is being made. */
void echo_window_read_inits(EchoKernelEmitter *emitter, EchoWindowPlaces *window,
                            EchoValue *const *indices);
/* next = values op the operands' elements at place `taps`; `values` has room for as many more.
 * Returns false after an error. */
bool echo_window_combine(EchoKernelEmitter *emitter, const EchoWindowPlaces *window,
                         EchoValue *const *taps, EchoValue **values, EchoValue **next);

/* Of a kernel that is one such op, long, and no scan, for a processor: results side by side are
 * made together, all of them at one place before any at the next, so that places need no division
 * and results go in vectors. False, and nothing emitted, where there are none side by side. */
bool echo_lower_direct_window(EchoKernelEmitter *emitter, const EchoOp *op);

#endif
