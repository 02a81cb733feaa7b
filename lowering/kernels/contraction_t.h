/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blocked matrix products out of anything that can be read element by element: result[b, m, n] =
 * sum over k of a[b, m, k] * b[b, k, n], k in ascending order, so that no tile or thread shows in
 * the bits. Private to lowering/. */
#ifndef ECHO_LOWERING_KERNELS_CONTRACTION_T_H
#define ECHO_LOWERING_KERNELS_CONTRACTION_T_H

#include "dialects/kernel/convolution.h"
#include "dialects/kernel/product.h"
#include "lowering/kernels/lower_kernel_t.h"

typedef struct EchoContraction EchoContraction;

/* An operand that is read where it lies. */
typedef struct EchoWideOperand {
  bool is_b;
  EchoValue *memory;        /* of one dimension; not needed to ask whether it fits */
  int64_t alignment;        /* of its address, in bytes, as far as it is known */
  int64_t stride, k_stride; /* in elements: along m or n, and along k */
  size_t n_batch;
  int64_t batch_sizes[ECHO_MAX_RANK], batch_strides[ECHO_MAX_RANK];
  /* Instead of strides, where they do not say it (NULL: they do): the position of an element.
   * *inside becomes a condition under which it counts, else it is zero; NULL = it does. Of every
   * `run` of them, along what runs, the first has a position that `run` divides, and the others
   * follow it and count as it does. */
  EchoValue *(*place)(EchoKernelEmitter *emitter, const EchoContraction *c, EchoValue *batch,
                      EchoValue *m_or_n, EchoValue *k, EchoValue **inside);
  int64_t run;
} EchoWideOperand;

/* Rows of the result that a block makes whole, in shared memory: [size, n], for what reduces or
 * multiplies them. */
typedef struct EchoRowTile {
  int64_t size, pitch;      /* pitch: elements from one row to the next */
  EchoValue *batch, *start; /* start: along m */
  EchoValue *memory;        /* of one dimension */
} EchoRowTile;

struct EchoContraction {
  int64_t n_batch, m, n, k;    /* all at least 1 */
  EchoElementKind sum_kind;    /* f32, f64, or an integer: what is added up */
  EchoElementKind factor_kind; /* what is multiplied: sum_kind, or halves on tensor cores */
  bool uses_tensor_cores;      /* then f32 factors are rounded to tf32 */
  bool a_runs_along_m;         /* neighbours in memory differ in m rather than k */
  bool b_runs_along_k;         /* … in k rather than n */
  bool is_row_major;           /* the result is [n_batch, m, n] as it lies */
  EchoRowTile *rows_or_null;   /* where the kernel has rows of the result whole; filled a block */
  bool has_columns; /* of rows_or_null, and who multiplies them: rows are columns of it */
  /* Another product, whose rows a block has, too: what is made of them is made of both. */
  const EchoContraction *beside_or_null;
  /* What multiplies them, with the same threads: its rows are these, a reads what they are made
   * into. Both use tensor cores, or none does. */
  const EchoContraction *next_or_null;
  /* Of those two, one a result of the kernel: whether it is made of the rows. NULL: none is. */
  const bool *row_results_or_null;
  const EchoOp *op;
  EchoValue *a_tensor;                        /* the operand that `a` reads */
  const EchoWideOperand *a_memory, *b_memory; /* where they lie so; else NULL */
  /* Elements in factor_kind; indices are values of type index within their ranges. NULL after an
   * error. */
  EchoValue *(*a)(EchoKernelEmitter *emitter, const EchoContraction *c, EchoValue *batch,
                  EchoValue *m, EchoValue *k);
  EchoValue *(*b)(EchoKernelEmitter *emitter, const EchoContraction *c, EchoValue *batch,
                  EchoValue *k, EchoValue *n);
  /* Indices of an element of the op's result. */
  void (*place)(EchoKernelEmitter *emitter, const EchoContraction *c, EchoValue *batch,
                EchoValue *m, EchoValue *n, EchoValue **indices);
};

/* The one product of the kernel where that is all that it does but for what joins it: its result
 * is mapped place by place to the kernel's results. Else NULL. */
const EchoOp *echo_product_or_null(const EchoOp *kernel, bool (*is_product)(const EchoOp *op));
/* Whether the tensor is the product's result, or nothing but reshapes, transposes and maps, of one
 * operand each, of it. */
bool echo_is_moved_product(const EchoValue *product, const EchoValue *tensor);
enum { ECHO_MAX_STORED = 4 };
/* `count` (at most ECHO_MAX_STORED) neighbours of a row, whose sums are there: rounds them to the
 * type of the op's result, maps them to the results of the kernel, and only then stores any. */
void echo_store_products(EchoKernelEmitter *emitter, const EchoContraction *c, EchoValue *batch,
                         EchoValue *m, EchoValue *const *n, EchoValue *const *sums, size_t count);

/* ---- lowering/kernels/row_product.c: on a GPU ---- */

/* The dot of a kernel that also reduces its rows, with what is made of them; or one or two first
 * ones, whose rows another multiplies, and what maps that one's elements. */
typedef struct EchoRowProduct {
  const EchoOp *product, *beside_or_null, *second_or_null;
  uint32_t operand;                /* of the second one, that is made of the first */
  bool has_columns;                /* of the first ones' results, for rows */
  const bool *row_results_or_null; /* with a second one: EchoContraction's */
} EchoRowProduct;
/* False where the kernel is none; what is found lives in `arena`. */
bool echo_find_row_product(const EchoOp *kernel, bool (*is_product)(const EchoOp *op),
                           EchoArena *arena, EchoRowProduct *found);
/* Whether `size` rows fit a block's shared memory beside `bytes` of operands. */
bool echo_rows_fit(const EchoKernelEmitter *emitter, const EchoContraction *c, int64_t size,
                   int64_t bytes);
/* Shared memory for the block's rows: number `tile` of `size` each. */
void echo_reserve_rows(EchoKernelEmitter *emitter, const EchoContraction *c, int64_t size,
                       EchoValue *batch, EchoValue *tile);
/* echo_store_products into it, without what maps them. */
void echo_store_rows(EchoKernelEmitter *emitter, const EchoContraction *c, EchoValue *m,
                     EchoValue *const *n, EchoValue *const *sums, size_t count);
/* The rest of the kernel, by the block's threads, when the rows are there, but for a product that
 * multiplies them; is_read_often: this brings what they are made into to its tiles more than once.
 */
void echo_emit_rows(EchoKernelEmitter *emitter, const EchoContraction *c, int64_t n_threads,
                    bool is_read_often);

/* One phase: tiles of the result over tasks. */
void echo_emit_contraction(EchoKernelEmitter *emitter, const EchoContraction *contraction);
/* The same with a GPU's tiles. */
void echo_emit_gpu_contraction(EchoKernelEmitter *emitter, const EchoContraction *contraction);
/* The same of halves by tensor cores, steps of 16 along k in ascending order, or of f32 in tf32,
 * steps of 8. */
void echo_emit_tensor_core_contraction(EchoKernelEmitter *emitter,
                                       const EchoContraction *contraction);
/* Whether tensor cores multiply what `op` (dot_general, convolution) does: a function of its types,
 * of what it and its module say of tf32, and the target. */
bool echo_uses_tensor_cores(const EchoKernelEmitter *emitter, const EchoOp *op);

/* Beside a call of a library: few terms of many results, in tiles without edges. A function of the
 * product alone. */
bool echo_is_quicker_in_loops(const EchoContraction *contraction);

/* Whether the other operand has few enough rows or columns for echo_emit_few_rows, which does what
 * echo_emit_contraction does, to the bit. */
bool echo_fits_few_rows(const EchoContraction *contraction, const EchoWideOperand *wide);
void echo_emit_few_rows(EchoKernelEmitter *emitter, const EchoContraction *contraction,
                        const EchoWideOperand *wide);
/* The kernel's argument that the operand is, or is a reshape of, as an array of one dimension;
 * NULL: it is none, or a scalar's. */
const EchoValue *echo_operand_argument_or_null(const EchoOp *op, size_t operand);
/* Fills memory and alignment for such an operand. */
void echo_find_operand(EchoKernelEmitter *emitter, const EchoOp *op, size_t operand,
                       EchoWideOperand *wide);
void echo_find_argument(EchoKernelEmitter *emitter, const EchoValue *argument,
                        EchoWideOperand *wide);
/* What sums of `result` elements are kept in: f32 for the halves, i32 for i1. */
EchoElementKind echo_sum_kind(EchoElementKind result);
/* sum + a * b of `kind`; one rounding where the target has it and the type is a float. */
EchoValue *echo_multiply_add(EchoKernelEmitter *emitter, EchoElementKind kind, EchoValue *a,
                             EchoValue *b, EchoValue *sum);

/* The kernel.library op for a kernel of one dot_general that BLAS can do, else NULL. */
EchoOp *echo_lower_dot_to_blas_or_null(const EchoOp *kernel);
/* What the kernel multiplies, where it is one dot_general of arguments that a GPU's library can do:
 * a function of the op alone, but for the alignments. Else false. */
bool echo_lower_dot_to_product(const EchoOp *kernel, const EchoLaunchFacts *facts_or_null,
                               EchoProduct *product);
/* The same of what it convolves. */
bool echo_describe_convolution(const EchoOp *kernel, const EchoLaunchFacts *facts_or_null,
                               EchoConvolution *convolution);
/* False when the kernel is not one dot_general (or convolution) of its arguments. */
bool echo_lower_dot(EchoKernelEmitter *emitter);
bool echo_lower_convolution(EchoKernelEmitter *emitter);

#endif
