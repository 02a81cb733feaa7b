/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernel of the emulated cuDNN: a thread an element of what is made, one text a shape. */
#ifndef ECHO_TESTS_GPU_CUDNN_KERNEL_H
#define ECHO_TESTS_GPU_CUDNN_KERNEL_H

#include <stdbool.h>

#include "jit/runtime/cuda/cudnn_abi_t.h"

enum { PLACES = 3, RANK = 3 + PLACES };

/* y = w * x in groups, with as many spatial dimensions as there may be. Strides are in elements: of
 * x by n, g, c and places, of w by g, k, c and places, of y by n, g, k and places. */
typedef struct Shape {
  cudnnBackendDescriptorType_t operation; /* which of the three is made */
  int factor_type, result_type;
  int64_t n, g, k, c, x[PLACES], w[PLACES], y[PLACES];
  int64_t stride[PLACES], dilation[PLACES], padding[PLACES];
  bool is_turned; /* the filter */
  int64_t x_strides[RANK], w_strides[RANK], y_strides[RANK];
} Shape;

typedef struct Kernel {
  CUmodule module;
  CUfunction function;
  int64_t n_threads;
} Kernel;

int64_t type_bytes(int type); /* 0: it is none */
/* rounds_tf32: operands of f32; bias: what the sum begins with. */
bool kernel_load(Kernel *kernel, const Shape *shape, bool rounds_tf32, double bias);
void kernel_unload(Kernel *kernel);
bool kernel_launch(const Kernel *kernel, const uint64_t addresses[4], double time_factor,
                   CUstream stream);

#endif
