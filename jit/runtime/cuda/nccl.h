/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* GPUs of one program's processes, through NCCL, which is found at run time: the targets of
 * jit/runtime/mpi.h for a device. MPI brings the processes together and carries NCCL's name for
 * them; what a step sends, NCCL carries. NCCL is one a process, and so is its state here, between
 * echo_mpi_start and echo_mpi_finish. Errors are one line, appended to *error. */
#ifndef ECHO_JIT_RUNTIME_CUDA_NCCL_H
#define ECHO_JIT_RUNTIME_CUDA_NCCL_H

#include "dialects/kernel/call_target.h"
#include "jit/runtime/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Every process calls it, with a GPU each; false on all where any has none, or no NCCL. NULL: this
 * process has none. It ends with the device; one process needs nothing. */
bool echo_nccl_start(const EchoDevice *device_or_null, EchoBuffer *error);
/* After an error: ends what is under way on this device, waits for nobody, and calls nothing more.
 */
void echo_nccl_abort(void);
/* Appends "NCCL 2.27.3", or nothing before start. */
void echo_nccl_describe(EchoBuffer *out);

/* The targets "echo.mpi.…" in a context, as echo_mpi_register_targets has them for the CPU: a
 * context has one or the other. False where it has them already. */
bool echo_nccl_register_targets(EchoContext *ctx, EchoBuffer *error);
/* As echo_mpi_prepare. */
bool echo_nccl_prepare(EchoOp *module, EchoBuffer *error);

#ifdef __cplusplus
}
#endif

#endif
