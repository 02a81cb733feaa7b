/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A call that the device leaves to its host (echo_kernel_is_host_call): what it reads is copied
 * to pinned memory on the compute stream, the host waits for that and calls, and what it has
 * written is copied back on the same stream, so that whatever is asked for later comes behind it.
 * Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_CUDA_HOST_CALLS_T_H
#define ECHO_JIT_RUNTIME_CUDA_HOST_CALLS_T_H

#include "jit/runtime/cuda/graph_t.h"

typedef struct EchoCudaHostCall {
  const EchoInstruction *launch;
  char *staging;
  void **buffers; /* of the launch, in `staging` */
  uint64_t begin_ns;
} EchoCudaHostCall;

/* `staging` has as many bytes as echo_kernel_staged_bytes says. */
void echo_cuda_host_call_begin(EchoCudaHostCall *call, const EchoInstruction *launch,
                               char *staging);
/* Asks the compute stream for what the call reads. False after diagnostics. */
bool echo_cuda_host_call_read(EchoCudaHostCall *call, const EchoCudaRun *run);
/* Calls, on this thread, when that is there, and asks for the copies back. False after diagnostics,
 * those of the call among them. */
bool echo_cuda_host_call_make(EchoCudaHostCall *call, const EchoCudaRun *run);
/* Frees what `begin` has taken. Returns how long ago that was, in nanoseconds. */
uint64_t echo_cuda_host_call_end(EchoCudaHostCall *call);

#endif
