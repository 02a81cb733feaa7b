/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How much of a kernel one task takes. */
#include "lowering/kernels/lower_kernel_t.h"
#include "planning/cost/runtime.h"

enum { GPU_TASK_PIECES = 1024 }; /* a block of 256 threads with a few elements each */
#define VECTOR_LANES 16.0        /* of f32 in 512 bits: what a loop without vectors is slower by */

double echo_kernel_work_ns(const EchoOp *kernel, const EchoDeviceModel *device)
{
  double ns = (double)echo_kernel_ns(kernel, device) - device->launch_ns;
  bool is_scalar = echo_kernel_row(echo_kernel_kind(kernel))->is_scalar;
  return ns <= 0 ? 0 : is_scalar ? VECTOR_LANES * ns : ns;
}

int64_t echo_pieces_per_task(const EchoKernelEmitter *emitter, int64_t n, double total_ns)
{
  if (emitter->is_gpu)
    return n < GPU_TASK_PIECES ? n : GPU_TASK_PIECES;
  return echo_grain(emitter->device, n, total_ns);
}
