/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cuDNN on one GPU, and what has been decided about convolutions. Found when a program first asks
 * for it, kept as long as the device. Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_CUDA_CUDNN_T_H
#define ECHO_JIT_RUNTIME_CUDA_CUDNN_T_H

#include "jit/runtime/cuda/choices_t.h"
#include "jit/runtime/cuda/cudnn_abi_t.h"

typedef struct EchoCuda EchoCuda;

#define ECHO_CUDNN_MEMBER(type, name, symbol, parameters) type(*name) parameters;
typedef struct EchoCudnn {
  ECHO_CUDNN_CALLS(ECHO_CUDNN_MEMBER)
  void *library;
  cudnnHandle_t handle; /* its stream is the one that computes */
  size_t version;       /* 91002 for 9.10.2 */
  EchoBuffer none;      /* why there is none; empty: there is one */
  EchoLibraryChoices choices;
} EchoCudnn;
#undef ECHO_CUDNN_MEMBER

/* The one of the device, opened where it is not yet; its `none` says where there is none. The
 * device's context is current. */
EchoCudnn *echo_cudnn_of(EchoCuda *cuda);
void echo_cudnn_destroy(EchoCudnn *dnn); /* NULL allowed */
/* "cuDNN 9.10.2" */
void echo_cudnn_describe(const EchoCudnn *dnn, EchoBuffer *out);

/* ---- jit/runtime/cuda/cudnn_plan.c ---- */

enum { ECHO_CUDNN_RANK = 6, ECHO_CUDNN_KNOBS = 32, ECHO_CUDNN_TENSORS = 3 };

/* Dimensions as cuDNN counts them: n, c, places; or, of groups that do not lie side by side, n, g,
 * c, places (of a filter k, c or g, k, c). */
typedef struct EchoCudnnTensor {
  int64_t id; /* by which addresses are given; 1 and up */
  int data_type;
  int64_t dims[ECHO_CUDNN_RANK], strides[ECHO_CUDNN_RANK];
} EchoCudnnTensor;

/* y = w * x, the gradient of x, or that of w: `operation` says which of the three is made. */
typedef struct EchoCudnnConvolution {
  cudnnBackendDescriptorType_t operation;
  int compute_type;
  bool is_convolution; /* in the sense of mathematics: the filter is turned round */
  size_t rank, n_spatial;
  int64_t strides[3], dilations[3], padding_before[3], padding_after[3];
  EchoCudnnTensor x, w, y;
} EchoCudnnConvolution;

/* One of the library's ways to do it. */
typedef struct EchoCudnnEngine {
  int64_t index;
  size_t n_knobs;
  int64_t knobs[ECHO_CUDNN_KNOBS][2]; /* type, value */
} EchoCudnnEngine;

/* Descriptors, in the order in which they were made. Once a call has failed none is asked for any
 * more. */
typedef struct EchoCudnnPlan {
  const EchoCudnn *dnn;
  ECHO_VECTOR(cudnnBackendDescriptor_t) made;
  cudnnBackendDescriptor_t graph, plan; /* NULL until they are there */
  uint64_t workspace_bytes;
  cudnnStatus_t status; /* of the first call that failed */
  const char *call;     /* its name */
} EchoCudnnPlan;

/* Fills at most n ways to do it that the notes of `allowed` bits (1 << note) permit, those first
 * that the library expects most of. 0: there is none, or plan->status says why. */
size_t echo_cudnn_list(EchoCudnnPlan *plan, const EchoCudnn *dnn, const EchoCudnnConvolution *c,
                       unsigned allowed, EchoCudnnEngine *engines, size_t n);
/* Makes plan->plan. False: plan->status says why. Destroyed by the caller either way. */
bool echo_cudnn_plan(EchoCudnnPlan *plan, const EchoCudnn *dnn, const EchoCudnnConvolution *c,
                     const EchoCudnnEngine *engine);
void echo_cudnn_plan_destroy(EchoCudnnPlan *plan);
/* Asks for it on the handle's stream: addresses by id, 1 first. */
cudnnStatus_t echo_cudnn_execute(const EchoCudnnPlan *plan, void *const *addresses,
                                 void *workspace);

#endif
