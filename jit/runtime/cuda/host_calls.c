/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/cuda/host_calls_t.h"

#include <time.h>

static bool check(const EchoCudaRun *run, CUresult result, const char *call)
{
  return echo_cuda_check(run->ctx, run->cuda, result, call, NULL);
}

static uint64_t now_ns(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static EchoCallBuffer buffer_of(const EchoCudaHostCall *call, size_t i)
{
  return echo_library_kernel_buffer(call->launch->kernel->library, i);
}

void echo_cuda_host_call_begin(EchoCudaHostCall *call, const EchoInstruction *launch, char *staging)
{
  *call = (EchoCudaHostCall){.launch = launch,
                             .staging = staging,
                             .buffers = echo_alloc_zero(launch->n_slots + 1, sizeof(void *)),
                             .begin_ns = now_ns()};
}

/* The first operand that lies where operand i does: a result may take an operand's place. */
static size_t first_at(const EchoCudaHostCall *call, const EchoCudaRun *run, size_t i)
{
  const uint32_t *slots = call->launch->slots;
  size_t first = 0;
  while (run->addresses[slots[first]] != run->addresses[slots[i]] ||
         buffer_of(call, first).n_bytes != buffer_of(call, i).n_bytes)
    first++;
  return first;
}

bool echo_cuda_host_call_read(EchoCudaHostCall *call, const EchoCudaRun *run)
{
  char *next = call->staging;
  for (size_t i = 0; i < call->launch->n_slots; i++) {
    EchoCallBuffer buffer = buffer_of(call, i);
    size_t first = first_at(call, run, i);
    call->buffers[i] = first < i ? call->buffers[first] : next;
    next += first < i ? 0 : echo_align_up(buffer.n_bytes, ECHO_HOST_CALL_ALIGNMENT);
    CUdeviceptr device = (CUdeviceptr)(uintptr_t)run->addresses[call->launch->slots[i]];
    if (buffer.is_read && first == i && buffer.n_bytes != 0 &&
        !check(run,
               run->cuda->driver.copy_out(call->buffers[i], device, (size_t)buffer.n_bytes,
                                          run->cuda->compute),
               "cuMemcpyDtoHAsync"))
      return false;
  }
  return true;
}

static bool call_library(const EchoCudaHostCall *call)
{
  const EchoLibraryKernel *library = call->launch->kernel->library;
  if (!echo_library_kernel_may_fail(library)) {
    echo_library_kernel_run(library, call->buffers, 0, echo_library_kernel_n_tasks(library));
    return true;
  }
  EchoBuffer error = {0};
  bool ok = echo_library_kernel_try(library, call->buffers, &error) ||
            echo_library_kernel_say(library, &error);
  echo_buffer_destroy(&error);
  return ok;
}

bool echo_cuda_host_call_make(EchoCudaHostCall *call, const EchoCudaRun *run)
{
  if (!call_library(call))
    return false;
  for (size_t i = 0; i < call->launch->n_slots; i++) {
    EchoCallBuffer buffer = buffer_of(call, i);
    CUdeviceptr device = (CUdeviceptr)(uintptr_t)run->addresses[call->launch->slots[i]];
    if (buffer.is_written && buffer.n_bytes != 0 &&
        !check(run,
               run->cuda->driver.copy_in(device, call->buffers[i], (size_t)buffer.n_bytes,
                                         run->cuda->compute),
               "cuMemcpyHtoDAsync"))
      return false;
  }
  return true;
}

uint64_t echo_cuda_host_call_end(EchoCudaHostCall *call)
{
  echo_free(call->buffers);
  return now_ns() - call->begin_ns;
}
