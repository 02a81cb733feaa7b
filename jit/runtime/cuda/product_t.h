/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A product that cuBLASLt makes in the place of our kernel: it was faster when both were timed.
 * Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_CUDA_PRODUCT_T_H
#define ECHO_JIT_RUNTIME_CUDA_PRODUCT_T_H

#include "dialects/kernel/product.h"
#include "jit/runtime/cuda/cublaslt_t.h"
#include "jit/runtime/cuda/library_call_t.h"

/* Finds out who makes it: as it was decided before for this device, library and shape; else both
 * are timed on memory of their own, which is given back. In *call NULL: `own` does.
 *   errors   false after diagnostics: the device has not the memory of one product more, or fails
 *   cost     the first time a shape is met, a few launches of each */
bool echo_cuda_product_create(EchoContext *ctx, EchoCuda *cuda, const EchoProduct *shape,
                              const EchoCudaKernel *own, const char *cache_dir,
                              EchoCudaLibraryCall **call);

#endif
