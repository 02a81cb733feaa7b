/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How much of a kernel one task takes. */
#include "lowering/kernels/lower_kernel_t.h"
#include "planning/cost/runtime.h"

/* A block of 256 threads has four elements each; where that leaves a chip of some 130
 * multiprocessors without two blocks each, blocks are smaller, of two warps at least. */
enum { GPU_TASK_PIECES = 1024, GPU_LEAST_PIECES = 256, GPU_ENOUGH_BLOCKS = 256 };

double echo_kernel_work_ns(const EchoOp *kernel, const EchoDeviceModel *device)
{
  double ns = echo_kernel_busy_ns(kernel, device);
  const EchoKernelRow *row = echo_kernel_row(echo_kernel_kind(kernel));
  bool is_in_vectors = !row->is_scalar || row->is_chain; /* a chain's lanes are in its time */
  return is_in_vectors ? ns : ECHO_VECTOR_LANES * ns;
}

int64_t echo_pieces_per_task(const EchoKernelEmitter *emitter, int64_t n, double total_ns)
{
  if (emitter->is_gpu)
    return n >= GPU_ENOUGH_BLOCKS * GPU_TASK_PIECES ? GPU_TASK_PIECES
           : n > GPU_LEAST_PIECES                   ? GPU_LEAST_PIECES
                                                    : n;
  return echo_grain(emitter->device, n, total_ns);
}

int64_t echo_n_tasks(int64_t n, int64_t per_task)
{
  return (n + per_task - 1) / per_task;
}

int64_t echo_task_part(const EchoKernelEmitter *emitter, int64_t n, int64_t wanted, int64_t unit)
{
  if (wanted >= n)
    return n > 0 ? n : 1;
  int64_t fewest = echo_n_tasks(n, wanted), n_units = n % unit == 0 ? n / unit : 0;
  for (int64_t parts = fewest; !emitter->is_gpu && parts < 2 * fewest && parts <= n_units; ++parts)
    if (n_units % parts == 0)
      return n / parts;
  int64_t part = echo_n_tasks(wanted, unit) * unit;
  return part < n ? part : n;
}

void echo_task_range(EchoKernelEmitter *emitter, EchoValue *task, int64_t part, int64_t n,
                     EchoValue **low, EchoValue **high)
{
  EchoElementEmitter *base = &emitter->base;
  base->builder = echo_kernel_builder(emitter);
  *low = echo_index_mul_constant(base, task, part);
  *high = echo_index_add_constant(base, *low, part);
  if (n % part != 0)
    *high = echo_index_min(base, *high, echo_index_constant(base, n));
}
