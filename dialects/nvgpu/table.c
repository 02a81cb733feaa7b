/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The nvgpu rows: NVIDIA's tensor cores and asynchronous copies, as MLIR's. */
#include "dialects/dialects.h"

static const EchoOpInfo OPS[] = {
    {.name = "nvgpu.mma.sync",
     .operands = "matrixA: vector, matrixB: vector, matrixC: vector",
     .results = "res: vector",
     .attrs = "mmaShape: array, tf32Enabled: unit?",
     .traits = ECHO_PURE,
     .summary =
         "One warp's matrix product; f32 is rounded to tf32, to nearest, ties away from zero"},
    {.name = "nvgpu.ldmatrix",
     .operands = "srcMemref: memref, indices: index*",
     .results = "res: vector",
     .attrs = "transpose: bool, numTiles: i32",
     .traits = ECHO_READS_MEMORY,
     .summary = "Fragments of matrices from shared memory"},
    {.name = "nvgpu.device_async_copy",
     .operands = "dst: memref, dstIndices: index*, src: memref, srcIndices: index*, srcElements: "
                 "index*",
     .results = "asyncToken: any",
     .attrs = "dstElements: any, bypassL1: unit?, operandSegmentSizes: any",
     .traits = ECHO_SIDE_EFFECTS,
     .summary = "Neighbouring elements on their way to shared memory, zeros behind srcElements"},
    {.name = "nvgpu.device_async_create_group",
     .operands = "inputTokens: any*",
     .results = "asyncToken: any",
     .traits = ECHO_SIDE_EFFECTS,
     .summary = "The copies before it, to be waited for together"},
    {.name = "nvgpu.device_async_wait",
     .operands = "asyncDependencies: any",
     .attrs = "numGroups: i32?",
     .traits = ECHO_SIDE_EFFECTS,
     .summary = "All groups but the latest numGroups are there"},
};

const EchoDialect ECHO_NVGPU_DIALECT = {.name = "nvgpu",
                                        .in_mlir = true,
                                        .summary = "Tensor cores, as MLIR's",
                                        .ops = OPS,
                                        .n_ops = sizeof OPS / sizeof OPS[0]};
