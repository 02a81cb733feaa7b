/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernel of the emulated cuBLASLt: a thread an element of the result. */
#ifndef ECHO_TESTS_GPU_CUBLASLT_KERNEL_H
#define ECHO_TESTS_GPU_CUBLASLT_KERNEL_H

#include <stdbool.h>

#include "jit/runtime/cuda/abi_t.h"

enum { N_TYPES = 4 };

/* Loaded when they are first launched: by type of the operands and of the result. */
typedef struct Kernels {
  CUmodule modules[N_TYPES][N_TYPES];
  CUfunction functions[N_TYPES][N_TYPES];
} Kernels;

/* Strides in bytes. All of 64 bits, in this order. */
typedef struct Arguments {
  uint64_t a, b, d, workspace, m, n, k;
  int64_t a_row, a_k, a_batch, b_k, b_column, b_batch, d_column, d_batch;
} Arguments;

int64_t type_bytes(int type);
bool kernels_launch(Kernels *kernels, int from, int to, Arguments *arguments, unsigned n_batch,
                    double time_factor, CUstream stream);
void kernels_unload(Kernels *kernels);

#endif
