/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The passes that take a module from stage to stage (docs/stages.md). Each is a table entry that
 * carries out what planning/ decided; none decides by itself. */
#ifndef ECHO_LOWERING_LOWERING_H
#define ECHO_LOWERING_LOWERING_H

#include "ir/pass/pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Equal ops are one whatever their phase: what a forward op and its gradient have in common, once
 * both are written out, is computed once. */
#define ECHO_CSE_PASS "cse{ignore=echo.phase}"
/* What the way to the training step does to all code, whatever it was written as; done again where
 * loops become straight code. */
#define ECHO_STRAIGHTEN_PASSES                                                                     \
  "canonicalize," ECHO_CSE_PASS ",dce,forward-movement,canonicalize," ECHO_CSE_PASS                \
  ",dce,sink-updates,forward-slices,canonicalize," ECHO_CSE_PASS ",dce"

extern const EchoPass ECHO_PASS_SET_STAGE;
extern const EchoPass ECHO_PASS_FLATTEN_TUPLES;  /* tensors are handed over, not tuples of them */
extern const EchoPass ECHO_PASS_REFINE_SHAPES;   /* of arguments' static shapes, to all ops */
extern const EchoPass ECHO_PASS_NN_TO_STABLEHLO; /* layers, losses, optimizers */
extern const EchoPass ECHO_PASS_CHLO_TO_STABLEHLO;
extern const EchoPass ECHO_PASS_SELECT_MASKS;       /* products with booleans, as XLA has them */
extern const EchoPass ECHO_PASS_WHOLE_WINDOWS;      /* of scatters, as XLA has them */
extern const EchoPass ECHO_PASS_WIDEN_ELEMENTS;     /* narrow and quantized, where computed */
extern const EchoPass ECHO_PASS_SPLIT_COMPLEX;      /* complex tensors to real ones */
extern const EchoPass ECHO_PASS_READ_SHARDINGS;     /* of main, as numbers */
extern const EchoPass ECHO_PASS_PARTITION;          /* by shardings, or along the batch */
extern const EchoPass ECHO_PASS_SHARD_STATE;        /* what steps hand on, in parts */
extern const EchoPass ECHO_PASS_LOWER_COLLECTIVES;  /* what goes between processes to calls */
extern const EchoPass ECHO_PASS_RANDOM_STATE;       /* what draws takes its state as data */
extern const EchoPass ECHO_PASS_CALL_TARGETS;       /* registered ones, effects in order */
extern const EchoPass ECHO_PASS_LOWER_CUSTOM_CALLS; /* known ones to calls into libraries */
extern const EchoPass ECHO_PASS_DIFFERENTIATE;      /* nn.gradient to backward code; phases */
extern const EchoPass ECHO_PASS_EXPAND_BATCH_NORM;
extern const EchoPass ECHO_PASS_LOWER_ALGEBRA;    /* cholesky, triangular_solve to LAPACK */
extern const EchoPass ECHO_PASS_FORWARD_MOVEMENT; /* movement of movement is read at its source */
extern const EchoPass ECHO_PASS_SINK_UPDATES; /* stacked gradients meet their weights in the loop */
extern const EchoPass ECHO_PASS_FORWARD_SLICES;  /* layers of a segment are read where they lie */
extern const EchoPass ECHO_PASS_SUM_ROWS;        /* products with one row are reductions */
extern const EchoPass ECHO_PASS_SINK_TRANSPOSES; /* sums in the order of memory */
extern const EchoPass ECHO_PASS_SINK_REDUCTIONS; /* of what loops stack, slice by slice */
extern const EchoPass ECHO_PASS_JOIN_REDUCTIONS; /* of what was reduced likewise */
extern const EchoPass ECHO_PASS_UNROLL_MAPS;     /* short loops of maps, written out */
extern const EchoPass ECHO_PASS_ROUND_OPERANDS;  /* of dots, as their algorithm has it */
extern const EchoPass ECHO_PASS_KEEP_ROW_ORDER;  /* on a GPU: of scores, as their product has it */
extern const EchoPass ECHO_PASS_ROWS_FIRST;      /* before products of columns of the same value */
extern const EchoPass ECHO_PASS_CHUNK_ROWS;      /* a loss head or attention in chunks of rows */
extern const EchoPass ECHO_PASS_WIDEN_SORTS;     /* planned memory for sorts of long rows */
/* On a GPU: convolutions that are products of matrices as such. */
extern const EchoPass ECHO_PASS_CONTRACT_CONVOLUTIONS;
extern const EchoPass ECHO_PASS_REVERSE_WINDOWS;
extern const EchoPass ECHO_PASS_SPLIT_PADS;       /* what is put between elements is a dimension */
extern const EchoPass ECHO_PASS_SPLIT_REDUCTIONS; /* on a GPU: two levels where results are few */
extern const EchoPass ECHO_PASS_ISOLATE_REGIONS;  /* regions of tensor ops read nothing outside */
extern const EchoPass ECHO_PASS_ROLL_LOOPS;       /* offers Echo functions with loops rolled up */
extern const EchoPass ECHO_PASS_MERGE_RECOMPUTED; /* and with what runs again kept instead */
extern const EchoPass ECHO_PASS_UNROLL_LOOPS;     /* offers Echo functions with loops written out */
extern const EchoPass ECHO_PASS_REUSE_ARRAYS;     /* stacks over arrays that die in their loop */
extern const EchoPass ECHO_PASS_SCHEDULE;         /* block order of main for the peak */
extern const EchoPass ECHO_PASS_FUSE;             /* kernels outlined */
extern const EchoPass ECHO_PASS_BUFFERIZE;        /* values to buffers, in place where it can be */
extern const EchoPass ECHO_PASS_SWAP;             /* buffers to host memory and back */
extern const EchoPass ECHO_PASS_BUCKET_COLLECTIVES; /* small all_reduces travel together */
extern const EchoPass ECHO_PASS_OVERLAP_CALLS;      /* calls begun early, waited for late */
extern const EchoPass ECHO_PASS_PLAN_MEMORY;   /* offsets in one arena, and what the step takes */
extern const EchoPass ECHO_PASS_EXPAND_MATH;   /* elementary functions to arithmetic */
extern const EchoPass ECHO_PASS_LOWER_KERNELS; /* kernels to loops and library calls */
extern const EchoPass
    ECHO_PASS_VERIFY_PLAN; /* checks a planned module without any of the planners' code */

/* Adds all of them, one line each. */
void echo_register_lowering_passes(EchoPassRegistry *registry);

#ifdef __cplusplus
}
#endif

#endif
