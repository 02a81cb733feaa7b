/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels of a module on a GPU, and the host program that launches them. Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_CUDA_CODE_T_H
#define ECHO_JIT_RUNTIME_CUDA_CODE_T_H

#include "jit/runtime/cuda/convolution_t.h"
#include "jit/runtime/cuda/product_t.h"
#include "jit/runtime/program_t.h"

typedef struct EchoCudaPhase {
  const char *name; /* of the entry: "map_0__0" */
  CUfunction function;
  unsigned grid, block;  /* grid 0: nothing to launch */
  unsigned shared_bytes; /* that a launch asks for */
} EchoCudaPhase;

/* What a kernel.launch launches, one after the other. */
struct EchoCudaKernel {
  EchoStr name; /* of the callee: "map_0" */
  EchoCudaPhase *phases;
  size_t n_phases;
  EchoCudaLibraryCall *call; /* that a library does in their place; NULL: none */
};

/* A call of a target; events NULL until it is reached. */
typedef struct EchoCudaCall {
  CUevent began, done; /* on the stream of calls */
  CUevent reached;     /* on the compute stream, before it waits */
  const EchoKernelCode *kernel;
  bool is_under_way; /* and in the list of those */
  bool is_beside, is_joined;
} EchoCudaCall;

/* What the runs of one program use, made by the first of them that needs it: a step asks the driver
 * for nothing but launches of graphs, or, where kernels are timed, of kernels, copies and waits. */
typedef struct EchoCudaStep {
  void *selector;                        /* pinned: what control flow depends on */
  CUevent now, before;                   /* the compute stream, before a swap or around a launch */
  CUevent *done;                         /* by event of the program; NULL until it is reached */
  EchoCudaCall *calls;                   /* by event, likewise */
  ECHO_VECTOR(EchoCudaCall *) under_way; /* in their order */
  size_t n_events;
  struct EchoCudaBlock *blocks; /* by number: graphs and what stands between them */
  size_t n_blocks;
  uint64_t n_runs;
  void **addresses; /* of the last run, the host's memory behind the slots */
  uint64_t *changed_at;
  uint64_t last_change;
} EchoCudaStep;

/* Of what one library may do. */
typedef struct EchoCudaShare {
  size_t n, n_library; /* of which it does so many */
  bool is_there;
} EchoCudaShare;

typedef struct EchoCudaCode {
  EchoCuda *cuda;
  EchoCudaStep step;
  EchoArena arena;
  CUmodule module;
  ECHO_VECTOR(EchoCudaKernel) kernels; /* in the order of the image */
  EchoCudaShare products, convolutions;
  uint64_t space_bytes; /* of the device, that libraries work in; one after the other */
  CUdeviceptr space;
} EchoCudaCode;

/* Loads the PTX of an image, whose names outlive `code`. False after diagnostics; destroyed by the
 * caller either way. */
bool echo_cuda_code_load(EchoCudaCode *code, EchoContext *ctx, EchoCuda *cuda, EchoImage *image);
void echo_cuda_code_destroy(EchoCudaCode *code);
/* Appends "cuBLASLt 13.0.2 for 2 of 5 products, cuDNN 9.10.2 for 3 of 3 convolutions", or why one
 * makes none; nothing of one that was not asked for. */
void echo_cuda_code_library(const EchoCudaCode *code, EchoBuffer *out);
/* Sums over the phases of a kernel; false when the device does not count. */
bool echo_cuda_code_counters(const EchoCudaCode *code, size_t kernel, EchoCudaCounters *counters);

/* As echo_program_run, on the device of `code`, whose program it always is; waits until all is
 * done. False after diagnostics. */
bool echo_cuda_program_run(EchoContext *ctx, EchoCudaCode *code, const EchoProgram *program,
                           void *const *addresses, void *host, EchoKernelTime *times);
void echo_cuda_step_destroy(EchoCudaCode *code);

#endif
