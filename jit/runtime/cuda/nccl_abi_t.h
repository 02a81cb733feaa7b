/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* NCCL's interface as far as it is used here: names, numbers and signatures are those that NVIDIA
 * publishes in nccl.h, which need not be there to build; the same from 2.18, the first with
 * ncclCommSplit, on. One list of calls: the table that is filled from the library and the library
 * that tests emulate are both made of it. */
#ifndef ECHO_JIT_RUNTIME_CUDA_NCCL_ABI_T_H
#define ECHO_JIT_RUNTIME_CUDA_NCCL_ABI_T_H

#include <stddef.h>
#include <stdint.h>

#include "jit/runtime/cuda/abi_t.h"

typedef struct ncclComm *ncclComm_t;
/* A version's own, longer with each: only NULL, what the parent has, is handed over. */
typedef struct ncclConfig ncclConfig_t;

typedef struct ncclUniqueId {
  char internal[128];
} ncclUniqueId;

typedef enum ncclResult_t {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7
} ncclResult_t;

typedef enum ncclRedOp_t { ncclSum = 0, ncclProd = 1, ncclMax = 2, ncclMin = 3 } ncclRedOp_t;

typedef enum ncclDataType_t {
  ncclInt8 = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclFloat32 = 7,
  ncclFloat64 = 8,
  ncclBfloat16 = 9
} ncclDataType_t;

enum { NCCL_SPLIT_NOCOLOR = -1 };

/* X(type of result, name, symbol in the library, parameters) */
#define ECHO_NCCL_CALLS(X)                                                                         \
  X(ncclResult_t, get_version, ncclGetVersion, (int *version))                                     \
  X(ncclResult_t, get_unique_id, ncclGetUniqueId, (ncclUniqueId * id))                             \
  X(ncclResult_t, init_rank, ncclCommInitRank,                                                     \
    (ncclComm_t * comm, int n_ranks, ncclUniqueId id, int rank))                                   \
  X(ncclResult_t, split, ncclCommSplit,                                                            \
    (ncclComm_t comm, int color, int key, ncclComm_t *made, ncclConfig_t *config))                 \
  X(ncclResult_t, destroy, ncclCommDestroy, (ncclComm_t comm))                                     \
  X(ncclResult_t, abort, ncclCommAbort, (ncclComm_t comm))                                         \
  X(ncclResult_t, async_error, ncclCommGetAsyncError, (ncclComm_t comm, ncclResult_t * error))     \
  X(const char *, error_string, ncclGetErrorString, (ncclResult_t result))                         \
  X(const char *, last_error, ncclGetLastError, (ncclComm_t comm))                                 \
  X(ncclResult_t, group_start, ncclGroupStart, (void))                                             \
  X(ncclResult_t, group_end, ncclGroupEnd, (void))                                                 \
  X(ncclResult_t, all_reduce, ncclAllReduce,                                                       \
    (const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t by,                \
     ncclComm_t comm, CUstream stream))                                                            \
  X(ncclResult_t, all_gather, ncclAllGather,                                                       \
    (const void *from, void *to, size_t count, ncclDataType_t type, ncclComm_t comm,               \
     CUstream stream))                                                                             \
  X(ncclResult_t, broadcast, ncclBroadcast,                                                        \
    (const void *from, void *to, size_t count, ncclDataType_t type, int root, ncclComm_t comm,     \
     CUstream stream))                                                                             \
  X(ncclResult_t, send, ncclSend,                                                                  \
    (const void *from, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,               \
     CUstream stream))                                                                             \
  X(ncclResult_t, recv, ncclRecv,                                                                  \
    (void *to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, CUstream stream))

#endif
