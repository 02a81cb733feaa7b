/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How much of a kernel one task takes. */
#include "lowering/kernels/lower_kernel_t.h"

double echo_kernel_estimate_ns(const EchoOp *kernel)
{
  double total_ns = 0.0;
  for (const EchoOp *op = echo_op_body(kernel, 0)->first; op != NULL; op = op->next) {
    EchoCost cost = {0};
    echo_op_cost(op, &cost);
    total_ns += 0.1 * cost.flops + 1.0 * cost.transcendentals;
  }
  const EchoType *type = echo_op_attr_or_null(kernel, "function_type")->as.type_value;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < type->as.function.n_inputs; ++i)
    bytes += echo_type_static_bytes(type->as.function.inputs[i]);
  for (uint32_t i = 0; i < type->as.function.n_results; ++i)
    bytes += echo_type_static_bytes(type->as.function.results[i]);
  return total_ns + 0.1 * (double)bytes;
}

int64_t echo_pieces_per_task(const EchoKernelEmitter *emitter, int64_t n, double total_ns)
{
  if (emitter->is_gpu) /* a block of 256 threads with a few elements each */
    return n < 1024 ? n : 1024;
  /* a task of some 20 us hides what handing it out costs; more than 256 tasks feed no more threads
   */
  int64_t n_tasks = total_ns < 20e3 * 256 ? (int64_t)(total_ns / 20e3) : 256;
  n_tasks = n_tasks < 1 ? 1 : n_tasks;
  n_tasks = n_tasks > n ? n : n_tasks;
  return n_tasks < 1 ? 1 : (n + n_tasks - 1) / n_tasks;
}
