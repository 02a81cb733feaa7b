/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A convolution that cuDNN makes in the place of our kernel: it was faster when both were timed.
 * Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_CUDA_CONVOLUTION_T_H
#define ECHO_JIT_RUNTIME_CUDA_CONVOLUTION_T_H

#include "dialects/kernel/convolution.h"
#include "jit/runtime/cuda/cudnn_t.h"
#include "jit/runtime/cuda/library_call_t.h"

/* ---- jit/runtime/cuda/convolution_reading.c ---- */

/* Which of the library's operations a convolution is, where there are several ways to see it: a
 * gradient of weights is a convolution of the batch too. */
typedef enum EchoConvolutionReading {
  ECHO_READ_FORWARD,
  ECHO_READ_GRADIENT_OF_INPUT,  /* of what is dilated */
  ECHO_READ_GRADIENT_OF_WINDOW, /* what is the window here is what the result's gradient is there */
  ECHO_N_CONVOLUTION_READINGS
} EchoConvolutionReading;

/* In the library's words; ids are 1 for the input, 2 for the window, 3 for the result. False: it
 * cannot be read so. */
bool echo_convolution_read(const EchoConvolution *convolution, EchoConvolutionReading reading,
                           EchoCudnnConvolution *read);

/* ---- jit/runtime/cuda/convolution.c ---- */

/* Finds out who makes it: as it was decided before for this device, library and shape; else both
 * are timed on memory of their own, which is given back. In *call NULL: `own` does; *none gets why
 * the library has no way to do it, where it has none.
 *   errors   false after diagnostics: the device has not the memory of one more, or fails
 *   cost     the first time a shape is met, a few launches of each */
bool echo_cuda_convolution_create(EchoContext *ctx, EchoCuda *cuda, const EchoConvolution *shape,
                                  const EchoCudaKernel *own, const char *cache_dir,
                                  EchoCudaLibraryCall **call, EchoBuffer *none);

#endif
