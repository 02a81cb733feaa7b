/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A product that cuBLASLt makes in the place of our kernel: it was faster when both were timed.
 * Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_CUDA_PRODUCT_T_H
#define ECHO_JIT_RUNTIME_CUDA_PRODUCT_T_H

#include "dialects/kernel/product.h"
#include "jit/runtime/cuda/cublaslt_t.h"
#include "jit/runtime/cuda/cuda_t.h"

typedef struct EchoCudaKernel EchoCudaKernel;

/* As the library sees it, column by column: result' = b' * a'. */
typedef struct EchoCudaProduct {
  EchoProduct shape;
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t a, b, out;
  cublasLtMatmulAlgo_t algo;
  uint64_t workspace_bytes; /* of the algorithm */
  uint64_t space_bytes;     /* that, and copies of what is not aligned as it wants it */
  CUdeviceptr space;        /* set by who has allocated it */
} EchoCudaProduct;

/* Finds out who makes it: as it was decided before for this device, library and shape; else both
 * are timed on memory of their own, which is given back. In *product NULL: `own` does.
 *   errors   false after diagnostics: the device has not the memory of one product more, or fails
 *   cost     the first time a shape is met, a few launches of each */
bool echo_cuda_product_create(EchoContext *ctx, EchoCuda *cuda, const EchoProduct *shape,
                              const EchoCudaKernel *own, const char *cache_dir,
                              EchoCudaProduct **product);
void echo_cuda_product_destroy(EchoCuda *cuda, EchoCudaProduct *product); /* NULL allowed */

/* Asks for it on the compute stream; arguments[i] is where the kernel's argument i lies. */
bool echo_cuda_product_launch(EchoContext *ctx, EchoCuda *cuda, const EchoCudaProduct *product,
                              const CUdeviceptr *arguments);
/* In *graph what that would ask for, to be destroyed by the caller where it is not NULL. */
bool echo_cuda_product_capture(EchoContext *ctx, EchoCuda *cuda, const EchoCudaProduct *product,
                               const CUdeviceptr *arguments, CUgraph *graph);

#endif
