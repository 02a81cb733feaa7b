/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the targets (nccl_targets.c) and the host program (program.c) need of the library that was
 * found (nccl.c). Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_CUDA_NCCL_T_H
#define ECHO_JIT_RUNTIME_CUDA_NCCL_T_H

#include "jit/runtime/cuda/cuda_t.h"
#include "jit/runtime/cuda/nccl.h"
#include "jit/runtime/cuda/nccl_abi_t.h"
#include "jit/runtime/mpi_t.h"

#define ECHO_NCCL_MEMBER(type, name, symbol, parameters) type(*name) parameters;
typedef struct EchoNcclTable {
  ECHO_NCCL_CALLS(ECHO_NCCL_MEMBER)
} EchoNcclTable;
#undef ECHO_NCCL_MEMBER

typedef struct EchoNcclGroup {
  EchoMpiRanks ranks;
  int64_t size;
  ncclComm_t comm;    /* NULL where this process is in no group */
  int members, place; /* 0 there */
} EchoNcclGroup;

/* Where it was started on this device, it has ended. */
void echo_nccl_leave(const EchoCuda *cuda);

/* After start. */
const EchoNcclTable *echo_nccl_table(void);
const EchoCuda *echo_nccl_cuda(void);
ncclComm_t echo_nccl_world(void);
/* Made by echo_nccl_prepare; NULL: there is none. */
const EchoNcclGroup *echo_nccl_group_or_null(const EchoAttr *ranks, int64_t size);
/* True for ncclSuccess; else false, with the rank, the call, and NCCL's reason. */
bool echo_nccl_check(ncclResult_t result, const char *call, EchoBuffer *error);

/* Whether no communicator has failed since it was made; true before start. */
bool echo_nccl_is_well(EchoBuffer *error);

#endif
