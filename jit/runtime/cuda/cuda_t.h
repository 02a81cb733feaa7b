/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One GPU: the driver's calls, a context, a stream that computes, one that copies each way, and one
 * for calls of others that a step makes. What
 * goes wrong is said with the call, and the kernel where there is one. Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_CUDA_CUDA_T_H
#define ECHO_JIT_RUNTIME_CUDA_CUDA_T_H

#include "jit/runtime/cuda/abi_t.h"
#include "jit/runtime/cuda/counters.h"
#include "jit/runtime/device_t.h"

#define ECHO_CUDA_MEMBER(name, symbol, parameters) CUresult(*name) parameters;
typedef struct EchoCudaDriver {
  ECHO_CUDA_CALLS(ECHO_CUDA_MEMBER)
  ECHO_CUDA_LATER_CALLS(ECHO_CUDA_MEMBER) /* all there, or all NULL */
  /* Of a device that counts, else NULL. */
  CUresult (*counters)(CUfunction function, EchoCudaCounters *counters);
  const char *(*finding)(void);
} EchoCudaDriver;
#undef ECHO_CUDA_MEMBER

/* Whether graphs can have nodes that run by what the device computes (condition_t.h). */
typedef struct EchoCudaConditions {
  bool is_asked, are_there; /* are_there: known once they were asked for */
  CUmodule module;
  CUfunction set;
} EchoCudaConditions;

struct EchoCuda {
  EchoCudaDriver driver;
  CUdevice device;
  CUcontext context;
  CUstream compute, in, out;
  CUstream calls; /* of targets, beside the others; NULL until there is one: echo_cuda_calls */
  EchoCallTimes call_times;
  char name[128];
  const char *target; /* "sm_80" */
  EchoCudaConditions conditions;
  struct EchoCublasLt *cublaslt; /* NULL until it is asked for: echo_cublaslt_of */
  struct EchoCudnn *cudnn;       /* the same: echo_cudnn_of */
};

/* Of device.c's methods. */
extern const EchoDeviceMethods ECHO_CUDA_METHODS;

EchoCuda *echo_cuda_create_or_null(unsigned ordinal, EchoBuffer *error);
void echo_cuda_destroy(EchoCuda *cuda); /* NULL allowed */
int echo_cuda_count(void);              /* of GPUs that the driver shows; 0 without one */
const char *echo_cuda_target(const EchoCuda *cuda);
const char *echo_cuda_name(const EchoCuda *cuda);

/* Fills the table. False with the reason appended to *error. */
bool echo_cuda_driver_load(EchoCudaDriver *driver, EchoBuffer *error);
/* Appends "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (out of memory)", and what an emulated device
 * found.
 */
void echo_cuda_describe(const EchoCudaDriver *driver, CUresult result, const char *call,
                        EchoBuffer *out);
/* True for CUDA_SUCCESS; else false after an error where `ctx` is not NULL. `kernel` may be NULL.
 */
bool echo_cuda_check(EchoContext *ctx, const EchoCuda *cuda, CUresult result, const char *call,
                     const char *kernel);

#endif
