/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A convolution on the CPU as the products of a slab and a panel: the tiles are a function of the
 * op alone, and so is the order in which a sum is taken (blocks of the window's taps and of
 * features, in each the taps in order and their features). Private to lowering/. */
#ifndef ECHO_LOWERING_KERNELS_DIRECT_CONVOLUTION_T_H
#define ECHO_LOWERING_KERNELS_DIRECT_CONVOLUTION_T_H

#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_kernel_t.h"

/* One spatial dimension. Where the input is dilated by d and nothing else is strided, the places of
 * the result that are r modulo d meet only every d-th tap: each residue is a convolution of its own
 * whose input has no holes, and `phases` is d; everywhere else it is 1. All sizes below are those
 * of one phase, of the largest. Where all residues read the same places of the input, as those of
 * patches do, and features are few, they are columns of one product, as features are
 * (`column_step` > 0). */
typedef struct EchoConvSpatial {
  EchoWindowDim window;
  int64_t input;       /* elements of the input */
  int64_t all_out;     /* places of the result */
  int64_t phases;      /* residues */
  int64_t column_step; /* columns from a residue to the next; 0: each has tasks of its own */
  int64_t padding_low; /* in a phase, where residues are columns or there is one */
  int64_t out, taps;   /* places of the result and taps of the window in a phase */
  int64_t out_tile;    /* places in a task */
  int64_t tap_tile;    /* taps in a block of the sum */
  int64_t stride, dilation, base_dilation; /* in a phase */
  int64_t unit;                            /* positions from a place of the slab to the next */
  int64_t out_step,
      tap_step;   /* places of the slab from a place of the result, a tap, to the next */
  int64_t extent; /* places of the slab */
  bool leaves;    /* some of them may lie outside of the input, or between its elements */
} EchoConvSpatial;

typedef struct EchoConvTiles {
  const EchoOp *op;
  const EchoConvDims *dims;
  size_t n_spatial;
  EchoConvSpatial spatial[ECHO_MAX_RANK];
  int64_t feature_groups, batch_groups, n_groups;
  /* Where each group has one feature of the result, of one of the input, and there are many, lanes
   * are groups: below they are the features of one group, and the slab has a column each. */
  bool lanes_are_groups;
  int64_t batch, batch_tile;      /* of the result */
  int64_t features, feature_tile; /* of the input, in a group */
  int64_t n_features;             /* of the result, in a group */
  int64_t n, n_tile;              /* columns: those, times the residues that are columns */
  int64_t feature_step;           /* columns from a feature to the next */
  EchoElementKind sum_kind;
  int64_t lanes, vectors, rows;       /* of the innermost product: rows x vectors of lanes */
  int64_t row_step, row_places;       /* between rows: of the slab; of the sums */
  size_t row_dim;                     /* 0 = batch, i + 1 = spatial dimension i */
  int64_t input_steps[ECHO_MAX_RANK]; /* of the slab, by the input's dimensions */
  int64_t sum_steps[ECHO_MAX_RANK];   /* rows of sums: batch, spatial dimensions */
  int64_t slab_size, n_sums, depth;   /* places; rows; products of a block */
} EchoConvTiles;

void echo_conv_tiles(const EchoOp *op, EchoConvTiles *tiles);
/* One phase. The op is convolution of non-empty tensors with real or integer elements. */
void echo_emit_direct_convolution(EchoKernelEmitter *emitter, const EchoOp *op);

/* Residues that have tasks of their own. */
static inline int64_t echo_conv_task_phases(const EchoConvSpatial *s)
{
  return s->column_step > 0 ? 1 : s->phases;
}

static inline int64_t echo_conv_ceil(int64_t a, int64_t b)
{
  return (a + b - 1) / b;
}

#endif
