/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A kernel that a library of NVIDIA's does in the place of ours: it was faster when both were
 * timed. It reads two of the kernel's arguments and writes a third. Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_CUDA_LIBRARY_CALL_T_H
#define ECHO_JIT_RUNTIME_CUDA_LIBRARY_CALL_T_H

#include "jit/runtime/cuda/cuda_t.h"

typedef struct EchoCudaKernel EchoCudaKernel;
typedef struct EchoCudaLibraryCall EchoCudaLibraryCall;

/* Of addresses, for the libraries' widest accesses. */
enum { ECHO_LIBRARY_ALIGNMENT = 16, ECHO_LIBRARY_OPERANDS = 3 };

typedef struct EchoCudaLibraryMethods {
  /* Asks for it on the compute stream, all addresses aligned; workspace is 0 where it takes none.
   */
  bool (*enqueue)(EchoContext *ctx, EchoCuda *cuda, const EchoCudaLibraryCall *call,
                  const CUdeviceptr *operands, CUdeviceptr workspace);
  void (*destroy)(EchoCuda *cuda, EchoCudaLibraryCall *call);
} EchoCudaLibraryMethods;

typedef struct EchoCudaLibraryOperand {
  uint32_t argument; /* of the kernel */
  int64_t alignment; /* of its address in every launch */
  uint64_t bytes;
} EchoCudaLibraryOperand;

struct EchoCudaLibraryCall {
  const EchoCudaLibraryMethods *methods;
  EchoCudaLibraryOperand operands[ECHO_LIBRARY_OPERANDS]; /* the last is written */
  uint64_t workspace_bytes;                               /* of the algorithm */
  CUdeviceptr space; /* echo_cuda_library_space of them; set by who has allocated it */
};

/* What a library may have to work in: NVIDIA's own advice for cuBLAS, 32 MiB from Hopper on, 4 MiB
 * before. */
uint64_t echo_cuda_most_workspace(const EchoCuda *cuda);
/* The workspace, and copies of what is not aligned. */
uint64_t echo_cuda_library_space(const EchoCudaLibraryCall *call);
void echo_cuda_library_destroy(EchoCuda *cuda, EchoCudaLibraryCall *call); /* NULL allowed */

/* Asks for it on the compute stream; arguments[i] is where the kernel's argument i lies. */
bool echo_cuda_library_launch(EchoContext *ctx, EchoCuda *cuda, const EchoCudaLibraryCall *call,
                              const CUdeviceptr *arguments);
/* In *graph what that would ask for, to be destroyed by the caller where it is not NULL. */
bool echo_cuda_library_capture(EchoContext *ctx, EchoCuda *cuda, const EchoCudaLibraryCall *call,
                               const CUdeviceptr *arguments, CUgraph *graph);

/* ---- jit/runtime/cuda/trial.c: who is faster ---- */

typedef struct EchoCudaTrial {
  EchoContext *ctx;
  EchoCuda *cuda;
  const EchoCudaKernel *own;
  CUdeviceptr memory[ECHO_LIBRARY_OPERANDS + 1]; /* operands, workspace */
  CUdeviceptr *arguments;                        /* of the kernel */
  void **parameters;
  CUevent begin, end;
} EchoCudaTrial;

/* Memory of its own for what `call` has, filled, and the most workspace. False after diagnostics:
 * the device has not as much. Ended by the caller either way. */
bool echo_cuda_trial_begin(EchoCudaTrial *trial, EchoContext *ctx, EchoCuda *cuda,
                           const EchoCudaKernel *own, const EchoCudaLibraryCall *call);
void echo_cuda_trial_end(EchoCudaTrial *trial);
/* The fastest of a few launches, after one that may load code: of `own` where `call` is NULL.
 *   errors  false after diagnostics: the device fails */
bool echo_cuda_trial_time(const EchoCudaTrial *trial, const EchoCudaLibraryCall *call,
                          float *milliseconds);

#endif
