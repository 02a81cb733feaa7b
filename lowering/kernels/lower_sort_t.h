/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sorts of rows, as lower_sort.c found them. Private to lowering/. */
#ifndef ECHO_LOWERING_KERNELS_LOWER_SORT_T_H
#define ECHO_LOWERING_KERNELS_LOWER_SORT_T_H

#include "dialects/stablehlo/first_places.h"
#include "lowering/kernels/lower_kernel_t.h"

/* ---- on a processor, or one thread of a GPU ---- */

typedef struct EchoSort {
  EchoKernelEmitter *emitter;
  const EchoOp *op;
  size_t n, dim;
  int64_t length;                /* of the row */
  int64_t capacity;              /* of what is merged at most: the row, or k and a block */
  EchoValue *count;              /* of what is merged */
  EchoValue *row[ECHO_MAX_RANK]; /* indices of the row; row[dim] is not read */
  EchoValue **spare;             /* stack memory; NULL: result n + i */
} EchoSort;

/* n NULLs and one more, of the kernel's arena. */
EchoValue **echo_sort_values(const EchoKernelEmitter *emitter, size_t n);
/* Of the row's element at `position`. */
void echo_sort_indices(const EchoSort *s, EchoValue *position, EchoValue **indices);
/* Place `position` of an operand's result, or of the memory beside that. */
EchoValue *echo_sort_read(const EchoSort *s, bool from_spare, size_t operand, EchoValue *position);
void echo_sort_write(const EchoSort *s, bool to_spare, size_t operand, EchoValue *position,
                     EchoValue *value);
/* The first n elements of the row, from the operands. */
void echo_sort_copy_in(const EchoSort *s, bool to_spare, int64_t n);
/* How often runs are doubled until there is one of n_elements. */
size_t echo_sort_passes(int64_t n_elements);
/* Sorts the first s->count elements into the result: n_passes passes, from the spare memory where
 * they are odd, else from the result. */
void echo_sort_merge(const EchoSort *s, size_t n_passes);
/* From the result, with as many passes as s->count, of s->capacity at most, takes. */
void echo_sort_merge_counted(const EchoSort *s);
/* The first places of a row: few, held in order; or gathered, with s->capacity places for them. */
void echo_sort_hold_first(EchoSort *s, int64_t first);
void echo_sort_select_first(EchoSort *s, int64_t first);

/* ---- in parallel ---- */

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
