/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The emulated GPU for tests that are written in PTX: one kernel, buffers, a launch, what was
 * found.
 */
#ifndef ECHO_TESTS_UNIT_GPU_DEVICE_H
#define ECHO_TESTS_UNIT_GPU_DEVICE_H

#include "jit/runtime/cuda/cuda_t.h"

typedef struct TestGpu {
  EchoCudaDriver driver;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUstream stream;
  CUdeviceptr buffers[8];
  size_t n_buffers;
} TestGpu;

/* Opens the device, and loads a kernel `k` with three pointers in %rd0 to %rd2 (global), %tid.x in
 * %t, %ctaid.x in %b and their i = b * ntid + t in %i, with `body` behind it. */
void test_gpu_open(TestGpu *gpu, const char *body);
/* Gives back the buffers, too. What was found can still be asked for. */
void test_gpu_close(TestGpu *gpu);

/* A buffer of n_bytes; `data` NULL: nothing wrote it. */
CUdeviceptr test_gpu_buffer(TestGpu *gpu, const void *data, size_t n_bytes);
void test_gpu_read(TestGpu *gpu, CUdeviceptr from, void *to, size_t n_bytes);
/* Launches and waits. */
CUresult test_gpu_run(TestGpu *gpu, unsigned grid, unsigned block, CUdeviceptr a, CUdeviceptr b,
                      CUdeviceptr c);
CUresult test_gpu_launch(TestGpu *gpu, CUstream stream, unsigned grid, unsigned block,
                         CUdeviceptr a, CUdeviceptr b, CUdeviceptr c);

#endif
