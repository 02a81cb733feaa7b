/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sorts of rows, as lower_sort.c found them, for gpu_sort.c. Private to lowering/. */
#ifndef ECHO_LOWERING_KERNELS_LOWER_SORT_T_H
#define ECHO_LOWERING_KERNELS_LOWER_SORT_T_H

#include "lowering/kernels/lower_kernel_t.h"

typedef struct EchoSortRows {
  EchoKernelEmitter *emitter;
  const EchoOp *op;
  size_t n, dim;                   /* operands, without those of a widened sort's space */
  int64_t n_rows, length;          /* of each */
  int64_t row_dims[ECHO_MAX_RANK]; /* of the operands, 1 in dimension `dim` */
  int64_t first;                   /* places of a row that anyone reads; `length`: all */
  bool is_widened;
} EchoSortRows;

/* On a GPU, in parallel over the elements. False, and nothing emitted, where a row is longer than
 * a block's memory holds and there is no other. */
bool echo_emit_gpu_sort(const EchoSortRows *rows);

#endif
