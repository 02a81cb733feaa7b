/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/cuda/library_call_t.h"

#include "dialects/plan/plan.h"

enum { N = ECHO_LIBRARY_OPERANDS, RESULT = N - 1 };

uint64_t echo_cuda_most_workspace(const EchoCuda *cuda)
{
  return (uint64_t)(strcmp(cuda->target, "sm_90") == 0 ? 32 : 4) << 20;
}

static bool is_copied(const EchoCudaLibraryOperand *operand)
{
  return operand->alignment < ECHO_LIBRARY_ALIGNMENT;
}

/* Where things lie in a call's space: the workspace, then copies. Answers where they end. */
static uint64_t place(const EchoCudaLibraryCall *call, uint64_t *copies)
{
  uint64_t end = echo_align_up(call->workspace_bytes, ECHO_PLAN_ALIGNMENT);
  for (size_t i = 0; i < N; i++) {
    copies[i] = end;
    if (is_copied(&call->operands[i]))
      end = echo_align_up(end + call->operands[i].bytes, ECHO_PLAN_ALIGNMENT);
  }
  return end;
}

uint64_t echo_cuda_library_space(const EchoCudaLibraryCall *call)
{
  uint64_t copies[N];
  return place(call, copies);
}

void echo_cuda_library_destroy(EchoCuda *cuda, EchoCudaLibraryCall *call)
{
  if (call != NULL)
    call->methods->destroy(cuda, call);
}

static bool copy(EchoContext *ctx, EchoCuda *cuda, CUdeviceptr to, CUdeviceptr from, uint64_t bytes)
{
  return echo_cuda_check(ctx, cuda, cuda->driver.copy(to, from, (size_t)bytes, cuda->compute),
                         "cuMemcpyDtoDAsync", NULL);
}

bool echo_cuda_library_launch(EchoContext *ctx, EchoCuda *cuda, const EchoCudaLibraryCall *call,
                              const CUdeviceptr *arguments)
{
  const EchoCudaLibraryOperand *operands = call->operands;
  CUdeviceptr at[N];
  uint64_t copies[N];
  bool ok = true;
  place(call, copies);
  for (size_t i = 0; i < N && ok; i++) {
    at[i] = arguments[operands[i].argument];
    if (!is_copied(&operands[i]))
      continue;
    ok = i == RESULT || copy(ctx, cuda, call->space + copies[i], at[i], operands[i].bytes);
    at[i] = call->space + copies[i];
  }
  ok = ok &&
       call->methods->enqueue(ctx, cuda, call, at, call->workspace_bytes != 0 ? call->space : 0);
  CUdeviceptr out = arguments[operands[RESULT].argument];
  return ok && (!is_copied(&operands[RESULT]) ||
                copy(ctx, cuda, out, at[RESULT], operands[RESULT].bytes));
}

bool echo_cuda_library_capture(EchoContext *ctx, EchoCuda *cuda, const EchoCudaLibraryCall *call,
                               const CUdeviceptr *arguments, CUgraph *graph)
{
  const EchoCudaDriver *driver = &cuda->driver;
  *graph = NULL;
  if (!echo_cuda_check(ctx, cuda,
                       driver->stream_begin_capture(cuda->compute, CU_STREAM_CAPTURE_MODE_RELAXED),
                       "cuStreamBeginCapture", NULL))
    return false;
  bool ok = echo_cuda_library_launch(ctx, cuda, call, arguments);
  return echo_cuda_check(ctx, cuda, driver->stream_end_capture(cuda->compute, graph),
                         "cuStreamEndCapture", NULL) &&
         ok;
}
