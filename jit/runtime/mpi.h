/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Processes of one program, through the MPI that is found at run time (Open MPI or MPICH): call
 * targets for what --lower-collectives makes, and the little that a tool needs besides. MPI is one
 * a process, and so is its state here. Errors are one line, appended to *error. */
#ifndef ECHO_JIT_RUNTIME_MPI_H
#define ECHO_JIT_RUNTIME_MPI_H

#include "dialects/kernel/call_target.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a launcher (mpirun, mpiexec, srun) started this process. */
bool echo_mpi_is_launched(void);
/* Loads the library and joins the others. */
bool echo_mpi_start(EchoBuffer *error);
void echo_mpi_finish(void); /* waits for the others */
/* Ends every process; does not return. */
void echo_mpi_abort(void);
int echo_mpi_rank(void); /* 0 before start */
int echo_mpi_size(void); /* 1 before start */

/* The targets "echo.mpi.…" in a context; false where it has them already. */
bool echo_mpi_register_targets(EchoContext *ctx, EchoBuffer *error);
/* Makes the communicators of all calls of these targets in the module, on all processes in the same
 * order, before anything runs: a branch that only some take must not have to. */
bool echo_mpi_prepare(EchoOp *module, EchoBuffer *error);
/* Every process's `bytes` bytes, by rank, on all of them. */
bool echo_mpi_all_gather(const void *own, void *all, uint64_t bytes, EchoBuffer *error);
/* The same on rank 0 only; `all` may be NULL elsewhere. */
bool echo_mpi_gather(const void *own, void *all, uint64_t bytes, EchoBuffer *error);

#ifdef __cplusplus
}
#endif

#endif
