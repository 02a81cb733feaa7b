/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls that a GPU leaves to its host: functions of libraries of the CPU, call targets without
 * `enqueue`. What they read is copied to pinned memory of the host, where they are made, and what
 * they write is copied back. Not known here: how (jit/runtime/cuda/host_calls.c). */
#ifndef ECHO_DIALECTS_KERNEL_HOST_CALL_H
#define ECHO_DIALECTS_KERNEL_HOST_CALL_H

#include "dialects/kernel/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a call does with a buffer of its launch. */
typedef struct EchoCallBuffer {
  uint64_t n_bytes;
  bool is_read, is_written; /* neither: a token, working space */
} EchoCallBuffer;

#define ECHO_HOST_CALL_ALIGNMENT UINT64_C(64) /* of each buffer among those of a call */

/* Whether a GPU leaves it to its host: a kernel.library, kernel.invoke or kernel.effect whose
 * target, if it names one that is known, cannot be asked for on a stream. A trap is none: it is not
 * to be reached. */
bool echo_kernel_is_host_call(const EchoOp *call);
/* Of buffer i, operands before results; all 0 where there is none. `read` is its struct. */
EchoCallBuffer echo_kernel_call_buffer(const EchoOp *call, const EchoLibraryCall *read, size_t i);
/* Bytes of host memory that the calls of a module at stage planned or loops work in, one after the
 * other: the most that one of them does. O(ops). */
uint64_t echo_kernel_staged_bytes(EchoOp *module);

/* Host memory of `swapped` bytes and, behind them, `staged` ones. */
uint64_t echo_kernel_host_bytes(uint64_t swapped, uint64_t staged);

#ifdef __cplusplus
}
#endif

#endif
