/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A block's part of a product on tensor cores: gpu_tensor_core.c brings blocks of both operands to
 * shared memory, tensor_core_sums.c multiplies what lies there and stores the sums. Private to
 * lowering/kernels. */
#ifndef ECHO_LOWERING_KERNELS_TENSOR_CORE_T_H
#define ECHO_LOWERING_KERNELS_TENSOR_CORE_T_H

#include "dialects/gpu/gpu.h"
#include "lowering/kernels/contraction_t.h"
#include "lowering/kernels/warp_ops_t.h"

enum {
  ECHO_TENSOR_SIDE = 2,   /* warps along m, and along n */
  ECHO_TENSOR_ROWS = 16,  /* of a product's result, and columns of two */
  ECHO_TENSOR_MATRIX = 8, /* rows of a matrix that is loaded */
  ECHO_TENSOR_LEAST_TILE = ECHO_TENSOR_SIDE * ECHO_TENSOR_ROWS,
  ECHO_TENSOR_LARGEST_TILE = 128, /* 64 x 64 sums a warp: 128 registers of each lane */
  ECHO_TENSOR_MAX_PARTS = ECHO_TENSOR_LARGEST_TILE / ECHO_TENSOR_LEAST_TILE,
  ECHO_TENSOR_MAX_SUMS = ECHO_TENSOR_MAX_PARTS * ECHO_TENSOR_MAX_PARTS * 2
};

/* One operand's blocks in shared memory: [2, rows, width]. */
typedef struct EchoTensorOperand {
  bool is_a, runs_along_k;
  bool is_copied;                /* else it comes through registers, element by element */
  const EchoWideOperand *memory; /* where it is copied from */
  int64_t unit;                  /* elements of one copy */
  int64_t size, total;           /* of the tile; of the product */
  int64_t rows, width;           /* of a block: `width` runs */
  int64_t n_loads, rows_a_load;  /* of a thread; rows between two of its units */
  EchoValue *shared, *start;     /* start: of the tile */
  EchoValue *row, *column;       /* of the thread's first unit */
  EchoValue *warp_start;         /* of the warp's part of the tile */
  EchoValue *batch_start;        /* position in memory */
} EchoTensorOperand;

typedef struct EchoTensorProduct {
  EchoKernelEmitter *emitter;
  const EchoContraction *c;
  const EchoContraction
      *of_rows_or_null; /* whose rows a block has whole: c, or what is before it */
  int64_t piece;        /* elements of 16 bytes of shared memory, a row of a matrix */
  int64_t step;         /* along k of one product: two pieces */
  int64_t block_k;      /* of two steps: the rows of a tile of 32 are a copy a thread */
  EchoTensorOperand a, b;
  int64_t n_blocks;
  EchoValue *batch, *thread, *lane;
} EchoTensorProduct;

/* The emitter's base, at the place where ops are built now. */
static inline EchoElementEmitter *echo_tensor_base(const EchoTensorProduct *p)
{
  EchoElementEmitter *base = &p->emitter->base;
  base->builder = echo_kernel_builder(p->emitter);
  return base;
}

/* Parts of ECHO_TENSOR_ROWS that a warp has of the operand's tile. */
static inline int64_t echo_tensor_parts(const EchoTensorOperand *o)
{
  return o->size / ECHO_TENSOR_LEAST_TILE;
}

/* Where column `column` of row `row + more_rows` of a block stands in shared memory. `column` is a
 * piece's first, or any of it. */
void echo_tensor_place(const EchoTensorProduct *p, const EchoTensorOperand *o, int64_t buffer,
                       EchoValue *row, int64_t more_rows, EchoValue *column, EchoValue *at[3]);
/* sums += the first n_steps steps of what lies in `buffer`: [parts of a, 2 parts of b]. */
void echo_tensor_multiply(EchoTensorProduct *p, int64_t buffer, int64_t n_steps, EchoValue **sums);
/* Maps and stores those within the result. */
void echo_tensor_store(EchoTensorProduct *p, EchoValue *const *sums);

#endif
