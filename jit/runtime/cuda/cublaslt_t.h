/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cuBLASLt on one GPU, and what has been decided about products: which of them it makes, and by
 * which of its algorithms. Found when a program first asks for it, kept as long as the device.
 * Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_CUDA_CUBLASLT_T_H
#define ECHO_JIT_RUNTIME_CUDA_CUBLASLT_T_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vector.h"
#include "jit/runtime/cuda/cublaslt_abi_t.h"

typedef struct EchoCuda EchoCuda;

/* Whether the library makes a product, and how. */
typedef struct EchoProductChoice {
  bool is_library;
  uint64_t workspace_bytes;
  cublasLtMatmulAlgo_t algo;
} EchoProductChoice;

#define ECHO_CUBLASLT_MEMBER(type, name, symbol, parameters) type(*name) parameters;
typedef struct EchoCublasLt {
  ECHO_CUBLASLT_CALLS(ECHO_CUBLASLT_MEMBER)
  void *library;
  cublasLtHandle_t handle;
  size_t version;  /* 130002 for 13.0.2 */
  EchoBuffer none; /* why there is none; empty: there is one */
  EchoArena keys;
  EchoStringMap numbers; /* key -> number of a choice */
  ECHO_VECTOR(EchoProductChoice) choices;
} EchoCublasLt;
#undef ECHO_CUBLASLT_MEMBER

/* The one of the device, opened where it is not yet; its `none` says where there is none. The
 * device's context is current. */
EchoCublasLt *echo_cublaslt_of(EchoCuda *cuda);
void echo_cublaslt_destroy(EchoCublasLt *lt); /* NULL allowed */
/* "cuBLASLt 13.0.2" */
void echo_cublaslt_describe(const EchoCublasLt *lt, EchoBuffer *out);

/* What was decided before under the key: in this process, or, where cache_dir is not NULL, by
 * whoever kept it there. False: nothing, or nothing that can be read. */
bool echo_cublaslt_choice(EchoCublasLt *lt, const char *cache_dir, EchoStr key,
                          EchoProductChoice *choice);
/* Keeps *choice under the key, or takes what somebody else has kept there meanwhile: who is first
 * decides for all. A cache that cannot be written is no error. */
void echo_cublaslt_choose(EchoCublasLt *lt, const char *cache_dir, EchoStr key,
                          EchoProductChoice *choice);

#endif
