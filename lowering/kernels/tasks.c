/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How much of a kernel one task takes. */
#include "lowering/kernels/lower_kernel_t.h"
#include "planning/cost/runtime.h"

/* A block of 256 threads has four elements each; where that leaves a chip of some 130
 * multiprocessors without two blocks each, blocks are smaller, of two warps at least. */
enum { GPU_TASK_PIECES = 1024, GPU_LEAST_PIECES = 256, GPU_ENOUGH_BLOCKS = 256 };

double echo_kernel_work_ns(const EchoOp *kernel, const EchoDeviceModel *device)
{
  double ns = (double)echo_kernel_ns(kernel, device) - device->launch_ns;
  const EchoKernelRow *row = echo_kernel_row(echo_kernel_kind(kernel));
  bool is_in_vectors = !row->is_scalar || row->is_chain; /* a chain's lanes are in its time */
  return ns <= 0 ? 0 : is_in_vectors ? ns : ECHO_VECTOR_LANES * ns;
}

int64_t echo_pieces_per_task(const EchoKernelEmitter *emitter, int64_t n, double total_ns)
{
  if (emitter->is_gpu)
    return n >= GPU_ENOUGH_BLOCKS * GPU_TASK_PIECES ? GPU_TASK_PIECES
           : n > GPU_LEAST_PIECES                   ? GPU_LEAST_PIECES
                                                    : n;
  return echo_grain(emitter->device, n, total_ns);
}
