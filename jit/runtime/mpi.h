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
int echo_mpi_rank(void);       /* 0 before start */
int echo_mpi_size(void);       /* 1 before start */
int echo_mpi_local_rank(void); /* among the processes of this machine; 0 before start */

/* The targets "echo.mpi.…" in a context; false where it has them already. They may run beside the
 * program where the library serves another thread, else the context is warned; before start, too,
 * for a program that is only planned. */
bool echo_mpi_register_targets(EchoContext *ctx, EchoBuffer *error);
/* Makes the communicators of all calls of these targets in the module, on all processes in the same
 * order, before anything runs: a branch that only some take must not have to. Calls are told where
 * they stand, for a process that is ended while it waits in one says so. */
bool echo_mpi_prepare(EchoOp *module, EchoBuffer *error);
/* A collective that has begun and is not joined by all of its group for so long ends the run with
 * an error that names it; as long as PyTorch waits, 600, unless it is said. */
void echo_mpi_set_limit(double seconds);
double echo_mpi_limit_s(void);
/* What went between processes since the start. */
typedef struct EchoMpiFacts {
  uint64_t n_calls, bytes; /* bytes: of the operands */
  double busy_s;           /* in the calls, which includes what a process waits for the others */
  uint64_t own_bytes;      /* memory for values that travel together, beside the plan */
} EchoMpiFacts;
EchoMpiFacts echo_mpi_facts(void);

/* Whether this number is the same on all processes; else an error that begins with `what` ("another
 * module on") and names those that have another one than rank 0. */
bool echo_mpi_check_same(uint64_t own, const char *what, EchoBuffer *error);
/* Every process's `bytes` bytes, by rank, on all of them. */
bool echo_mpi_all_gather(const void *own, void *all, uint64_t bytes, EchoBuffer *error);
/* Rank 0's `bytes` bytes on all of them. */
bool echo_mpi_broadcast(void *data, uint64_t bytes, EchoBuffer *error);
/* Every process's on rank 0 only; `all` may be NULL elsewhere. */
bool echo_mpi_gather(const void *own, void *all, uint64_t bytes, EchoBuffer *error);

#ifdef __cplusplus
}
#endif

#endif
