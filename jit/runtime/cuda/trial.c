/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Our kernel and a library's, timed on memory of their own, which is given back. */
#include "jit/runtime/cuda/code_t.h"

enum {
  N_TIMED = 3, /* launches, of which the fastest counts */
  N_MEMORY = ECHO_LIBRARY_OPERANDS + 1,
  FILL = 0x3c /* of each byte: halves and floats near one */
};

static bool check(const EchoCudaTrial *trial, CUresult result, const char *call)
{
  return echo_cuda_check(trial->ctx, trial->cuda, result, call, trial->own->name.data);
}

static bool launch_own(const EchoCudaTrial *trial)
{
  const EchoCudaDriver *driver = &trial->cuda->driver;
  bool ok = true;
  for (size_t i = 0; i < trial->own->n_phases && ok; i++) {
    const EchoCudaPhase *phase = &trial->own->phases[i];
    ok = phase->grid == 0 ||
         check(trial,
               driver->launch(phase->function, phase->grid, 1, 1, phase->block, 1, 1,
                              phase->shared_bytes, trial->cuda->compute, trial->parameters, NULL),
               "cuLaunchKernel");
  }
  return ok;
}

static bool launch(const EchoCudaTrial *trial, const EchoCudaLibraryCall *call)
{
  return call == NULL ? launch_own(trial)
                      : call->methods->enqueue(
                            trial->ctx, trial->cuda, call, trial->memory,
                            call->workspace_bytes != 0 ? trial->memory[ECHO_LIBRARY_OPERANDS] : 0);
}

static bool time_launch(const EchoCudaTrial *trial, const EchoCudaLibraryCall *call,
                        float *milliseconds)
{
  const EchoCudaDriver *driver = &trial->cuda->driver;
  CUstream compute = trial->cuda->compute;
  return check(trial, driver->event_record(trial->begin, compute), "cuEventRecord") &&
         launch(trial, call) &&
         check(trial, driver->event_record(trial->end, compute), "cuEventRecord") &&
         check(trial, driver->stream_synchronize(compute), "cuStreamSynchronize") &&
         check(trial, driver->event_elapsed(milliseconds, trial->begin, trial->end),
               "cuEventElapsedTime");
}

bool echo_cuda_trial_time(const EchoCudaTrial *trial, const EchoCudaLibraryCall *call,
                          float *milliseconds)
{
  float once = 0;
  bool ok = time_launch(trial, call, milliseconds);
  for (int i = 0; i < N_TIMED && ok; i++) {
    ok = time_launch(trial, call, &once);
    *milliseconds = i == 0 || once < *milliseconds ? once : *milliseconds;
  }
  return ok;
}

bool echo_cuda_trial_begin(EchoCudaTrial *trial, EchoContext *ctx, EchoCuda *cuda,
                           const EchoCudaKernel *own, const EchoCudaLibraryCall *call)
{
  const EchoCudaLibraryOperand *operands = call->operands;
  const EchoCudaDriver *driver = &cuda->driver;
  size_t n = 0;
  bool ok = true;
  for (size_t i = 0; i < ECHO_LIBRARY_OPERANDS; i++)
    n = operands[i].argument >= n ? operands[i].argument + (size_t)1 : n;
  *trial = (EchoCudaTrial){.ctx = ctx,
                           .cuda = cuda,
                           .own = own,
                           .arguments = echo_alloc_zero(n, sizeof(CUdeviceptr)),
                           .parameters = echo_alloc_array(n, sizeof(void *))};
  for (size_t i = 0; i < n; i++)
    trial->parameters[i] = &trial->arguments[i];
  for (size_t i = 0; i < N_MEMORY && ok; i++) {
    bool is_operand = i < ECHO_LIBRARY_OPERANDS;
    uint64_t bytes = is_operand ? operands[i].bytes : echo_cuda_most_workspace(cuda);
    void *memory = ECHO_CUDA_METHODS.allocate(ctx, cuda, bytes);
    trial->memory[i] = (CUdeviceptr)(uintptr_t)memory;
    ok = memory != NULL &&
         check(trial, driver->fill(trial->memory[i], FILL, (size_t)bytes, cuda->compute),
               "cuMemsetD8Async");
    if (is_operand)
      trial->arguments[operands[i].argument] = trial->memory[i];
  }
  return ok && check(trial, driver->event_create(&trial->begin, 0), "cuEventCreate") &&
         check(trial, driver->event_create(&trial->end, 0), "cuEventCreate");
}

void echo_cuda_trial_end(EchoCudaTrial *trial)
{
  CUevent events[] = {trial->begin, trial->end};
  (void)trial->cuda->driver.stream_synchronize(trial->cuda->compute);
  for (size_t i = 0; i < 2; i++)
    if (events[i] != NULL)
      (void)trial->cuda->driver.event_destroy(events[i]);
  for (size_t i = 0; i < N_MEMORY; i++)
    if (trial->memory[i] != 0)
      ECHO_CUDA_METHODS.release(trial->cuda, (void *)(uintptr_t)trial->memory[i]);
  echo_free(trial->arguments);
  echo_free(trial->parameters);
}
