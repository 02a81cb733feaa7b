/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cuBLASLt on one GPU, and what has been decided about products: which of them it makes, and by
 * which of its algorithms. Found when a program first asks for it, kept as long as the device.
 * Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_CUDA_CUBLASLT_T_H
#define ECHO_JIT_RUNTIME_CUDA_CUBLASLT_T_H

#include "jit/runtime/cuda/choices_t.h"
#include "jit/runtime/cuda/cublaslt_abi_t.h"

typedef struct EchoCuda EchoCuda;

#define ECHO_CUBLASLT_MEMBER(type, name, symbol, parameters) type(*name) parameters;
typedef struct EchoCublasLt {
  ECHO_CUBLASLT_CALLS(ECHO_CUBLASLT_MEMBER)
  void *library;
  cublasLtHandle_t handle;
  size_t version;  /* 130002 for 13.0.2 */
  EchoBuffer none; /* why there is none; empty: there is one */
  EchoLibraryChoices choices;
} EchoCublasLt;
#undef ECHO_CUBLASLT_MEMBER

/* The one of the device, opened where it is not yet; its `none` says where there is none. The
 * device's context is current. */
EchoCublasLt *echo_cublaslt_of(EchoCuda *cuda);
void echo_cublaslt_destroy(EchoCublasLt *lt); /* NULL allowed */
/* "cuBLASLt 13.0.2" */
void echo_cublaslt_describe(const EchoCublasLt *lt, EchoBuffer *out);

#endif
